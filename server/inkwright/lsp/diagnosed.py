"""Diagnostics as the client takes them: places in its encoding, sentences in its language, related places."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from inkwright.lsp.wire import dumps

if TYPE_CHECKING:
    from inkwright.domain.diagnostic import Diagnostic, Related
    from inkwright.lsp.session import Session
    from inkwright.lsp.still import Still
    from inkwright.workspace import OpenBook

LIMIT = 500
"""Diagnostics of one document that are shown."""
RELATED = 8
"""Related places of one diagnostic that are shown."""
FILES = 50
"""Other files that are looked at for the related places of one document."""
SOURCE = "inkwright"
UNREAD = "paragraph_overlong"
"""Says that there may be more that nobody has looked for: never left out."""
SEVERITY = {"error": 1, "warning": 2, "information": 3, "hint": 4}

Item = dict[str, Any]


class Sources:
    """The texts of a book's files as they stand, each read once: open documents before the disk."""

    def __init__(self, ls: Session, book: OpenBook | None) -> None:
        self._ls = ls
        self._book = book
        self._read: dict[str, Still | None] = {}

    async def of(self, path: str) -> Still | None:
        """None for a file that cannot be read, and once there have been too many."""
        from inkwright.domain.errors import InkwrightError
        from inkwright.lsp.still import Still

        index = self._book.index if self._book is not None else None
        if index is None or self._book is None:
            return None
        if path not in self._read:
            place = self._book.root / path
            document = self._ls.documents.at(place)
            still: Still | None = None
            if document is not None:
                still = document.still()
            elif len(self._read) < FILES:
                try:
                    text = await index.text(path)
                    still = Still(self._ls.documents.uri(place), place, None, text)
                except InkwrightError:
                    still = None
            self._read[path] = still
        return self._read[path]


async def shown(
    ls: Session, still: Still, found: tuple[Diagnostic, ...], book: OpenBook | None
) -> list[Item]:
    """As many as an editor can show, the gravest of them; that there are more stands in the first line."""
    if len(found) <= LIMIT:
        return await wire(ls, still, found, book)
    gravest = sorted(found, key=lambda one: (one.code != UNREAD, SEVERITY[one.severity]))[:LIMIT]
    rest = {
        "range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}},
        "severity": SEVERITY["information"],
        "code": "diagnostics_left_out",
        "source": SOURCE,
        "message": ls.tr("diagnostics_left_out", count=len(found) - LIMIT, shown=LIMIT),
    }
    return [rest, *await wire(ls, still, tuple(sorted(gravest, key=lambda one: one.span.start)), book)]


async def wire(ls: Session, still: Still, found: tuple[Diagnostic, ...], book: OpenBook | None) -> list[Item]:
    """All of them, each with its related places where the client shows them."""
    from inkwright import checks
    from inkwright.lsp.convert import plain

    sources, locale = Sources(ls, book), ls.locale
    out: list[Item] = []
    for one in found:
        item = {
            "range": plain(still.range(one.span, ls.encoding)),
            "severity": SEVERITY[one.severity],
            "code": one.code,
            "source": SOURCE,
            "message": checks.message(one, locale),
        }
        if one.related and ls.client.can.related_information:
            places = [await _related(ls, sources, related) for related in one.related[:RELATED]]
            item["relatedInformation"] = [place for place in places if place is not None]
        out.append(item)
    return out


async def _related(ls: Session, sources: Sources, related: Related) -> Item | None:
    from inkwright.abilities import relating
    from inkwright.lsp.convert import plain

    still = await sources.of(related.path)
    if still is None:
        return None
    where = still.range(relating.where(related, still.text), ls.encoding)
    return {
        "location": {"uri": still.uri, "range": plain(where)},
        "message": ls.tr(related.code, **related.params),
    }


def result_id(items: list[Item]) -> str:
    """What tells one report from another: equal for equal reports."""
    return hashlib.blake2b(dumps(items).encode("utf-8", "surrogatepass"), digest_size=9).hexdigest()
