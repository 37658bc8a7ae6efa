"""A new profile's file: a template with a name, written where it belongs and over nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from importlib import resources
from pathlib import Path

import yaml

from inkwright.domain.conversation import Locale
from inkwright.domain.errors import InkwrightError
from inkwright.domain.text import encodable
from inkwright.library.registry import Library

FOLDER = "abilities"
LONGEST = 60
"""Characters of a name."""
_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_WORDS = re.compile(r"[a-z0-9]+")
_SEPARATORS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)")
"""File names that Windows keeps for itself."""


def identified(name: str, id_: str, library: Library, files: Collection[str] = ()) -> tuple[str, str]:
    """The name and the id of a new ability.

    An id that is not given is made from the name's Latin letters; one without any is numbered. `files` are the
    names that files have already where it is to stand, be they used, broken or of another id. Raises
    `InkwrightError`: profile_bad_name, profile_bad_id, profile_exists.
    """
    name = encodable(name).strip()
    if not name or len(name) > LONGEST or _SEPARATORS.search(name):
        raise InkwrightError("profile_bad_name", limit=LONGEST)
    made = id_ or "-".join(_WORDS.findall(name.lower()))[:64].strip("-")
    taken = {id_: one for (kind, id_), one in library.profiles.items() if kind == "ability"}
    if not made or (not name.isascii() and not id_):
        used = {*taken, *files}
        made = next(one for n in range(1, len(used) + 2) if (one := f"ability-{n}") not in used)
    if not _ID.fullmatch(made) or _RESERVED.fullmatch(made):
        raise InkwrightError("profile_bad_id", id=made)
    called = {label.casefold(): one.id for one in taken.values() for label in one.label.values()}
    if made in taken or made in files or name.casefold() in called:
        known = made if made in taken or made in files else called[name.casefold()]
        raise InkwrightError("profile_exists", id=known)
    return name, made


def template(name: str, id_: str, locale: Locale) -> str:
    """The text of a new ability's file."""
    text = (
        resources.files("inkwright.library").joinpath("templates", f"ability.{locale}.md").read_text("utf-8")
    )
    # Else a number or a date, be it an impossible one, or a word that YAML takes for true or false.
    plain = id_[0].isalpha() and yaml.safe_load(id_) == id_
    text = text.replace("$ID", id_ if plain else json.dumps(id_))
    return text.replace("$LABEL", json.dumps(name, ensure_ascii=False))


def present(folder: Path) -> frozenset[str]:
    """The names of the files that abilities have there, as a disk compares them that knows no case. Blocks."""
    try:
        return frozenset(file.stem.casefold() for file in (folder / FOLDER).iterdir())
    except OSError:
        return frozenset()


def write(folder: Path, id_: str, text: str) -> Path:
    """The new file. Blocks. Raises `InkwrightError`: profile_exists, profile_unwritable."""
    path = folder / FOLDER / f"{id_}.md"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            stream = path.open("x", encoding="utf-8", newline="\n")
        except FileExistsError:
            raise InkwrightError("profile_exists", id=id_) from None
        with stream:
            stream.write(text)
    except OSError as error:
        raise InkwrightError("profile_unwritable", path=path.name, error=error.strerror or "") from error
    return path
