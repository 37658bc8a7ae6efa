"""Which of a client's folders can be a book."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path


def usable(folders: Sequence[Path]) -> tuple[list[Path], list[Path]]:
    """The folders that can be a book, and those that are too wide for it: home, what holds it, a whole disk. Blocks.

    A file in one that is no book is served with its own folder; so is one in a folder that is not there.
    """
    from inkwright.manuscript import walk

    there = [folder for folder in folders if os.path.isdir(folder)]  # noqa: PTH112 - never raises
    wide = [folder for folder in there if walk.refused(folder)]
    return [folder for folder in there if folder not in wide], wide
