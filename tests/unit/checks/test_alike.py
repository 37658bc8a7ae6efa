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


@pytest.mark.parametrize(
    "text",
    [
        "小馨走了过来。小姨点了点头。小姨带着他走了。他姨家在河边。",
        "林怡点了一下头。小毅点了一支烟。沈翼切了一块肉。林逸定了定神。周毅直了直腰。",
        "小仁物归原主。李志仁头一回来。林启图上写着字。张惠见他来了。小石间或说话。",
    ],
)
def test_names_and_kin_are_no_slips(text: str) -> None:
    """What ends a given name stands before any verb; who is called 小 or kin is called by a name."""
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
        "The man who taught you was a scholar, and the letter he wrote you was lost.",
        "Leaving you was a mistake. Above you was the sky. Beneath those was written a name.",
        "I insist that he have a say. It is vital that she have a doctor. God grant that he have a long life.",
        "You should not saw the plank. He did not fell the tree. He’d saw the logs, and he'd fell the oak.",
        "She had rose water. Those who could not came by boat. The men who saw it don't talk.",
        "The doctor’s are on the left. The butcher’s are shut today. The king’s were the finest.",
        "Many children’s are smaller, and these men’s are worn.",
        "There was four feet of snow. There is five pounds on the table. There is ten minutes left.",
        "Nothing but the walls was still standing.",
    ],
)
def test_sound_verbs_are_left_alone(text: str) -> None:
    """What stands nearest is not always the subject."""
    codes = {one.code for one in checking.check(text, language="en", names=())}
    assert not codes & {"en-agreement", "en-verb-form", "en-plural-apostrophe", "en-speech-stop"}


@pytest.mark.parametrize(
    "text",
    [
        "The foremen argued; the thought appals her; the river overflew its banks.",
        "The batmen and bowmen compered the show, and supermen and spokeswomen sang.",
        "He forbad it; the propellor went splish, and at the turnround a gofer brought lavash.",
        "She was talant and triffic, slappy as an offie, and the diapirs rose to the careline.",
    ],
)
def test_rare_words_are_no_misspellings(text: str) -> None:
    """Whatever a large dictionary knows is a word, however much it looks like a commoner one."""
    codes = {one.code for one in checking.check(text, language="en", names=())}
    assert not codes & {"en-misspelled-class", "en-misspelled-likely"}


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("You was late. Those was mine.", ["en-agreement", "en-agreement"]),
        ("It don't matter, and he don't care.", ["en-agreement", "en-agreement"]),
        ("There was four men at the door.", ["en-agreement"]),
        ("He had saw the house. He had fell down. It had rose up.", ["en-verb-form"] * 3),
        ("He did not saw him. She did not fell down.", ["en-verb-form"] * 2),
        ("These boy's were late for it.", ["en-plural-apostrophe"]),
    ],
)
def test_verbs_that_do_not_fit_are_still_asked_about(text: str, codes: list[str]) -> None:
    """Where nothing else can be meant."""
    found = [one.code for one in checking.check(text, language="en", names=())]
    assert sorted(found) == codes
