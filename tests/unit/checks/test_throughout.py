"""A mark that stands for another one throughout: told of once, repaired at once, and place by place where it is a slip."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inkwright.checks import checking
from inkwright.checks.checking import CheckCache
from inkwright.domain.diagnostic import Diagnostic
from inkwright.domain.text import apply

CODE = "zh-mark-throughout"
MANY = "　　他走了．\r\n\r\n　　“再等等．”她说．\r\n\r\n"


def _check(text: str, cache: CheckCache | None = None, disabled: tuple[str, ...] = ()) -> list[Diagnostic]:
    return checking.check(text, language="zh", names=(), disabled=disabled, cache=cache)


def _all(one: Diagnostic, text: str) -> str:
    (fix,) = one.fixes
    (change,) = fix.changes
    assert not isinstance(change.edits, tuple)
    assert change.path == ""
    return apply(text, list(change.edits(text)))


def test_it_is_said_once_with_a_fix_for_all() -> None:
    """At the first place, with how many there are, over paragraphs and stretches, in documents of any size."""
    for times in (7, 500):
        text = "# 题\r\n\r\n" + MANY * times
        (one,) = _check(text)
        assert (one.code, one.severity, one.fix) == (CODE, "information", None)
        assert one.span.start == text.index("．")
        assert one.params["count"] == 3 * times
        assert _all(one, text) == text.replace("．", "。")
        assert _check(_all(one, text)) == []


def test_the_fix_is_for_the_text_that_was_checked() -> None:
    """Another text gets no edits at places that are no longer there."""
    text = MANY * 10
    (one,) = _check(text)
    (change,) = one.fixes[0].changes
    assert not isinstance(change.edits, tuple)
    assert list(change.edits(f"他{text}")) == []


@pytest.mark.parametrize(
    "text",
    [
        MANY * 6,  # too few to be a way
        MANY * 10 + "他走了。" * 16,  # the right mark is used, too
    ],
)
def test_slips_are_told_of_place_by_place(text: str) -> None:
    """Few of them, or many among right ones."""
    found = _check(text)
    assert {one.code for one in found} == {"zh-full-stop"}
    assert len(found) == text.count("．")


def test_other_faults_stay() -> None:
    """What is said of other things is said as before."""
    text = MANY * 20 + "一但下雨，他就走．\r\n\r\n" + MANY * 20
    assert {one.code for one in _check(text)} == {CODE, "zh-misspelled"}


def test_it_can_be_turned_off() -> None:
    """Then each place is told of again; without the mark's own rule nothing is said of the mark."""
    found = _check(MANY * 10, disabled=(CODE,))
    assert ({one.code for one in found}, len(found)) == ({"zh-full-stop"}, 30)
    assert _check(MANY * 10, disabled=("zh-full-stop",)) == []


@given(st.lists(st.tuples(st.integers(0, 400), st.sampled_from(["．", "。", "他", "\n\n", ""])), max_size=25))
@settings(max_examples=40)
def test_what_is_remembered_says_what_a_fresh_look_says(edits: list[tuple[int, str]]) -> None:
    """Whatever is typed, also where one more mark makes a habit of slips or ends it."""
    text, cache = MANY * 8, CheckCache(size=60)
    for at, new in edits:
        text = text[:at] + new + text[at + 1 :]
        kept, fresh = _check(text, cache), _check(text, CheckCache(size=60))
        assert [(d.span, d.code, dict(d.params)) for d in kept] == [
            (d.span, d.code, dict(d.params)) for d in fresh
        ]
        assert [_all(d, text) for d in kept if d.code == CODE] == [
            _all(d, text) for d in fresh if d.code == CODE
        ]


def test_quotation_marks_that_are_half_straight_all_over_are_said_once() -> None:
    """With their number and one fix; a few among hundreds of right ones are told of place by place."""
    text = '　　他说：“走吧。"\n\n　　她说：“好。”\n\n' * 30
    (one,) = _check(text)
    assert (one.code, one.severity, one.params["count"]) == ("zh-quotes-mixed", "information", 30)
    assert _check(_all(one, text)) == []
    few = '　　他说：“走吧。"\n\n' * 3 + "　　她说：“好。”\n\n" * 300
    assert [one.code for one in _check(few) if "quote" in one.code] == ["zh-quote-mixed"] * 3


@pytest.mark.parametrize(
    ("pasted", "code"),
    [('　　她说："好。"\n\n', "zh-quote-straight"), ('　　她说：“好。"\n\n', "zh-quote-mixed")],
)
def test_while_right_marks_prevail_each_place_is_told_and_repaired(pasted: str, code: str) -> None:
    """Lines that were pasted from elsewhere do not hide themselves; so many that nobody reads them are told of once."""
    right = "　　他说：“走吧。”\n\n"
    text = right * 100 + pasted * 20 + right * 100
    found = [one for one in _check(text) if "quote" in one.code]
    assert {one.code for one in found} == {code}
    assert len(found) == text.count('"')
    assert checking.fix_all(text, found) == text.replace('说："', "说：“").replace('。"', "。”")
    (one,) = (one for one in _check(right * 1000 + pasted * 500) if "quote" in one.code)
    assert (one.severity, one.params["count"]) == ("information", len(found) * 25)
