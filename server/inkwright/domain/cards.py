"""World cards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

CARD_TYPES = ("character", "location", "timeline", "faction", "item", "misc")

AiRule = Literal["always", "mention", "never"]


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact that holds from one chapter until another ('' = from the start, to the end)."""

    key: str
    value: str
    since: str = ""
    until: str = ""
    quote: str = ""


@dataclass(frozen=True, slots=True)
class Match:
    """How a card's names are found: `case` exact or ignore; `exclude` words they never stand in."""

    case: Literal["exact", "ignore"] = "ignore"
    exclude: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Card:
    """One world card. `fields` are further front-matter keys, under our names where they have one.

    `kind` is the type as we treat it (one of CARD_TYPES), `type` as it is written. `body` is the
    text below the front matter. `private` never leaves the machine. `within` is the file that holds this
    card beside others ('' for one with a file of its own, which is `path`), `line` where in it, zero-based.
    """

    path: str
    name: str
    type: str
    kind: str = "misc"
    aliases: tuple[str, ...] = ()
    summary: str = ""
    tags: tuple[str, ...] = ()
    match: Match = Match()
    ai: AiRule = "mention"
    private: str = ""
    facts: tuple[Fact, ...] = ()
    fields: Mapping[str, Any] = field(default_factory=dict)
    body: str = ""
    within: str = ""
    line: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name, *self.aliases)

    @property
    def file(self) -> str:
        """The path of the file that the card stands in."""
        return self.within or self.path


@dataclass(frozen=True, slots=True)
class NewCard:
    """A card that a run asks for. `source` is the path of the chapter that it rests on and `chapter`
    that chapter's title; `quote` stands in it to the letter."""

    type: str
    title: str
    content: str
    tags: tuple[str, ...] = ()
    quote: str = ""
    source: str = ""
    chapter: str = ""


@dataclass(frozen=True, slots=True)
class MadeCard:
    """What became of a `NewCard`: the file at `path`, or the candidate `candidate` that waits for the
    writer. `made` is False when the very same one was there already."""

    path: str = ""
    candidate: str = ""
    made: bool = True


@dataclass(frozen=True, slots=True)
class Candidate:
    """A card that waits for the writer. `path` is its file once it is accepted; seconds since 1970."""

    id: str
    run_id: str
    card: NewCard
    state: Literal["pending", "accepted", "rejected"] = "pending"
    path: str = ""
    created_at: float = 0.0
