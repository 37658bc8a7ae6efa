"""Every wrong word of the table: found in its sentence, repaired, and silent where words only meet."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from inkwright.checks import checking, rules

CORPUS = Path(__file__).parents[2] / "corpus" / "proofreading" / "confusables.zh.toml"
CODES = ("zh-misspelled", "zh-misspelled-traditional")


@pytest.fixture(scope="module")
def rows() -> list[list[str]]:
    found: list[list[str]] = tomllib.loads(CORPUS.read_text("utf-8"))["words"]
    return found


def test_every_entry_has_its_sentence(rows: list[list[str]]) -> None:
    """The table and the sentences name the same words, with the same corrections."""
    table = next(f for f in rules.families() if f.id == "zh-words").tables["words"]
    assert len(table) >= 300
    assert {row[0]: row[1] for row in rows} == {row[0]: row[1] for row in table}


def test_every_entry_is_found_and_repaired(rows: list[list[str]]) -> None:
    """The sentence with the wrong word becomes the one with the right word."""
    wrong = []
    for bad, good, sentence, *_ in rows:
        repaired = checking.fix_all(sentence, checking.check(sentence, language="zh", names=()))
        if repaired != sentence.replace(bad, good):
            wrong.append((bad, repaired))
    assert wrong == []


def test_words_that_only_meet_are_silent(rows: list[list[str]]) -> None:
    """Of two sound words side by side no end and beginning is a wrong word."""
    loud = []
    for bad, _, _, *traps in rows:
        for trap in traps:
            found = checking.check(trap, language="zh", names=())
            loud += [(bad, trap) for one in found if one.code in CODES]
    assert loud == []


def test_the_right_words_are_silent(rows: list[list[str]]) -> None:
    """A correction is no fault itself."""
    for _, good, *_ in rows:
        found = checking.check(f"他写道：“{good}”。", language="zh", names=())
        assert [one.span for one in found if one.code in CODES] == []


def test_a_name_is_never_touched() -> None:
    """Nor a word that a name shares a character with."""
    text = "林一但笑不语，一但下雨就走。"
    assert len(checking.check(text, language="zh", names=("林一但",))) == 1
