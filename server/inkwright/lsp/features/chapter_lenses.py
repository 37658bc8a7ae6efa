"""Code lenses on a chapter and its scenes: how long, who is there, and an ability to run on it.

What takes counting is counted when the client resolves a lens that it shows.
"""

from __future__ import annotations

from collections.abc import Awaitable
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

if TYPE_CHECKING:
    from inkwright.domain.manuscript import Counts
    from inkwright.domain.profile import Profile
    from inkwright.domain.text import Span
    from inkwright.lsp.session import Session
    from inkwright.lsp.still import Still
    from inkwright.manuscript.mentions import Hit
    from inkwright.workspace import OpenBook

CAST = 4
WRITING = "writing"
"""An ability that makes new text: no help to one who looks over what is there."""


def register(ls: Session) -> None:
    ls.feature(t.CODE_LENS_RESOLVE)(resolve)


async def lenses(ls: Session, still: Still, room: int) -> list[dict[str, Any]]:
    """At most `room` lenses of a document: of the chapter at its title, of its scenes where they begin."""
    from inkwright.lsp import aside

    studio = await ls.studio()
    book = await ls.books.of(still.path)
    if not studio.settings.chapter_lens or room < 2 or not is_chapter(book, still):
        return []
    library = await studio.library(book)
    abilities = library.abilities()
    whole = next(
        (a for a in abilities if a.scope == "chapter" and a.output == "report" and a.id != WRITING), None
    )
    close = next((a for a in abilities if a.output == "edit" and a.mode == "react"), None)
    return await aside.whole(still, partial(_lenses, ls, room, whole, close))


def _lenses(
    ls: Session, room: int, whole: Profile | None, close: Profile | None, still: Still
) -> list[dict[str, Any]]:
    from inkwright.domain.text import Span
    from inkwright.lsp.convert import plain
    from inkwright.manuscript import structure

    parsed = still.parsed
    body = next((p.span for p in parsed.paragraphs if p.prose), None)
    if body is None:
        return []
    title = next((h.span for h in parsed.headings if h.span.start == body.start), body)
    head = Span(title.start, title.start)
    out = _pair(ls, still, head, "chapter", whole, None)
    scenes = structure.scenes(parsed, len(still.text))
    if not scenes and close is not None and len(out) < room:
        out.append(_ability(ls, still, head, close, None))
    for scene in scenes:
        if len(out) + 2 > room:
            break
        first = Span(scene.span.start, scene.span.start)
        out += _pair(ls, still, first, "scene", close, plain(still.lines.range(scene.span, ls.encoding)))
    return out


def _pair(
    ls: Session,
    still: Still,
    at: Span,
    what: str,
    ability: Profile | None,
    where: dict[str, Any] | None,
) -> list[dict[str, Any]]:
    from inkwright.lsp.convert import plain

    place = plain(still.lines.range(at, ls.encoding))
    out: list[dict[str, Any]] = [{"range": place, "data": {"uri": still.uri, "what": what}}]
    if ability is not None:
        out.append(_ability(ls, still, at, ability, where))
    return out


def _ability(
    ls: Session, still: Still, at: Span, ability: Profile, where: dict[str, Any] | None
) -> dict[str, Any]:
    from inkwright.lsp.convert import plain

    argument: dict[str, Any] = {"ability": ability.id, "uri": still.uri}
    if where is not None:
        argument["range"] = where
    title = ls.tr("lens_ability", label=ability.label[ls.locale])
    command = {"title": title, "command": "inkwright.runAbility", "arguments": [argument]}
    return {"range": plain(still.lines.range(at, ls.encoding)), "command": command}


def is_chapter(book: OpenBook, still: Still) -> bool:
    """Whether a document is a text by itself: a chapter, or one that no book knows. Costs no reading of a known one."""
    if book.index is None or still.path is None:
        return True
    here = book.relative(still.path)
    if any(chapter.path == here for chapter in book.index.listed()):
        return True
    return book.index.chapter(here) is not None


def resolve(ls: Session, params: t.CodeLens) -> Awaitable[dict[str, Any]] | dict[str, Any]:
    from inkwright.lsp.convert import plain, position_in, range_in

    data = params.data if isinstance(params.data, dict) else {}
    lens: dict[str, Any] = {"range": plain(range_in(params.range))}
    document = ls.documents.get(str(data.get("uri", "")))
    if document is None:
        return {**lens, "command": {"title": "", "command": ""}}
    offset = document.buffer.offset(position_in(params.range.start), ls.encoding)
    return _resolve(ls, lens, document.still(), offset, scene=data.get("what") == "scene")


async def _resolve(
    ls: Session, lens: dict[str, Any], still: Still, offset: int, *, scene: bool
) -> dict[str, Any]:
    from inkwright.lsp import aside
    from inkwright.lsp.features.inlay_hints import listed
    from inkwright.manuscript import scene_facts

    book = await ls.books.of(still.path)
    counts, hits = await aside.whole(still, partial(_content, book, offset, scene=scene))
    cards = {card.path: card for card in book.index.cards()} if book.index is not None else {}
    people = scene_facts.cast(hits, cards)
    size = _size(ls, book, counts)
    title = ls.tr("lens_facts", count=size, cast=listed(ls, people, CAST)) if people else size
    return {**lens, "command": {"title": title, "command": ""}}


def _content(book: OpenBook, offset: int, still: Still, *, scene: bool) -> tuple[Counts, list[Hit]]:
    """The counts of the scene at a place, or of the chapter, and the names in it."""
    from inkwright.domain.text import Span
    from inkwright.manuscript import counting, structure

    where = Span(0, len(still.text))
    if scene:
        scenes = structure.scenes(still.parsed, len(still.text))
        where = next((s.span for s in scenes if s.span.start <= offset < s.span.end), where)
    counts = counting.count(still.text, still.parsed, where)
    if book.index is None:
        return counts, []
    pieces = [piece for p in still.parsed.inside(where) for piece in p.prose]
    return counts, book.index.dictionary.hits(still.text, pieces)


def _size(ls: Session, book: OpenBook, counts: Counts) -> str:
    rule = book.book.count
    return ls.tr("lens_count", count=f"{getattr(counts, rule):,}", rule=ls.tr(f"count_{rule}"))
