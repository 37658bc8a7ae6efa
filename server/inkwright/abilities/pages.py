"""Context pages as read-only files in the user's cache, one for each run."""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from inkwright.abilities.past import why
from inkwright.abilities.recall import named, offered, recall
from inkwright.abilities.remembering import worded
from inkwright.abilities.requests import Composed
from inkwright.domain.errors import InkwrightError
from inkwright.domain.run import Product, RunEnded
from inkwright.library.registry import Library
from inkwright.manuscript import filename, files
from inkwright.runtime import context_page
from inkwright.store import locations
from inkwright.store.journal_rows import StoredRun
from inkwright.store.products import every
from inkwright.workspace import OpenBook

KEPT = 100
"""Pages that stay in the cache; older ones go."""
TITLE = 40
"""Characters of a page's title in its file's name."""
_HEADING = re.compile(r"^# (.+)$", re.MULTILINE)
MEMORIES = 300
"""The newest memories of a book, among which a page looks for those that went along."""


async def before(made: Composed, book: OpenBook) -> Path:
    """The page of a run that has not been started."""
    request = made.request
    specs = made.tools(book).specs(named(request))

    def page() -> str:
        return context_page.render(
            request,
            request.locale,
            now=datetime.now().astimezone(),
            tools=specs,
            memories=made.memories,
            link=_linked(book),
        )

    return await asyncio.to_thread(lambda: keep(request.id, page()))


async def after(stored: StoredRun, book: OpenBook, library: Library, context_window: int = 0) -> Path:
    """The page of a run from the journal, as it was composed then, with its calls and usage.

    `context_window` is its model's, for a run that did not note it: what was left out to fit it is shown
    as left out.
    """
    request = await recall(stored, book, library)
    request = replace(request, context_window=request.context_window or context_window)
    specs = offered(request, book, library)
    steps = await book.state.runs.steps(stored.id)
    products = await book.state.runs.products(stored.id)
    memories = await book.state.memories.list(MEMORIES) if request.memories else ()

    def page() -> str:
        return context_page.render(
            request,
            stored.locale,
            now=datetime.fromtimestamp(stored.created_at).astimezone(),
            tools=specs,
            steps=steps,
            ended=_ended(stored, products),
            products=products,
            memories=worded(memories, stored.locale),
            link=_linked(book),
        )

    return await asyncio.to_thread(lambda: keep(stored.id, page()))


def _linked(book: OpenBook) -> Callable[[str], str]:
    """The URI of a path in the book; none for what has no file there."""

    def link(path: str) -> str:
        return (book.root / path).as_uri() if path and book.index is not None else ""

    return link


def _ended(stored: StoredRun, products: tuple[Product, ...]) -> RunEnded | None:
    if stored.stop_reason is None:
        return None
    return RunEnded(
        stored.state if stored.state in ("completed", "partial", "cancelled") else "failed",
        stored.stop_reason,
        stored.text,
        stored.usage,
        fault=why(stored),
        notices=stored.notices,
        steps=every(stored.steps, products),
    )


def keep(run_id: str, text: str) -> Path:
    """A read-only page of that id, in the place of an earlier one of its title. Blocks.

    An editor calls it by its file, so that is named after the page's title; the digest keeps those of one title
    apart: a run's id is the client's and may hold anything.

    Raises `InkwrightError`: page_unwritable.
    """
    place = locations.pages_folder()
    digest = hashlib.sha256(run_id.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    heading = _HEADING.search(text)
    title = heading[1].replace("\\", "")[:TITLE] if heading else "page"
    path = place / filename.of(title, f" {digest}")
    part = files.unfinished(path)
    try:
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        files.sweep(place)
        try:
            part.write_text(text, encoding="utf-8", errors="replace", newline="\n")
            part.chmod(0o400)
            if path.exists():
                path.chmod(0o600)  # some systems replace no file that is read-only
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise InkwrightError("page_unwritable", path=str(place), error=error.strerror or "") from error
    _prune(place)
    return path


def _prune(folder: Path) -> None:
    """Another process may be at the same: what is gone already is gone."""
    ages: list[tuple[float, Path]] = []
    for page in folder.glob("*.md"):
        with suppress(OSError):
            ages.append((page.stat().st_mtime, page))
    for _, old in sorted(ages)[:-KEPT]:
        with suppress(OSError):
            old.unlink()
