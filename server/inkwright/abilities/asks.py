"""What a presenter asks of the studio, and what it gets back."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from inkwright.domain.conversation import Usage
from inkwright.domain.errors import Fault
from inkwright.domain.proposal import Proposal
from inkwright.domain.run import Product, Status, StopReason
from inkwright.domain.text import Snapshot, Span


@dataclass(frozen=True, slots=True)
class Ask:
    """One wish. `span` is the selection in `snapshot.text`, None for the whole chapter.

    `cursor` is where a text is to be put in, None for the end of the span. `pipeline` asks for a pipeline
    instead of an ability: its id, '' for that of the book's domain. `resume` is the run of a pipeline to go
    on from. `path` is the document's file, None for an untitled one. `body` is whatever makes two requests
    of one `request_id` the same request; a presenter gives its argument as it came.
    `image` asks for a picture of the document to be described instead: as the document names its file, ''
    for the one at the span or cursor.
    """

    ability: str
    snapshot: Snapshot
    path: Path | None
    span: Span | None = None
    message: str = ""
    model: str = ""
    follow: str = ""
    request_id: str = ""
    body: str = ""
    cursor: int | None = None
    pipeline: str | None = None
    resume: str = ""
    image: str | None = None


OUTCOMES = frozenset({"facts_report"})
"""Notices of a run that say what came of it; the others warn."""


@dataclass(frozen=True, slots=True)
class RunResult:
    """How a run ended. `text` equals the deltas put together, to the letter.

    `notices` tell what the writer should know of a run that went well: context that was cut, say.
    A pipeline's `steps` are all there are, those not reached as pending. `cards` are the paths of the
    cards that the run made or found made, `candidates` the ids of those that wait for the writer.
    """

    request_id: str
    ability: str
    status: Status
    stop_reason: StopReason
    model: str
    text: str
    proposal: Proposal | None
    usage: Usage
    fault: Fault | None = None
    notices: tuple[Fault, ...] = ()
    pipeline: str | None = None
    """The pipeline's id, '' where it is not known which one was meant; None for every other run."""
    steps: tuple[Product, ...] = ()
    cards: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of the hunks named in an accept or a reject."""

    applied: tuple[int, ...] = ()
    stale: tuple[int, ...] = ()
    rejected: tuple[int, ...] = ()


def digest(ask: Ask) -> str:
    """What makes two wishes of one request id the same."""
    span = "" if ask.span is None else f"{ask.span.start}-{ask.span.end}"
    what = ask.ability if ask.pipeline is None else f"pipeline {ask.pipeline}"
    what = what if ask.image is None else f"image {ask.image}"
    parts = (what, ask.snapshot.uri, span, str(ask.cursor), ask.message, ask.model, ask.follow, ask.resume)
    body = ask.body or "\0".join(parts)
    return hashlib.sha256(body.encode("utf-8", "surrogatepass")).hexdigest()
