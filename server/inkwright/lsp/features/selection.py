"""Selection ranges: clause, sentence, dialogue, paragraph, scene, chapter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

if TYPE_CHECKING:
    from inkwright.lsp.session import Session


def register(ls: Session) -> None:
    ls.feature(t.TEXT_DOCUMENT_SELECTION_RANGE)(selection)


def selection(ls: Session, params: t.SelectionRangeParams) -> list[dict[str, Any]] | None:
    from inkwright.lsp.convert import plain, position_in
    from inkwright.manuscript.selection import ladder

    document = ls.documents.get(params.text_document.uri)
    if document is None or not document.prose:
        return None
    still = document.still()
    out: list[dict[str, Any]] = []
    for place in params.positions:
        offset = still.lines.offset(position_in(place), ls.encoding)
        step: dict[str, Any] = {}
        for span in reversed(ladder(still.text, still.parsed, offset)):
            around = {"parent": step} if step else {}
            step = {"range": plain(still.lines.range(span, ls.encoding)), **around}
        out.append(step)
    return out
