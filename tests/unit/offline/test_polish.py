"""Polish by rules: the passage, what was changed, and nothing that is right in the whole."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inkwright.domain.conversation import Locale, Task, Text
from inkwright.domain.conversation import ModelRequest as Request
from inkwright.domain.text import Span
from inkwright.offline.model import OfflineModel
from inkwright.offline.polish import SEPARATORS
from inkwright.proposals.windows import windows

SOUND = "林夏到的时候，船已经走了。\n\n“再等等。”周衡说。\n"
FAULTY = '林夏到的时候,船已经走了．\n\n“再等等."周衡说,一但下雨,就走。。\n'
FIXED = "林夏到的时候，船已经走了。\n\n“再等等。”周衡说，一旦下雨，就走。\n"


async def _polish(
    model: OfflineModel, passage: str, path: str = "", offset: int = 0, locale: Locale = "zh"
) -> tuple[str, str]:
    """The revised passage and the notes."""
    task = Task("polish", "novel", locale, "", passage, path, offset)
    text = "".join([e.text async for e in model.stream(Request((), task=task)) if isinstance(e, Text)])
    revised, _, notes = text.partition("\n\n" + SEPARATORS[locale] + "\n")
    return revised, notes


async def test_the_sure_fixes_are_made_and_each_is_named(shelf: Callable[..., Any]) -> None:
    """The revised passage stands first, verbatim; the notes name each change with its number and reason."""
    revised, notes = await _polish(OfflineModel(shelf({"一.md": FAULTY})), FAULTY, "一.md")
    assert revised == FIXED
    for change in ("`一但` → `一旦`", "`,` → `，`（3 处）", "`．` → `。`", "`。。` → `。`"):
        assert change in notes


async def test_a_second_run_changes_nothing(shelf: Callable[..., Any]) -> None:
    """On its own result, and on sound prose, the passage comes back unchanged with a note that says so."""
    for text in (FIXED, SOUND):
        for locale, said in (("zh", "没有需要改的地方"), ("en", "nothing to change")):
            revised, notes = await _polish(OfflineModel(shelf({"一.md": text})), text, "一.md", locale=locale)  # type: ignore[arg-type]
            assert revised == text
            assert said in notes


async def test_what_a_long_passage_is_told_of_itself_is_told_once(shelf: Callable[..., Any]) -> None:
    """The windows behind the first say only what they changed; one without a change is the passage alone."""
    text = FAULTY + "\n" + SOUND + "\n" + FAULTY
    model = OfflineModel(shelf({"一.md": text}))
    at = 0
    answers = []
    for part in (FAULTY, SOUND, FAULTY):
        answers.append(await _polish(model, part, "一.md", at))
        at += len(part) + 1
    assert [revised for revised, _ in answers] == [FIXED, SOUND, FIXED]
    assert ["离线校对引擎" in notes for _, notes in answers] == [True, False, False]
    assert ["更正" in notes for _, notes in answers] == [True, False, True]
    assert answers[1][1] == ""
    assert "离线校对引擎" in (await _polish(model, FAULTY, "一.md", 0))[1]


async def test_hints_are_not_acted_on(shelf: Callable[..., Any]) -> None:
    """What a rule only hints at is left to the writer."""
    text = "他—我的兄长来了，他也也来了。\n"
    revised, _ = await _polish(OfflineModel(shelf({"一.md": text})), text, "一.md")
    assert revised == text


async def test_what_rules_see_and_cannot_mend_is_said(shelf: Callable[..., Any]) -> None:
    """A fault without a sure fix is in the notes, not in the text."""
    text = "他说：“走吧。她答：“好。”\n"
    revised, notes = await _polish(OfflineModel(shelf({"一.md": text})), text, "一.md")
    assert revised == text
    assert "另有 1 处" in notes


@pytest.mark.parametrize(
    ("whole", "passage"),
    [
        ('他说："走吧，她们都在。"她点头。\n', '走吧，她们都在。"她点头。'),
        ('他说："走吧。"她说："好。"他走了。\n', '走吧。"她说："好。'),
        ("```\n他走了．\n```\n", "他走了．"),
        ("---\ntitle: 他走了．\n---\n\n好。\n", "title: 他走了．"),
        ("他（林夏)来了。\n", "林夏)来了。"),
        ("<!-- 他走了． -->\n", "他走了．"),
    ],
)
async def test_the_passage_is_a_part_and_is_read_as_one(
    whole: str, passage: str, shelf: Callable[..., Any]
) -> None:
    """Half a pair, code and front matter are recognised from the text around the passage."""
    offset = whole.index(passage)
    revised, _ = await _polish(OfflineModel(shelf({"一.md": whole})), passage, "一.md", offset)
    assert revised == passage


async def test_a_passage_that_moved_is_found_again(shelf: Callable[..., Any]) -> None:
    """Text typed above while the run waits moves the passage; it is found by what it says."""
    whole = "新的一段。\n\n" + FAULTY
    revised, _ = await _polish(OfflineModel(shelf({"一.md": whole})), FAULTY, "一.md", 0)
    assert revised == FIXED


async def test_a_passage_that_is_gone_is_polished_for_itself(shelf: Callable[..., Any]) -> None:
    """When the chapter no longer holds the passage, or cannot be read, only what is sure without it is done."""
    for texts in ({"一.md": "别的。"}, {}):
        revised, _ = await _polish(OfflineModel(shelf(texts)), '走吧．"她说："好,走．', "一.md", 7)
        assert revised == '走吧。"她说："好，走。'


async def test_names_of_cards_are_kept(shelf: Callable[..., Any]) -> None:
    """A card called 一但 stays, the wrong word beside it does not."""
    from inkwright.domain.cards import Card

    text = "一但来了,迫不急待。\n"
    model = OfflineModel(shelf({"一.md": text}, (Card("cards/一但.md", "一但", "character"),)))
    assert (await _polish(model, text, "一.md"))[0] == "一但来了，迫不及待。\n"


async def test_a_check_that_is_turned_off_is_not_applied(shelf: Callable[..., Any]) -> None:
    """The writer's switches hold for polish too."""
    model = OfflineModel(shelf({"一.md": FAULTY}), disabled=("zh-misspelled",))
    assert "一但" in (await _polish(model, FAULTY, "一.md"))[0]


PIECES = [
    "他走了",
    "．",
    ",",
    "。。",
    '"',
    "“",
    "”",
    "一但",
    "...",
    "--",
    "好",
    "\n\n",
    "\n",
    " ",
    "the the",
    "(",
    ")",
    "：",
    "```\n",
]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None)
@given(text=st.lists(st.sampled_from(PIECES), min_size=1, max_size=60).map("".join), size=st.integers(5, 60))
async def test_windows_put_together_are_the_whole_and_settle(
    text: str, size: int, shelf: Callable[..., Any]
) -> None:
    """Polished window by window or in one, a text keeps its line ends; a second whole run changes nothing."""
    model = OfflineModel(shelf({"一.md": text}))
    out = [text[:0]]
    at = 0
    for window in windows(text, Span(0, len(text)), size):
        out.append(text[at : window.span.start])
        out.append((await _polish(model, window.text, "一.md", window.span.start))[0])
        at = window.span.end
    parted = "".join([*out, text[at:]])
    assert parted.count("\n") == text.count("\n")
    whole = (await _polish(model, text, "一.md"))[0]
    again = OfflineModel(shelf({"一.md": whole}))
    assert (await _polish(again, whole, "一.md"))[0] == whole
