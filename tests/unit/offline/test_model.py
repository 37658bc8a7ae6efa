"""The offline engine as a model: what it streams, what it refuses, how it stops."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from inkwright import offline
from inkwright.domain.conversation import Finished, ModelRequest, Reasoning, Task, Text
from inkwright.domain.ports import ChatModel
from inkwright.i18n import LOCALES, render, tr
from inkwright.offline.model import OfflineModel

FAULTY = '一但下雨,他就走．\n\n“走吧."她说．\n'


async def _events(model: ChatModel, task: Task | None) -> list[Any]:
    return [event async for event in model.stream(ModelRequest((), task=task))]


@pytest.mark.parametrize("ability", ["polish", "analysis", "research"])
@pytest.mark.parametrize("locale", LOCALES)
async def test_an_answer_streams_in_pieces_and_says_that_it_is_rules(
    ability: str, locale: Any, shelf: Callable[..., Any]
) -> None:
    """Text in pieces, exactly one end, and the sentence about rules in the user's language."""
    texts = {"一.md": FAULTY * 60}
    model = OfflineModel(shelf(texts))
    assert model.name == "offline"
    events = await _events(model, Task(ability, "novel", locale, "一但", texts["一.md"], "一.md"))
    *pieces, last = events
    assert isinstance(last, Finished)
    assert (last.finish, last.fault) == ("stop", None)
    assert all(isinstance(piece, Text) and piece.text for piece in pieces)
    answer = "".join(piece.text for piece in pieces)
    code = "offline_rules" if ability == "polish" else f"offline_rules_{ability}"
    assert tr(code, locale) in answer
    if ability == "polish":
        assert len(pieces) > 3


async def test_a_question_of_very_long_words_is_answered(shelf: Callable[..., Any]) -> None:
    """Words that stand nowhere are looked for as far as a search goes: too long a word ends no run."""
    task = Task("research", "novel", "zh", " ".join("abcdefgh"[n] * 3_000 for n in range(8)), "", "一.md")
    *_, last = await _events(OfflineModel(shelf({"一.md": FAULTY})), task)
    assert (last.finish, last.fault) == ("stop", None)


@pytest.mark.parametrize(
    "task",
    [
        None,
        Task("writing", "novel", "zh", "写一章", "他走了。"),
        Task("translate", "novel", "en"),
        Task("analysis", "breakdown", "zh", passage="他走了。", step="translate"),
        Task("shorten", "novel", "zh", "", "他走了。"),
    ],
)
async def test_what_rules_cannot_do_needs_a_model(task: Task | None) -> None:
    """Drafting, unknown abilities and unknown steps end at once with a fault that says what to do."""
    events = await _events(OfflineModel(None), task)
    assert len(events) == 1
    assert events[0].finish == "error"
    assert events[0].fault.code == "needs_model"
    for locale in LOCALES:
        assert "{" not in render(events[0].fault, locale)


@pytest.mark.parametrize("ability", ["polish", "analysis", "research"])
async def test_a_document_without_a_book_is_served(ability: str) -> None:
    """An untitled buffer has no book, no path and no cards; the rules work on the passage alone."""
    events = await _events(
        OfflineModel(None), Task(ability, "novel", "en", "who is Mara", "He took teh lamp.")
    )
    assert events[-1].finish == "stop"


async def test_cancelling_ends_the_stream_at_once(
    shelf: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The task that drives the stream is cancelled between pieces and inside the work: nothing follows."""
    texts = {"一.md": FAULTY * 200}
    task = Task("polish", "novel", "zh", passage=texts["一.md"], path="一.md")
    got: list[object] = []

    async def drive() -> None:
        async for event in OfflineModel(shelf(texts)).stream(ModelRequest((), task=task)):
            got.append(event)
            driver.cancel()

    driver = asyncio.create_task(drive())
    with pytest.raises(asyncio.CancelledError):
        await driver
    assert len(got) == 1
    assert isinstance(got[0], Text)

    entered = asyncio.Event()

    async def forever(*args: object) -> object:
        entered.set()
        return await asyncio.Event().wait()

    monkeypatch.setattr(offline.polish.asyncio, "to_thread", forever)
    working = asyncio.create_task(_events(OfflineModel(shelf(texts)), task))
    await asyncio.wait_for(entered.wait(), 60)
    working.cancel()
    with pytest.raises(asyncio.CancelledError):
        await working


async def test_no_reasoning_is_ever_shown(shelf: Callable[..., Any]) -> None:
    """Rules have no reasoning to stream, and cost no tokens."""
    texts = {"一.md": FAULTY}
    events = await _events(
        OfflineModel(shelf(texts)), Task("polish", "novel", "zh", passage=FAULTY, path="一.md")
    )
    assert not any(isinstance(event, Reasoning) for event in events)
    assert events[-1].usage.input == events[-1].usage.output == 0
