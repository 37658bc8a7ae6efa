"""Writing a writer's file: whole or not at all."""

from __future__ import annotations

import os
import shutil
import uuid
from contextlib import suppress
from pathlib import Path


def replace(path: Path, data: bytes) -> None:
    """Puts `data` in the place of a file, which keeps its mode; a link stays one. Raises `OSError`. Blocks.

    A neighbour is written first, under a name of its own: the file's may be as long as a name can be.
    """
    real = path.resolve()
    part = real.with_name(f".inkwright-{uuid.uuid4().hex}.part")
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
