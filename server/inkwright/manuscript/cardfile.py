"""New card files: where they go, what they are called. Never over an existing file, never half of one."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath

from inkwright.domain.cards import Card, NewCard
from inkwright.domain.errors import InkwrightError
from inkwright.manuscript import cardname, cards, filename, files, frontmatter_edits
from inkwright.manuscript.cardtext import card_digest as card_digest
from inkwright.manuscript.cardtext import render_note as render_note
from inkwright.manuscript.layouts.globs import Glob

DEFAULT_FOLDER = "cards"


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
    """The text of a new card: its type, its name, what it says; below them a line to write on where that is nothing."""
    text = f"---\ntype: misc\n---\n{content.strip()}\n"
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
        files.folder(root, folder)
        files.sweep(target)
        if same and (there := _same(target, title, data)):
            return there, False
        for file in _candidates(target, title):
            if files.create(file, data):
                return file, True
            # Another process was first: with the very same card, perhaps.
            if same and file.read_bytes() == data:
                return file, False
    except (OSError, RuntimeError) as error:  # a loop of links is a RuntimeError to pathlib
        said = error.strerror if isinstance(error, OSError) else str(error)
        raise InkwrightError("card_unwritable", path=folder, error=said or "") from error
    raise InkwrightError("card_exists", name=title, path=folder)


def _same(folder: Path, title: str, data: bytes) -> Path | None:
    """The file of that title, or of that title with a number, that consists of `data`."""
    names = {files.folded(name) for name in _names(title)}
    for entry in os.scandir(folder):
        like = files.folded(entry.name) in names and entry.is_file(follow_symlinks=False)
        if like and entry.stat().st_size == len(data) and Path(entry.path).read_bytes() == data:
            return folder / entry.name
    return None


def _names(title: str) -> Iterable[str]:
    """`林夏.md`, `林夏 2.md`, …"""
    for number in range(1, 1000):
        yield filename.of(title, "" if number == 1 else f" {number}")


def _candidates(folder: Path, title: str) -> Iterable[Path]:
    """The files of these names, as far as none stands there in any case or normal form."""
    taken = files.names(folder)
    for name in _names(title):
        if files.folded(name) not in taken:
            yield folder / name
