"""Writing a writer's file: whole or not at all, and a new one never over another."""

from __future__ import annotations

import os
import re
import shutil
import time
import unicodedata
import uuid
from contextlib import suppress
from pathlib import Path, PurePosixPath

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


def folder(root: Path, path: str) -> None:
    """Makes the folder `path` below `root`; the root of a book that is gone is not made again. Raises `OSError`."""
    place = root
    for part in PurePosixPath(path).parts:
        place /= part
        place.mkdir(exist_ok=True)


def create(file: Path, data: bytes) -> bool:
    """Writes a file that is there whole or not at all; False when one of that name is there already. Raises `OSError`."""
    part = unfinished(file)
    try:
        with part.open("xb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        try:
            os.link(part, file)
        except FileExistsError:
            return False
        except (OSError, NotImplementedError):  # a file system without links
            return _create_plainly(file, data)
    finally:
        part.unlink(missing_ok=True)
    return True


def folded(name: str) -> str:
    """A file name as file systems that know no case and no normal forms tell it from others."""
    return unicodedata.normalize("NFC", name).casefold()


def names(folder: Path) -> set[str]:
    """The names in a folder, `folded`. Raises `OSError`. Blocks."""
    with os.scandir(folder) as entries:
        return {folded(entry.name) for entry in entries}


def _create_plainly(file: Path, data: bytes) -> bool:
    try:
        with file.open("xb") as out:
            out.write(data)
    except FileExistsError:
        return False
    return True
