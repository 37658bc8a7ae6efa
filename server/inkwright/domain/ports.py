"""What the runtime and its callers need from the outside, as protocols."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from inkwright.domain.cards import Card, MadeCard, NewCard
from inkwright.domain.conversation import ModelEvent, ModelRequest, ToolSpec
from inkwright.domain.errors import Fault
from inkwright.domain.manuscript import Book, Chapter, Hit, Mention, Summary
from inkwright.domain.proposal import Proposal
from inkwright.domain.run import Product, RunEnded, RunRequest, State, StepRecord


class ChatModel(Protocol):
    """A model behind any wire, or a rule engine.

    `stream` yields Text and Reasoning as they come and exactly one Finished; an expected failure is
    `Finished(finish="error", fault=…)`, never an exception. Closing the iterator (`aclose`) or
    cancelling the task that drives it closes the connection at once.
    """

    @property
    def name(self) -> str: ...

    def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]: ...


@dataclass(frozen=True, slots=True)
class ToolResult:
    """Plain text for the model; `ok` False makes it an error result and the loop goes on.

    `fault` is for the writer too: no other call of the model would mend it.
    """

    text: str
    ok: bool = True
    fault: Fault | None = None


class Toolbox(Protocol):
    """The tools of one run, bound by the server to one book and one snapshot."""

    def specs(self, names: Sequence[str]) -> tuple[ToolSpec, ...]:
        """The tools of these names, in order; an unknown name is skipped with a warning."""
        ...

    def parallel(self, name: str) -> bool:
        """True for a tool that only reads."""
        ...

    async def call(self, name: str, arguments: Mapping[str, Any] | None, raw: str = "") -> ToolResult:
        """Never raises for anything the model did: unknown name and bad arguments are error results."""
        ...


class Journal(Protocol):
    """Where a run is written down as it happens; each call is on disk when it returns."""

    async def begin(self, request: RunRequest, body_hash: str) -> None: ...

    async def stands(self, run_id: str, state: State) -> None:
        """A run under way is `running`, or waits: `queued` for its turn, `waiting` for a time."""
        ...

    async def step(self, record: StepRecord) -> None: ...
    async def product(self, run_id: str, product: Product) -> None: ...
    async def end(self, run_id: str, ended: RunEnded, proposal: Proposal | None) -> None: ...


class Purse(Protocol):
    """What one run may cost, in the currency of its model's price."""

    async def room(self, spent: float, wanted: float) -> float | None:
        """What is left for a request that is going to cost about `wanted`, after the `spent` of the run so
        far; None for no limit. Raises `InkwrightError` when that is too little, or nobody can say."""
        ...

    async def spend(self, cost: float) -> None:
        """Writes down what the request did cost. Raises `StorageError`."""
        ...


class BookView(Protocol):
    """One book to read: what tools, context and the offline engine see. Open buffers win over files."""

    @property
    def book(self) -> Book: ...

    def chapters(self) -> tuple[Chapter, ...]:
        """In reading order."""
        ...

    def cards(self) -> tuple[Card, ...]: ...

    def mentions(self, path: str) -> tuple[Mention, ...]:
        """The mentions in one chapter, by place."""
        ...

    async def text(self, path: str) -> str:
        """The decoded text of a chapter or card, front matter included.

        Raises `InkwrightError` with `file_missing`, `file_unreadable` or `file_binary`.
        """
        ...

    def digest(self, path: str) -> str:
        """What tells one content of a chapter or card from another; '' for a path that is none."""
        ...

    async def search(self, query: str, *, limit: int = 0) -> tuple[Hit, ...]:
        """The lines that hold every word of the query, best first; `limit` 0 gives all of them.

        Without any, the lines that hold most of it. Any string is safe. Cards that no model may see are
        among them: who passes hits on sees to that. Raises `InkwrightError`: query_too_long, book_closed.
        """
        ...


class CardMaker(Protocol):
    """Where a tool's new card goes: a file of the book, or a candidate that waits for the writer."""

    async def make(self, card: NewCard) -> MadeCard:
        """The same type, title and content again gives the same card. Raises `InkwrightError`."""
        ...


class Summaries(Protocol):
    """What is known of what a book's chapters are about, apart from the authors' own synopses."""

    async def summary(self, path: str) -> Summary | None:
        """The one that was made last, be it stale. Raises `StorageError`."""
        ...
