"""From a wish to a frozen run request: the effective profile, the target, its windows and what goes along."""

from __future__ import annotations

from dataclasses import dataclass, replace

from inkwright.abilities import context, plan
from inkwright.abilities.asks import Ask
from inkwright.abilities.context import Survey
from inkwright.config import Settings
from inkwright.domain.conversation import Effort
from inkwright.domain.errors import InkwrightError
from inkwright.domain.manuscript import Book
from inkwright.domain.model import ModelProfile
from inkwright.domain.money import price_of
from inkwright.domain.profile import EffectiveProfile, Pipeline
from inkwright.domain.run import Product, RunRequest, Window
from inkwright.domain.text import Span
from inkwright.manuscript import markdown, segments
from inkwright.proposals.windows import windows
from inkwright.runtime.budget import budget_of
from inkwright.runtime.pipeline import resumable

LEAD_CHARS = 4000
"""Of the text before the cursor this much is the passage that is to be gone on with."""


@dataclass(frozen=True, slots=True)
class Resumed:
    """What a pipeline's run left behind: its batches, and what its steps came to."""

    id: str
    windows: tuple[Window, ...]
    products: tuple[Product, ...]


@dataclass(frozen=True, slots=True)
class Terms:
    """What a run is composed from besides the wish itself, all of it taken at one moment."""

    profile: EffectiveProfile
    model: ModelProfile
    book: Book
    survey: Survey
    settings: Settings
    history: tuple[tuple[str, str], ...] = ()
    memories: tuple[str, ...] = ()
    pipeline: Pipeline | None = None
    resumed: Resumed | None = None


_LOCKED = {
    "finished": "readonly_finished",
    "locked": "readonly_locked",
    "generated": "readonly_generated",
    "lone_cr": "lone_cr",
}


def compose(ask: Ask, terms: Terms) -> RunRequest:
    """The request. Takes CPU time: call it in a thread.

    Raises `InkwrightError`: empty_text, empty_passage, nothing_before_cursor, readonly_document and its kin, file_binary.
    """
    profile, model = terms.profile, terms.model
    snapshot = ask.snapshot
    if snapshot.readonly == "binary":
        raise InkwrightError("file_binary", path=snapshot.path or snapshot.uri)
    edits = profile.output in ("edit", "insert")
    if snapshot.readonly and edits:
        code = _LOCKED.get(snapshot.readonly, "readonly_document")
        raise InkwrightError(code, path=snapshot.path or snapshot.uri)
    document = markdown.scan(snapshot.text)
    whole = ask.span is None or ask.span == Span(0, len(snapshot.text))
    span = Span(0, len(snapshot.text)) if whole or ask.span is None else ask.span
    start = document.frontmatter.body_start
    body = Span(max(span.start, start), max(span.end, start))
    if profile.output == "insert":
        at = max(start, min(len(snapshot.text), _place(ask, snapshot.text, body)))
        span, whole = Span(at, at), False
        if ask.span is None:
            body = Span(max(start, at - LEAD_CHARS), at)
    if not body.of(snapshot.text).strip():
        if ask.cursor is not None and ask.span is None and snapshot.text[start:].strip():
            raise InkwrightError("nothing_before_cursor")
        raise InkwrightError("empty_text" if not snapshot.text[start:].strip() else "empty_passage")
    pieces = _pieces(terms, snapshot.text, body)
    steps = plan.steps(terms.pipeline, len(pieces), profile.locale) if terms.pipeline else ()
    resumed = terms.resumed
    return RunRequest(
        id=ask.request_id,
        profile=profile,
        book_root=terms.book.root,
        snapshot=snapshot,
        span=span,
        whole=whole,
        windows=pieces,
        context=tuple(
            context.parts(terms.survey, snapshot, document, piece, cards_only=bool(steps)) for piece in pieces
        ),
        message=ask.message,
        locale=profile.locale,
        model=model.id,
        effort=_effort(profile, model),
        budget=replace(
            budget_of(profile), tokens=terms.settings.max_tokens, cost=terms.settings.max_cost_per_run
        ),
        memories=terms.memories,
        history=terms.history,
        context_window=model.context_window,
        pipeline=terms.pipeline.id if terms.pipeline else "",
        steps=steps,
        products=resumable(steps, resumed.products) if resumed else (),
        resumes=resumed.id if resumed else "",
        price=price_of(model),
        max_output=model.max_output,
    )


def _pieces(terms: Terms, text: str, body: Span) -> tuple[Window, ...]:
    """The windows of an edit, the batches of a pipeline; everything else sees the passage at once."""
    if terms.resumed is not None:
        return terms.resumed.windows
    if terms.pipeline is not None:
        spans = segments.batches(text, body)
        return tuple(Window(i, len(spans), span, span.of(text)) for i, span in enumerate(spans))
    if terms.profile.output == "edit":
        return windows(text, body, terms.settings.window)
    return (Window(0, 1, body, body.of(text)),)


def _place(ask: Ask, text: str, body: Span) -> int:
    """Where a text is to be put in: at the cursor, else behind the passage."""
    if ask.cursor is not None and ask.span is None:
        return ask.cursor
    return body.start + len(body.of(text).rstrip())


def _effort(profile: EffectiveProfile, model: ModelProfile) -> Effort:
    """What the model's settings say, or the profile; else its highest, the lowest for one turn."""
    if model.effort is not None:
        return model.effort
    if profile.effort is not None:
        return profile.effort
    if not model.efforts:
        return "off"
    return model.efforts[0] if profile.mode == "single" else model.efforts[-1]
