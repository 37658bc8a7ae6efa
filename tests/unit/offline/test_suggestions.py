"""Names, titles and summaries by rule."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from inkwright.domain.cards import Card
from inkwright.domain.conversation import Finished, Locale, ModelRequest, Task, Text
from inkwright.i18n import LOCALES, tr
from inkwright.offline.model import OfflineModel

STORY = (
    "# 雨夜\n\n林夏赶到旧渡口，天已经黑了。“谁在那里？”林夏问。林夏点起青铜灯，那盏青铜灯照着旧渡口。"
    "周衡说：“是我。”周衡接过一盏青铜灯，林夏转身就走。青铜灯灭了。\n\n雨还在下。\n\n"
    + "水面很静。\n\n" * 6
    + "林夏杀死了周衡。\n"
)
CARDS = (
    Card("cards/林夏.md", "林夏", "character", "character"),
    Card("cards/密.md", "陆恪", "character", "character", ai="never"),
)


@pytest.fixture
def ask(shelf: Callable[..., Any]) -> Callable[..., Any]:
    """One answer about the story."""

    async def ask(ability: str, message: str = "", locale: Locale = "zh", text: str = STORY) -> str:
        model = OfflineModel(shelf({"雨夜.md": text}, CARDS))
        task = Task(ability, "novel", locale, message, text, "雨夜.md")
        events = [e async for e in model.stream(ModelRequest((), task=task))]
        assert isinstance(events[-1], Finished)
        assert events[-1].fault is None
        return "".join(e.text for e in events if isinstance(e, Text))

    return ask


@pytest.mark.parametrize("locale", LOCALES)
async def test_names_are_new_and_the_same_each_time(locale: Locale, ask: Callable[..., Any]) -> None:
    """Three kinds of names, none of which shares a surname or a character with a name of the book."""
    said = await ask("name-suggestions", locale=locale)
    assert tr("offline_rules_names", locale) in said
    names = re.findall(r"^- (\S+?)[（ (]", said, re.MULTILINE)
    assert len(names) == len(set(names)) == 12
    assert len({name[0] for name in names}) == 12
    for name in names:
        assert "夏" not in name
        assert "恪" not in name
        assert "衡" not in name
    assert said == await ask("name-suggestions", locale=locale)
    assert said != await ask("name-suggestions", locale=locale, text=STORY + "完。\n")


async def test_places_are_named_when_asked_for(ask: Callable[..., Any]) -> None:
    """A message about places gets places."""
    said = await ask("name-suggestions", "为这里的地点拟名。")
    assert tr("offline_names_places", "zh") in said
    assert len(re.findall(r"^- \S+$", said, re.MULTILINE)) == 8


async def test_titles_come_from_the_chapter_and_not_from_its_end(ask: Callable[..., Any]) -> None:
    """Each title stands on the line that is named beside it; the outcome is not given away."""
    said = await ask("title-suggestions")
    assert tr("offline_rules_titles", "zh") in said
    rows = re.findall(r"^- (.+?)（第 (\d+) 行", said, re.MULTILINE)
    titles = {title for title, _ in rows}
    assert {"青铜灯", "谁在那里？", "旧渡口"} <= titles
    for title, number in rows:
        assert title in STORY.split("\n")[int(number) - 1]
    assert "杀死" not in said
    assert "雨夜" not in titles


async def test_a_summary_is_of_the_texts_own_sentences(ask: Callable[..., Any]) -> None:
    """It is short, verbatim, and nothing but the summary: it is kept as the chapter's."""
    said = await ask("summary")
    assert 0 < len(said) <= 300
    assert all(part in STORY for part in re.split(r"(?<=[。？”])", said))


async def test_no_prose_is_a_fault_that_says_what_to_do(shelf: Callable[..., Any]) -> None:
    """An empty chapter has no summary."""
    task = Task("summary", "novel", "zh", "", "# 空\n", "空.md")
    model = OfflineModel(shelf({"空.md": "# 空\n"}))
    events = [e async for e in model.stream(ModelRequest((), task=task))]
    assert [e.fault.code for e in events] == ["nothing_to_summarise"]
