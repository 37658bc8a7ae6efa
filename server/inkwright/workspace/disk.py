"""A manuscript's file on the disk: read within bounds, replaced whole or not at all."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from inkwright import intake
from inkwright.domain.errors import InkwrightError
from inkwright.manuscript import encoding, files
from inkwright.manuscript.walk import Limits


def read_bytes(path: Path) -> bytes:
    """A file's bytes. Blocks, but for no file that never ends.

    Raises `InkwrightError`: file_missing, file_is_folder, file_not_regular, file_too_large,
    file_denied.
    """
    limit = Limits().size
    try:
        return intake.read(path, limit)
    except IsADirectoryError as error:
        raise InkwrightError("file_is_folder", path=str(path)) from error
    except intake.NotRegularError as error:
        raise InkwrightError("file_not_regular", path=str(path)) from error
    except intake.TooLargeError as error:
        raise InkwrightError("file_too_large", path=str(path), limit=limit // 1_000_000) from error
    except (FileNotFoundError, NotADirectoryError) as error:
        raise InkwrightError("file_missing", path=str(path)) from error
    except (OSError, ValueError, RuntimeError) as error:
        said = error.strerror if isinstance(error, OSError) else str(error)
        raise InkwrightError("file_denied", path=str(path), error=said or "") from error


def leads_outside(root: Path, path: Path) -> bool:
    """Whether the file, or a folder on the way to it, is a link that leads out of its book."""
    return not path.resolve().is_relative_to(root.resolve())


def absolute(path: Path) -> Path:
    """The path from the root on, its spelling kept; nothing is looked up on the disk."""
    return Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow links


async def write_text(path: Path, base: str, text: str) -> None:
    """Replaces a file's text if it still is `base`; the file is whole at every moment.

    Raises `InkwrightError`: file_changed, file_unwritable, readonly_document.
    """
    await asyncio.to_thread(_write, path, base, text)


def _write(path: Path, base: str, text: str) -> None:
    real = path.resolve()
    decoded = encoding.decode(read_bytes(real))
    if decoded.readonly:
        raise InkwrightError("readonly_document", path=str(path))
    if decoded.text != base:
        raise InkwrightError("file_changed", path=str(path))
    try:
        files.replace(real, encoding.encode(text, decoded))
    except OSError as error:
        raise InkwrightError("file_unwritable", path=str(path), error=error.strerror or "") from error
