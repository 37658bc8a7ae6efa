"""What is kept of a file goes along when the writer moves it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import replace

from inkwright.domain.cards import Candidate, NewCard
from inkwright.domain.manuscript import Summary
from inkwright.domain.proposal import Proposal
from inkwright.domain.run import RunRequest
from inkwright.store.moves import Moves
from inkwright.store.state import State

CARD = NewCard("character", "林晚秋", "剑客。", ("剑",), "林晚秋推开门", "1.md", "第一章")


def digest(card: NewCard) -> str:
    return f"{card.source} {card.title}"


def moves(state: State) -> Moves:
    return Moves(state.database, state.book_id)


async def test_everything_of_a_file_goes_along(
    state: State, make_request: Callable[..., RunRequest], make_proposal: Callable[..., Proposal]
) -> None:
    """Chapter id although its text changed too, summary, made card, candidate and proposal stand at the new path."""
    ids = await state.chapters.sync({"1.md": "a", "2.md": "b"})
    await state.runs.begin(make_request(), "hash")
    await state.summaries.put(Summary("1.md", "雨夜。", "a", "offline"))
    await state.made_cards.put(digest(CARD), "1.md", "run-1")
    await state.candidates.add(Candidate("c-1", "run-1", CARD), digest(CARD))
    await state.proposals.save(replace(make_proposal(), path="1.md"))
    after = {digest(CARD): digest(replace(CARD, source="卷一/1.md"))}
    for _ in range(2):
        await moves(state).follow({"1.md": ("卷一/1.md", "file:///b/1.md")}, after, digest)
        assert await state.chapters.sync({"卷一/1.md": "a, edited", "2.md": "b"}) == {
            "卷一/1.md": ids["1.md"],
            "2.md": ids["2.md"],
        }
        assert (await state.summaries.summary("卷一/1.md")).text == "雨夜。"
        assert await state.summaries.summary("1.md") is None
        assert await state.made_cards.find(digest(CARD)) is None
        assert await state.made_cards.find("卷一/1.md 林晚秋") == "卷一/1.md"
        assert await state.made_cards.of("run-1") == ("卷一/1.md",)
        (waiting,) = await state.candidates.list()
        assert waiting.card == replace(CARD, source="卷一/1.md")
        again = Candidate("c-2", "run-1", waiting.card)
        assert (await state.candidates.add(again, digest(waiting.card))).id == "c-1"
        (found,) = await state.proposals.pending("卷一/1.md")
        assert (found.uri, await state.proposals.pending("1.md")) == ("file:///b/1.md", ())


async def test_files_that_change_places(state: State) -> None:
    """Two chapters swapped in one go keep their ids and summaries apart."""
    ids = await state.chapters.sync({"1.md": "a", "2.md": "b"})
    await state.summaries.put(Summary("1.md", "一", "a", "x"))
    await state.summaries.put(Summary("2.md", "二", "b", "x"))
    await moves(state).follow({"1.md": ("2.md", "file:///2"), "2.md": ("1.md", "file:///1")}, {}, digest)
    assert await state.chapters.ids() == {"1.md": ids["2.md"], "2.md": ids["1.md"]}
    assert [s.text for s in await state.summaries.list()] == ["二", "一"]


async def test_a_scan_that_came_first_took_it_for_another(state: State) -> None:
    """A chapter found at its new path, edited, before the move was told of, is the one that it was."""
    ids = await state.chapters.sync({"1.md": "a"})
    new = await state.chapters.sync({"9.md": "edited"})
    assert new["9.md"] != ids["1.md"]
    await moves(state).follow({"1.md": ("9.md", "file:///9")}, {}, digest)
    assert await state.chapters.ids() == {"9.md": ids["1.md"]}


async def test_saying_it_again_later_brings_nothing_back(state: State) -> None:
    """A chapter that was once at the old path, long before, stays gone when a move is told of twice."""
    await state.chapters.sync({"1.md": "first"})
    await state.chapters.sync({})

    def long_ago(conn: sqlite3.Connection) -> None:
        conn.execute("UPDATE chapters SET gone_at = gone_at - 100000, created_at = created_at - 100000")

    await state.database.write(long_ago)
    await state.chapters.sync({"0.md": "second"})
    ids = await state.chapters.ids()
    await moves(state).follow({"0.md": ("2.md", "")}, {}, digest)
    await moves(state).follow({"1.md": ("2.md", "")}, {}, digest)
    assert await state.chapters.ids() == {"2.md": ids["0.md"]}
