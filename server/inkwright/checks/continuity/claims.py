"""What a paragraph claims, as values. Spans are code points of the paragraph, later of the text."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeVar

from inkwright.checks.continuity.words import Limb
from inkwright.domain.text import Span

How = Literal["act", "speech", "think"]
Part = Literal["eyes", "hair"]
Side = Literal["left", "right", "both"]


@dataclass(frozen=True, slots=True)
class Claim:
    """`card` is the path of the one that it is about, `span` where it stands.

    `past`: it is told of another time, remembered or reported. `unreal`: it is a dream, a comparison, a
    condition, or of the dead as the dead are.
    """

    card: str
    span: Span
    past: bool = False
    unreal: bool = False


@dataclass(frozen=True, slots=True)
class Act(Claim):
    """Somebody does something. `span` is the name."""

    how: How = "act"


@dataclass(frozen=True, slots=True)
class Use(Claim):
    """Somebody has a thing in use. `span` is the thing's name."""

    thing: str = ""


@dataclass(frozen=True, slots=True)
class Handed(Claim):
    """A thing, `card`, goes from hand to hand."""


@dataclass(frozen=True, slots=True)
class Aged(Claim):
    """`span` is the number alone, `years` what it says."""

    years: int = 0


@dataclass(frozen=True, slots=True)
class Looks(Claim):
    """`span` is the word for the colour."""

    part: Part = "eyes"
    colour: str = ""


@dataclass(frozen=True, slots=True)
class Limbs(Claim):
    """A limb of somebody's is there and is used. `span` is its side and its name."""

    limb: Limb = "hand"
    side: Side = "both"


@dataclass(frozen=True, slots=True)
class Said(Claim):
    """What somebody says, thinks or knows. `span` is all of it. `known`: it is said to be known."""

    known: bool = False


C = TypeVar("C", bound=Claim)


def moved(claim: C, by: int) -> C:
    """A claim of a paragraph as one of the text."""
    return replace(claim, span=claim.span.shift(by))
