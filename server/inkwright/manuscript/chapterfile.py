"""New chapter files: what the next chapter is called, where it goes. Never over an existing file."""

from __future__ import annotations

import math
import posixpath
import re
from collections.abc import Sequence
from pathlib import Path

from inkwright.domain.errors import InkwrightError
from inkwright.domain.manuscript import Chapter
from inkwright.manuscript import filename, files, naming, numerals
from inkwright.manuscript.layouts.globs import Glob

_NUMBER = re.compile(rf"[0-9]+|[{numerals.HAN}]+")
_UNIT = re.compile(r"\s*[章回节節集话話幕]")
_SPACE = re.compile(r"\s+")
_HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]"
)
MAX_TITLE = 200
"""Characters of a chapter's title."""


def following(chapters: Sequence[Chapter], language: str) -> str:
    """What the chapter after the last one is called, numbered as that one is (`第十章`, `Chapter 10`, `010`).

    '' where chapters have no numbers; `language` decides where there is no chapter yet.
    """
    last = last_of(chapters)
    if last is None:
        return _default(1, language)
    if last.number is None:
        return ""
    folder = posixpath.dirname(last.path)
    taken = {one.number for one in chapters if one.kind == "main" and posixpath.dirname(one.path) == folder}
    number = last.number + 1
    while number in taken:
        number += 1
    stem = posixpath.splitext(posixpath.basename(last.path))[0]
    names = (name for written in (stem, last.title) for name in _renumbered(written, number))
    return next(names, _default(number, language or ("zh" if _HAN.search(stem + last.title) else "")))


def last_of(chapters: Sequence[Chapter]) -> Chapter | None:
    """The chapter that a new one follows: what stands behind the story, such as an afterword, is none."""
    main = [one for one in chapters if one.kind == "main"]
    numbered = [one for one in main if one.number is not None]
    return next(iter([*numbered[-1:], *main[-1:], *chapters[-1:]]), None)


def folder_for(chapters: Sequence[Chapter], globs: Sequence[str] = ()) -> str:
    """The folder of the last chapter; of none, that of the first of the author's `globs` that finds a chapter there."""
    last = last_of(chapters)
    if last is not None:
        return posixpath.dirname(last.path)
    bases = [(glob, glob.base) for glob in map(Glob, globs)]
    return next((base for glob, base in bases if glob.matches(f"{base}/chapter.md".lstrip("/"))), "")


def order_for(chapters: Sequence[Chapter], folder: str) -> str:
    """The `order` that puts a chapter behind those of its folder; '' where names make the order."""
    main = [one for one in chapters if one.kind == "main" and posixpath.dirname(one.path) == folder]
    orders = [naming.order_value(one.meta.get("order")) for one in main]
    known = [one for one in orders if one is not None]
    return str(math.floor(max(known)) + 1) if known and len(known) == len(orders) else ""


def create(root: Path, folder: str, title: str, order: str = "") -> Path:
    """Writes a new chapter below `root` and returns its path. Blocks.

    Raises `InkwrightError`: chapter_title_empty, chapter_title_long, chapter_exists, chapter_unwritable,
    chapter_folder_outside.
    """
    name = _SPACE.sub(" ", _HIDDEN.sub("", title)).strip()
    if not any(ch.isalnum() for ch in name):
        raise InkwrightError("chapter_title_empty")
    if len(name) > MAX_TITLE:
        raise InkwrightError("chapter_title_long", limit=MAX_TITLE)
    head = f"---\norder: {order}\n---\n" if order else ""
    file = filename.of(name, otherwise="chapter")
    where = posixpath.join(folder, file)
    target = root / folder
    try:
        if not target.resolve().is_relative_to(root.resolve()):
            raise InkwrightError("chapter_folder_outside", path=folder)
        files.folder(root, folder)
        files.sweep(target)
        taken = files.folded(file) in files.names(target)
        if taken or not files.create(target / file, f"{head}# {name}\n\n".encode()):
            raise InkwrightError("chapter_exists", path=where)
    except (OSError, RuntimeError) as error:  # a loop of links is a RuntimeError to pathlib
        said = error.strerror if isinstance(error, OSError) else str(error)
        raise InkwrightError("chapter_unwritable", path=where, error=said or "") from error
    return target / file


_HAN = re.compile(r"[\u3400-\u9fff]")


def _default(number: int, language: str) -> str:
    return f"第{numerals.han(number)}章" if language.lower().startswith("zh") else f"Chapter {number}"


def _renumbered(written: str, number: int) -> list[str]:
    """What a name is up to the number of its chapter, with another number there; [] where none is found."""
    out: list[str] = []
    for found in reversed(list(_NUMBER.finditer(written))):
        old = found[0]
        new = str(number).zfill(len(old)) if old.isascii() else numerals.han(number)
        unit = _UNIT.match(written, found.end())
        name = written[: found.start()] + new + (unit[0] if unit else "")
        said, before = naming.read(name), naming.read(written)
        if said.number == number and said.kind == "main" and said.outer == before.outer:
            out.append(name)
    return out
