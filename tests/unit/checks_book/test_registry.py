"""The checks find themselves, say what they say in both languages, and hear of what bears upon them."""

from __future__ import annotations

import pytest

from inkwright.checks import checking, rules
from inkwright.checks.book import engine
from inkwright.checks.book.registry import checks
from inkwright.domain.diagnostic import Diagnostic
from inkwright.domain.text import Span
from inkwright.i18n import LOCALES, catalogue


@pytest.mark.parametrize("locale", LOCALES)
def test_every_code_has_a_sentence(locale):
    """Of each check's codes, in each language; none is a rule of proofreading as well."""
    assert engine.codes() - catalogue(locale).keys() == set()
    assert engine.codes() & rules.by_id().keys() == set()


def test_each_check_names_its_codes():
    """No check without codes, no code with two checks."""
    found = [code for check in checks() for code in check.CODES]
    assert len(found) == len(set(found)) == len(engine.codes())
    assert all(check.CODES for check in checks())


def test_a_message_is_made_of_the_params():
    """The same sentence for every client."""
    one = Diagnostic(Span(0, 1), "warning", "link_path_missing", {"path": "a.md"})
    assert "a.md" in checking.message(one, "zh")


async def test_what_bears_upon_other_files(write):
    """A title, a name, a number, a card's field do; prose and scenes do not."""
    book = await write(
        {"第1章.md": "# 第1章\n\n林夏来了。\n\n***\n\n好。\n", "cards/林夏.md": "---\ntype: character\n---\n"}
    )
    index, told = book.index, []
    index.listen(lambda: told.append(index.bearing))

    async def typed(path, text):
        before = index.bearing
        index.set_buffer(path, text)
        await index.settled()
        return index.bearing > before

    assert not await typed("第1章.md", "# 第1章\n\n林夏来了，又走了。\n\n***\n\n很好。\n")
    assert told == []
    assert await typed("第1章.md", "# 第一章 渡口\n\n林夏来了，又走了。\n\n***\n\n很好。\n")
    assert await typed(
        "第1章.md", "---\npov: 林夏\n---\n# 第一章 渡口\n\n林夏来了，又走了。\n\n***\n\n很好。\n"
    )
    assert await typed("cards/林夏.md", "---\ntype: character\naliases: [小夏]\n---\n")
    assert told


async def test_a_check_that_fails_costs_its_own_findings(write, monkeypatch, crashes):
    """The others are told of all the same, and the log says which one it was and where, not what it read."""
    from inkwright.checks.book import linked

    def broken(_book, _page):
        raise ValueError("林下")

    monkeypatch.setattr(linked, "find", broken)
    found = await write({"第1章.md": "---\norder: 第三\n---\n# 第1章\n\n[[林下]]\n"})
    assert [one.code for one in found.say("第1章.md")] == ["order_not_number"]
    (line,) = crashes.lines
    assert line.startswith("a check failed: inkwright.checks.book.linked: ValueError at broken:")
    assert "林下" not in line
    crashes.lines.clear()


async def test_what_is_switched_off_is_not_looked_for(write):
    """A code that nobody wants to hear of."""
    found = await write({"第1章.md": "# 第1章\n\n[[林下]] [a](b.md)\n"})
    said = engine.find(
        found.index.overview(), "第1章.md", found.text("第1章.md"), frozenset({"link_card_missing"})
    )
    assert [one.code for one in said] == ["link_path_missing"]
