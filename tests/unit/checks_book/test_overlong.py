"""A paragraph without an end: read so far, and that is said."""

from __future__ import annotations

import pytest

from inkwright.checks import checking
from inkwright.checks.book.overlong import OVERLONG
from inkwright.checks.engine import MANY
from inkwright.manuscript import overlong

CARD = {"cards/王熙凤.md": "---\ntype: character\n---\n"}


@pytest.fixture
def most(monkeypatch):
    monkeypatch.setattr(overlong, "PIECE", 200)
    monkeypatch.setattr(overlong, "MOST", 1_000)


async def test_it_is_said_where_reading_stops(write, most):
    """One information where the rest begins; a name that is misspelt before it is told, one behind it not."""
    long = "王熙风来了。" * 3 + "好。" * 500 + "王希凤来了。"
    book = await write({**CARD, "第1章.md": f"# 第1章\n\n{long}\n\n短。\n"})
    text = book.text("第1章.md")
    (found,) = book.say("第1章.md", OVERLONG)
    assert (found.span.start, found.severity) == (text.index("王") + 1_000, "information")
    assert {one.span.of(text) for one in book.say("第1章.md", "name_misspelt")} == {"王熙风"}


async def test_pieces_say_what_the_whole_says(write, monkeypatch):
    """A paragraph that is cut at the ends of sentences has the mistakes, quotations and mentions that it had."""
    long = "“走吧。”王熙风以经到了。她说：“等等。再等等。天黑了。”[[没有|她]]走了。" * 30
    book = await write({**CARD, "第1章.md": f"# 第1章\n\n{long}\n"})
    text = book.text("第1章.md")

    def said():
        return book.say("第1章.md"), checking.check(text, language="zh", names=["王熙凤"])

    whole = said()
    monkeypatch.setattr(overlong, "PIECE", 100)
    assert said() == whole
    assert len(whole[0]) >= 30
    assert len(whole[1]) >= 30


def test_marks_without_a_partner_are_told_only_so_often():
    """Of thousands of quotation marks in a paragraph, each rule tells of the first; all that can be fixed are."""
    text = "“林夏说‘" * 3_000 + "\n\n" + "他以经到了。" * (MANY + 100) + "\n"
    found = checking.check(text, language="zh", names=[])
    assert sum(one.fix is None for one in found) <= 2 * MANY * 2
    assert sum(one.span.of(text) == "以经" for one in found) == MANY + 100
