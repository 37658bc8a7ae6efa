"""Hover: the card over a name; the counts of scene and chapter on a heading."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

if TYPE_CHECKING:
    from inkwright.domain.cards import Card
    from inkwright.domain.manuscript import CountRule, Counts
    from inkwright.lsp.session import Session
    from inkwright.lsp.still import Still
    from inkwright.workspace import OpenBook

BODY = 600
FACTS = 12


def register(ls: Session) -> None:
    ls.feature(t.TEXT_DOCUMENT_HOVER)(hover)


def hover(ls: Session, params: t.HoverParams) -> Awaitable[dict[str, Any] | None] | None:
    from inkwright.lsp.convert import position_in

    document = ls.documents.get(params.text_document.uri)
    if document is None or not document.prose:
        return None
    offset = document.buffer.offset(position_in(params.position), ls.encoding)
    return _hover(ls, document.still(), offset)


async def _hover(ls: Session, still: Still, offset: int) -> dict[str, Any] | None:
    from inkwright.lsp import names
    from inkwright.lsp.convert import plain

    if not (await ls.studio()).settings.hover:
        return None
    book = await ls.books.of(still.path)
    heading = next(
        (h for h in still.near(offset).headings if h.span.start <= offset <= h.span.end),
        None,
    )
    found = await names.at(book, still, offset)
    if found:
        parts = [_card(ls, book, still, card) for card in found.cards]
        span = found.span
    elif heading is not None:
        parts, span = [_counts(ls, book, still, offset)], heading.span
    else:
        return None
    text = "\n\n---\n\n".join(parts)
    kind = "markdown" if ls.client.can.markdown else "plaintext"
    return {
        "contents": {"kind": kind, "value": text},
        "range": plain(still.range(span, ls.encoding)),
    }


def _card(ls: Session, book: OpenBook, still: Still, card: Card) -> str:
    from inkwright.manuscript import facts

    assert book.index is not None
    kind = ls.tr(f"card_{card.kind}") if card.type in ("", card.kind) else card.type
    lines = [f"**{card.name}** · {kind}"]
    if card.aliases:
        lines.append(" / ".join(card.aliases))
    if card.summary:
        lines.append(card.summary)
    here = "" if still.path is None else book.relative(still.path)
    if card.facts:
        chapters = book.index.chapters()
        place = next((i for i, chapter in enumerate(chapters) if chapter.path == here), None)
        known = facts.at(card, chapters, place)[:FACTS]
        lines.append("\n".join(f"- {fact.key}: {fact.value}" for fact in known))
    body = card.body.strip()
    if body and body != card.summary:
        lines.append(body if len(body) <= BODY else body[:BODY].rstrip() + "…")
    per_chapter = book.index.tally(card.path)
    lines.append(
        ls.tr(
            "hover_mentions",
            here=per_chapter.get(here, 0),
            all=sum(per_chapter.values()),
            chapters=len(per_chapter),
        )
    )
    return "\n\n".join(lines)


def _counts(ls: Session, book: OpenBook, still: Still, offset: int) -> str:
    from inkwright.manuscript import counting

    rule = book.book.count
    whole = counting.count(still.text, still.parsed)
    lines = [ls.tr("hover_chapter", count=_one(whole, rule), rule=ls.tr(f"count_{rule}"))]
    scenes = counting.scenes(still.text, still.parsed)
    if len(scenes) > 1:
        scene = next((s for s in scenes if s.span.start <= offset <= s.span.end), scenes[0])
        lines.append(
            ls.tr("hover_scene", index=scene.index + 1, of=len(scenes), count=_one(scene.counts, rule))
        )
    rows = [
        f"{ls.tr(f'count_{name}')} {getattr(whole, name):,}" for name in ("mixed", "han", "word", "nonspace")
    ]
    return "\n\n".join([*lines, " · ".join(rows)])


def _one(counts: Counts, rule: CountRule) -> str:
    return f"{getattr(counts, rule):,}"
