"""`book.toml` and the root of a book: read leniently, edited in place, comments and order kept."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast, get_args

from inkwright import intake
from inkwright.domain.diagnostic import Severity, Switches
from inkwright.domain.errors import InkwrightError
from inkwright.domain.manuscript import CountRule, Problem
from inkwright.domain.text import encodable
from inkwright.manuscript import files

NAME = "book.toml"
MARKS = (".inkwright", NAME)
TEXT_KEYS = ("title", "author", "language", "type", "model")
LANGUAGE = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]{1,8})*")
"""What looks like a BCP 47 tag; `_` as systems write it."""
MAX_SIZE = 1_000_000
BAD_TOML = "book_file_bad_toml"
UNUSED = frozenset(
    {
        BAD_TOML,
        "book_file_too_large",
        "book_file_unreadable",
        "book_file_not_utf8",
        "book_field_not_text",
        "book_field_language",
        "book_field_count",
        "book_field_not_globs",
        "book_field_checks",
    }
)
"""What is said of a file, or of a field in it, for which the defaults are used."""
_AT_LINE = re.compile(r"\(at line (\d+), column \d+\)\Z")


@dataclass(frozen=True, slots=True)
class BookFields:
    """What `book.toml` says; '' and () for what it does not. `given` names the keys that were read from it."""

    title: str = ""
    author: str = ""
    language: str = ""
    type: str = ""
    model: str = ""
    count: CountRule = "mixed"
    chapters: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    checks: Switches = field(default_factory=Switches)
    given: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Root:
    """Where a book is. `deep` False: only the files of the folder itself belong to it."""

    path: Path
    deep: bool = True


def find(path: Path, workspace_folders: Sequence[Path] = ()) -> Root:
    """The root of the book of a file or folder: the nearest mark, else the workspace folder, else its own folder."""
    path = Path(os.path.abspath(path))  # noqa: PTH100 (resolve() would leave the client's spelling)
    is_folder = os.path.isdir(path)  # noqa: PTH112 (never raises)
    folder = path if is_folder else path.parent
    for candidate in (folder, *folder.parents):
        if marked(candidate):
            return Root(candidate)
    holders = [Path(os.path.abspath(f)) for f in workspace_folders]  # noqa: PTH100
    holding = [f for f in holders if folder == f or f in folder.parents]
    if holding:
        return Root(max(holding, key=lambda f: len(f.parts)))
    return Root(folder, deep=is_folder)


def find_root(path: Path, workspace_folders: Sequence[Path] = ()) -> Path:
    """The folder of `find`."""
    return find(path, workspace_folders).path


def marked(folder: Path) -> bool:
    """Whether the folder says itself that it is a book; a whole disk never is one."""
    if folder.parent == folder:
        return False
    try:
        return (folder / MARKS[0]).is_dir() or (folder / NAME).is_file()
    except OSError:
        return False


def read(root: Path, *, said: bool = False) -> tuple[BookFields, tuple[Problem, ...]]:
    """The fields of `book.toml`, each bad one named and left at its default. A missing file says nothing. Blocks.

    `said`: it said something when it was read before; where it does not now, it may be about to be saved, and is waited
    for a moment.
    """
    patience = intake.Patience()
    found = _read(root)
    while said and found is None and patience.more():
        found = _read(root)
    return found or (BookFields(), ())


def _read(root: Path) -> tuple[BookFields, tuple[Problem, ...]] | None:
    """None where nothing stands there."""
    file = root / NAME
    try:
        data = intake.read(file, MAX_SIZE)
    except FileNotFoundError:
        return None
    except intake.TooLargeError:
        return BookFields(), (Problem(NAME, 0, "book_file_too_large", {"limit": MAX_SIZE // 1_000_000}),)
    except OSError as error:
        return BookFields(), (Problem(NAME, 0, "book_file_unreadable", {"error": error.strerror or ""}),)
    if not data.strip():
        return None
    try:
        return of(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return BookFields(), (Problem(NAME, 0, "book_file_not_utf8"),)


def of(text: str) -> tuple[BookFields, tuple[Problem, ...]]:
    """The fields in the text of a `book.toml`."""
    try:
        return parse(tomllib.loads(text))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        said = str(error)
        found = _AT_LINE.search(said)
        line = int(found[1]) - 1 if found else text.rstrip().count("\n")
        return BookFields(), (Problem(NAME, line, BAD_TOML, {"error": said}),)


def parse(data: Mapping[str, Any]) -> tuple[BookFields, tuple[Problem, ...]]:
    """The fields in a table as TOML gives it."""
    problems: list[Problem] = []
    out: dict[str, Any] = {}
    for key in TEXT_KEYS:
        if key in data:
            value = data[key]
            if isinstance(value, str):
                out[key] = value.strip()
            else:
                problems.append(Problem(NAME, 0, "book_field_not_text", {"key": key}))
    if out.get("language") and LANGUAGE.fullmatch(out["language"]) is None:
        problems.append(Problem(NAME, 0, "book_field_language", {"value": out.pop("language")}))
    if "count" in data:
        if data["count"] in get_args(CountRule):
            out["count"] = data["count"]
        else:
            problems.append(Problem(NAME, 0, "book_field_count", {"choices": ", ".join(get_args(CountRule))}))
    for key in ("chapters", "cards"):
        if key in data:
            globs = [data[key]] if isinstance(data[key], str) else data[key]
            if isinstance(globs, list) and all(isinstance(glob, str) for glob in globs):
                out[key] = tuple(glob.strip() for glob in globs if glob.strip())
            else:
                problems.append(Problem(NAME, 0, "book_field_not_globs", {"key": key}))
    given = frozenset(out)
    if "checks" in data:
        out["checks"] = _checks(data["checks"], problems)
    return BookFields(**out, given=given), tuple(problems)


def _checks(table: Any, problems: list[Problem]) -> Switches:
    """The table `checks`: the same keys as the setting of that name. What is wrong in it is named and left out."""

    def complain(key: str) -> None:
        problems.append(Problem(NAME, 0, "book_field_checks", {"key": key}))

    if not isinstance(table, dict):
        complain("checks")
        return Switches()
    off: list[str] = []
    severity: dict[str, Severity] = {}
    enabled = table.get("enabled", True)
    if not isinstance(enabled, bool):
        complain("checks.enabled")
    named = table.get("disabled", [])
    if isinstance(named, list) and all(isinstance(word, str) for word in named):
        off += named
    else:
        complain("checks.disabled")
    ranks = table.get("severity", {})
    for code, rank in ranks.items() if isinstance(ranks, dict) else ():
        if rank == "off":
            off.append(code)
        elif rank in get_args(Severity):
            severity[code] = rank
        else:
            complain(f"checks.severity.{code}")
    if not isinstance(ranks, dict):
        complain("checks.severity")
    for key in table.keys() - {"enabled", "disabled", "severity"}:
        complain(f"checks.{key}")
    return Switches(enabled is not False, tuple(off), severity)


def create(root: Path, fields: Mapping[str, object]) -> Path:
    """Writes `book.toml`, or sets `fields` in the one that is there. Blocks. Raises as `update` does."""
    return update(root, fields)


def update(root: Path, fields: Mapping[str, object]) -> Path:
    """Sets `fields` in `book.toml`; '' or None takes a key out. All else in the file stays as it was. Blocks.

    Raises `InkwrightError`: link_outside, book_file_bad_toml, book_file_unreadable, book_file_unwritable,
    book_field_not_text.
    """
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    file = root / NAME
    try:
        if file.is_symlink() and not file.resolve().is_relative_to(root.resolve()):
            raise InkwrightError("link_outside", path=NAME)
        old = _whole(file) if file.exists() else b""
        text = old.decode("utf-8-sig")
        document = tomlkit.parse(text)
    except OSError as error:
        raise InkwrightError("book_file_unreadable", error=error.strerror or "") from error
    except UnicodeDecodeError as error:
        raise InkwrightError("book_file_not_utf8") from error
    except TOMLKitError as error:
        raise InkwrightError(BAD_TOML, error=str(error)) from error
    fields = {key: encodable(value) if isinstance(value, str) else value for key, value in fields.items()}
    wanted = {key: value for key, value in fields.items() if value not in ("", None)}
    _, problems = parse(wanted)
    if problems:
        raise InkwrightError(problems[0].code, **dict(problems[0].params))
    for key, value in fields.items():
        if key in wanted:
            document[key] = list(cast(Sequence[str], value)) if isinstance(value, tuple | list) else value
        elif key in document:
            del document[key]
    new = tomlkit.dumps(document)
    if "\r\n" in text:
        new = re.sub(r"(?<!\r)\n", "\r\n", new)
    bom = b"\xef\xbb\xbf" if old.startswith(b"\xef\xbb\xbf") else b""
    data = bom + new.encode("utf-8")
    if data != old or not file.exists():
        _write(file, data)
    return file


def _whole(file: Path) -> bytes:
    """The bytes of a file that nobody is just saving: what is put there would take the place of all of it."""
    patience = intake.Patience()
    while True:
        data, found = intake.taken(file, MAX_SIZE)
        if not intake.saving(data, found.st_mtime_ns) or not patience.more():
            return data


def _write(file: Path, data: bytes) -> None:
    try:
        files.replace(file, data)
    except OSError as error:
        raise InkwrightError("book_file_unwritable", error=error.strerror or "") from error
