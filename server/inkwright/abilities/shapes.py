"""The JSON shapes that other programs rely on, made in one place for the command line and LSP alike.

Keys are camelCase, paths relative with `/`, ranges LSP ranges in the encoding the caller names.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from inkwright.domain.text import Lines, Position, Range
from inkwright.i18n import render, tr

if TYPE_CHECKING:
    from inkwright.checks.intended import Intended
    from inkwright.domain.cards import Candidate, Card
    from inkwright.domain.conversation import Locale, Usage
    from inkwright.domain.diagnostic import Diagnostic, Related
    from inkwright.domain.errors import Fault
    from inkwright.domain.facts import FactCandidate
    from inkwright.domain.manuscript import Book, Chapter, Counts, Problem, Summary
    from inkwright.domain.profile import Profile
    from inkwright.manuscript.index import BookIndex

JSON = dict[str, Any]


def position(place: Position) -> JSON:
    return {"line": place.line, "character": place.character}


def range_(where: Range) -> JSON:
    return {"start": position(where.start), "end": position(where.end)}


def error(fault: Fault, locale: Locale) -> JSON:
    """{code, message, kind?, retryable?}: the last two for faults of a model."""
    out: JSON = {"code": fault.code, "message": render(fault, locale)}
    if fault.kind is not None:
        out |= {"kind": fault.kind, "retryable": fault.retryable}
    return out


def usage(value: Usage) -> JSON:
    out: JSON = {"input": value.input, "output": value.output}
    for key, number in (
        ("cacheRead", value.cache_read),
        ("cacheWrite", value.cache_write),
        ("reasoning", value.reasoning),
        ("cost", value.cost),
    ):
        if number is not None:
            out[key] = number
    if value.cost is not None and value.currency:
        out["currency"] = value.currency
    if value.estimated:
        out["estimated"] = True
    return out


def candidate(value: Candidate) -> JSON:
    card = value.card
    return {
        "id": value.id,
        "requestId": value.run_id,
        "kind": "card",
        "state": value.state,
        "type": card.type,
        "title": card.title,
        "content": card.content,
        "tags": list(card.tags),
        "quote": card.quote,
        "source": card.source,
        "chapter": card.chapter,
        "path": value.path or None,
        "createdAt": time(value.created_at),
    }


def fact(value: FactCandidate, chapter: str, against: str = "") -> JSON:
    """The shape of a card candidate, with what a fact has besides; `against` is what its card says to the contrary."""
    said = value.fact
    return {
        "id": value.id,
        "requestId": value.run_id,
        "kind": "fact",
        "state": value.state,
        "type": "fact",
        "title": f"{said.name} · {said.key}",
        "content": said.value,
        "tags": [],
        "quote": said.quote,
        "source": said.source,
        "chapter": chapter,
        "path": said.card,
        "name": said.name,
        "key": said.key,
        "value": said.value,
        "from": said.since,
        "until": said.until,
        "against": against or None,
        "createdAt": time(value.created_at),
    }


def summary(value: Summary, digest: str) -> JSON:
    """A chapter's summary; `digest` is that of the chapter as it stands."""
    return {
        "path": value.path,
        "text": value.text,
        "model": value.by or None,
        "stale": value.digest != digest,
        "madeAt": time(value.made_at),
    }


def counts(value: Counts) -> JSON:
    return {"mixed": value.mixed, "han": value.han, "word": value.word, "nonspace": value.nonspace}


def chapter(value: Chapter) -> JSON:
    """`status` is the front matter's word as it is written, '' for none."""
    from inkwright.manuscript import fields as front

    return {
        "path": value.path,
        "title": value.title,
        "volume": value.volume,
        "number": value.number,
        "status": front.text(value.meta.get("status")),
        "counts": counts(value.counts),
    }


def card(value: Card, chapters: dict[str, int]) -> JSON:
    """`chapters` maps chapter paths to the number of mentions there. One of several cards in a file has
    `file` and `line`, and a path with its name after a `#`."""
    return {
        "path": value.path,
        "name": value.name,
        "type": value.type,
        "aliases": list(value.aliases),
        "mentions": sum(chapters.values()),
        "chapters": chapters,
        **({"file": value.within, "line": value.line} if value.within else {}),
    }


def intended(value: Intended) -> JSON:
    """A decision that something is intended; `path` null: everywhere in the book."""
    return {
        "id": value.id,
        "code": value.code,
        "text": value.text,
        "path": value.path or None,
        "everywhere": value.everywhere,
    }


def problem(value: Problem, locale: Locale) -> JSON:
    return {
        "path": value.path,
        "line": value.line,
        "code": value.code,
        "message": tr(value.code, locale, value.params),
    }


def book(value: Book) -> JSON:
    return {
        "root": value.root,
        "title": value.title,
        "type": value.type,
        "language": value.language,
        "author": value.author,
        "count": value.count,
        "model": value.model,
    }


def profile(value: Profile, locale: Locale) -> JSON:
    """What a client shows of a profile: no prompt in it."""
    return {
        "id": value.id,
        "kind": value.kind,
        "label": value.label[locale],
        "description": value.description[locale],
        "icon": value.icon,
        "color": value.color,
        "output": value.output,
        "scope": value.scope,
        "mode": value.mode,
        "pipeline": value.pipeline or None,
        "quickActions": [
            {"label": action.label[locale], "message": action.message[locale]}
            for action in value.quick_actions
        ],
    }


def index(value: BookIndex, locale: Locale) -> JSON:
    """{book, chapters in reading order, cards, problems}."""
    return {
        "book": {key: book(value.book)[key] for key in ("root", "title", "type", "language")},
        "chapters": [chapter(one) for one in value.chapters()],
        "cards": [card(one, value.card_counts(one.path)) for one in value.cards()],
        "problems": [problem(one, locale) for one in value.problems],
    }


def checked(
    path: str,
    text: str,
    diagnostics: Sequence[Diagnostic],
    related: Sequence[Sequence[tuple[Related, Range]]],
    locale: Locale,
) -> JSON:
    """{path, diagnostics: [{range, severity, code, message, fix, related?}]}; ranges in UTF-16.

    `related` holds the related places of each diagnostic: {path, range, message}.
    """
    lines = Lines(text)
    from inkwright.checks import checking

    return {
        "path": path,
        "diagnostics": [
            {
                "range": range_(lines.range(one.span)),
                "severity": one.severity,
                "code": one.code,
                "message": checking.message(one, locale),
                "fix": None
                if one.fix is None
                else {"range": range_(lines.range(one.fix.span)), "newText": one.fix.new},
                **({"related": [_related(place, where, locale) for place, where in row]} if row else {}),
            }
            for one, row in zip(diagnostics, related, strict=True)
        ],
    }


def _related(place: Related, where: Range, locale: Locale) -> JSON:
    message = tr(place.code, locale, place.params)
    return {"path": place.path, "range": range_(where), "message": message}


def time(seconds: float) -> str:
    """Seconds since 1970 as ISO 8601 in UTC."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
