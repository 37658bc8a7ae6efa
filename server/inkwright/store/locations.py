"""Where a book's databases lie: in its `.inkwright/` when that exists, else in the user's own folders."""

from __future__ import annotations

import hashlib
import os
import unicodedata
from pathlib import Path

from platformdirs import user_cache_path, user_data_path

APP = "inkwright"
HOME = ".inkwright"
STATE = "inkwright.db"
INDEX = "index.db"

# What a book shares through version control; everything else in `.inkwright/` stays on this machine.
SHARED = ("decisions.jsonl", "profiles/")


def home(root: Path) -> Path:
    """The folder that makes a book own its data. It may not exist."""
    return root / HOME


def owned(root: Path) -> bool:
    return os.path.isdir(home(root))  # noqa: PTH112 - never raises, whatever the folder's rights are


def state_path(root: Path) -> Path:
    """Where `inkwright.db` of the book at `root` lies. Creates nothing."""
    return (home(root) if owned(root) else _folder(data_folder(), root)) / STATE


def index_path(root: Path) -> Path:
    """Where `index.db` of the book at `root` lies. Creates nothing."""
    return (home(root) if owned(root) else _folder(cache_folder(), root)) / INDEX


def book_folder(root: Path) -> Path:
    """The user's own folder for the book at `root`. It may not exist."""
    return _folder(data_folder(), root)


def data_folder() -> Path:
    """The user's data folder: INKWRIGHT_DATA_DIR, else the platform's."""
    named = os.environ.get("INKWRIGHT_DATA_DIR")
    return Path(named) if named else user_data_path(APP, appauthor=False)


def cache_folder() -> Path:
    """The user's cache folder: INKWRIGHT_CACHE_DIR, else the platform's."""
    named = os.environ.get("INKWRIGHT_CACHE_DIR")
    return Path(named) if named else user_cache_path(APP, appauthor=False)


def pages_folder() -> Path:
    """Where pages that are made for the writer to read are kept."""
    return cache_folder() / "context"


def make_home(root: Path) -> Path:
    """Creates `.inkwright/` with its `.gitignore`; a `.gitignore` that is there stays as it is."""
    folder = home(root)
    folder.mkdir(exist_ok=True)
    ignore = folder / ".gitignore"
    if not ignore.exists():
        kept = "".join(f"!/{name}\n" for name in (".gitignore", *SHARED))
        ignore.write_text(f"*\n{kept}!/profiles/**\n", encoding="utf-8", newline="\n")
    return folder


def make_parent(path: Path) -> None:
    """Creates the folder of a database, but never a `.inkwright/`: one that was taken away stays away."""
    if path.parent.name != HOME:
        path.parent.mkdir(parents=True, exist_ok=True)


def key(root: Path) -> str:
    """The name of a root among the user's books: the same for every spelling of the same folder."""
    real = os.path.normcase(os.path.realpath(root))
    digest = hashlib.sha256(unicodedata.normalize("NFC", real).encode("utf-8", "surrogatepass")).hexdigest()
    return digest[:32]


def _folder(base: Path, root: Path) -> Path:
    return base / "books" / key(root)
