"""Context pages as files in the user's cache."""

from __future__ import annotations

import os
import uuid

from inkwright.abilities import pages
from inkwright.store import locations


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


def test_a_page_is_called_after_its_title_in_the_tab_of_an_editor() -> None:
    """Whatever the title holds; two of one title are two files, and the same one is written in its place."""
    page = pages.keep("run-1", "<!-- mark -->\n# 墨匠/报告: a\\*b\n\n一")
    assert page.name.startswith("墨匠 报告 a b ")
    assert page.parent == locations.pages_folder()
    assert pages.keep("run-1", "# 墨匠/报告: a\\*b\n\n二") == page
    assert pages.keep("run-2", "# 墨匠/报告: a\\*b\n\n一") != page
    assert page.read_text("utf-8").endswith("二")
    assert len(pages.keep("\ud800", "# " + "长" * 300 + "\n").name) < 80
