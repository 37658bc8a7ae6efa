"""Hover: the card over a name or a link, as it is in this chapter; chapters, pictures; counts on a heading."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

if TYPE_CHECKING:
    from inkwright.domain.cards import Card, Fact
    from inkwright.domain.manuscript import Chapter, CountRule, Counts
    from inkwright.domain.text import Span
    from inkwright.lsp.session import Session
    from inkwright.lsp.still import Still
    from inkwright.manuscript.pictures import Picture
    from inkwright.manuscript.places import Order
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
    from inkwright.domain.text import Span
    from inkwright.lsp import aside, pointing
    from inkwright.lsp.convert import plain

    if not (await ls.studio()).settings.hover:
        return None
    book = await ls.books.of(still.path)
    await aside.part(still, Span(offset, offset))
    heading = next(
        (h for h in still.near(offset).headings if h.span.start <= offset <= h.span.end),
        None,
    )
    found = await pointing.at(book, still, offset)
    if found:
        parts = [_card(ls, book, still, card) for card in found.cards]
        span = found.span
    elif (told := await _target(ls, book, still, offset)) is not None:
        parts, span = [told[0]], told[1]
    elif heading is not None:
        parts, span = [await aside.whole(still, partial(_counts, ls, book, offset))], heading.span
    else:
        return None
    text = "\n\n---\n\n".join(parts)
    kind = "markdown" if ls.client.can.markdown else "plaintext"
    return {
        "contents": {"kind": kind, "value": text},
        "range": plain(still.range(span, ls.encoding)),
    }


def _card(ls: Session, book: OpenBook, still: Still, card: Card) -> str:
    """A card as it is in this chapter: of its facts those that hold here."""
    assert book.index is not None
    kind = ls.tr(f"card_{card.kind}") if card.type in ("", card.kind) else card.type
    lines = [f"**{card.name}** · {kind}"]
    if card.aliases:
        lines.append(" / ".join(card.aliases))
    if card.summary:
        lines.append(card.summary)
    here = "" if still.path is None else book.relative(still.path)
    stating = card.facts or card.fields
    lines += _facts(ls, book, book.index.order(fresh=False), here, card) if stating else ()
    body = card.body.strip()
    if body and body != card.summary:
        lines.append(body if len(body) <= BODY else body[:BODY].rstrip() + "…")
    per_chapter = book.index.tally(card.path)
    lines.append(
        ls.tr(
            "hover_mentions",
            here=per_chapter.get(here, 0),
            all=per_chapter.total,
            chapters=len(per_chapter),
        )
    )
    if (seen := book.index.seen(card.path)) is not None:
        first, last = seen
        code = "hover_seen" if first.path != last.path else "hover_seen_once"
        lines[-1] += "\n\n" + ls.tr(code, first=first.title, last=last.title)
    return "\n\n".join(lines)


def _facts(ls: Session, book: OpenBook, order: Order, here: str, card: Card) -> list[str]:
    from inkwright.checks.continuity import shown

    place = order.index(here)
    known = shown.of(card, order, place, book.book.language)[:FACTS]
    if not known:
        return []
    rows = "\n".join(f"- {_fact(ls, fact)}" for fact in known)
    return [rows] if place is None else [ls.tr("hover_facts_at", chapter=order.chapters[place].title), rows]


def _fact(ls: Session, fact: Fact) -> str:
    said = f"{fact.key}: {fact.value}"
    if fact.since and fact.until:
        return ls.tr("fact_while", fact=said, since=fact.since, until=fact.until)
    if fact.since:
        return ls.tr("fact_from", fact=said, since=fact.since)
    return ls.tr("fact_until", fact=said, until=fact.until) if fact.until else said


async def _target(ls: Session, book: OpenBook, still: Still, offset: int) -> tuple[str, Span] | None:
    """What a picture or a link at a place shows: the picture's size, the card, the chapter."""
    from inkwright.manuscript import links

    if book.index is None:
        return None
    await book.ready()
    if (picture := _picture(still, offset)) is not None:
        return await _pictured(ls, book, still, picture), picture.span
    near = still.near(offset)
    around = tuple(p for p in near.paragraphs if p.span.start <= offset <= p.span.end)
    if not around and offset >= near.frontmatter.body_start:
        return None
    link = links.at(still.text, replace(near, paragraphs=around), offset)
    if link is None or link.kind == "url":
        return None
    here = "" if still.path is None else book.relative(still.path)
    cards, chapters = book.index.cards(), book.index.listed()
    targets = links.Targets(cards, chapters, here)
    if link.kind == "path":
        paths = targets.path(link)
    else:
        paths = (targets.wiki(link) if link.kind == "wiki" else targets.chapter(link),)
    for path in filter(None, paths):
        own = [card for card in cards if card.file == path]
        card = next((card for card in own if link.target in card.names), own[0] if own else None)
        if card is not None:
            return _card(ls, book, still, card), link.span
        for number, chapter in enumerate(chapters, 1):
            if chapter.path == path:
                return await _chapter(ls, book, chapter, number, len(chapters)), link.span
    return None


async def _chapter(ls: Session, book: OpenBook, chapter: Chapter, number: int, all_: int) -> str:
    from inkwright.domain.errors import StorageError

    rule = book.book.count
    count = _one(chapter.counts, rule)
    where = {"title": chapter.title, "number": number, "all": all_}
    lines = [ls.tr("hover_target", **where, count=count, rule=ls.tr(f"count_{rule}"))]
    try:
        summary = await book.state.summaries.summary(chapter.path)
    except StorageError:
        summary = None
    return "\n\n".join([*lines, *([summary.text] if summary is not None else [])])


def _picture(still: Still, offset: int) -> Picture | None:
    """The picture that a place is in; only its paragraph is looked at."""
    from inkwright.domain.text import Span
    from inkwright.manuscript import pictures

    for paragraph in still.near(offset).paragraphs:
        span = paragraph.span
        if span.start <= offset <= span.end and paragraph.kind not in ("code", "comment"):
            at = offset - span.start
            found = pictures.at(span.of(still.text), Span(at, at))
            if found is not None:
                return replace(found, span=found.span.shift(span.start), alt=found.alt.shift(span.start))
    return None


async def _pictured(ls: Session, book: OpenBook, still: Still, picture: Picture) -> str:
    from inkwright.domain.errors import InkwrightError
    from inkwright.i18n import render
    from inkwright.manuscript import pictures

    here = "" if still.path is None else book.relative(still.path)
    alt = picture.alt.of(still.text).strip()
    said = ls.tr("hover_alt", alt=alt) if alt else ls.tr("hover_no_alt")
    try:
        photo = await asyncio.to_thread(pictures.read, book.root, here, picture.target)
    except InkwrightError as error:
        return f"{render(error.fault, ls.locale)}\n\n{said}"
    about = {"path": photo.path, "size": f"{max(1, round(len(photo.image.data) / 1000)):,}"}
    if photo.size is None:
        return f"{ls.tr('hover_picture_unsized', **about)}\n\n{said}"
    width, height = photo.size
    return f"{ls.tr('hover_picture', **about, width=width, height=height)}\n\n{said}"


def _counts(ls: Session, book: OpenBook, offset: int, still: Still) -> str:
    from inkwright.manuscript import counting, structure

    rule = book.book.count
    whole = counting.count(still.text, still.parsed)
    lines = [ls.tr("hover_chapter", count=_one(whole, rule), rule=ls.tr(f"count_{rule}"))]
    sections = structure.sections(still.parsed.headings, len(still.text))
    section = next((s for s in reversed(sections) if s.start <= offset), None)
    if section is not None and len(sections) > 1:
        part = counting.count(still.text, still.parsed, section)
        lines.append(ls.tr("hover_section", count=_one(part, rule)))
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
