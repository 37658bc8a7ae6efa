"""New card files: where they go, what they are called. Never over an existing file, never half of one."""

from __future__ import annotations

import os
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath

from inkwright.domain.cards import Card, NewCard
from inkwright.domain.errors import InkwrightError
from inkwright.manuscript import cardname, cards, files, frontmatter_edits
from inkwright.manuscript.cardtext import card_digest as card_digest
from inkwright.manuscript.cardtext import render_note as render_note
from inkwright.manuscript.layouts.globs import Glob

MAX_NAME = 80
"""Characters of a whole file name, with its suffix and the number that tells it from another."""
_SUFFIX = ".md"
_MAX_BYTES = 240  # of a whole name, UTF-8: what file systems take is 255
_FORBIDDEN = re.compile(
    '[<>:"/\\\\|?*\x00-\x1f\x7f\ud800-\udfff\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069]'
)
_UNSEEN = re.compile("[\u00ad\u180e\u200b\u2060-\u2064\ufeff]")
"""Characters without a shape or a width: nobody could type the name, or tell it from the one without them."""
_RESERVED = re.compile(
    r"(con|prn|aux|nul|clock\$|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?= *(?:\.|\Z))", re.IGNORECASE
)
DEFAULT_FOLDER = "cards"


def stem(title: str, tail: str = "") -> str:
    """`title` as the name of a file, safe on every system: never empty, ≤ 80 characters with `tail` and suffix."""
    text = unicodedata.normalize("NFC", _FORBIDDEN.sub(" ", _UNSEEN.sub("", title)))
    text = re.sub(r"\A[-~\s.]+", "", re.sub(r"\s+", " ", text))
    # Windows looks at a name up to its first point alone: `CON.txt` is the console as well.
    text = _RESERVED.sub(r"\1_", text, count=1) if _RESERVED.match(text) else text
    text = text[: MAX_NAME - len(tail + _SUFFIX)]
    while len((text + tail + _SUFFIX).encode()) > _MAX_BYTES:
        text = text[:-1]
    return (text.strip(" .") or "card") + tail


def folder_for(kind: str, existing: Sequence[Card], globs: Sequence[str] = ()) -> str:
    """The folder that holds most cards of this type; the first by name of several.

    Without any, the folder of the first of the author's `globs` that would find a card there; else `cards`.
    """
    own = [card for card in existing if card.kind == kind and not card.within]
    counted = Counter(str(PurePosixPath(card.path).parent) for card in own)
    if not counted:
        bases = [(glob, glob.base) for glob in map(Glob, globs)]
        fitting = (base for glob, base in bases if glob.matches(f"{base}/card.md".lstrip("/")))
        return next(fitting, DEFAULT_FOLDER)
    best = max(counted.values())
    return min(folder for folder, count in counted.items() if count == best)


def render(name: str, written_type: str, content: str = "") -> str:
    """The text of a new card: its type, its name, what it says."""
    text = f"---\ntype: misc\n---\n{content.strip()}\n" if content.strip() else "---\ntype: misc\n---\n"
    text = frontmatter_edits.set_key(text, "type", written_type.strip() or "misc")
    return frontmatter_edits.set_key(text, "name", name.strip())


def create(
    root: Path,
    name: str,
    written_type: str,
    content: str,
    existing: Sequence[Card],
    folder: str | None = None,
) -> Path:
    """Writes a new card below `root` and returns its path. Blocks. Without a `folder`, `folder_for` decides.

    Raises `InkwrightError`: card_exists (a card of that name and type), card_unwritable, card_folder_outside, and what
    `cardname.checked` does.
    """
    title = cardname.checked(name)
    kind = cards.kind_of(written_type.strip()) or "misc"
    for card in existing:
        if card.kind == kind and card.name == title:
            raise InkwrightError("card_exists", name=title, path=card.path)
    data = render(title, written_type, content).encode("utf-8", "replace")
    return _write(root, folder_for(kind, existing) if folder is None else folder, title, data)[0]


def create_note(
    root: Path, card: NewCard, existing: Sequence[Card], folder: str | None = None
) -> tuple[Path, bool]:
    """Writes the card of a run below `root`, `cardname.tamed`; False with the file that says the same to the letter. Blocks.

    Raises `InkwrightError`: card_name_empty, card_unwritable, card_folder_outside.
    """
    title = cardname.tamed(card.title)
    if not title:
        raise InkwrightError("card_name_empty")
    kind = cards.kind_of(card.type.strip()) or "misc"
    where = folder_for(kind, existing) if folder is None else folder
    return _write(root, where, title, render_note(card).encode("utf-8"), same=True)


def _write(root: Path, folder: str, title: str, data: bytes, same: bool = False) -> tuple[Path, bool]:
    """A new file of that name, or with `same` the one that has these bytes already."""
    target = root / folder
    try:
        if not target.resolve().is_relative_to(root.resolve()):
            raise InkwrightError("card_folder_outside", path=folder)
        _make(root, folder)
        files.sweep(target)
        if same and (there := _same(target, title, data)):
            return there, False
        for file in _candidates(target, title):
            if _write_new(file, data):
                return file, True
            # Another process was first: with the very same card, perhaps.
            if same and file.read_bytes() == data:
                return file, False
    except (OSError, RuntimeError) as error:  # a loop of links is a RuntimeError to pathlib
        said = error.strerror if isinstance(error, OSError) else str(error)
        raise InkwrightError("card_unwritable", path=folder, error=said or "") from error
    raise InkwrightError("card_exists", name=title, path=folder)


def _make(root: Path, folder: str) -> None:
    """The folder below `root`; the root of a book that is gone is not made again. Raises `OSError`."""
    place = root
    for part in PurePosixPath(folder).parts:
        place /= part
        place.mkdir(exist_ok=True)


def _same(folder: Path, title: str, data: bytes) -> Path | None:
    """The file of that title, or of that title with a number, that consists of `data`."""
    names = {_folded(name) for name in _names(title)}
    for entry in os.scandir(folder):
        like = _folded(entry.name) in names and entry.is_file(follow_symlinks=False)
        if like and entry.stat().st_size == len(data) and Path(entry.path).read_bytes() == data:
            return folder / entry.name
    return None


def _names(title: str) -> Iterable[str]:
    """`林夏.md`, `林夏 2.md`, …"""
    for number in range(1, 1000):
        yield stem(title, "" if number == 1 else f" {number}") + _SUFFIX


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def _candidates(folder: Path, title: str) -> Iterable[Path]:
    """The files of these names, as far as none stands there in any case or normal form."""
    taken = {_folded(entry.name) for entry in os.scandir(folder)}
    for name in _names(title):
        if _folded(name) not in taken:
            yield folder / name


def _write_new(file: Path, data: bytes) -> bool:
    """A file that is there whole or not at all; False when one of that name is there already."""
    part = files.unfinished(file)
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
            return _write_plainly(file, data)
    finally:
        part.unlink(missing_ok=True)
    return True


def _write_plainly(file: Path, data: bytes) -> bool:
    try:
        with file.open("xb") as out:
            out.write(data)
    except FileExistsError:
        return False
    return True
