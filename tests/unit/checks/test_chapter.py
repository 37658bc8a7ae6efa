"""What only the whole chapter tells: its sums follow every edit."""

from __future__ import annotations

import pytest

from inkwright.checks import checking
from inkwright.checks.chapter.marks import Noted, Tally, joined
from inkwright.checks.checking import CheckCache


def _codes(text: str, **given: object) -> list[str]:
    return [one.code for one in checking.check(text, language="zh", names=(), **given)]


def test_the_rarer_form_is_pointed_at_and_the_usual_one_offered() -> None:
    """Three 账 and one 帐: the one is to become as the three are; it is an offer and no fix."""
    text = "账目清楚。\n\n账本在这里，账房也在。\n\n帐目不对。"
    (found,) = checking.check(text, language="zh", names=())
    assert (found.code, found.severity, found.span.of(text)) == ("zh-variant", "hint", "帐目")
    assert found.fix is None
    (offer,) = found.fixes
    assert [edit.new for edit in offer.changes[0].edits] == ["账目"]


def test_an_edit_changes_which_form_is_rare() -> None:
    """The sums are kept up: forms that were usual may become rare, and a mix may end."""
    cache = CheckCache(size=1)
    parts = ["账目清楚。", "账本在这里，账房也在。", "帐目不对。"]
    assert _codes("\n\n".join(parts), cache=cache) == ["zh-variant"]
    parts[:2] = ["帐目清楚。", "帐本在这里。"]
    assert _codes("\n\n".join(parts), cache=cache) == []
    parts.append("账上没钱。")
    assert _codes("\n\n".join(parts), cache=cache) == ["zh-variant"]
    assert _codes("他走了。", cache=cache) == []


@pytest.mark.parametrize(
    ("language", "codes"), [("zh-Hant", []), ("zh-TW", []), ("zh-Hans", ["zh-script-mixed"] * 2), ("zh", [])]
)
def test_the_language_of_a_book_says_its_script(language: str, codes: list[str]) -> None:
    """Without it the chapter decides: one word is no majority."""
    found = checking.check("他沒有說。", language=language, names=())
    assert [one.code for one in found if one.code == "zh-script-mixed"] == codes[: len(found)]


def test_characters_that_stand_in_both_scripts_are_left_alone() -> None:
    """后 and 里 in a Traditional chapter may be the empress and the mile."""
    assert _codes("皇后說，後來的事她不知道，這裡離里長家三里路。") == []


@pytest.mark.parametrize(
    ("usual", "rare", "told"), [(1, 1, False), (2, 1, False), (3, 1, True), (5, 2, False), (6, 2, True)]
)
def test_two_spellings_that_both_pass_are_a_fault_where_one_is_clearly_the_usual(usual, rare, told) -> None:
    """Three times as often, and three times at least."""
    zh = "\n\n".join(["这是唯一的路。"] * usual + ["惟一的办法是等。"] * rare)
    assert ("zh-variant" in _codes(zh)) == told
    en = "\n\n".join(["A grey sea."] * usual + ["The gray gulls."] * rare)
    assert ("en-variant" in [one.code for one in checking.check(en, language="en", names=())]) == told


def test_other_ways_of_writing_need_a_majority() -> None:
    """One against one is none."""
    assert "zh-numeral-mixed" not in _codes("他走了三公里。\n\n离村子还有2公里。")


def test_a_place_too_short_to_tell_anything_is_shown_with_its_words() -> None:
    """They end where the words end."""
    (found,) = checking.check("雨停了，他慢慢的走到窗前。", language="zh", names=())
    assert checking.message(found, "zh") == "状语后面用“地”：“他慢慢的走到窗”。"
    assert "“他慢慢的走到窗”" in checking.message(found, "en")


def test_names_do_not_count() -> None:
    """A card's name is written as it is written."""
    text = "账目清楚。\n\n账本在这里，账房也在。\n\n他叫帐目生。"
    assert [o.code for o in checking.check(text, language="zh", names=())] == ["zh-variant"]
    assert checking.check(text, language="zh", names=("帐目生",)) == []


def test_a_quotation_may_run_over_paragraphs_without_marks() -> None:
    """The one that opens it and the one that closes it have no fault."""
    assert _codes("他说：“从前有座山。\n\n山里有座庙。\n\n庙里没有人。”她笑了。") == []
    assert _codes("他说：“从前有座山。\n\n山里有座庙。") == ["zh-quote-edge"]


def test_confusables_are_repaired_in_the_script_of_their_paragraph() -> None:
    """A wrong word that both scripts write alike gets the right one of the script around it."""
    for text, right in (("他必竟没说。", "他毕竟没说。"), ("他必竟沒說過這話。", "他畢竟沒說過這話。")):
        assert checking.fix_all(text, checking.check(text, language="zh", names=())) == right


@pytest.mark.parametrize(
    ("rows", "runs"), [("aabaa", []), ("aabcbaa", []), ("aaaabaa", [4]), ("abaaaa", [4])]
)
def test_paragraphs_that_open_alike_are_in_a_row_only_side_by_side(rows: str, runs: list[int]) -> None:
    """What is forgotten between two short rows does not make them one, in one stretch or in several."""
    tally = Tally()
    for at, opening in enumerate(rows):
        tally.add(at, Noted(opening=opening))
    parts = [Tally() for _ in rows]
    for part, opening in zip(parts, rows, strict=True):
        part.add(0, Noted(opening=opening))
    assert [run.length for run in joined([(0, tally)])] == runs
    assert [run.length for run in joined(enumerate(parts))] == runs
