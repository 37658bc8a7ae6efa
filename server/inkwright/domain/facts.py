"""Facts that a run found in a chapter: what they say, where that stands, and what the writer did with them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, Protocol

FactState = Literal["pending", "accepted", "rejected"]


@dataclass(frozen=True, slots=True)
class NewFact:
    """What a chapter tells of a card. `card` is the card's path, `name` its name.

    `key` is what it is about, under our own name where it has one; `since` and `until` name chapters as
    a card would. `quote` stands in the chapter `source` (a path) to the letter.
    """

    card: str
    name: str
    key: str
    value: str
    since: str
    until: str
    quote: str
    source: str


@dataclass(frozen=True, slots=True)
class FactCandidate:
    """A fact that waits for the writer or was decided on. `passage` is the hash of what it rests on, white
    space apart; seconds since 1970."""

    id: str
    run_id: str
    fact: NewFact
    passage: str
    state: FactState = "pending"
    created_at: float = 0.0


@dataclass(frozen=True, slots=True)
class TakenFact:
    """What became of a fact that a tool proposes: `kept` waits for the writer, `there` is known already (on the
    card, or proposed or decided before), `unknown` names no card that a model may see."""

    outcome: Literal["kept", "there", "unknown"]
    id: str = ""


class FactTaker(Protocol):
    """Where the facts go that a model proposes, one after the other."""

    async def take(self, name: str, key: str, value: str, quote: str, *, ends: bool) -> TakenFact:
        """`quote` is as it stands in the run's chapter; `ends`: it holds no longer than this chapter. Raises
        `InkwrightError`."""
        ...

    def drop(self, name: str, key: str, value: str) -> None:
        """Nothing is kept of a fact whose quotation stands nowhere in the chapter."""
        ...


@dataclass(slots=True)
class Tally:
    """How the facts of one run fared, each counted once."""

    kept: dict[str, None] = field(default_factory=dict)
    there: int = 0
    unknown: set[str] = field(default_factory=set)
    dropped: set[tuple[str, str, str]] = field(default_factory=set)
