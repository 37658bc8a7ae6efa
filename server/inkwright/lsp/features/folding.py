"""Folding ranges, by whole lines."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

if TYPE_CHECKING:
    from inkwright.lsp.session import Session
    from inkwright.lsp.still import Still

LIMIT = 5_000


def register(ls: Session) -> None:
    ls.feature(t.TEXT_DOCUMENT_FOLDING_RANGE)(folding)


def folding(ls: Session, params: t.FoldingRangeParams) -> Awaitable[list[dict[str, Any]] | None] | None:
    document = ls.documents.get(params.text_document.uri)
    return None if document is None or not document.prose else _folding(ls, document.still())


async def _folding(ls: Session, still: Still) -> list[dict[str, Any]] | None:
    from inkwright.lsp import aside

    if not (await ls.studio()).settings.folding:
        return None
    most = min(ls.client.can.fold_limit or LIMIT, LIMIT)
    return (await aside.whole(still, _rows, newest=True))[:most]


def _rows(still: Still) -> list[dict[str, Any]]:
    from inkwright.manuscript.folds import folds

    out: list[dict[str, Any]] = []
    for fold in folds(still.text, still.parsed):
        first, last = still.lines.line_of(fold.span.start), still.lines.line_of(fold.span.end)
        # Editors keep one fold for each first line: the wider one comes first.
        if first < last and (not out or out[-1]["startLine"] != first):
            out.append({"startLine": first, "endLine": last, **({"kind": fold.kind} if fold.kind else {})})
    return out
