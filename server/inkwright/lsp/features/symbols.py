"""Document symbols: headings as a tree; scenes only where a scene break stands."""

from __future__ import annotations

from collections.abc import Awaitable
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

if TYPE_CHECKING:
    from inkwright.domain.text import Span
    from inkwright.lsp.session import Session
    from inkwright.lsp.still import Still
    from inkwright.lsp.wire import Json

LIMIT = 5000


def register(ls: Session) -> None:
    ls.feature(t.TEXT_DOCUMENT_DOCUMENT_SYMBOL)(symbols)


def symbols(ls: Session, params: t.DocumentSymbolParams) -> Awaitable[Json] | None:
    from inkwright.lsp import aside

    document = ls.documents.get(params.text_document.uri)
    if document is None or not document.prose:
        return None
    return aside.whole(document.still(), partial(_symbols, ls), newest=True)


def _symbols(ls: Session, still: Still) -> Json:
    from inkwright.lsp.wire import Json, dumps

    rows = _rows(ls, still)[:LIMIT]
    return Json(dumps(_tree(ls, still, rows) if ls.client.can.symbol_tree else _flat(ls, still, rows)))


Row = tuple[int, str, "Span", "Span"]
"""Level, name, the whole, the part to jump to."""


def _rows(ls: Session, still: Still) -> list[Row]:
    from inkwright.manuscript import structure

    parsed, length = still.parsed, len(still.text)
    rows: list[Row] = [
        (h.level, h.title.strip() or ls.tr("symbol_untitled"), section, h.span)
        for h, section in zip(parsed.headings, structure.sections(parsed.headings, length), strict=True)
    ]
    for number, scene in enumerate(structure.scenes(parsed, length), 1):
        rows.append((structure.SCENE, ls.tr("symbol_scene", index=number), scene.span, scene.first))
    rows.sort(key=lambda row: (row[2].start, row[0]))
    return rows


def _tree(ls: Session, still: Still, rows: list[Row]) -> list[dict[str, Any]]:
    from inkwright.lsp.convert import plain

    top: list[dict[str, Any]] = []
    stack: list[tuple[int, dict[str, Any]]] = []
    for level, name, whole, line in rows:
        symbol: dict[str, Any] = {
            "name": name,
            "kind": _kind(level),
            "range": plain(still.lines.range(whole, ls.encoding)),
            "selectionRange": plain(still.lines.range(line, ls.encoding)),
        }
        while stack and stack[-1][0] >= level:
            stack.pop()
        (stack[-1][1].setdefault("children", []) if stack else top).append(symbol)
        stack.append((level, symbol))
    return top


def _flat(ls: Session, still: Still, rows: list[Row]) -> list[dict[str, Any]]:
    from inkwright.lsp.convert import plain

    return [
        {
            "name": name,
            "kind": _kind(level),
            "location": {"uri": still.uri, "range": plain(still.lines.range(whole, ls.encoding))},
        }
        for level, name, whole, _ in rows
    ]


def _kind(level: int) -> int:
    from inkwright.manuscript.structure import SCENE

    kind = t.SymbolKind.Event if level == SCENE else t.SymbolKind.String
    return int(kind.value)
