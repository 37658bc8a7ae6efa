"""What waits for the writer, cards and facts alike: told apart by their ids alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from inkwright.abilities import cards, facts, shapes
from inkwright.abilities.facts import Pen, Waiting
from inkwright.domain.cards import Candidate
from inkwright.domain.errors import InkwrightError
from inkwright.domain.facts import FactCandidate
from inkwright.domain.text import Encoding, Lines
from inkwright.workspace import OpenBook


async def waiting(book: OpenBook) -> tuple[tuple[Candidate, ...], tuple[Waiting, ...]]:
    """The cards and the facts that wait, the oldest of each first. A document without a book has none."""
    found = await book.state.candidates.list()
    return found, await facts.waiting(book) if book.index is not None else ()


async def at(book: OpenBook, path: str) -> tuple[tuple[Candidate, ...], tuple[Waiting, ...]]:
    """Those that rest on the chapter at a path, or are for the card there. Where none wait it costs a look at what
    is kept."""
    found = tuple(one for one in await book.state.candidates.list() if one.card.source == path)
    pending = await book.state.facts.list() if book.index is not None else ()
    if book.index is None or not pending:
        return found, ()
    order = book.index.order(fresh=False)
    mine = [
        one.id
        for one in pending
        if path in (facts.at_home(order, one.fact).source, _file(book, one.fact.card))
    ]
    return found, await facts.waiting(book, mine) if mine else ()


def _file(book: OpenBook, card: str) -> str:
    found = book.files.card(card)
    return card if found is None else found.file


def sound(found: tuple[tuple[Candidate, ...], tuple[Waiting, ...]]) -> list[str]:
    """The ids that "accept all" means: no fact that its card contradicts."""
    return [one.id for one in found[0]] + [one.candidate.id for one in found[1] if not one.against]


def ids(found: tuple[tuple[Candidate, ...], tuple[Waiting, ...]]) -> list[str]:
    return [one.id for one in found[0]] + [one.candidate.id for one in found[1]]


async def accept(
    book: OpenBook, wanted: Sequence[str], pen: Pen
) -> tuple[tuple[Candidate, ...], tuple[FactCandidate, ...]]:
    """Makes files of cards and writes facts into theirs. Raises as `cards.accept` and `facts.accept` do."""
    ours, theirs = await _apart(book, wanted)
    done = await cards.accept(book, ours)
    return done, await facts.accept(book, theirs, pen) if theirs else ()


async def reject(
    book: OpenBook, wanted: Sequence[str]
) -> tuple[tuple[Candidate, ...], tuple[FactCandidate, ...]]:
    """Puts candidates aside. Raises as `cards.reject` and `facts.reject` do."""
    ours, theirs = await _apart(book, wanted)
    return await cards.reject(book, ours), await facts.reject(book, theirs)


def shape(one: Waiting, encoding: Encoding = "utf-16") -> dict[str, Any]:
    """A fact that waits, with the `range` of its quotation in the chapter."""
    found = shapes.fact(one.candidate, one.chapter, one.against)
    title = f"{one.candidate.fact.name} · {one.key}"
    return {**found, "title": title, "range": shapes.range_(Lines(one.text).range(one.span, encoding))}


async def _apart(book: OpenBook, wanted: Sequence[str]) -> tuple[list[str], list[str]]:
    """The ids of cards, and those of facts. Raises `InkwrightError`: candidate_unknown."""
    ours: list[str] = []
    theirs: list[str] = []
    for id_ in dict.fromkeys(wanted):
        if await book.state.facts.get(id_) is not None:
            theirs.append(id_)
        elif await book.state.candidates.get(id_) is not None:
            ours.append(id_)
        else:
            raise InkwrightError("candidate_unknown", id=id_)
    return ours, theirs
