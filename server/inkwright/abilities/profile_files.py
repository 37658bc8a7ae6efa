"""Files of profiles while they are written: a new one from a template, and what is wrong with one."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from inkwright.domain.diagnostic import Diagnostic
from inkwright.domain.errors import InkwrightError
from inkwright.domain.text import EOL, Span
from inkwright.workspace import OpenBook

if TYPE_CHECKING:
    from inkwright.abilities.studio import Studio
    from inkwright.library.registry import Library

Home = Literal["book", "user"]
UNUSED = "profile_unused_untrusted"


@dataclass(frozen=True, slots=True)
class Made:
    """A new profile's file; `trusted` False: it is not used, since its book is not trusted."""

    id: str
    path: Path
    home: Home
    trusted: bool


async def review(studio: Studio, book: OpenBook, file: Path, text: str) -> tuple[Diagnostic, ...] | None:
    """What is wrong with the text of a profile's file; None for a file that is none."""
    root = book.root if book.index is not None else None
    if not _may_be(file) or (found := await asyncio.to_thread(studio.libraries.entry, file, root)) is None:
        return None
    chosen = studio.settings.checks
    if not chosen.enabled:
        return ()
    used = root is None or not found[0].is_relative_to(root) or await trusted(studio, book)
    said = await asyncio.to_thread(studio.libraries.review, file, text, root, trusted=used)
    if not used:
        end = EOL.search(text)
        said = (Diagnostic(Span(0, end.start() if end else len(text)), "information", UNUSED), *said)
    return tuple(one for one in said if one.code not in chosen.off)


async def words(
    studio: Studio, book: OpenBook, file: Path, key: str, parent: str, present: Collection[str]
) -> list[str] | None:
    """What may be written in a profile's file: keys that are not there yet, or the words of a `key`. None for a file
    that is none."""
    root = book.root if book.index is not None else None
    if not _may_be(file) or (found := await asyncio.to_thread(studio.libraries.entry, file, root)) is None:
        return None
    from inkwright.library import words
    from inkwright.tools.toolbox import TOOLS

    if not key:
        return words.keys(found[1], present)
    return words.values(found[1], key, parent, await studio.library(book), TOOLS)


def _may_be(file: Path) -> bool:
    """Told by the name alone, for every document that is typed in."""
    return file.suffix == ".md" and "profiles" in file.parts


async def trusted(studio: Studio, book: OpenBook) -> bool:
    """Whether a book's own profiles are used."""
    return await asyncio.to_thread(studio.trusts, book.root)


async def create(studio: Studio, book: OpenBook, name: str, id_: str, home: Home | None) -> Made:
    """A new ability's file from the template: in the book where that is one of its own and trusted, so that it can be
    used there, else the user's.

    Raises `InkwrightError`: profile_bad_name, profile_bad_id, profile_exists, profile_needs_book,
    profile_leads_out, profile_unwritable.
    """
    owned = book.index is not None and book.book.owned
    home = home or ("book" if owned and await trusted(studio, book) else "user")
    if home == "book" and not owned:
        raise InkwrightError("profile_needs_book")
    root = book.root if home == "book" else None
    await asyncio.to_thread(studio.libraries.look)
    library = await studio.library(book)
    made, path = await asyncio.to_thread(_write, studio, library, root, name, id_)
    await asyncio.to_thread(studio.libraries.look)
    return Made(made, path, home, home == "user" or await trusted(studio, book))


def _write(studio: Studio, library: Library, root: Path | None, name: str, id_: str) -> tuple[str, Path]:
    """The id and the new file. Blocks."""
    from inkwright.library import making

    folder = studio.libraries.folder(root)
    if folder is None:
        raise InkwrightError("profile_unwritable", path=making.FOLDER, error="")
    if root is not None and not (folder / making.FOLDER).resolve().is_relative_to(root.resolve()):
        raise InkwrightError("profile_leads_out", path=making.FOLDER)
    while True:
        title, made = making.identified(name, id_, library, making.present(folder))
        try:
            return made, making.write(folder, made, making.template(title, made, studio.locale))
        except InkwrightError as error:
            # Made by somebody else at this very moment: a number goes on, any other name is taken now.
            if error.fault.code != "profile_exists" or made not in making.present(folder):
                raise
