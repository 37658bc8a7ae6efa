"""Context pages as files in the user's cache."""

from __future__ import annotations

import os
import uuid

from inkwright.abilities import pages


def test_what_a_killed_write_left_goes_with_the_next_page() -> None:
    """Not what another process may be writing at this moment."""
    folder = pages.keep("run-1", "一").parent
    left, live = (folder / f".inkwright-{uuid.uuid4().hex}.part" for _ in range(2))
    for part in (left, live):
        part.write_bytes(b"half")
    os.utime(left, (1_000_000_000, 1_000_000_000))
    page = pages.keep("run-1", "二")
    assert page.read_text("utf-8") == "二"
    assert (left.exists(), live.exists()) == (False, True)
    live.unlink()
