"""Writing a card that lies on the disk: whole or not at all, and never over what somebody else has written."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from inkwright.domain.errors import InkwrightError
from inkwright.domain.text import TextEdit, apply
from inkwright.manuscript import encoding, files
from inkwright.store.lock import exclusive
from inkwright.workspace import OpenBook, read_bytes

ATTEMPTS = 3
WAIT = 10.0
"""Seconds that another process of ours may take to write a card."""

Edit = Callable[[str], Sequence[TextEdit]]


class FilePen:
    """A `facts.Pen` for files. Processes of ours write one after the other."""

    def __init__(self, book: OpenBook) -> None:
        self._book = book

    async def change(self, file: str, edit: Edit) -> bool:
        """Raises `InkwrightError`: readonly_document and its kin, link_outside, file_changed, file_unwritable, what reading
        a file and `edit` raise."""
        if reason := self._book.files.locked(file):
            raise InkwrightError(f"readonly_{reason}", path=file)
        await asyncio.to_thread(self._change, file, edit)
        await self._book.files.file_changed(file)
        return True

    def _change(self, file: str, edit: Edit) -> None:
        path = (self._book.root / file).resolve()
        if not path.is_relative_to(self._book.root.resolve()):
            raise InkwrightError("link_outside", path=file)
        with _alone(self._book.state.database.path):
            for _ in range(ATTEMPTS):
                data = read_bytes(path)
                decoded = encoding.decode(data)
                if decoded.readonly:
                    raise InkwrightError("readonly_document", path=file)
                edits = edit(decoded.text)
                if not edits:
                    return
                new = encoding.encode(apply(decoded.text, list(edits)), decoded)
                if read_bytes(path) != data:
                    continue
                try:
                    files.replace(path, new)
                except OSError as error:
                    raise InkwrightError("file_unwritable", path=file, error=error.strerror or "") from error
                return
        raise InkwrightError("file_changed", path=file)


@contextmanager
def _alone(database: Path) -> Iterator[None]:
    """Keeps other processes that write cards of this book waiting, where there is a place for a lock."""
    if not database.parent.is_dir():
        yield
        return
    with exclusive(database.with_name("facts.lock"), WAIT):
        yield
