"""Writing a writer's file: whole or not at all."""

from __future__ import annotations

import os
import re
import shutil
import time
import uuid
from contextlib import suppress
from pathlib import Path

STALE = 3600.0
"""Seconds after which an unfinished file is nobody's: one that is being written lasts for a moment."""
_PART = re.compile(r"\.inkwright-[0-9a-f]{32}\.part")


def replace(path: Path, data: bytes) -> None:
    """Puts `data` in the place of a file, which keeps its mode; a link stays one. Raises `OSError`. Blocks.

    A neighbour is written first, under a name of its own: the file's may be as long as a name can be.
    """
    real = path.resolve()
    part = unfinished(real)
    sweep(real.parent)
    try:
        with part.open("xb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        if real.exists():
            shutil.copymode(real, part)
        part.replace(real)
    except BaseException:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise


def unfinished(file: Path) -> Path:
    """A name beside `file` for what is to become it; no other process has the same."""
    return file.with_name(f".inkwright-{uuid.uuid4().hex}.part")


def sweep(folder: Path) -> None:
    """Removes what writes that were killed left in the folder: never what is younger than `STALE`. Blocks.

    What cannot be removed stays, and is no reason not to write.
    """
    before = time.time() - STALE
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _PART.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                with suppress(OSError):
                    if entry.stat(follow_symlinks=False).st_mtime < before:
                        os.unlink(entry.path)  # noqa: PTH108 - an entry, not a Path
