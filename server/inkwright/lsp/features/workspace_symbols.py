"""Workspace symbols: cards, chapters, headings and scenes of all open books, by name, pinyin or number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from lsprotocol import types as t

from inkwright.lsp import uris

if TYPE_CHECKING:
    from inkwright.domain.text import Range
    from inkwright.lsp.session import Session
    from inkwright.manuscript.index import BookIndex
    from inkwright.manuscript.symbols import Match, Symbols
    from inkwright.workspace import OpenBook

LIMIT = 200

CARDS = {
    "character": t.SymbolKind.Class,
    "location": t.SymbolKind.Namespace,
    "faction": t.SymbolKind.Interface,
    "item": t.SymbolKind.Constant,
    "timeline": t.SymbolKind.Event,
}
KINDS = {
    "card": t.SymbolKind.Key,
    "chapter": t.SymbolKind.File,
    "heading": t.SymbolKind.String,
    "scene": t.SymbolKind.Event,
}


def register(ls: Session) -> None:
    known: WeakKeyDictionary[BookIndex, tuple[int, Symbols]] = WeakKeyDictionary()

    async def asked(ls: Session, params: t.WorkspaceSymbolParams) -> list[dict[str, Any]]:
        return await symbols(ls, params.query, known)

    ls.feature(t.WORKSPACE_SYMBOL, t.WorkspaceSymbolOptions(resolve_provider=True))(asked)
    ls.feature(t.WORKSPACE_SYMBOL_RESOLVE)(resolve)


async def symbols(
    ls: Session, query: str, known: WeakKeyDictionary[BookIndex, tuple[int, Symbols]]
) -> list[dict[str, Any]]:
    from inkwright.manuscript.symbols import Symbols

    found: list[tuple[OpenBook, Match]] = []
    for book in await ls.books.everywhere():
        index = book.index
        if index is None:
            continue
        await book.ready()
        chapters = index.chapters()  # makes open documents count
        made = known.get(index)
        if made is None or made[0] != index.revision:
            made = known[index] = (index.revision, Symbols(index.cards(), chapters, index.marks))
        found += [(book, match) for match in made[1].find(query, LIMIT)]
    return [_symbol(ls, book, match) for book, match in found[:LIMIT]]


def _symbol(ls: Session, book: OpenBook, match: Match) -> dict[str, Any]:
    row = match.symbol
    kind = CARDS.get(row.type, KINDS[row.kind]) if row.kind == "card" else KINDS[row.kind]
    uri = ls.documents.uri(book.root / row.path)
    # Editors filter once more, by the name alone: it has to hold what was typed.
    name = f"{row.name} {match.said}" if match.said else row.name
    symbol: dict[str, Any] = {"name": name, "kind": kind.value, "location": {"uri": uri}}
    if row.within:
        symbol["containerName"] = row.within
    if ls.client.can.resolve_symbols:
        symbol["data"] = {"line": row.line, "name": row.name}
    else:
        place = {"line": row.line, "character": 0}
        symbol["location"]["range"] = {"start": place, "end": place}
    return symbol


async def resolve(ls: Session, symbol: t.WorkspaceSymbol) -> dict[str, Any]:
    """Where a symbol stands now: its line, or the nearest one that says the same."""
    from inkwright.lsp.convert import plain

    data = symbol.data if isinstance(symbol.data, dict) else {}
    line, name = data.get("line"), data.get("name")
    uri = symbol.location.uri
    where: dict[str, Any] = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
    path = uris.path(uri)
    if path is not None and isinstance(line, int) and isinstance(name, str):
        book = await ls.books.of(path)
        if book.index is not None and (found := await _line(ls, book, book.relative(path), line, name)):
            where = plain(found)
    answer: dict[str, Any] = {"name": symbol.name, "kind": symbol.kind.value}
    if symbol.container_name is not None:
        answer["containerName"] = symbol.container_name
    return {**answer, "location": {"uri": uri, "range": where}, "data": data}


async def _line(ls: Session, book: OpenBook, path: str, line: int, name: str) -> Range | None:
    from inkwright.domain.errors import InkwrightError
    from inkwright.domain.text import Lines, Span

    try:
        lines = Lines(await book.files.text(path))
    except InkwrightError:  # gone since: the client opens what is there
        return None
    order = sorted(range(len(lines)), key=lambda number: abs(number - line))
    at = next((n for n in order if name in " ".join(lines.line(n).split())), min(line, len(lines) - 1))
    start = lines.starts[at]
    return lines.range(Span(start, start + len(lines.line(at))), ls.encoding)
