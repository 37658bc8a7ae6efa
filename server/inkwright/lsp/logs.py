"""Logging to stderr: no manuscript, no prompt, no absolute path, so no exception texts either."""

from __future__ import annotations

import logging
import sys
import traceback
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


def configure(*, debug: bool = False) -> None:
    """Our own records go to stderr; the libraries' are dropped, since they quote message bodies."""
    logging.raiseExceptions = False
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Formatter("inkwright: %(levelname)s: %(message)s"))
    own = logging.getLogger("inkwright")
    own.addHandler(handler)
    own.setLevel(logging.INFO if debug else logging.WARNING)
    own.propagate = False
    for name in ("pygls", "asyncio", "httpx", "httpcore", "aiosqlite"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


def trace(error: BaseException) -> str:
    """The type of an error and where it came from, in our own files; not its text."""
    places = [
        f"{Path(frame.filename).relative_to(ROOT).as_posix()}:{frame.lineno} {frame.name}"
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).is_relative_to(ROOT)
    ]
    return f"{type(error).__name__} at {' < '.join(reversed(places)) or 'unknown place'}"


class _Formatter(logging.Formatter):
    def formatException(self, ei: Any) -> str:  # noqa: N802 - logging's own name
        return "" if ei[1] is None else trace(ei[1])
