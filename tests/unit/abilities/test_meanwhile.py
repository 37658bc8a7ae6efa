"""A chapter that changes on the disk while its pipeline runs."""

from __future__ import annotations

import shutil
from dataclasses import replace

import pytest

from inkwright.domain.conversation import ToolCall
from inkwright.domain.errors import Fault
from inkwright.domain.run import RunEvent, StepStarted
from inkwright.i18n import render
from inkwright.runtime.scripted import Turn
from inkwright.workspace import read_bytes

NAME = "第001章 渡口.md"
TOLD = Fault("chapter_changed_meanwhile", {"path": NAME})
QUOTE = "她数了数铜钱，一共十七枚。"
SPLIT, DISTIL, DONE = "一、渡口。", "要点：林夏有十七枚铜钱。", "没有卡片。"


@pytest.fixture
def played(stage):
    """The codes that a run of the pipeline ends with, when `meddle` comes in its second step."""
    (stage.root / "book.toml").write_text('title = "渡口"\ntype = "breakdown"\nlanguage = "zh-CN"\n', "utf-8")

    async def run(meddle, text: str | None = None, script=(SPLIT, DISTIL, DONE)):
        stage.plays(*script)
        ask = replace(await stage.ask(""), pipeline="", request_id="run-1")
        if text is not None:
            ask = replace(ask, snapshot=replace(ask.snapshot, version=3, text=text))

        def sink(event: RunEvent) -> None:
            if isinstance(event, StepStarted) and event.index == 1:
                meddle(stage.chapter)

        return await stage.studio.run(ask, sink)

    return run


@pytest.mark.parametrize(
    "meddle", [lambda path: path.write_text("别的。\n", "utf-8"), lambda path: path.unlink()]
)
async def test_a_change_is_told_at_the_end(stage, played, meddle) -> None:
    """Changed or deleted: the notice says where the quotations come from, and is in the journal too."""
    result = await played(meddle)
    assert result.status == "completed"
    assert TOLD in result.notices
    book = await stage.studio.workspace.book(stage.chapter)
    assert TOLD in (await book.state.runs.get("run-1")).notices
    assert "引文" in render(TOLD, "zh")
    assert "quotations" in render(TOLD, "en")


async def test_a_cancelled_run_tells_it_too(stage, played) -> None:
    """Its cards are there as well."""

    def meddle(path) -> None:
        path.write_text("别的。\n", "utf-8")
        assert stage.studio.cancel("run-1")

    result = await played(meddle)
    assert result.stop_reason == "cancelled"
    assert TOLD in result.notices


async def test_a_chapter_that_stays_is_no_news(stage, played) -> None:
    """Nor is one that was written again with the same text."""
    result = await played(lambda path: path.write_bytes(read_bytes(path)))
    assert (result.status, _of_chapter(result)) == ("completed", ())


@pytest.mark.parametrize(
    ("after", "notices"), [(None, ()), ("编辑器里的话，还没有保存。\n", ()), ("别的。\n", (TOLD,))]
)
async def test_an_open_chapter_may_be_saved_meanwhile(played, after, notices) -> None:
    """What the writer has in the editor differs from the disk: saving it is no change, another text is."""
    result = await played(
        lambda path: after is not None and path.write_text(after, "utf-8"), "编辑器里的话，还没有保存。\n"
    )
    assert (result.status, _of_chapter(result)) == ("completed", notices)


async def test_a_book_that_is_deleted_meanwhile_is_not_made_again(stage, played) -> None:
    """Its card cannot be written, which the model is told, and its folder stays away."""
    arguments = {"card_type": "item", "title": "铜钱", "content": "林夏身上有十七枚铜钱。", "quote": QUOTE}
    card = Turn([ToolCall("c1", "create_note_card", arguments, "")])
    result = await played(lambda path: shutil.rmtree(path.parent), script=(SPLIT, DISTIL, card, DONE))
    assert (result.cards, TOLD in result.notices) == ((), True)
    told = stage.models.model.requests[-1].messages[-1]
    assert (told.role, "无法在 cards 写入卡片" in str(told.content)) == ("tool", True)
    assert not stage.root.exists()


def _of_chapter(result) -> tuple[object, ...]:
    """What is told but that no card was made: none is asked for."""
    return tuple(notice for notice in result.notices if notice.code != "pipeline_no_cards")
