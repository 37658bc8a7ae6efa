"""From a wish to a frozen run request: the effective profile, the target, its windows and what goes along."""

from __future__ import annotations

from dataclasses import dataclass

from inkwright.abilities import context
from inkwright.abilities.asks import Ask
from inkwright.config import Settings
from inkwright.domain.conversation import Effort, Locale
from inkwright.domain.errors import InkwrightError
from inkwright.domain.model import ModelProfile
from inkwright.domain.ports import BookView
from inkwright.domain.profile import EffectiveProfile
from inkwright.domain.run import Budget, RunRequest, Window
from inkwright.domain.text import Span
from inkwright.library import Library, merge
from inkwright.manuscript import markdown
from inkwright.proposals import windows
from inkwright.tools.desk import Desk


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a run is composed from besides the wish itself."""

    library: Library
    settings: Settings
    locale: Locale
    view: BookView | None


def effective(ask: Ask, around: Surroundings) -> EffectiveProfile:
    """The ability in the domain of the ask's book; the domain comes from the book, never from the caller."""
    domain = around.view.book.type if around.view is not None else ""
    return merge(around.library, ask.ability, domain, ask.message, around.locale)


def compose(ask: Ask, profile: EffectiveProfile, model: ModelProfile, around: Surroundings) -> RunRequest:
    """The request. Raises `InkwrightError` with `empty_passage` or `readonly_document`."""
    snapshot = ask.snapshot
    if snapshot.readonly == "binary":
        raise InkwrightError("file_binary", path=snapshot.path or snapshot.uri)
    edits = profile.output in ("edit", "insert")
    if snapshot.readonly and edits:
        raise InkwrightError("readonly_document", path=snapshot.path or snapshot.uri)
    document = markdown.scan(snapshot.text)
    whole = ask.span is None or ask.span == Span(0, len(snapshot.text))
    span = Span(0, len(snapshot.text)) if whole or ask.span is None else ask.span
    body = Span(
        max(span.start, document.frontmatter.body_start), max(span.end, document.frontmatter.body_start)
    )
    if not body.of(snapshot.text).strip():
        raise InkwrightError("empty_passage")
    pieces = (
        windows(snapshot.text, body, around.settings.window)
        if edits
        else (Window(0, 1, body, body.of(snapshot.text)),)
    )
    desk = Desk(around.view, snapshot, around.locale)
    return RunRequest(
        id=ask.request_id,
        profile=profile,
        book_root=around.view.book.root if around.view is not None else "",
        snapshot=snapshot,
        span=span,
        whole=whole,
        windows=pieces,
        context=tuple(context.parts(desk, document, piece) for piece in pieces),
        message=ask.message,
        locale=around.locale,
        model=model.id,
        effort=_effort(profile, model),
        budget=Budget(
            rounds=profile.rounds,
            calls=profile.calls,
            seconds=profile.seconds,
            tokens=around.settings.max_tokens,
            cost=0,
        ),
    )


def _effort(profile: EffectiveProfile, model: ModelProfile) -> Effort:
    """What the profile asks for; else the highest that the model offers, the lowest for one turn."""
    if profile.effort is not None:
        return profile.effort
    if not model.efforts:
        return "off"
    return model.efforts[0] if profile.mode == "single" else model.efforts[-1]
