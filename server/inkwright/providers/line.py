"""Where requests to one model wait: so many at once, so many a minute, runs in turn, first come first of a run."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator

from inkwright.domain.conversation import Waiting
from inkwright.providers.rates import Rates, Spent


class Ticket:
    """A place in the line; `granted` once the request may go out. Leave it, whatever happens."""

    def __init__(self, line: Line, run: str, tokens: int) -> None:
        self.run = run
        self.tokens = tokens
        self.waiting: Waiting | None = None
        self.spent: Spent | None = None
        self._line = line
        self._moved = asyncio.Event()
        self._left = False

    @property
    def granted(self) -> bool:
        return self.spent is not None

    async def moved(self) -> None:
        """Returns when the ticket is granted or stands elsewhere in the line."""
        await self._moved.wait()
        self._moved.clear()

    def stands(self, waiting: Waiting) -> None:
        if waiting != self.waiting:
            self.waiting = waiting
            self._moved.set()

    def grant(self, spent: Spent) -> None:
        self.spent = spent
        self._moved.set()

    def leave(self, used: int | None = None) -> None:
        """Gives the place to the next; `used` are the tokens that the request came to, where known."""
        if self._left:
            return
        self._left = True
        if self.spent is not None and used is not None:
            self.spent.tokens = used
        self._line.left(self)


class Line:
    """`slots` requests are under way at most; 0 sets no limit. For one event loop."""

    def __init__(self, slots: int, rates: Rates) -> None:
        self._slots = slots
        self._rates = rates
        self._busy = 0
        self._runs: dict[str, deque[Ticket]] = {}
        self._timer: asyncio.TimerHandle | None = None

    def enter(self, run: str, tokens: int) -> Ticket:
        ticket = Ticket(self, run, tokens)
        self._runs.setdefault(run, deque()).append(ticket)
        self._advance()
        return ticket

    def left(self, ticket: Ticket) -> None:
        if ticket.granted:
            self._busy -= 1
        elif tickets := self._runs.get(ticket.run):
            tickets.remove(ticket)
            if not tickets:
                del self._runs[ticket.run]
        self._advance()

    def pause(self, seconds: float) -> None:
        """Nothing goes out for so long."""
        self._rates.pause(seconds)

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _advance(self) -> None:
        """Grants what may go, and tells the others where they stand."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        delay = 0.0
        while self._runs and not (self._slots and self._busy >= self._slots):
            run, tickets = next(iter(self._runs.items()))
            delay = self._rates.delay(tickets[0].tokens)
            if delay > 0:
                self._timer = asyncio.get_running_loop().call_later(delay, self._advance)
                break
            ticket = tickets.popleft()
            # The run goes behind the others, with what it still has.
            del self._runs[run]
            if tickets:
                self._runs[run] = tickets
            self._busy += 1
            ticket.grant(self._rates.take(ticket.tokens))
        for ahead, ticket in enumerate(self._order()):
            if delay > 0:
                ticket.stands(Waiting("rate", max(1.0, round(delay)), ahead))
            else:
                ticket.stands(Waiting("queue", ahead=ahead))

    def _order(self) -> Iterator[Ticket]:
        """Those that wait, in the order in which they will go."""
        rows = list(self._runs.values())
        for place in range(max(map(len, rows), default=0)):
            for row in rows:
                if place < len(row):
                    yield row[place]
