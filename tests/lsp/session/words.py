"""What the random writer types: names, Markdown, front matter, and every odd character that there is."""

from __future__ import annotations

import random

NAMES = (
    "林夏",
    "阿夏",
    "夏夏",
    "周衡",
    "旧渡口",
    "Fred Smith",
    "Fred Jones",
    "Fred",
    "𠮷野",
    "王熙鸾",
    "青云门",
)
TITLES = ("第一章", "第二章", "第3章 渡口", "Chapter 4", "第十二章", "尾声")
ODD = (
    "😀",
    "𠮷",
    "👩\u200d👩\u200d👧",
    "e\u0301",
    "✍️",
    "\u2028",
    "\u2029",
    "\x0b",
    "\x0c",
    "\x1c",
    "\x85",
    "\0",
    "\ufeff",
    "\u202e",
    "\u3000",
    "\u00a0",
    "ﬃ",
    "İ",
    "ß",
    "\ufffd",
    "가",
    "か\u3099",
    "\U000e0041",
)
HALVES = ("\ud83d", "\ude00", "\ud842", "\udfb7", "\ud800", "\udfff")
ENDS = ("\n", "\n", "\n", "\r\n", "\r\n", "\r")
PROSE = (
    "走到旧渡口，",
    "说：“走吧。”",
    "他来了,走了。",
    "等了等。没有人……",
    "的的的",
    "“你来了？”她问，“坐。”",
    "他说 teh 好",
    "He said, “No.” and left. ",
    "Fred’s hat. ",
    "三千二百人",
    "一九四九年十月",
    "笑了笑，没有没有说话。",
    "見[[林夏|她]]。",
    "[[周衡]]",
    "[[cards/旧渡口]]",
    "[[没有的人]]",
    "[卡](cards/林夏.md#生平)",
    "[x](<b c.md#h>)",
    "![图](img/a.png)",
    "`林夏`",
    "@林",
    "[[林",
    "<!-- 林夏 -->",
    "http://例子.中国/林夏",
)
BLOCKS = (
    "# {title}",
    "## {name}",
    "###### ",
    "#",
    "***",
    "---",
    "* * *",
    "> {name}说",
    "- {name}",
    "1. 一",
    "```\n{name}\n```",
    "```",
    "~~~",
    "    {name}",
    "| a | {name} |\n|---|---|",
    "Setext\n===",
    "",
    "",
)
FRONT = (
    "---\ntitle: {title}\n---\n",
    "---\r\ntitle: {title}\r\npov: {name}\r\n---\r\n",
    "---\norder: 3\ncharacters: [{name}, 周衡]\nlocation: 旧渡口\ntime: 黄昏\n---\n",
    "---\nthreads:\n  - {{name: 旧信, state: planted}}\n---\n",
    "---\nthreads:\n  - {{name: 旧信, state: paid}}\n  - 刀\n---\n",
    "---\n---\n",
    "---\ntitle: [\n---\n",
    "---\ntitle: {title}\n...\n",
    "---\n",
    "--- \n",
)
CARD = (
    "---\ntype: character\nname: {name}\naliases: [{other}]\n---\n# {name}\n\n学徒。{name}住在旧渡口。\n",
    "---\ntype: location\n---\n# {name}\n",
    "---\nname: {name}\ntype: item\nfacts:\n  - {{key: 所在, value: 旧渡口, from: 第一章}}\n---\n",
    "---\r\ntype: faction\r\nname: {name}\r\n---\r\n门。\r\n",
    "---\ntype: character\nname: {name}\nmatch: {{case: true}}\nprivate: true\n---\n",
)


class Words:
    """Draws from one source of chance."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance

    def name(self) -> str:
        return self.chance.choice(NAMES)

    def end(self) -> str:
        return self.chance.choice(ENDS)

    def piece(self) -> str:
        """Something short, as typed with one key or one paste."""
        pick = self.chance.random()
        if pick < 0.25:
            return self.name()
        if pick < 0.5:
            return self.chance.choice(PROSE)
        if pick < 0.66:
            return self.chance.choice(ODD)
        if pick < 0.7:
            return self.chance.choice(HALVES)
        if pick < 0.85:
            return self.end()
        return self.chance.choice(("字", "a", " ", "，", "。", "”", "“", ":", "-", "#", "[", "]", "`", "|"))

    def line(self) -> str:
        if self.chance.random() < 0.35:
            block = self.chance.choice(BLOCKS)
            return block.format(name=self.name(), title=self.chance.choice(TITLES))
        return "".join(self.piece() for _ in range(self.chance.randint(1, 8)))

    def paste(self, most: int = 6) -> str:
        end = self.end()
        return "".join(self.line() + end for _ in range(self.chance.randint(1, most)))

    def chapter(self) -> str:
        front = self.chance.choice(FRONT) if self.chance.random() < 0.5 else ""
        head = self._filled(front) + f"# {self.chance.choice(TITLES)}{self.end()}{self.end()}"
        return head + "".join(self.paste() for _ in range(self.chance.randint(1, 6))) + "他来了,走了。\n"

    def card(self) -> str:
        return self._filled(self.chance.choice(CARD))

    def _filled(self, shape: str) -> str:
        return shape.format(name=self.name(), other=self.name(), title=self.chance.choice(TITLES))
