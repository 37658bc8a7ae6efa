"""Selection ranges: clause, sentence, dialogue, paragraph, scene, chapter."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

if TYPE_CHECKING:
    from inkwright.lsp.session import Session
    from inkwright.lsp.still import Still


def register(ls: Session) -> None:
    ls.feature(t.TEXT_DOCUMENT_SELECTION_RANGE)(selection)


def selection(ls: Session, params: t.SelectionRangeParams) -> Awaitable[list[dict[str, Any]]] | None:
    from inkwright.lsp import aside

    document = ls.documents.get(params.text_document.uri)
    if document is None or not document.prose:
        return None
    return aside.whole(document.still(), partial(_ladders, ls, params.positions))


def _ladders(ls: Session, positions: Sequence[t.Position], still: Still) -> list[dict[str, Any]]:
    from inkwright.lsp.convert import plain, position_in
    from inkwright.manuscript.selection import ladder

    out: list[dict[str, Any]] = []
    for place in positions:
        offset = still.lines.offset(position_in(place), ls.encoding)
        step: dict[str, Any] = {}
        for span in reversed(ladder(still.text, still.parsed, offset)):
            around = {"parent": step} if step else {}
            step = {"range": plain(still.lines.range(span, ls.encoding)), **around}
        out.append(step)
    return out
