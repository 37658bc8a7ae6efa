"""Whether a chapter is on the disk at a run's end what it was at its beginning."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

from inkwright.abilities.asks import Ask
from inkwright.domain.errors import Fault, InkwrightError
from inkwright.domain.run import RunRequest
from inkwright.manuscript import encoding
from inkwright.workspace import OpenBook, read_bytes


@dataclass(frozen=True, slots=True)
class Meanwhile:
    """`known` are the texts that surprise nobody, None being no file: what was there, and what the run has."""

    file: Path
    path: str
    known: tuple[str | None, ...]

    async def change(self) -> tuple[Fault, ...]:
        """The notice that the file was changed or deleted; none where it was not."""
        if await _text(self.file) in self.known:
            return ()
        return (Fault("chapter_changed_meanwhile", {"path": self.path}),)


async def watched(ask: Ask, request: RunRequest, book: OpenBook) -> Meanwhile | None:
    """The chapter of a pipeline as it is now; None for other runs, whose proposals look for themselves."""
    if not request.pipeline or book.index is None:
        return None
    path = request.snapshot.path
    file = book.root / path
    read = ask.snapshot.version is None and ask.snapshot.path == path
    before = ask.snapshot.text if read else await _text(file)
    return Meanwhile(file, path, (before, request.snapshot.text))


async def _text(file: Path) -> str | None:
    """What stands in the file; None where nothing can be read."""
    try:
        return (await asyncio.to_thread(lambda: encoding.decode(read_bytes(file)))).text
    except InkwrightError:
        return None
