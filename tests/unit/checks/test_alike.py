"""Two characters that never stand together and are one off from a word; misspellings by class."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.checks import checking
from inkwright.checks.rules import families

WORDS = next(family for family in families() if family.id == "zh-alike").tables["words"].split()


def found(text: str, code: str = "zh-word-likely", language: str = "zh") -> list[tuple[str, str]]:
    ones = [one for one in checking.check(text, language=language, names=()) if one.code == code]
    return [(one.span.of(text), one.fix.new if one.fix else "") for one in ones]


@pytest.mark.parametrize(("wrong", "right"), [("购卖", "购买")])
def test_a_word_with_one_wrong_character_is_asked_about(wrong: str, right: str) -> None:
    """Anywhere in a paragraph, at its edges too; it is a hint, so that nothing repairs it unasked."""
    for around in ("{}", "“{}”，他说。", "他又{}，", "😋{}。"):
        assert found(around.format(wrong)) == [(wrong, right)]


@pytest.mark.parametrize("text", ["门口的南疆浴场物美价廉。", "他引诱客人下水。", "夏季室内不热。"])
def test_where_two_words_meet_it_is_silent(text: str) -> None:
    """The first character ends a word with the one before it, or the second begins one with the one behind."""
    assert found(text) == []


def test_traditional_text_is_repaired_in_its_own_script() -> None:
    """Where the paragraph is in Traditional characters."""
    assert found("他在這裡購卖了許多東西，沒有說話。") == [("購卖", "購買")]


def test_a_wrong_word_is_none_of_the_right_ones() -> None:
    """No row's word is what another row calls wrong."""
    right = {row.split("/")[0] for row in WORDS}
    wrong = set()
    for row in WORDS:
        word, firsts, seconds = row.split("/")
        wrong |= {char + word[1] for char in firsts} | {word[0] + char for char in seconds}
    assert len(right) > 5000
    assert not right & wrong


@given(st.text(alphabet="购卖买零凌晨他，。a\ud800", max_size=30))
def test_a_fix_changes_one_character(text: str) -> None:
    """Whatever stands around it."""
    for wrong, right in found(text):
        assert sum(a != b for a, b in zip(wrong, right, strict=True)) == 1


def test_misspellings_are_told_of_in_small_letters_only() -> None:
    """A name is spelled as it likes; a spelling that people make is a fault, one that follows a class a question."""
    text = "He was aproaching the house, and the modren lamp was lit. Mrs Aproaching was in it."
    assert found(text, "en-misspelled-class", "en") == [("aproaching", "approaching")]
    assert found(text, "en-misspelled-likely", "en") == [("modren", "modern")]


@pytest.mark.parametrize(
    "text",
    [
        "What he had went to his sister, and the men he had came from the hills.",
        "If he were gone, you would be sorry that he had to go.",
        "The man with the dogs was waiting, and one of the boys who were late was his.",
        "There was three hours' walk before them, and the dog's teeth were bared.",
        "Let him have the boat that came by the bridge; they don't care.",
    ],
)
def test_sound_verbs_are_left_alone(text: str) -> None:
    """What stands nearest is not always the subject."""
    codes = {one.code for one in checking.check(text, language="en", names=())}
    assert not codes & {"en-agreement", "en-verb-form", "en-plural-apostrophe", "en-speech-stop"}
