"""Text that is put in at one place: one hunk, set apart as the document does it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.domain.errors import Fault
from inkwright.domain.proposal import Proposal
from inkwright.domain.text import Snapshot, TextEdit, apply
from inkwright.proposals.insertion import insertion
from inkwright.proposals.rebase import rebase


def put_in(base: str, at: int, answer: str) -> str:
    made = insertion("r", Snapshot("file:///a.md", "a.md", 1, base), at, answer)
    assert not isinstance(made, Fault)
    (hunk,) = made.hunks
    assert made.text == hunk.after
    return apply(base, [TextEdit(hunk.span, hunk.after)])


@pytest.mark.parametrize(
    ("base", "expected"),
    [
        ("甲。|\n\n乙。\n", "甲。\n\n新。\n\n乙。\n"),
        ("甲。|\n乙。\n丙。\n", "甲。\n新。\n乙。\n丙。\n"),
        ("甲。\r\n\r\n乙。|\r\n", "甲。\r\n\r\n乙。\r\n\r\n新。\r\n"),
        ("甲。\n\n|\n\n乙。\n", "甲。\n\n新。\n\n乙。\n"),
        ("甲。\n|\n乙。\n", "甲。\n\n新。\n\n乙。\n"),
        ("甲。\n\n|乙。\n", "甲。\n\n新。\n\n乙。\n"),
        ("甲|乙。\n", "甲新。乙。\n"),
        ("|", "新。"),
        ("甲。\n\n|", "甲。\n\n新。\n"),
        ("甲。\n|", "甲。\n\n新。\n"),
        ("甲。\r\n|", "甲。\r\n\r\n新。\r\n"),
        ("甲。|", "甲。\n\n新。"),
        ("```\n甲\n|\n乙\n```\n", "```\n甲\n新。\n乙\n```\n"),
        ("# 题|\n\n甲。\n", "# 题\n\n新。\n\n甲。\n"),
    ],
)
def test_it_is_set_apart_as_the_document_sets_paragraphs_apart(base: str, expected: str) -> None:
    """Blank lines where the document has them, line ends of its own, nothing inside a line of text."""
    at = base.index("|")
    assert put_in(base.replace("|", ""), at, "新。") == expected


@pytest.mark.parametrize(
    "answer", ["```\n新。\n```", "<passage>\n新。\n</passage>", "\n\n  新。\n\n", "~~~md\n新。\n~~~"]
)
def test_what_models_put_around_it_is_taken_off(answer: str) -> None:
    """A fence or a tag around the whole answer, and blank lines."""
    assert put_in("甲乙", 1, answer) == "甲新。乙"


@pytest.mark.parametrize("answer", ["", " \n\t", "```\n\n```"])
def test_an_answer_without_a_word_is_none(answer: str) -> None:
    """no_rewrite, and no proposal."""
    made = insertion("r", Snapshot("u", "", None, "甲"), 1, answer)
    assert isinstance(made, Fault)
    assert made.code == "no_rewrite"


@given(
    st.text("甲。 \n\r\u2028", max_size=40), st.integers(0, 40), st.text("新😀\n-`", min_size=1, max_size=20)
)
def test_all_text_around_it_stays(base: str, at: int, answer: str) -> None:
    """Whatever stands there: taking the new text out again gives the old one, and it is found again."""
    at = min(at, len(base))
    made = insertion("r", Snapshot("u", "", None, base), at, answer)
    if isinstance(made, Fault):
        assert not answer.strip().strip("`").strip()
        return
    after = apply(base, [TextEdit(made.hunks[0].span, made.hunks[0].after)])
    assert after[:at] + after[at + len(made.text) :] == base
    assert rebase(made, base).placed == {0: made.hunks[0].span}


@pytest.mark.parametrize(
    ("base", "expected"),
    [
        ("He went|home.\n", "He went New text. home.\n"),
        ("He went. |She stayed.\n", "He went. New text. She stayed.\n"),
        ("He went.| She stayed.\n", "He went. New text. She stayed.\n"),
        ("他说|好。\n", "他说New text.好。\n"),
        ("(|home)\n", "(New text. home)\n"),
    ],
)
def test_words_are_kept_apart(base: str, expected: str) -> None:
    """By one space, where they are written with spaces and there is none."""
    assert put_in(base.replace("|", ""), base.index("|"), "New text.") == expected


def test_a_text_put_in_is_written_as_the_book_is():
    """Traditional characters in a book in Simplified ones are told; what is new is no loss."""
    base = "林夏到的时候，船已经走了。"
    for answer, wanted in (
        ("她把票叠好，数了三遍。", []),
        ("她把票疊好，對著江面說話。", ["script_changed"]),
    ):
        made = insertion("r", Snapshot("u", "", None, base), len(base), answer)
        assert isinstance(made, Proposal)
        assert [finding.code for finding in made.hunks[0].findings] == wanted
