"""The file of a card that is renamed: whether it is called after the card, and what it is called then."""

from __future__ import annotations

import os
import posixpath
import unicodedata
from pathlib import Path

from inkwright.manuscript import filename, renaming_links
from inkwright.manuscript.renaming import Wish


def target(wish: Wish) -> str:
    """The path that the card's file is to have; '' for one that is not called after the card."""
    path = wish.card.path
    if wish.card.within:
        return ""
    stem = renaming_links.stem(path)
    if _nfc(stem) not in (_nfc(wish.old), filename.stem(wish.old)):
        return ""
    suffix = posixpath.basename(path)[len(stem) :]
    return posixpath.join(posixpath.dirname(path), filename.stem(wish.new) + suffix)


def free(root: Path, old: str, new: str) -> bool:
    """Whether the file at `old` can be called `new`: nothing but itself has that name, in any case or normal
    form. Blocks."""
    own, wanted = posixpath.basename(old), _folded(posixpath.basename(new))
    try:
        with os.scandir((root / new).parent) as found:
            return all(entry.name == own or _folded(entry.name) != wanted for entry in found)
    except OSError:
        return False


def _nfc(name: str) -> str:
    return unicodedata.normalize("NFC", name)


def _folded(name: str) -> str:
    return _nfc(name).casefold()
