"""Python's cycle collector while much that stays is made: scanning then takes much time and frees nothing."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def paused() -> Iterator[None]:
    """No collection inside; what there is at its end is not scanned again later.

    For what is made once: cycles that are garbage by then are never collected.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was:
            gc.enable()
