"""Runs through the studio: joined, repeated, refused, cancelled; each with one outcome."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from inkwright.config import Settings
from inkwright.domain.errors import InkwrightError
from inkwright.domain.model import OFFLINE, ModelProfile
from inkwright.domain.run import RunEvent, TextDelta
from inkwright.domain.text import Span, TextEdit, apply
from inkwright.library import libraries
from inkwright.runtime.scripted import Pause, Turn

BETTER = "林夏到的时候，船刚刚走了。\n\n她数了数铜钱，一共十七枚。\n\n“再等等。”周衡说。\n"


def ignore(_: RunEvent) -> None:
    pass


async def test_a_rewrite_becomes_hunks_whose_sum_is_the_proposal(stage) -> None:
    """The deltas are the text, the hunks applied are the proposal's text, the file is untouched."""
    stage.plays(BETTER)
    events: list[RunEvent] = []
    ask = await stage.ask()
    result = await stage.studio.run(ask, events.append)
    assert (result.status, result.stop_reason, result.fault) == ("completed", "finished", None)
    assert "".join(e.text for e in events if isinstance(e, TextDelta)) == result.text == BETTER
    proposal = result.proposal
    assert proposal is not None
    edits = [TextEdit(h.span, h.after) for h in proposal.hunks]
    assert apply(proposal.base, edits) == proposal.text == BETTER
    assert stage.chapter.read_text("utf-8") == ask.snapshot.text


async def test_the_model_sees_the_card_but_not_what_is_private(stage) -> None:
    """A mentioned card goes along without its private field."""
    model = stage.plays(BETTER)
    await stage.studio.run(await stage.ask(), ignore)
    sent = "\n".join(message.content for message in model.requests[0].messages)
    assert "药铺学徒" in sent
    assert "写信的人" not in sent


async def test_the_same_request_joins_the_run_and_sees_it_from_the_start(stage, until) -> None:
    """Two callers of one request make one run; both get every delta and the same result."""
    model = stage.plays(["林夏到的时候，", Pause(1), BETTER.removeprefix("林夏到的时候，")])
    ask = await stage.ask(request_id="same")
    first: list[RunEvent] = []
    second: list[RunEvent] = []
    one = asyncio.create_task(stage.studio.run(ask, first.append))
    await until(lambda: any(isinstance(e, TextDelta) for e in first))
    two = asyncio.create_task(stage.studio.run(ask, second.append))
    await until(lambda: second)
    stage.go.set()
    assert await one == await two
    assert first == second
    assert len(model.requests) == 1


async def test_the_same_request_again_gets_its_first_outcome(stage) -> None:
    """After the end, and though the text has changed since, nothing is run anew."""
    model = stage.plays(BETTER)
    first = await stage.studio.run(await stage.ask(request_id="r1", body="b"), ignore)
    stage.chapter.write_text("别的。\n", "utf-8")
    again = await stage.studio.run(await stage.ask(request_id="r1", body="b"), ignore)
    assert again.text == first.text
    assert again.proposal is not None
    assert again.proposal.hunks == first.proposal.hunks
    assert len(model.requests) == 1


async def test_another_body_under_the_same_request_is_a_conflict(stage) -> None:
    """While it runs and after it ended."""
    stage.plays([Pause(1), BETTER])
    ask = await stage.ask(request_id="r1")
    running = asyncio.create_task(stage.studio.run(ask, ignore))
    await asyncio.sleep(0)
    other = replace(ask, message="短一些")
    assert (await stage.studio.run(other, ignore)).fault.code == "request_conflict"
    stage.go.set()
    await running
    assert (await stage.studio.run(other, ignore)).fault.code == "request_conflict"


async def test_cancel_before_the_first_step(stage) -> None:
    """A run that is cancelled before its task has taken a step ends as any other, and its id is free again."""
    model = stage.plays(["字"])
    running = asyncio.ensure_future(stage.studio.run(await stage.ask(request_id="r1"), lambda _: None))
    asyncio.get_running_loop().call_soon(stage.studio.cancel, "r1")
    result = await asyncio.wait_for(running, 30)
    assert (result.status, result.stop_reason, result.text) == ("cancelled", "cancelled", "")
    assert model.requests == []
    assert not stage.studio.cancel("r1")
    assert stage.studio._active == {}


@pytest.mark.parametrize("chunks", [0, 1, 3])
async def test_cancel_gives_a_cancelled_result_and_closes_the_model(stage, until, chunks: int) -> None:
    """Before the first chunk and after some: status cancelled, the text so far, no proposal."""
    model = stage.plays([*(["字"] * chunks), Pause()])
    events: list[RunEvent] = []
    ask = await stage.ask(request_id="r1")
    running = asyncio.create_task(stage.studio.run(ask, events.append))
    await until(lambda: model.open and sum(isinstance(e, TextDelta) for e in events) == chunks)
    assert stage.studio.cancel("r1")
    result = await running
    assert (result.status, result.stop_reason, result.text) == ("cancelled", "cancelled", "字" * chunks)
    assert result.proposal is None
    assert (model.open, model.cut) == (0, 1)
    stored = await (await stage.studio.workspace.book(stage.chapter)).state.runs.get("r1")
    assert stored.state == "cancelled"
    assert not stage.studio.cancel("r1")


async def test_a_caller_that_goes_takes_the_run_with_it_unless_another_follows(stage, until) -> None:
    """The run lives as long as somebody listens."""
    model = stage.plays(["一", Pause(1), "二"], [Pause()])
    ask = await stage.ask("analysis", request_id="r1")
    events: list[RunEvent] = []
    followed: list[RunEvent] = []
    one = asyncio.create_task(stage.studio.run(ask, events.append))
    two = asyncio.create_task(stage.studio.run(ask, followed.append))
    await until(lambda: all(any(isinstance(e, TextDelta) for e in each) for each in (events, followed)))
    one.cancel()
    with pytest.raises(asyncio.CancelledError):
        await one
    stage.go.set()
    assert (await two).text == "一二"
    alone = asyncio.create_task(stage.studio.run(replace(ask, request_id="r2"), ignore))
    await until(lambda: model.open == 1)
    alone.cancel()
    with pytest.raises(asyncio.CancelledError):
        await alone
    assert model.open == 0


async def test_two_edits_of_the_same_passage_the_second_is_busy(stage, until) -> None:
    """It names the first; a passage apart, and a report on the same one, go on."""
    stage.plays([Pause(1), BETTER], "报告", "旧渡口")
    ask = await stage.ask(request_id="r1")
    first = asyncio.create_task(stage.studio.run(ask, ignore))
    await until(lambda: stage.models.model.requests)
    second = await stage.studio.run(replace(ask, request_id="r2"), ignore)
    assert (second.status, second.stop_reason) == ("failed", "busy")
    assert second.fault.params["run"] == "r1"
    report = await stage.studio.run(replace(ask, request_id="r3", ability="analysis"), ignore)
    assert report.status == "completed"
    stage.go.set()
    await first


async def test_an_answer_that_is_no_rewrite_makes_no_hunks(stage) -> None:
    """A refusal is shown as text, the run has failed with no_rewrite."""
    stage.plays("很抱歉，我不能帮助你完成这个请求。")
    result = await stage.studio.run(await stage.ask(), ignore)
    assert (result.status, result.stop_reason, result.proposal) == ("failed", "no_rewrite", None)
    assert result.text


async def test_a_length_stop_is_partial_and_says_so(stage) -> None:
    """What was cut off is never taken for the whole."""
    stage.plays(Turn(["林夏到的时候，船"], finish="length"))
    result = await stage.studio.run(await stage.ask(), ignore)
    assert (result.status, result.stop_reason) == ("partial", "length")
    assert result.text == "林夏到的时候，船"


async def test_an_empty_selection_and_an_unknown_model_are_refused_as_results(stage) -> None:
    """Nothing is raised at the caller."""
    ask = await stage.ask()
    empty = await stage.studio.run(replace(ask, span=Span(13, 15)), ignore)
    assert (empty.status, empty.fault.code) == ("failed", "empty_passage")
    unknown = await stage.studio.run(replace(ask, model="no-such", request_id=""), ignore)
    assert unknown.fault.code == "model_unknown"


async def test_a_fault_of_ours_ends_the_run_and_is_written_down(stage) -> None:
    """The run has failed, the journal knows it, the studio goes on."""

    class Broken:
        name = "broken"

        def stream(self, request):
            raise RuntimeError("boom")

    stage.models.model = Broken()
    result = await stage.studio.run(await stage.ask(request_id="r1"), ignore)
    assert (result.status, result.stop_reason) == ("failed", "error")
    stored = await (await stage.studio.workspace.book(stage.chapter)).state.runs.get("r1")
    assert stored.state == "failed"
    stage.plays(BETTER)
    assert (await stage.studio.run(await stage.ask(), ignore)).status == "completed"


async def test_closing_the_studio_cancels_its_runs_and_writes_them_down(stage, until) -> None:
    """Nothing is left running in the journal."""
    stage.plays([Pause()])
    running = asyncio.create_task(stage.studio.run(await stage.ask(request_id="r1"), ignore))
    await until(lambda: stage.models.model.requests)
    await stage.studio.close()
    assert (await running).status == "cancelled"
    book = await stage.studio.workspace.book(stage.chapter)
    assert (await book.state.runs.get("r1")).state == "cancelled"


async def test_the_context_page_lists_what_went_along_and_keeps_the_prompt(stage) -> None:
    """Before and after the run: the card and the passage stand in it, the house's prompt does not."""
    stage.plays(BETTER)
    ask = await stage.ask(request_id="r1")
    before = (await stage.studio.context(ask)).read_text("utf-8")
    await stage.studio.run(ask, ignore)
    after = (await stage.studio.context_of("r1")).read_text("utf-8")
    prompt = (await stage.studio.library()).ability("polish").prompt["zh"].strip().split("\n")[0]
    for page in (before, after):
        assert "cards/林夏.md" in page
        assert "船已经走了" in page
        assert prompt not in page
        assert "写信的人" not in page


async def test_an_untitled_document_stands_alone(stage) -> None:
    """It has no book and no cards, and its run is journalled all the same."""
    from inkwright.abilities.asks import Ask
    from inkwright.domain.text import Snapshot

    model = stage.plays("船刚刚走了。")
    ask = Ask("polish", Snapshot("untitled:Untitled-1", "", 3, "船已经走了。"), None, request_id="u1")
    result = await stage.studio.run(ask, ignore)
    assert result.status == "completed"
    assert "药铺学徒" not in str(model.requests[0].messages)
    book = await stage.studio.workspace.book(None)
    assert (await book.state.runs.get("u1")).state == "completed"


async def test_following_a_run_goes_on_from_its_turns(stage) -> None:
    """The earlier message and answer are sent again; an unknown run is named."""
    model = stage.plays("节奏偏慢。", "第二段最慢。")
    ask = await stage.ask("analysis", message="节奏如何？", request_id="r1")
    await stage.studio.run(ask, ignore)
    more = replace(ask, message="哪里最慢？", request_id="r2", follow="r1")
    await stage.studio.run(more, ignore)
    sent = [message.content for message in model.requests[1].messages]
    assert "节奏偏慢。" in sent
    assert any("节奏如何？" in content for content in sent[:-1])
    lost = await stage.studio.run(replace(ask, request_id="r3", follow="nothing"), ignore)
    assert lost.fault.code == "run_unknown"


async def test_a_cancelled_run_says_what_it_used_and_of_which_model(stage, until) -> None:
    """No bill that nobody told of: the tokens of the request stand in the result as in the journal."""
    stage.plays(["字", Pause()])
    events: list[RunEvent] = []
    running = asyncio.create_task(stage.studio.run(await stage.ask(request_id="r1"), events.append))
    await until(lambda: any(isinstance(e, TextDelta) for e in events))
    stage.studio.cancel("r1")
    result = await running
    stored = await (await stage.studio.workspace.book(stage.chapter)).state.runs.get("r1")
    assert result.usage == stored.usage
    assert result.usage.input > 0
    assert result.model == stored.model


async def test_a_follower_that_breaks_costs_the_run_nothing(stage, until) -> None:
    """A terminal that is gone, a client that cannot take an event: the others and the outcome stand."""
    stage.plays(["林夏到的时候，", Pause(1), BETTER.removeprefix("林夏到的时候，")])

    def broken(_: RunEvent) -> None:
        raise BrokenPipeError

    events: list[RunEvent] = []
    ask = await stage.ask(request_id="same")
    one = asyncio.create_task(stage.studio.run(ask, broken))
    two = asyncio.create_task(stage.studio.run(ask, events.append))
    await until(lambda: events)
    stage.go.set()
    assert (await one).status == (await two).status == "completed"
    assert "".join(e.text for e in events if isinstance(e, TextDelta)) == BETTER


async def test_a_fault_of_ours_outside_the_run_is_a_result_too(stage, monkeypatch) -> None:
    """Before the model is there: failed, with a sentence, and the id is free again."""

    def get(*_):
        raise KeyError("boom")

    monkeypatch.setattr(stage.models, "get", get)
    ask = await stage.ask(request_id="r1")
    result = await stage.studio.run(ask, ignore)
    assert (result.status, result.stop_reason, result.fault.code) == ("failed", "error", "run_error")
    monkeypatch.undo()
    stage.plays(BETTER)
    assert (await stage.studio.run(ask, ignore)).status == "completed"


async def test_an_interrupted_run_gives_the_text_of_its_steps_and_says_why(stage) -> None:
    """What a killed process had finished is kept, as partial; with nothing finished it has failed."""
    stage.plays("节奏偏慢。", "")
    ask = await stage.ask("analysis", request_id="r1")
    await stage.studio.run(ask, ignore)
    book = await stage.studio.workspace.book(stage.chapter)
    lost = "UPDATE runs SET state = 'interrupted', stop_reason = 'interrupted', text = '', fault = NULL"
    await book.state.database.write(lambda conn: conn.execute(lost).rowcount)
    again = await stage.studio.run(ask, ignore)
    assert (again.status, again.stop_reason, again.text) == ("partial", "interrupted", "节奏偏慢。")
    assert again.fault.code == "run_interrupted"
    await book.state.database.write(lambda conn: conn.execute("DELETE FROM run_steps").rowcount)
    assert (await stage.studio.run(ask, ignore)).status == "failed"


async def test_what_stood_in_for_the_unknown_is_said(stage) -> None:
    """An ability and a type of book that nobody has: the run goes on, and the writer is told."""
    (stage.root / "book.toml").write_text('type = "Novel"\n', "utf-8")
    stage.plays("好。", "好。")
    result = await stage.studio.run(await stage.ask("frobnicate"), ignore)
    assert result.status == "completed"
    assert {f.code for f in result.notices} == {"ability_unknown", "book_type_unknown"}
    assert result.ability == "writing"
    stage.plays("好。")
    await (await stage.studio.workspace.book(stage.chapter)).refresh()
    (stage.root / "book.toml").write_text('type = ""\n', "utf-8")
    await (await stage.studio.workspace.book(stage.chapter)).refresh()
    assert (await stage.studio.run(await stage.ask("analysis"), ignore)).notices == ()


async def test_one_document_by_two_spellings_is_one_document(stage, until) -> None:
    """Busy looks at the file, not at how a client writes its URI."""
    stage.plays([Pause(1), BETTER])
    ask = await stage.ask(request_id="r1")
    first = asyncio.create_task(stage.studio.run(ask, ignore))
    await until(lambda: stage.models.model.requests)
    same = replace(ask.snapshot, uri=ask.snapshot.uri.replace("%", "%25").lower())
    second = await stage.studio.run(replace(ask, snapshot=same, request_id="r2"), ignore)
    assert second.stop_reason == "busy"
    stage.go.set()
    await first


async def test_text_to_be_inserted_is_asked_for_once(stage, tmp_path) -> None:
    """However long the passage: only an edit goes window by window."""
    profiles = tmp_path / "profiles"
    profiles.mkdir()
    (profiles / "more.md").write_text("---\nid: more\noutput: insert\n---\n续写。\n", "utf-8")
    stage.studio.libraries = libraries.Libraries(profiles)
    stage.studio.settings = Settings(window=500)
    stage.chapter.write_text("林夏走了。\n\n" * 400, "utf-8")
    model = stage.plays("天亮了。")
    result = await stage.studio.run(await stage.ask("more"), ignore)
    assert (result.status, result.text, len(model.requests)) == ("completed", "天亮了。", 1)


async def test_the_page_of_a_run_shows_what_its_small_model_was_not_sent(stage) -> None:
    """Afterwards as before: parts that did not fit are listed as left out."""
    small = ModelProfile(id="small", endpoint="http://127.0.0.1:9", model="s", context_window=900)
    stage.studio.settings = Settings(model="small", models=(small, OFFLINE))
    (stage.root / "cards" / "林夏.md").write_text(f"---\nname: 林夏\n---\n{'药铺学徒。' * 50}\n", "utf-8")
    stage.plays(BETTER)
    await stage.studio.run(await stage.ask(request_id="r1"), ignore)
    sent = stage.models.model.requests[0].messages[1].content
    page = (await stage.studio.context_of("r1")).read_text("utf-8")
    assert "药铺学徒" not in sent
    assert "药铺学徒" not in page
    assert "cards/林夏.md" in page
    assert "略去" in page


async def test_a_page_that_cannot_be_written_is_an_error_with_a_sentence(
    stage, tmp_path, monkeypatch
) -> None:
    """A cache that is no folder: named, not a crash."""
    (tmp_path / "file").write_text("x", "utf-8")
    monkeypatch.setenv("INKWRIGHT_CACHE_DIR", str(tmp_path / "file"))
    with pytest.raises(InkwrightError) as refused:
        await stage.studio.context(await stage.ask())
    assert refused.value.fault.code == "page_unwritable"


async def test_a_model_that_only_its_book_knows_is_replaced_and_said(stage) -> None:
    """A book from another machine runs on this one's default; what the caller names is not replaced."""
    (stage.root / "book.toml").write_text('model = "theirs"\n', "utf-8")
    stage.plays("好。")
    result = await stage.studio.run(await stage.ask("analysis"), ignore)
    assert result.status == "completed"
    assert [(f.code, f.params["name"], f.params["used"]) for f in result.notices] == [
        ("model_not_here", "theirs", "offline")
    ]
    asked = await stage.studio.run(await stage.ask("analysis", model="theirs"), ignore)
    assert asked.fault.code == "model_unknown"
