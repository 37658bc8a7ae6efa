"""Context pages as read-only files in the user's cache, one for each run."""

from __future__ import annotations

import asyncio
import hashlib
import uuid
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from inkwright.abilities.past import why
from inkwright.domain.errors import InkwrightError
from inkwright.domain.run import Budget, RunEnded, RunRequest
from inkwright.domain.text import Snapshot
from inkwright.library import Library, merge
from inkwright.runtime import context_page
from inkwright.store import locations
from inkwright.store.journal_rows import StoredRun
from inkwright.tools import Tools
from inkwright.workspace import OpenBook

KEPT = 100
"""Pages that stay in the cache; older ones go."""


async def before(request: RunRequest, tools: Tools) -> Path:
    """The page of a run that has not been started."""
    specs = tools.specs(request.profile.tools)
    now = datetime.now().astimezone()
    return await asyncio.to_thread(
        lambda: _write(request.id, context_page.render(request, request.locale, now=now, tools=specs))
    )


async def after(stored: StoredRun, book: OpenBook, library: Library, context_window: int = 0) -> Path:
    """The page of a run from the journal, as it was composed then, with its calls and usage.

    `context_window` is its model's: what was left out to fit it is shown as left out.
    """
    request = replace(await recall(stored, book, library), context_window=context_window)
    specs = Tools(book.view, request.snapshot, request.locale).specs(request.profile.tools)
    steps = await book.state.runs.steps(stored.id)

    def page() -> str:
        return context_page.render(
            request,
            stored.locale,
            now=datetime.fromtimestamp(stored.created_at).astimezone(),
            tools=specs,
            steps=steps,
            ended=_ended(stored),
        )

    return await asyncio.to_thread(lambda: _write(stored.id, page()))


async def recall(stored: StoredRun, book: OpenBook, library: Library) -> RunRequest:
    """A run's request as the journal has it; the profile is today's of the same ability and domain."""
    runs = book.state.runs
    return RunRequest(
        id=stored.id,
        profile=merge(library, stored.ability, stored.domain, stored.message, stored.locale),
        book_root=str(book.root),
        snapshot=Snapshot(stored.uri, stored.path, stored.version, await runs.snapshot(stored.id)),
        span=stored.span,
        whole=stored.whole,
        windows=await runs.windows(stored.id),
        context=await runs.context(stored.id),
        message=stored.message,
        locale=stored.locale,
        model=stored.model,
        effort=stored.effort,
        budget=Budget(rounds=0),
        memories=stored.memories,
        history=stored.history,
    )


def _ended(stored: StoredRun) -> RunEnded | None:
    if stored.stop_reason is None:
        return None
    status = stored.state if stored.state in ("completed", "partial", "cancelled") else "failed"
    return RunEnded(status, stored.stop_reason, stored.text, stored.usage, fault=why(stored))


def _write(run_id: str, text: str) -> Path:
    """Blocks. The name is a digest: a run's id is the client's and may hold anything.

    Raises `InkwrightError`: page_unwritable.
    """
    folder = locations.cache_folder() / "context"
    name = hashlib.sha256(run_id.encode("utf-8", "surrogatepass")).hexdigest()[:24]
    path = folder / f"{name}.md"
    part = folder / f".{name}.{uuid.uuid4().hex}.part"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            part.write_text(text, encoding="utf-8", errors="replace", newline="\n")
            part.chmod(0o400)
            if path.exists():
                path.chmod(0o600)  # some systems replace no file that is read-only
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise InkwrightError("page_unwritable", path=str(folder), error=error.strerror or "") from error
    _prune(folder)
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
