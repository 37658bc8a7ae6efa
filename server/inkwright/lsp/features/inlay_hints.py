"""Inlay hints: who is there, where and when, before the first words of a scene. Off unless the writer wants them."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

if TYPE_CHECKING:
    from inkwright.domain.text import Span
    from inkwright.lsp.session import Session
    from inkwright.lsp.still import Still
    from inkwright.manuscript.scene_facts import SceneFacts

REACH = 2_000
"""How far into a scene names are looked for."""
CAST = 5
LIMIT = 200


def register(ls: Session) -> None:
    ls.feature(t.TEXT_DOCUMENT_INLAY_HINT)(hints)


def hints(ls: Session, params: t.InlayHintParams) -> Awaitable[list[dict[str, Any]] | None] | None:
    from inkwright.lsp.convert import range_in

    document = ls.documents.get(params.text_document.uri)
    if document is None or not document.prose:
        return None
    return _hints(ls, document.still(), document.buffer.span(range_in(params.range), ls.encoding))


async def _hints(ls: Session, still: Still, where: Span) -> list[dict[str, Any]] | None:
    from inkwright.domain.text import Span
    from inkwright.lsp import aside
    from inkwright.lsp.features.chapter_lenses import is_chapter
    from inkwright.manuscript import fields, scene_facts

    if not (await ls.studio()).settings.inlay_hints:
        return None
    book = await ls.books.of(still.path)
    index = book.index
    if index is None:
        return []
    await book.ready()
    if not is_chapter(book, still):
        return []
    # A break before the first visible line is what makes it a scene's first.
    seen = Span(max(0, where.start - REACH), where.end)
    await aside.part(still, seen)
    parsed = still.between(seen)
    cards = {card.path: card for card in index.cards()}
    names = index.dictionary
    meta = fields.canonical(parsed.frontmatter.meta, "chapter.keys")
    out: list[dict[str, Any]] = []
    for first, opening in scene_facts.starts(still.text, parsed):
        if not where.start <= first.start <= where.end or len(out) == LIMIT:
            continue
        scene = Span(first.start, first.start + REACH)
        around = still.between(scene)
        end = next((b.start for b in around.scene_breaks if b.start > first.start), scene.end)
        inside = [piece for p in around.inside(Span(scene.start, min(end, scene.end))) for piece in p.prose]
        found = scene_facts.facts(meta, names.hits(still.text, inside), cards, opening=opening)
        if found:
            out.append(_hint(ls, still, first.start, found))
    return out


def _hint(ls: Session, still: Still, offset: int, found: SceneFacts) -> dict[str, Any]:
    from inkwright.domain.text import Span

    place = still.range(Span(offset, offset), ls.encoding).start
    return {
        "position": {"line": place.line, "character": place.character},
        "label": label(ls, found),
        "tooltip": ls.tr("hint_about"),
        "paddingRight": True,
    }


def label(ls: Session, found: SceneFacts) -> str:
    """Who · where · when, as far as it is known."""
    people = [ls.tr("hint_pov", name=found.pov)] if found.pov else []
    people += found.cast
    return " · ".join(filter(None, (listed(ls, people, CAST), found.location, found.time)))


def listed(ls: Session, names: Sequence[str], most: int) -> str:
    """The first names of a list, and how many there are beside them."""
    shown = ls.tr("list_comma").join(names[:most])
    return ls.tr("list_more", names=shown, count=len(names) - most) if len(names) > most else shown
