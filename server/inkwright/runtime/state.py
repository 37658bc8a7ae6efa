"""What the parts of the loop share while one run goes on."""

from __future__ import annotations

from dataclasses import dataclass, field

from inkwright.domain.errors import Fault
from inkwright.domain.ports import ChatModel, Journal, Toolbox
from inkwright.domain.run import RunRequest, TextDelta
from inkwright.runtime.budget import Meter

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
    """`steps` counts the requests to the model, over all windows."""

    request: RunRequest
    model: ChatModel
    toolbox: Toolbox
    journal: Journal
    meter: Meter
    answer: Answer = field(default_factory=Answer)
    notices: list[Fault] = field(default_factory=list)
    steps: int = 0

    def notice(self, fault: Fault) -> None:
        if all(known.code != fault.code for known in self.notices):
            self.notices.append(fault)
