"""Proposals: edits that wait for the writer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from inkwright.domain.params import Params
from inkwright.domain.text import Span

HunkState = Literal["pending", "accepted", "rejected", "stale"]
FindingCode = Literal[
    "name_lost",
    "name_added",
    "name_swapped",
    "number_lost",
    "number_added",
    "number_changed",
    "unit_changed",
    "date_changed",
    "quote_lost",
    "quote_added",
    "quote_changed",
    "quote_order",
    "speaker_changed",
    "paragraphs_lost",
    "paragraphs_added",
    "scene_changed",
    "negation_lost",
    "negation_added",
    "meaning_reversed",
    "certainty_changed",
    "amount_changed",
    "order_changed",
    "direction_changed",
    "comparison_changed",
    "person_changed",
    "marks_changed",
    "link_changed",
    "comment_changed",
    "code_changed",
    "heading_changed",
    "length_less",
    "length_more",
    "script_changed",
    "language_changed",
    "sentence_cut",
]
"""What the guard may say of a hunk. A profile names those that it is meant to bring about."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What was seen in a hunk: a `FindingCode` of the guard, or a code of who made the hunk."""

    code: str
    params: Params = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Hunk:
    """One separately acceptable piece. `span` lies in the proposal's base text (code points)."""

    index: int
    span: Span
    before: str
    after: str
    findings: tuple[Finding, ...] = ()
    state: HunkState = "pending"


@dataclass(frozen=True, slots=True)
class Proposal:
    """Bound to the document version and the whole text that it was made from.

    `base` is the whole document's text; `span` the passage in it. `text` is the passage (the whole
    file when `span` covers it) with every hunk accepted.
    """

    id: str
    run_id: str
    uri: str
    path: str
    version: int | None
    base: str
    span: Span
    text: str
    hunks: tuple[Hunk, ...]
    created_at: float = 0.0
