"""A page that is typed in says what a fresh one says, and looks at no more than what was edited."""

from __future__ import annotations

import random

import pytest

from inkwright.checks.book import engine
from inkwright.checks.book.alike import Speller
from inkwright.checks.book.page import Page
from inkwright.checks.book.strips import Strips
from inkwright.manuscript.markdown import scan

CARDS = {
    "cards/王熙凤.md": "---\ntype: character\naliases: [凤姐]\n---\n",
    "cards/林夏.md": "---\ntype: character\n---\n",
}
PIECES = [
    "王熙凤来了。\n\n", "王熙风来了，凤姐笑。\n", "[[林夏|她]]与[[林下]]。\n\n", "```\n王熙凤\n```\n", "<!-- 林夏", "-->\n", "***\n\n",
    "## 雨夜\n\n", "第二章里，", "> 林夏说。\n", "- 王熙凤\n", "[a]: x.md\n", "%%", "---\n", "\r\n", "\n\n", "字" * 700 + "\n\n", "[一](第9章.md)", "𠮷",
]  # fmt: skip


def said(found):
    """What is told of, apart from the functions in it."""
    return [
        (d.span, d.code, d.severity, d.params, [f.changes[0].path for f in d.fixes if f.changes])
        for d in found
    ]


@pytest.mark.parametrize("seed", range(12))
async def test_typed_and_fresh_are_the_same(write, seed):
    """After every edit of a random session: diagnostics, mentions, links and headings as of a whole new reading."""
    book = await write({**CARDS, "第1章.md": "# 第1章\n"})
    overview = book.index.overview()
    dice = random.Random(seed)
    cache, strips = engine.BookCache(), Strips()
    text = "---\npov: 林夏\n---\n# 第1章\n\n" + "".join(dice.choices(PIECES, k=60))
    for _ in range(25):
        at = dice.randrange(len(text) + 1)
        end = min(len(text), at + dice.choice((0, 0, 1, 5, 200)))
        text = text[:at] + dice.choice(PIECES) + text[end:]
        page = Page("第1章.md", text, overview, strips)
        parsed = scan(text)
        fresh = Page("第1章.md", text, overview)
        typed = engine.find(overview, "第1章.md", text, cache=cache)
        assert said(typed) == said(engine.find(overview, "第1章.md", text))
        assert page.mentions == fresh.mentions
        assert page.links == fresh.links
        assert page.headings == parsed.headings
        assert page.comments == parsed.comments
        assert page.scene_breaks == parsed.scene_breaks


async def test_mentions_are_those_of_the_index(write):
    """A link that shows something else is a mention of its target, as everywhere."""
    text = "# 第1章 林夏\n\n[[林夏|凤姐]]来了。王熙凤！\n\n`林夏`\n"
    book = await write({**CARDS, "第1章.md": text})
    overview = book.index.overview()
    assert Page("第1章.md", text, overview).mentions == book.index.mentions("第1章.md")


async def test_an_edit_looks_at_its_own_paragraph(write, monkeypatch):
    """Of five hundred paragraphs one is looked at for slips after a key, and none when only places moved."""
    looked: list[str] = []
    real = Speller.han
    monkeypatch.setattr(Speller, "han", lambda self, text: looked.append(text) or real(self, text))
    book = await write({**CARDS, "第1章.md": "# 第1章\n"})
    overview = book.index.overview()
    cache = engine.BookCache()
    paragraphs = [f"第{n}句，王熙凤来了。" for n in range(500)]

    def find():
        looked.clear()
        engine.find(overview, "第1章.md", "# 第1章\n\n" + "\n\n".join(paragraphs), cache=cache)
        return list(looked)

    assert len(find()) >= 500
    paragraphs[250] += "王熙风走了。"
    assert find() == [paragraphs[250]]
    paragraphs[0] = "改了开头。"
    assert find() == [paragraphs[0]]
    assert find() == []
