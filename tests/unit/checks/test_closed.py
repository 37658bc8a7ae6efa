"""Fixes: they don't overlap, they touch no line end, and all of them together are the end of it."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inkwright.checks import checking
from inkwright.checks.checking import CheckCache
from inkwright.domain.text import EOL

relaxed = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None
)


@relaxed
@given(data=st.data())
def test_all_fixes_together_leave_nothing_to_fix(
    data: st.DataObject, mixtures: st.SearchStrategy[str]
) -> None:
    """Whatever stands in the text: the fixes are apart, and the repaired text has no fix any more."""
    text = data.draw(mixtures)
    language = data.draw(st.sampled_from(["", "zh", "en", "zh-TW"]))
    names = data.draw(st.sampled_from([(), ("林夏", "Rose"), ("一但", "了", "...")]))
    found = checking.check(text, language=language, names=names)
    spans = sorted(one.fix.span for one in found if one.fix)
    assert all(a.end <= b.start for a, b in pairwise(spans))
    assert all(span.start < span.end for span in spans)
    repaired = checking.fix_all(text, found)
    again = checking.check(repaired, language=language, names=names)
    assert [(o.code, o.span, o.fix) for o in again if o.fix] == []
    assert EOL.findall(repaired) == EOL.findall(text)


@relaxed
@given(data=st.data())
def test_a_cached_pass_says_what_a_fresh_one_says(
    data: st.DataObject, mixtures: st.SearchStrategy[str]
) -> None:
    """Over any sequence of texts the cache changes nothing but the work."""
    cache = CheckCache()
    for _ in range(3):
        text = data.draw(mixtures)
        fresh = checking.check(text, language="zh", names=("林夏",))
        assert checking.check(text, language="zh", names=("林夏",), cache=cache) == fresh


@relaxed
@given(data=st.data())
def test_any_single_fix_keeps_the_rest_of_the_text(
    data: st.DataObject, mixtures: st.SearchStrategy[str]
) -> None:
    """A fix replaces its span and nothing else, inside one line."""
    text = data.draw(mixtures)
    for one in checking.check(text, language="zh", names=()):
        if one.fix:
            assert not re.search(r"[\r\n]", one.fix.span.of(text) + one.fix.new)


def test_a_fault_that_a_fix_would_bring_to_light_is_folded_into_the_fix() -> None:
    """Half-width marks that become doubled full-width ones are repaired in one go."""
    text = "你好 ,,世界"
    found = checking.check(text, language="zh", names=())
    assert checking.fix_all(text, found) == "你好，世界"


def test_a_fault_that_another_fix_takes_along_still_tells_what_is_better() -> None:
    """Its sentence keeps its own word, and so does that of the one whose fix grows."""
    text = "He saw teh the the dog."
    misspelled, doubled = checking.check(text, language="en", names=())
    assert (misspelled.params["found"], misspelled.params["better"]) == ("teh", "the")
    assert (doubled.params["found"], doubled.params["better"], doubled.fix) == ("the the", "the", None)
    assert checking.fix_all(text, [misspelled, doubled]) == "He saw the dog."


@pytest.mark.parametrize(
    ("language", "run", "length"),
    [
        *(("zh", run, 200_000) for run in (" ", "\u3000", ".", ",", "!", "—", "-", "…", "。", "!,")),
        ("zh", "和", 60_000),
        ("en", " ", 200_000),
    ],
)
def test_long_runs_of_what_rules_begin_with_are_read(language: str, run: str, length: int) -> None:
    """A line of nothing but one mark costs what its length costs, not its square: that would be minutes."""
    text = ("他" if language == "zh" else "The man was") + run * (length // len(run)) + "x。y"
    found = checking.check(text, language=language, names=())
    assert all(0 <= one.span.start < one.span.end <= len(text) for one in found)
