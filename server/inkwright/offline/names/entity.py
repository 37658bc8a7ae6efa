"""What a text names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["character", "location", "item"]


@dataclass(frozen=True, slots=True)
class Entity:
    """`forms` are the spellings that stand in the text, the name first; `count` is how often, in all.

    `score` says how sure the rules are that it is one, and how much of the text is about it.
    """

    kind: Kind
    name: str
    forms: tuple[str, ...]
    count: int
    score: float
