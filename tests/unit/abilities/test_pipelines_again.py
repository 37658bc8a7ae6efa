"""Pipelines that were stopped, go on, run side by side or are asked for again: one card, one outcome."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from inkwright.abilities import cards, past, run_shapes
from inkwright.abilities.asks import Ask
from inkwright.domain.cards import NewCard
from inkwright.domain.conversation import Finished, ModelEvent, ModelRequest, Text, ToolCall
from inkwright.domain.errors import Fault, StorageError
from inkwright.domain.run import StepStarted, TextDelta, ToolEnded
from inkwright.manuscript.segments import MAX_CHARS, MOST
from inkwright.runtime.scripted import Pause, ScriptedModel, Turn

QUOTE = "她数了数铜钱，一共十七枚。"
BROKEN = Turn([Fault("model_server", kind="server")])


def card(title: str, *more: str) -> Turn:
    calls = [
        ToolCall(
            f"c{n}",
            "create_note_card",
            {"card_type": "item", "title": one, "content": f"{one}。", "tags": [], "quote": QUOTE},
            "",
        )
        for n, one in enumerate((title, *more))
    ]
    return Turn(calls)


def type_of(stage, kind: str) -> None:
    (stage.root / "book.toml").write_text(f'title = "渡口"\ntype = "{kind}"\nlanguage = "zh-CN"\n', "utf-8")


async def ask(stage, **more: object) -> Ask:
    return replace(await stage.ask(""), **{"pipeline": "", **more})


def said(events: list) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta))


def files(stage) -> list[str]:
    return sorted(path.name for path in (stage.root / "cards").iterdir() if path.name != "林夏.md")


def wire(result) -> dict:
    return run_shapes.run_result(result, "utf-16", "zh")


class ByStep:
    """Makes the same two cards in every run, whichever run asks first."""

    name = "by step"

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        if request.task.step == "cards" and request.messages[-1].role != "tool":
            yield Finished("tool_calls", tuple(card("甲", "乙").lines))
            return
        yield Text("好")
        yield Finished("stop")


def two_batches(stage) -> None:
    paragraph = "林夏坐在渡口的石阶上等船。" * 12
    count = 2 * MAX_CHARS * MOST // len(paragraph)
    body = "\n\n".join([QUOTE, *[paragraph] * (count * 2 // 3), QUOTE])
    stage.chapter.write_text(body + "\n", "utf-8")


async def test_the_same_card_in_two_runs_at_once_is_one_file(stage) -> None:
    """Whatever the two differ in that makes no other card of it: here the tags."""
    book = await stage.studio.workspace.book(stage.chapter)
    await book.ready()
    wanted = NewCard("item", "铜钱", "十七枚。", ("钱",), QUOTE, stage.chapter.name, "渡口")
    made = await asyncio.gather(
        *(cards.CardFiles(book, f"r{n}").make(replace(wanted, tags=(f"标签{n}",))) for n in range(8))
    )
    assert len({one.path for one in made}) == 1
    assert [one.made for one in made].count(True) == 1
    assert files(stage) == ["铜钱.md"]


async def test_two_pipelines_at_once_on_a_chapter_make_each_card_once(stage) -> None:
    """Both runs name all of their cards."""
    type_of(stage, "breakdown")
    stage.models.model = ByStep()
    wishes = [await ask(stage, request_id=f"r{n}") for n in range(2)]
    results = await asyncio.gather(*(stage.studio.run(wish, lambda _: None) for wish in wishes))
    assert [result.status for result in results] == ["completed"] * 2
    assert {frozenset(result.cards) for result in results} == {frozenset({"cards/甲.md", "cards/乙.md"})}
    assert files(stage) == ["乙.md", "甲.md"]


async def test_two_runs_do_not_go_on_from_the_same_one_at_once(stage) -> None:
    """The second is refused and told of the first: a model would make its cards twice, in other words."""
    type_of(stage, "breakdown")
    stage.plays("一", BROKEN)
    first = await stage.studio.run(await ask(stage), lambda _: None)
    stage.plays(Turn(["二", Pause()]))
    begun = asyncio.Event()
    wish = await ask(stage, resume=first.request_id, request_id="r1")
    going = asyncio.create_task(
        stage.studio.run(wish, lambda event: begun.set() if isinstance(event, StepStarted) else None)
    )
    await asyncio.wait_for(begun.wait(), 60)
    second = await stage.studio.run(await ask(stage, resume=first.request_id), lambda _: None)
    assert (second.status, second.stop_reason) == ("failed", "busy")
    stage.studio.cancel("r1")
    assert (await going).status == "cancelled"


async def test_a_run_that_goes_on_from_one_that_went_on_has_all_cards(stage) -> None:
    """Two batches, stopped in each: the third run's cards are those of all three, and its text is whole."""
    type_of(stage, "breakdown")
    two_batches(stage)
    stage.plays("一", "二", card("甲"), BROKEN)
    first = await stage.studio.run(await ask(stage), lambda _: None)
    assert [(step.name, step.window) for step in first.steps][3:] == [
        ("split", 1),
        ("distil", 1),
        ("cards", 1),
    ]
    stage.plays(card("甲"), "三", "四", "五", card("乙"), BROKEN)
    second = await stage.studio.run(await ask(stage, resume=first.request_id), lambda _: None)
    assert second.status == "partial"
    assert second.cards == ("cards/甲.md", "cards/乙.md")
    model = stage.plays(card("乙", "丙"), "六")
    events: list = []
    wish = await ask(stage, resume=second.request_id, request_id="r3")
    third = await stage.studio.run(wish, events.append)
    assert (third.status, len(model.requests)) == ("completed", 2)
    assert third.cards == ("cards/甲.md", "cards/乙.md", "cards/丙.md")
    assert third.text == said(events)
    assert [third.text.index(word) for word in "一二三四五六"] == sorted(
        third.text.index(word) for word in "一二三四五六"
    )
    assert wire(await stage.studio.run(wish, lambda _: None)) == wire(third)
    assert files(stage) == ["丙.md", "乙.md", "甲.md"]


async def test_candidates_are_those_of_all_runs_and_known_when_asked_again(stage) -> None:
    """In a novel: found waiting or added, of this run and of the one it went on from; one that became a
    file is no candidate again."""
    stage.plays("一", "二", card("甲"), BROKEN)
    first = await stage.studio.run(await ask(stage, pipeline="breakdown"), lambda _: None)
    (waits,) = first.candidates
    stage.plays(card("乙"), "三")
    second = await stage.studio.run(await ask(stage, resume=first.request_id), lambda _: None)
    assert second.candidates[0] == waits
    assert len(second.candidates) == 2
    stage.plays("一", "二", card("甲", "乙"), "三")
    wish = await ask(stage, pipeline="breakdown", request_id="r3")
    third = await stage.studio.run(wish, lambda _: None)
    assert third.candidates == second.candidates
    assert wire(await stage.studio.run(wish, lambda _: None)) == wire(third)
    book = await stage.studio.workspace.book(stage.chapter)
    (accepted,) = await cards.accept(book, [waits])
    model = stage.plays("一", "二", card("甲"), "三")
    fourth = await stage.studio.run(await ask(stage, pipeline="breakdown"), lambda _: None)
    assert fourth.candidates == ()
    assert accepted.path in model.requests[-1].messages[-1].content


async def test_a_cancelled_pipeline_has_its_steps_and_cards(stage) -> None:
    """Cancelled behind a card: the result says what is done, as it does when it is asked for again."""
    type_of(stage, "breakdown")
    stage.plays("一", "二", card("甲"), Turn(["三", Pause()]))
    events: list = []

    def sink(event: object) -> None:
        events.append(event)
        if isinstance(event, TextDelta) and "三" in event.text:
            stage.studio.cancel("r1")

    wish = await ask(stage, request_id="r1")
    result = await stage.studio.run(wish, sink)
    assert any(isinstance(event, ToolEnded) for event in events)
    assert (result.status, result.stop_reason) == ("cancelled", "cancelled")
    assert [step.status for step in result.steps] == ["completed", "completed", "cancelled"]
    assert (result.cards, result.text) == (("cards/甲.md",), said(events))
    again = await stage.studio.run(wish, lambda _: None)
    assert wire(again) == wire(result)


@pytest.mark.parametrize("more", [{}, {"pipeline": "nothing"}, {"resume": "nothing"}])
async def test_a_pipeline_that_never_began_has_the_shape_of_one(stage, more: dict) -> None:
    """steps, cards and candidates are there, and empty."""
    result = wire(await stage.studio.run(await ask(stage, **more), lambda _: None))
    assert result["status"] == "failed"
    assert (result["steps"], result["cards"], result["candidates"]) == ([], [], [])
    assert "steps" not in wire(await stage.studio.run(await stage.ask("polish", model="?"), lambda _: None))


async def test_an_outcome_is_not_lost_to_a_database_that_cannot_say_its_cards(stage, monkeypatch) -> None:
    """The run is completed, and what is not known is said."""
    type_of(stage, "breakdown")
    stage.plays("一", "二", card("甲"), "三")

    async def broken(*_: object) -> None:
        raise StorageError("store_failed", path="x")

    monkeypatch.setattr(past, "cards_of", broken)
    result = await stage.studio.run(await ask(stage), lambda _: None)
    assert (result.status, result.cards) == ("completed", ())
    assert "store_failed" in [fault.code for fault in result.notices]


ABILITY = """---
kind: ability
label: 我的拆法
output: cards
scope: chapter
seconds: 60
---
每张卡片都写上我的暗号。
"""


@pytest.fixture
def mine(stage, tmp_path):
    """A user's ability that makes cards of a chapter."""
    from inkwright.library import libraries

    folder = tmp_path / "profiles" / "abilities"
    folder.mkdir(parents=True)
    (folder / "mine.md").write_text(ABILITY, "utf-8")
    stage.studio.libraries = libraries.Libraries(tmp_path / "profiles")
    return stage


async def test_an_ability_that_makes_cards_runs_the_pipeline_of_its_book(mine) -> None:
    """Its own prompt in every step, its own name in the result, the time of a whole pipeline; going on from
    it is the same ability."""
    type_of(mine, "breakdown")
    model = mine.plays("一", "二", BROKEN)
    first = await mine.studio.run(await mine.ask("mine"), lambda _: None)
    shape = wire(first)
    assert (shape["ability"], shape["pipeline"], shape["status"]) == ("mine", "breakdown", "partial")
    assert [step["name"] for step in shape["steps"]] == ["split", "distil", "cards"]
    assert all("我的暗号" in request.messages[0].content for request in model.requests)
    book = await mine.studio.workspace.book(mine.chapter)
    stored = await book.state.runs.get(first.request_id)
    assert stored.budget.seconds == 3600
    model = mine.plays(card("甲"), "三")
    second = await mine.studio.run(await ask(mine, resume=first.request_id), lambda _: None)
    assert (second.ability, second.status, second.cards) == ("mine", "completed", ("cards/甲.md",))
    assert all("我的暗号" in request.messages[0].content for request in model.requests)


async def test_the_page_before_a_run_names_the_tools_of_its_steps(mine) -> None:
    """Those too that neither the ability nor the kind of book names."""
    type_of(mine, "note")
    before = (await mine.studio.context(await mine.ask("mine"))).read_text("utf-8")
    mine.plays("一", "二", "三", "四")
    ran = await mine.studio.run(await mine.ask("mine"), lambda _: None)
    after = (await mine.studio.context_of(ran.request_id)).read_text("utf-8")
    assert "search_world_cards" in before
    assert [line for line in before.split("\n") if "search_world_cards" in line] == [
        line for line in after.split("\n") if "search_world_cards" in line
    ]


async def test_what_was_made_of_a_selection_goes_on_as_one(stage) -> None:
    """The span of the run that goes on is that of the first."""
    from inkwright.domain.text import Span

    type_of(stage, "breakdown")
    stage.plays("一", BROKEN)
    first = await stage.studio.run(await ask(stage, span=Span(0, 14)), lambda _: None)
    stage.plays("二", "三")
    second = await stage.studio.run(await ask(stage, resume=first.request_id), lambda _: None)
    book = await stage.studio.workspace.book(stage.chapter)
    stored = await book.state.runs.get(second.request_id)
    assert (stored.span, stored.whole) == (Span(0, 14), False)


async def test_a_run_whose_process_is_gone_can_be_gone_on_from_at_once(stage) -> None:
    """Nothing has to be opened anew: another process was killed while this one had the book open."""
    type_of(stage, "breakdown")
    stage.plays("一", BROKEN)
    first = await stage.studio.run(await ask(stage, request_id="r1"), lambda _: None)
    book = await stage.studio.workspace.book(stage.chapter)

    def orphaned(conn) -> None:
        conn.execute(
            "UPDATE runs SET state = 'running', stop_reason = NULL, ended_at = NULL, process_id = 'gone'"
            " WHERE id = 'r1'"
        )

    await book.state.database.write(orphaned)
    again = await stage.studio.run(await ask(stage, request_id="r1"), lambda _: None)
    assert again.stop_reason == "interrupted"
    await book.state.database.write(orphaned)
    stage.plays("二", "三")
    second = await stage.studio.run(await ask(stage, resume=first.request_id), lambda _: None)
    assert second.status == "completed"


async def test_what_is_followed_up_is_the_answer_there_is(stage) -> None:
    """A pipeline's finished steps after a crash, what was run where nothing was said; a run that goes on has none."""
    type_of(stage, "breakdown")
    stage.plays("第一步的话", BROKEN)
    await stage.studio.run(await ask(stage, request_id="r1"), lambda _: None)
    book = await stage.studio.workspace.book(stage.chapter)
    await book.state.database.write(
        lambda conn: conn.execute("UPDATE runs SET stop_reason = 'interrupted', text = '' WHERE id = 'r1'")
    )
    model: ScriptedModel = stage.plays("好")
    await stage.studio.run(await stage.ask("writing", message="接着说", follow="r1"), lambda _: None)
    roles = [(message.role, message.content) for message in model.requests[0].messages[1:3]]
    assert roles[0] == ("user", "拆书")
    assert roles[1][0] == "assistant"
    assert "第一步的话" in roles[1][1]
    await book.state.database.write(
        lambda conn: conn.execute(
            "UPDATE runs SET state = 'running', stop_reason = NULL, ended_at = NULL WHERE id = 'r1'"
        )
    )
    result = await stage.studio.run(await stage.ask("writing", follow="r1"), lambda _: None)
    assert result.fault is not None
    assert result.fault.code == "follow_running"
