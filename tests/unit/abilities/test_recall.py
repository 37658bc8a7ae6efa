"""Runs of the journal played again: they come to what was recorded, and write nothing."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from inkwright.abilities.past import result
from inkwright.abilities.recall import recall, replayed
from inkwright.domain.conversation import ToolCall
from inkwright.domain.errors import Fault
from inkwright.domain.run import RunEnded, TextDelta, ToolEnded
from inkwright.runtime.scripted import Turn

READ = ToolCall("c1", "read_chapter", {"chapter_id": "第001章 渡口.md"}, "")
CARD = ToolCall(
    "c1",
    "create_note_card",
    {
        "card_type": "item",
        "title": "铜钱",
        "content": "林夏身上有十七枚铜钱。",
        "tags": ["铜钱"],
        "quote": "她数了数铜钱，一共十七枚。",
    },
    "",
)


async def played(stage, run_id: str):
    book = await stage.studio.workspace.book(stage.chapter)
    stored = await book.state.runs.get(run_id)
    events = [event async for event in await replayed(stored, book, await stage.studio.library(book))]
    *before, ended = events
    assert isinstance(ended, RunEnded)
    assert "".join(event.text for event in before if isinstance(event, TextDelta)) == ended.text
    return ended, before


def dump(path) -> list[str]:
    with closing(sqlite3.connect(path)) as conn:
        return list(conn.iterdump())


@pytest.mark.parametrize(
    "script",
    [
        (Turn(["先看一章。", READ]), "说完了。"),
        (Turn([READ]), Turn([READ]), Turn(["没说完", Fault("model_server", kind="server")])),
        ("一个字也没少",),
        (Turn(["断在这里"], finish="length"),),
    ],
)
async def test_a_run_comes_to_what_was_recorded(stage, script) -> None:
    """Text and stop reason are the same, and nothing differs on the way; the database stays to the row."""
    model = stage.plays(*script)
    ran = await stage.studio.run(await stage.ask("analysis", message="看看"), lambda _: None)
    asked = len(model.requests)
    book = await stage.studio.workspace.book(stage.chapter)
    was = dump(book.state.database.path)
    ended, _ = await played(stage, ran.request_id)
    assert (ended.text, ended.stop_reason) == (ran.text, ran.stop_reason)
    assert [notice.code for notice in ended.notices if notice.code.startswith("replay_")] == []
    assert dump(book.state.database.path) == was
    assert len(model.requests) == asked


async def test_an_edit_by_windows_is_played_window_by_window(stage) -> None:
    """The proposal is no part of it: what the model said is."""
    stage.plays("林夏到的时候，船走了。\n\n她数了数铜钱，一共十七枚。\n\n“再等等。”周衡说。\n")
    ran = await stage.studio.run(await stage.ask("polish"), lambda _: None)
    assert ran.proposal is not None
    ended, _ = await played(stage, ran.request_id)
    assert (ended.text, ended.stop_reason) == (ran.text, ran.stop_reason)


async def test_a_pipeline_that_was_gone_on_with_is_played_from_its_journal(stage) -> None:
    """The first run fails in its last step, the second begins with what was kept: both come out again,
    tools and all, and no second card is made."""
    (stage.root / "book.toml").write_text('title = "渡口"\ntype = "breakdown"\nlanguage = "zh-CN"\n', "utf-8")
    stage.plays("一、渡口。", "要点：十七枚。", Turn([Fault("model_server", kind="server")]))
    ask = replace(await stage.ask(""), pipeline="")
    first = await stage.studio.run(ask, lambda _: None)
    assert first.status == "partial"
    stage.plays(Turn([CARD]), "做成一张。")
    second = await stage.studio.run(replace(ask, resume=first.request_id), lambda _: None)
    assert second.status == "completed"
    assert len(second.cards) == 1
    book = await stage.studio.workspace.book(stage.chapter)
    (stage.root / second.cards[0]).unlink()
    was = dump(book.state.database.path)
    for run in (first, second):
        ended, before = await played(stage, run.request_id)
        assert (ended.text, ended.stop_reason, ended.steps) == (run.text, run.stop_reason, run.steps)
        assert [notice.code for notice in ended.notices if notice.code.startswith("replay_")] == []
    assert [(event.name, event.ok) for event in before if isinstance(event, ToolEnded)] == [
        ("create_note_card", True)
    ]
    assert not (stage.root / second.cards[0]).exists()
    assert dump(book.state.database.path) == was


async def test_a_journal_that_says_something_else_is_noticed(stage) -> None:
    """A text that no request gave: the replay says from where on they part."""
    stage.plays("说完了。")
    ran = await stage.studio.run(await stage.ask("analysis"), lambda _: None)
    book = await stage.studio.workspace.book(stage.chapter)
    await book.state.database.write(lambda conn: conn.execute("UPDATE runs SET text = '说完了？'").rowcount)
    ended, _ = await played(stage, ran.request_id)
    assert [(n.code, n.params) for n in ended.notices if n.code.startswith("replay_")] == [
        ("replay_text", {"offset": 3})
    ]


async def test_a_pipeline_is_recalled_with_todays_instructions(stage) -> None:
    """Steps, batches, budget and given products come from the journal, the instructions from the profile."""
    (stage.root / "book.toml").write_text('title = "渡口"\ntype = "breakdown"\nlanguage = "zh-CN"\n', "utf-8")
    stage.plays("一、渡口。", Turn([Fault("model_server", kind="server")]))
    ask = replace(await stage.ask(""), pipeline="")
    ran = await stage.studio.run(ask, lambda _: None)
    book = await stage.studio.workspace.book(stage.chapter)
    library = await stage.studio.library(book)
    stored = await book.state.runs.get(ran.request_id)
    request = await recall(stored, book, library)
    pipeline = library.pipeline("breakdown")
    assert [step.instruction for step in request.steps] == [step.instruction["zh"] for step in pipeline.steps]
    assert (request.pipeline, request.products, request.budget) == ("breakdown", (), stored.budget)
    # A pipeline that is no more: what the journal has is played all the same.
    gone = replace(stored, pipeline="gone", ability="gone")
    assert [step.instruction for step in (await recall(gone, book, library)).steps] == ["", "", ""]


async def test_a_pipeline_that_was_cut_off_has_the_text_of_its_finished_steps(stage) -> None:
    """After a crash: what the first two steps said, headers and all, is how the whole text began."""
    (stage.root / "book.toml").write_text('title = "渡口"\ntype = "breakdown"\nlanguage = "zh-CN"\n', "utf-8")
    stage.plays("一、渡口。", "要点：十七枚。", Turn([CARD]), "做成一张。")
    ask = replace(await stage.ask(""), pipeline="")
    whole = await stage.studio.run(ask, lambda _: None)
    book = await stage.studio.workspace.book(stage.chapter)

    def crash(conn: sqlite3.Connection) -> None:
        conn.execute("UPDATE runs SET state = 'interrupted', stop_reason = 'interrupted', text = ''")
        conn.execute("DELETE FROM products WHERE idx = 2")

    await book.state.database.write(crash)
    stored = await book.state.runs.get(whole.request_id)
    cut = await result(stored, "interrupted", book)
    assert cut.status == "partial"
    assert "十七枚" in cut.text
    assert whole.text.startswith(cut.text.rstrip())
    assert [step.status for step in cut.steps] == ["completed", "completed", "pending"]
