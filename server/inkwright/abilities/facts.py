"""Facts that runs found in chapters: what waits, and what becomes of it. No card changes before the writer says so.

A fact rests on a quotation: when that no longer stands in its chapter the candidate does not wait any more, and
an accepted one is told of at its line in the card. Both hang on the text alone, so that an undone edit undoes them.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from inkwright.abilities import shared_facts
from inkwright.domain.cards import Card, Fact
from inkwright.domain.errors import Fault, InkwrightError
from inkwright.domain.facts import FactCandidate, NewFact
from inkwright.domain.text import Span, TextEdit
from inkwright.manuscript import factlist, facts, opposing
from inkwright.manuscript.places import Order
from inkwright.tools import plain, verbatim
from inkwright.workspace import OpenBook

Edit = Callable[[str], Sequence[TextEdit]]


class Pen(Protocol):
    """Where a card is written: an open document, or its file."""

    async def change(self, file: str, edit: Edit) -> bool:
        """Makes the edits that `edit` gives for the text of a card as it stands; False when the client refuses.

        Raises `InkwrightError`, also what `edit` raises."""
        ...


@dataclass(frozen=True, slots=True)
class Waiting:
    """A candidate that waits. `span` is its quotation in the chapter's `text`, `chapter` that one's title;
    `against` is what the card says to the contrary ('' for nothing), `key` what the fact would be called there."""

    candidate: FactCandidate
    text: str
    span: Span
    key: str
    chapter: str = ""
    against: str = ""


def passage(quote: str) -> str:
    """The hash of a quotation, white space apart."""
    return hashlib.sha256("".join(quote.split()).encode("utf-8", "surrogatepass")).hexdigest()


async def waiting(book: OpenBook, only: Collection[str] | None = None) -> tuple[Waiting, ...]:
    """The candidates, or those with these ids, whose quotations stand in their chapters and whose cards are there
    without the fact, oldest first."""
    await learn(book)
    order = book.files.order()
    pending = [
        replace(one, fact=at_home(order, one.fact))
        for one in await book.state.facts.list()
        if only is None or one.id in only
    ]
    if not pending:
        return ()
    cards = {card.path: card for card in book.files.cards()}
    texts = await _texts(book, {one.fact.source for one in pending})
    written, found = await asyncio.to_thread(_sifted, pending, texts, cards, order, book.book.language)
    if written:
        # The process was gone before it was noted down.
        await book.state.facts.decide(written, "accepted")
    return found


def _sifted(
    pending: Sequence[FactCandidate],
    texts: Mapping[str, str],
    cards: Mapping[str, Card],
    order: Order,
    language: str,
) -> tuple[list[str], tuple[Waiting, ...]]:
    """The ids of those that their cards have to the letter, and those that wait."""
    written: list[str] = []
    out: list[Waiting] = []
    rows: dict[str, set[tuple[str, str, str]]] = {}
    for one, span in zip(pending, _spans(texts, [one.fact for one in pending]), strict=True):
        card = cards.get(one.fact.card)
        if card is None or span is None:
            continue
        if card.path not in rows:
            rows[card.path] = set(map(_same, card.facts))
        if _identity(one.fact) in rows[card.path]:
            written.append(one.id)
        elif not _said(order, card, one.fact):
            text, title = texts[one.fact.source], _title(order, one.fact.source)
            key = opposing.spelled(one.fact.key, card, language)
            out.append(Waiting(one, text, span, key, title, _against(order, card, one.fact)))
    return written, tuple(out)


async def lost(book: OpenBook, *, card: str = "", source: str = "") -> tuple[NewFact, ...]:
    """The accepted facts of a card's file, or of a chapter, whose quotations stand in the chapter no more."""
    await learn(book)
    order = book.files.order()
    accepted = await book.state.facts.list(("accepted",), card=card, source=source)
    taken = [at_home(order, one.fact) for one in accepted]
    places = await spans(await _texts(book, {fact.source for fact in taken}), taken)
    return tuple(fact for fact, span in zip(taken, places, strict=True) if span is None)


async def learn(book: OpenBook) -> Fault | None:
    """Takes in what was decided where the book was before, as far as its chapters still say so: where one has been
    moved or rewritten since, nothing is known of what a decision meant.

    Gives why they cannot be read, where that is so: then what is known here goes on, and they are heard once they
    can be."""
    try:
        decided, state = await shared_facts.heard(book)
    except InkwrightError as error:
        return error.fault
    order = book.files.order()
    here = [one for one in decided if order.index(one.fact.source) is not None]
    places = await spans(await _texts(book, {one.fact.source for one in here}), [one.fact for one in here])
    await book.state.facts.adopt([one for one, span in zip(here, places, strict=True) if span is not None])
    book.state.facts.heard = state
    return None


async def accept(book: OpenBook, ids: Sequence[str], pen: Pen) -> tuple[FactCandidate, ...]:
    """Writes facts into their cards; one that was accepted before is given as it is.

    Of several at once those that the card contradicts, that have lost their passage, or that another process is
    writing go on waiting. Raises `InkwrightError`: candidate_unknown, candidate_rejected, fact_withdrawn,
    fact_card_gone, frontmatter_by_hand, what reading a chapter and writing a card raise. Those of cards before are accepted.
    """
    known = [await _found(book, id_) for id_ in dict.fromkeys(ids)]
    if any(one.state == "rejected" for one in known):
        raise InkwrightError("fact_rejected", id=next(o.id for o in known if o.state == "rejected"))
    pending = {one.id for one in known if one.state == "pending"}
    async with book.making:
        ready = {one.candidate.id: one for one in await waiting(book, pending)}
        if len(known) == 1 and pending - ready.keys():
            await _settle_one(book, known[0])
        by_card: dict[str, list[FactCandidate]] = {}
        for one in known:
            if one.id in ready and (len(known) == 1 or not ready[one.id].against):
                by_card.setdefault(one.fact.card, []).append(one)
        for path, wanted in by_card.items():
            await _write(book, path, wanted, pen, alone=len(known) == 1)
        done = tuple([await _found(book, id_) for id_ in dict.fromkeys(ids)])
        await shared_facts.tell(book, [one for one in done if one.id in pending])
    return done


async def reject(book: OpenBook, ids: Sequence[str]) -> tuple[FactCandidate, ...]:
    """Puts candidates aside: the same fact is not offered again while its passage stands. Raises
    `InkwrightError`: candidate_unknown, fact_accepted."""
    for id_ in ids:
        found = await _found(book, id_)
        if found.state == "accepted":
            raise InkwrightError("fact_accepted", id=id_, path=found.fact.card)
    done = await book.state.facts.decide(tuple(dict.fromkeys(ids)), "rejected")
    await shared_facts.tell(book, done)
    return done


async def _settle_one(book: OpenBook, one: FactCandidate) -> None:
    """Notes down what stands on its card already; else says why it cannot be accepted."""
    card = next((card for card in book.files.cards() if card.path == one.fact.card), None)
    if card is None:
        raise InkwrightError("fact_card_gone", name=one.fact.name, path=one.fact.card)
    if not _said(book.files.order(), card, one.fact):
        raise InkwrightError("fact_withdrawn", name=one.fact.name, path=one.fact.source)
    await book.state.facts.decide([one.id], "accepted")


async def _write(
    book: OpenBook, path: str, wanted: Sequence[FactCandidate], pen: Pen, *, alone: bool
) -> None:
    claimed = await book.state.facts.claim([one.id for one in wanted])
    mine = [one for one in wanted if one.id in claimed]
    card = next((c for c in book.files.cards() if c.path == path), None)
    done = False
    try:
        if mine and card is not None:
            order, language = book.files.order(), book.book.language
            chosen, rows = await asyncio.to_thread(_chosen, card, mine, order, language, alone=alone)
            done = await pen.change(path, lambda text: _missing(text, rows))
            if done:
                await book.state.facts.decide([one.id for one in chosen], "accepted")
    finally:
        # What was not written waits again.
        await book.state.facts.decide([one.id for one in mine], "pending")


def _chosen(
    card: Card, wanted: Sequence[FactCandidate], order: Order, language: str, *, alone: bool
) -> tuple[list[FactCandidate], list[Fact]]:
    """Of facts that are to be written together those that no earlier one of them contradicts, and their rows."""
    chosen: list[FactCandidate] = []
    rows: list[Fact] = []
    for one in wanted:
        if alone or not _against(order, card, one.fact):
            chosen.append(one)
            rows.append(_row(order, card, one.fact, language))
            card = replace(card, facts=(*card.facts, rows[-1]))
    return chosen, rows


def _missing(text: str, rows: Sequence[Fact]) -> list[TextEdit]:
    """The edits for those of the rows that the card does not have to the letter."""
    there = {_same(entry.fact) for entry in factlist.entries(text)}
    return factlist.add(text, [row for row in rows if _same(row) not in there])


def _same(fact: Fact) -> tuple[str, str, str]:
    return opposing.canonical(fact.key), fact.value, passage(fact.quote)


def _identity(fact: NewFact) -> tuple[str, str, str]:
    return fact.key, fact.value, passage(fact.quote)


def _row(order: Order, card: Card, fact: NewFact, language: str) -> Fact:
    """The fact as the card has it, chapters as they are called now."""
    place = order.index(fact.source)
    here = fact.since if place is None else facts.reference(order, place)
    key = opposing.spelled(fact.key, card, language)
    return Fact(key, fact.value, here, here if fact.until else "", fact.quote)


def _said(order: Order, card: Card, fact: NewFact) -> bool:
    return opposing.there(card, order, order.index(fact.source), fact.key, fact.value)


def _against(order: Order, card: Card, fact: NewFact) -> str:
    return opposing.against(card, order, order.index(fact.source), fact.key, fact.value)


def at_home(order: Order, fact: NewFact) -> NewFact:
    """The fact with its chapter where that now is: a file that was moved behind our back keeps its title."""
    if order.index(fact.source) is not None:
        return fact
    moved = facts.chapter(order, fact.since)
    return fact if moved is None else replace(fact, source=moved.path)


def _title(order: Order, path: str) -> str:
    at = order.index(path)
    return "" if at is None else order.chapters[at].title


async def _texts(book: OpenBook, paths: Iterable[str]) -> dict[str, str]:
    """The chapters as they stand, what is typed before the file; a missing one says nothing.

    Raises `InkwrightError` for one that is there and cannot be read: what it says is not known.
    """
    out: dict[str, str] = {}
    for path in paths:
        try:
            out[path] = await book.files.text(path)
        except InkwrightError as error:
            if error.fault.code != "file_missing":
                raise
            out[path] = ""
    return out


async def spans(texts: Mapping[str, str], wanted: Sequence[NewFact]) -> list[Span | None]:
    """Where each quotation stands in its chapter; None where it does not."""
    return await asyncio.to_thread(_spans, texts, wanted) if wanted else []


def _spans(texts: Mapping[str, str], wanted: Sequence[NewFact]) -> list[Span | None]:
    read = {path: plain.plain(text) for path, text in texts.items()}
    return [verbatim.find(read[fact.source], fact.quote) for fact in wanted]


async def _found(book: OpenBook, id_: str) -> FactCandidate:
    found = await book.state.facts.get(id_)
    if found is None:
        raise InkwrightError("candidate_unknown", id=id_)
    return found
