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
    text below the front matter. `private` never leaves the machine.
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

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name, *self.aliases)
