"""Where the cards of a run go: into files of the book, or to the writer as candidates."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Sequence

from inkwright.domain.cards import Candidate, MadeCard, NewCard
from inkwright.domain.errors import InkwrightError
from inkwright.manuscript import cardfile
from inkwright.runtime.finishing import to_the_end
from inkwright.workspace import OpenBook


class CardFiles:
    """A `CardMaker` that writes files. The same card again, be it in another run, is the same file: also
    when the writer has edited it since."""

    def __init__(self, book: OpenBook, run_id: str) -> None:
        self._book = book
        self._run = run_id

    async def make(self, card: NewCard) -> MadeCard:
        # Once begun it is finished and noted down, whatever becomes of the run.
        return await to_the_end(self._make(card))

    async def _make(self, card: NewCard) -> MadeCard:
        book = self._book
        digest = cardfile.card_digest(card)
        # Two runs of a book may ask for the same card at the same moment.
        async with book.making:
            known = await _there(book, digest)
            if known is not None:
                path, made = known, False
            else:
                file, made = await asyncio.to_thread(
                    cardfile.create_note,
                    book.root,
                    card,
                    book.files.cards(),
                    book.files.card_folder(card.type),
                )
                path = book.relative(file)
            await book.state.made_cards.put(digest, path, self._run)
            if made:
                await book.files.file_changed(path)
        return MadeCard(path=path, made=made)


class CardCandidates:
    """A `CardMaker` that writes nothing but the wish down, and not even that of a card that is a file already."""

    def __init__(self, book: OpenBook, run_id: str) -> None:
        self._book = book
        self._run = run_id

    async def make(self, card: NewCard) -> MadeCard:
        digest = cardfile.card_digest(card)
        if (path := await _there(self._book, digest)) is not None:
            return MadeCard(path=path, made=False)
        wanted = Candidate(uuid.uuid4().hex, self._run, card, created_at=time.time())
        stored = await self._book.state.candidates.add(wanted, digest)
        return MadeCard(candidate=stored.id, made=stored.id == wanted.id)


async def _there(book: OpenBook, digest: str) -> str | None:
    """The file that holds the card of a digest."""
    known = await book.state.made_cards.find(digest)
    if known is None or not await asyncio.to_thread((book.root / known).is_file):
        return None
    return known


async def accept(book: OpenBook, ids: Sequence[str]) -> tuple[Candidate, ...]:
    """Makes files of candidates; one that was accepted before is given as it is.

    Raises `InkwrightError`: candidate_unknown, candidate_rejected, card_unwritable, storage errors. Those
    before the one that failed are accepted.
    """
    out: list[Candidate] = []
    for id_ in ids:
        found = await _found(book, id_)
        if found.state == "rejected":
            raise InkwrightError("candidate_rejected", candidate=id_)
        if found.state == "pending":
            made = await CardFiles(book, found.run_id).make(found.card)
            found = await book.state.candidates.decide(id_, "accepted", made.path)
        out.append(found)
    return tuple(out)


async def reject(book: OpenBook, ids: Sequence[str]) -> tuple[Candidate, ...]:
    """Puts candidates aside. Raises `InkwrightError`: candidate_unknown, candidate_accepted."""
    out: list[Candidate] = []
    for id_ in ids:
        found = await _found(book, id_)
        if found.state == "accepted":
            raise InkwrightError("candidate_accepted", candidate=id_, path=found.path)
        out.append(await book.state.candidates.decide(id_, "rejected", ""))
    return tuple(out)


async def _found(book: OpenBook, id_: str) -> Candidate:
    found = await book.state.candidates.get(id_)
    if found is None:
        raise InkwrightError("candidate_unknown", id=id_)
    return found
