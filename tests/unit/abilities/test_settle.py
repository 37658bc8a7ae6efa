"""From a run's answer to its proposal: the guard knows the book's cards and what the ability is for."""

from __future__ import annotations

import pytest

from inkwright.abilities.settle import settle
from inkwright.domain.cards import Card
from inkwright.domain.run import RunEnded, RunRequest, Usage, Window
from inkwright.domain.text import Snapshot, Span
from inkwright.library.loader import load
from inkwright.library.merge import merge

TEXT = "林夏把灯放下，数了三遍铜钱。\n\n“走吧，走吧，天都要黑了。”周衡说。\n"
CARDS = (
    Card("a.md", "林夏", "character", "character", ("小夏",)),
    Card("b.md", "周衡", "character", "character", ("老周",)),
)


@pytest.fixture
def settled():
    def settled(ability: str, answer: str) -> list[list[str]]:
        span = Span(0, len(TEXT))
        request = RunRequest(
            id="r",
            profile=merge(load(), ability, "novel", "", "zh"),
            book_root="",
            snapshot=Snapshot("file:///a.md", "a.md", 1, TEXT),
            span=span,
            whole=True,
            windows=(Window(0, 1, span, TEXT),),
            context=((),),
            message="",
            locale="zh",
            model="m",
            effort="low",
            budget=None,  # type: ignore[arg-type]
        )
        _, proposal = settle(
            request, RunEnded("completed", "finished", answer, Usage(), window_texts=(answer,)), CARDS
        )
        assert proposal is not None
        return [[finding.code for finding in hunk.findings] for hunk in proposal.hunks]

    return settled


def test_an_alias_is_the_name(settled):
    """What is said of a person under another of their names is said of them."""
    assert settled("polish", TEXT.replace("林夏把灯", "小夏把灯")) == [[]]
    assert settled("polish", TEXT.replace("林夏把灯", "周衡把灯")) == [["name_lost", "name_added"]]


def test_an_ability_may_do_what_it_is_for(settled):
    """Dialogue may be tightened by the one that tightens dialogue; a number may not be changed by any."""
    tight = TEXT.replace("“走吧，走吧，天都要黑了。”", "“走吧，天要黑了。”")
    assert settled("polish", tight) == [["quote_changed"]]
    assert settled("tighten-dialogue", tight) == [[]]
    assert settled("tighten-dialogue", tight.replace("三遍", "五遍")) == [["number_changed"], []]
