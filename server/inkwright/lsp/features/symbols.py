"""Document symbols: headings as a tree; scenes only where a scene break stands."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

if TYPE_CHECKING:
    from inkwright.domain.text import Span
    from inkwright.lsp.session import Session
    from inkwright.lsp.still import Still

LIMIT = 5000
SCENE_LEVEL = 7
"""Below every heading."""


def register(ls: Session) -> None:
    ls.feature(t.TEXT_DOCUMENT_DOCUMENT_SYMBOL)(symbols)


def symbols(ls: Session, params: t.DocumentSymbolParams) -> list[dict[str, Any]] | None:
    document = ls.documents.get(params.text_document.uri)
    if document is None or not document.prose:
        return None
    still = document.still()
    rows = _rows(ls, still)[:LIMIT]
    return _tree(ls, still, rows) if ls.client.can.symbol_tree else _flat(ls, still, rows)


Row = tuple[int, str, "Span", "Span"]
"""Level, name, the whole, the part to jump to."""


def _rows(ls: Session, still: Still) -> list[Row]:
    from inkwright.domain.text import Span

    parsed = still.parsed
    headings = parsed.headings
    ends: list[int] = [len(still.text)] * len(headings)
    open_: list[int] = []
    for number, heading in enumerate(headings):
        while open_ and headings[open_[-1]].level >= heading.level:
            ends[open_.pop()] = heading.span.start
        open_.append(number)
    rows: list[Row] = [
        (h.level, h.title.strip() or ls.tr("symbol_untitled"), Span(h.span.start, end), h.span)
        for h, end in zip(headings, ends, strict=True)
    ]
    rows += _scenes(ls, still)
    rows.sort(key=lambda row: (row[2].start, row[0]))
    return rows


def _scenes(ls: Session, still: Still) -> list[Row]:
    """A scene hangs below the heading that it begins under, or that its first line is."""
    from inkwright.domain.text import Span

    parsed = still.parsed
    breaks = parsed.scene_breaks
    if not breaks:
        return []
    titles = [h.span.start for h in parsed.headings]
    starts = [parsed.frontmatter.body_start, *(b.end for b in breaks)]
    ends = [*(b.start for b in breaks), len(still.text)]
    rows: list[Row] = []
    for start, end in zip(starts, ends, strict=True):
        inside = parsed.inside(Span(start, end))
        first = next((p.span for p in inside if p.prose and p.kind != "heading"), None)
        if first is None:
            continue
        following = bisect_right(titles, first.start)
        border = min(end, titles[following]) if following < len(titles) else end
        name = ls.tr("symbol_scene", index=len(rows) + 1)
        rows.append((SCENE_LEVEL, name, Span(first.start, max(first.end, border)), first))
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
    kind = t.SymbolKind.Event if level == SCENE_LEVEL else t.SymbolKind.String
    return int(kind.value)
