"""A book to measure on, the same at every run: chapters of prose that name forty cards."""

from __future__ import annotations

import random
from pathlib import Path

SURNAMES = "林周沈顾陆江谢苏叶程"
GIVEN = ["晚秋", "砚", "知白", "长风"]
WORDS = [
    "雨夜",
    "渡口",
    "船夫",
    "灯火",
    "石阶",
    "江面",
    "旧信",
    "门外",
    "风声",
    "院子",
    "茶水",
    "故人",
    "天色",
    "街上",
    "马蹄",
    "窗前",
    "竹林",
    "山路",
    "酒馆",
    "衣袖",
    "沉默",
    "抬头",
    "转身",
    "回答",
    "等待",
    "点头",
    "看着",
    "想起",
    "走过",
    "推开",
    "放下",
    "听见",
    "说话",
    "坐下",
    "离开",
    "知道",
    "忘记",
    "收起",
    "望着",
    "笑了",
]
LINKS = ["，", "，", "，", "。", "。", "；", "……"]


def names() -> list[tuple[str, str]]:
    """Forty names, each with an alias."""
    return [(s + g, ("小" if i % 2 else "阿") + g[-1] + s) for s in SURNAMES for i, g in enumerate(GIVEN)]


def write(root: Path, chapters: int, size: int) -> int:
    """Write the book; `size` is about the bytes of a chapter. Returns the bytes written."""
    rng = random.Random(20_240_101)
    cast = names()
    cards = root / "设定" / "角色"
    cards.mkdir(parents=True)
    for name, alias in cast:
        text = f"---\ntype: character\nname: {name}\naliases: [{alias}]\nsummary: {name}的简介\n---\n渡口镇的人。\n"
        (cards / f"{name}.md").write_text(text, encoding="utf-8", newline="\n")
    (root / "book.toml").write_text('title = "渡口"\n', encoding="utf-8", newline="\n")
    total = 0
    for number in range(1, chapters + 1):
        folder = root / "正文" / f"第{(number - 1) // 100 + 1:03}卷"
        folder.mkdir(parents=True, exist_ok=True)
        data = chapter(rng, number, size, [name for pair in cast for name in pair]).encode()
        (folder / f"第{number:04}章 {WORDS[number % len(WORDS)]}.md").write_bytes(data)
        total += len(data)
    return total


def chapter(rng: random.Random, number: int, size: int, cast: list[str]) -> str:
    parts = [f"# 第{number:04}章 {WORDS[number % len(WORDS)]}\n"]
    length = 0
    while length * 3 < size:
        sentence = "".join(
            (rng.choice(cast) if rng.random() < 0.06 else rng.choice(WORDS))
            + (rng.choice(LINKS) if rng.random() < 0.3 else "")
            for _ in range(rng.randrange(12, 40))
        )
        line = (
            f"　　“{sentence.rstrip('，；')}。”" if rng.random() < 0.3 else f"　　{sentence.rstrip('，；')}。"
        )
        parts.append("***" if rng.random() < 0.02 else line)
        length += len(line)
    return "\n\n".join(parts) + "\n"
