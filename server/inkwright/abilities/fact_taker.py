"""Where the facts go that a run proposes: into the list of what waits, and nowhere else."""

from __future__ import annotations

import time
import uuid

from inkwright.abilities.facts import learn, passage, spans
from inkwright.domain.cards import Card
from inkwright.domain.errors import Fault
from inkwright.domain.facts import FactCandidate, NewFact, TakenFact, Tally
from inkwright.domain.run import RunRequest
from inkwright.manuscript import facts, opposing
from inkwright.manuscript.overview import plain as plain_name
from inkwright.workspace import OpenBook


class FactCandidates:
    """A `FactTaker` that writes nothing but the wish down."""

    def __init__(self, book: OpenBook, request: RunRequest) -> None:
        self._book = book
        self._run = request.id
        self._source = request.snapshot.path
        self._text = request.snapshot.text
        self.tally = Tally()
        self._unheard: Fault | None = None

    async def take(self, name: str, key: str, value: str, quote: str, *, ends: bool) -> TakenFact:
        self._unheard = await learn(self._book)
        order = self._book.files.order()
        place = order.index(self._source)
        card = self._meant(name)
        if card is None or place is None:
            self.tally.unknown.add(name)
            return TakenFact("unknown")
        here = facts.reference(order, place)
        until = here if ends else ""
        fact = NewFact(card.path, card.name, key, value, here, until, quote, self._source)
        self.tally.dropped.discard((name, key, value))
        if opposing.there(card, order, place, key, value):
            self.tally.there += 1
            return TakenFact("there")
        known = await self._book.state.facts.same(fact)
        gone = set[str]()
        if known is not None and (await spans({self._source: self._text}, [known.fact]))[0] is None:
            gone.add(known.passage)
        wanted = FactCandidate(uuid.uuid4().hex, self._run, fact, passage(quote), created_at=time.time())
        stored = await self._book.state.facts.add(wanted, gone)
        if stored.state != "pending":
            self.tally.there += 1
            return TakenFact("there")
        self.tally.kept[stored.id] = None
        return TakenFact("kept" if stored.id == wanted.id else "there", stored.id)

    def drop(self, name: str, key: str, value: str) -> None:
        self.tally.dropped.add((name, key, value))

    def notices(self) -> tuple[Fault, ...]:
        """How the proposals fared, in one sentence, and why earlier decisions did not count; none where nothing was
        proposed."""
        tally = self.tally
        counts: dict[str, str | int | float] = {
            "found": len(tally.kept),
            "known": tally.there,
            "dropped": len(tally.dropped),
            "unknown": len(tally.unknown),
        }
        report = (Fault("facts_report", counts),) if any(counts.values()) else ()
        return (*report, self._unheard) if self._unheard else report

    def _meant(self, name: str) -> Card | None:
        """The one card of that name in a file of its own, of those that a model may see."""
        wanted = plain_name(name)
        found = [
            card
            for card in self._book.files.cards()
            if card.ai != "never" and not card.within and wanted in map(plain_name, card.names)
        ]
        return found[0] if len(found) == 1 else None
