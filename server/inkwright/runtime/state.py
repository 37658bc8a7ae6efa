"""What the parts of the loop share while one run goes on."""

from __future__ import annotations

from dataclasses import dataclass, field

from inkwright.domain.errors import Fault
from inkwright.domain.ports import ChatModel, Journal, Purse, Toolbox
from inkwright.domain.run import RunEvent, RunRequest, RunWaiting, State, TextDelta
from inkwright.runtime.budget import Meter
from inkwright.runtime.keeping import kept

SEPARATOR = "\n\n"
"""Stands between the texts of two rounds or windows, in the stream and so in the answer."""


@dataclass(slots=True)
class Answer:
    """The text so far: exactly the deltas, since there is no other way to add to it."""

    pieces: list[str] = field(default_factory=list)
    parted: bool = False

    def part(self) -> None:
        """What comes next is set apart from what is there."""
        self.parted = bool(self.pieces)

    def add(self, text: str) -> TextDelta:
        if self.parted:
            text = SEPARATOR + text
            self.parted = False
        self.pieces.append(text)
        return TextDelta(text)

    @property
    def text(self) -> str:
        return "".join(self.pieces)


@dataclass(slots=True)
class Run:
    """`steps` counts the requests to the model, over all windows. `state` is what the journal has.
    Without a `purse` nothing limits the cost."""

    request: RunRequest
    model: ChatModel
    toolbox: Toolbox
    journal: Journal
    meter: Meter
    answer: Answer = field(default_factory=Answer)
    notices: list[Fault] = field(default_factory=list)
    steps: int = 0
    purse: Purse | None = None
    state: State = "running"

    async def stands(self, event: RunEvent) -> None:
        """Has the journal say so when the run begins to wait or goes on."""
        waits = event.waiting if isinstance(event, RunWaiting) else None
        state: State = "running" if waits is None else "queued" if waits.why == "queue" else "waiting"
        if state != self.state:
            self.state = state
            if (
                unwritten := await kept(self.request.id, self.journal.stands(self.request.id, state))
            ) is not None:
                self.notice(unwritten)

    def notice(self, fault: Fault) -> None:
        if all(known.code != fault.code for known in self.notices):
            self.notices.append(fault)
