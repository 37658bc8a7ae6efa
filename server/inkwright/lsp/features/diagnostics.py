"""Push diagnostics: the offline checks, a pause after the typing, always for the version they belong to."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

from inkwright.lsp.latest import Latest

if TYPE_CHECKING:
    from inkwright.abilities.diagnose import Memory
    from inkwright.domain.diagnostic import Diagnostic
    from inkwright.lsp.documents import Document, Event
    from inkwright.lsp.session import Session
    from inkwright.lsp.still import Still

PAUSE = 0.25
SHARE = 20
REST = 3.0
"""Checking takes at most one part in SHARE of the time, but no text waits longer than REST seconds for it."""
LIMIT = 500
SOURCE = "inkwright"
SEVERITY = {"error": 1, "warning": 2, "information": 3, "hint": 4}


def register(ls: Session) -> None:
    ls.checks = Checking(ls)


class Checking:
    """What the checks say of each open document; one cache of paragraphs per document."""

    def __init__(self, ls: Session) -> None:
        self._ls = ls
        self._caches: dict[str, Memory] = {}
        self._locks: dict[str, asyncio.Lock] = {}
        self._found: dict[str, tuple[str, tuple[Diagnostic, ...]]] = {}
        self._published: dict[str, str] = {}
        self._work: Latest[str] = Latest(PAUSE, self._check, ls.spawn)
        ls.documents.listen(self._follow)

    async def of(self, key: str, still: Still) -> tuple[Diagnostic, ...]:
        """The diagnostics of a document as it stood; paragraphs seen before cost nothing."""
        from inkwright.abilities.diagnose import Memory

        studio = await self._ls.studio()
        async with self._locks.setdefault(key, asyncio.Lock()):
            known = self._found.get(key)
            if known is not None and known[0] is still.text:
                return known[1]
            book = await self._ls.books.of(still.path)
            memory = self._caches.setdefault(key, Memory())
            began = time.monotonic()
            book_file = still.path is not None and still.path.name == "book.toml"
            path = "" if still.path is None else book.relative(still.path)
            found = tuple(await studio.diagnose(still.text, book, memory, book_file=book_file, path=path))
            self._work.rest(key, min(REST, (time.monotonic() - began) * SHARE))
            if self._ls.documents.get(still.uri) is not None:  # closed meanwhile: nothing is kept
                self._found[key] = (still.text, found)
            return found

    def again(self) -> None:
        """Settings or cards have changed: every open document is checked, and shown, anew."""
        self._found.clear()
        for document in self._ls.documents:
            if document.prose or document.book_file:
                self._work.call(document.key)
        if len(self._ls.documents):
            self._ls.spawn(self._ls.client.refresh_aids())

    def clear(self, key: str) -> None:
        """Takes the diagnostics of a document away, under the URI that they were published with."""
        self._work.drop(key)
        if (uri := self._published.pop(key, None)) is not None:
            self._ls.client.diagnostics(uri, None, [])

    def _follow(self, document: Document, event: Event) -> None:
        if not (document.prose or document.book_file):
            return
        if event in ("opened", "changed"):
            self._work.call(document.key)
        elif event == "closed":
            self.clear(document.key)
            for kept in (self._caches, self._locks, self._found):
                kept.pop(document.key, None)

    async def _check(self, key: str) -> None:
        document = next((found for found in self._ls.documents if found.key == key), None)
        if document is None:
            return
        still = document.still()
        found = await self.of(key, still)
        if document.still() is not still:
            return  # typed meanwhile: another pass is due
        if not found and key not in self._published:
            return
        self._published[key] = still.uri
        self._ls.client.diagnostics(still.uri, still.version, _shown(self._ls, still, found))


def _shown(ls: Session, still: Still, found: tuple[Diagnostic, ...]) -> list[dict[str, Any]]:
    """As many as an editor can show, the gravest of them; that there are more stands in the first line."""
    if len(found) <= LIMIT:
        return wire(ls, still, found)
    gravest = sorted(found, key=lambda one: SEVERITY[one.severity])[:LIMIT]
    rest = {
        "range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}},
        "severity": SEVERITY["information"],
        "code": "diagnostics_left_out",
        "source": SOURCE,
        "message": ls.tr("diagnostics_left_out", count=len(found) - LIMIT, shown=LIMIT),
    }
    return [rest, *wire(ls, still, tuple(sorted(gravest, key=lambda one: one.span.start)))]


def wire(ls: Session, still: Still, found: tuple[Diagnostic, ...]) -> list[dict[str, Any]]:
    from inkwright import checks
    from inkwright.lsp.convert import plain

    return [
        {
            "range": plain(still.lines.range(diagnostic.span, ls.encoding)),
            "severity": SEVERITY[diagnostic.severity],
            "code": diagnostic.code,
            "source": SOURCE,
            "message": checks.message(diagnostic, ls.locale),
        }
        for diagnostic in found
    ]
