"""Key files that only their owner can read, and the list of what the keyring holds."""

from __future__ import annotations

import contextlib
import json
import os
import stat
import time
from pathlib import Path

from inkwright.domain.errors import InkwrightError
from inkwright.secrets.secret import MAX_KEY

SUFFIX = ".key"
RING = "keyring.json"
"""Names only: a keyring can't be asked what it holds."""
_UNFINISHED = ".new"
_STALE = 3600.0
"""Seconds after which an unfinished file is nobody's: one that is being written lasts for a moment."""
BOOK_MARKS = (".inkwright", "book.toml", ".git")


class KeyFiles:
    """The keys in one folder of the user's; None: there are none. All of it blocks."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def names(self) -> list[str]:
        """The names of the keys that lie here in plain text."""
        if self._folder is None:
            return []
        with contextlib.suppress(OSError):
            return sorted(file.name.removesuffix(SUFFIX) for file in self._folder.glob(f"*{SUFFIX}"))
        return []

    def in_keyring(self) -> list[str]:
        """The names of the keys that were put into the system's keyring."""
        if self._folder is None:
            return []
        try:
            found = json.loads((self._folder / RING).read_bytes())
        except (OSError, ValueError, RecursionError):
            return []
        return sorted(name for name in found if isinstance(name, str)) if isinstance(found, list) else []

    def note_keyring(self, name: str, *, there: bool) -> None:
        """Remembers that the keyring has a name, or has it no more. Raises `InkwrightError`."""
        names = set(self.in_keyring())
        changed = names | {name} if there else names - {name}
        if changed != names:
            self._write(self._place(RING), json.dumps(sorted(changed)).encode())

    def has(self, name: str) -> bool:
        """Whether the file of a name or path is there."""
        try:
            return self._file(name).is_file()
        except (OSError, ValueError, RuntimeError):
            return False

    def read(self, name: str) -> str:
        """The text of a key file, '' when there is none.

        Raises `InkwrightError`: key_file_unreadable; key_file_open when others may read it;
        key_file_in_book when it lies where it will be shared.
        """
        try:
            file = self._file(name).resolve()
            with file.open("rb") as opened:
                mode = os.fstat(opened.fileno()).st_mode
                if os.name == "posix" and stat.S_IMODE(mode) & 0o077:
                    raise InkwrightError("key_file_open", name=name)
                if _shared(file):
                    raise InkwrightError("key_file_in_book", name=name)
                return opened.read(MAX_KEY).decode("utf-8-sig")
        except FileNotFoundError:
            return ""
        except (OSError, ValueError, RuntimeError) as error:
            raise InkwrightError("key_file_unreadable", name=name) from error

    def write(self, name: str, value: str) -> Path:
        """Puts a key into a file of ours. Raises `InkwrightError`: key_file_unwritable, key_file_in_book."""
        file = self._place(name + SUFFIX)
        if _shared(file):
            raise InkwrightError("key_file_in_book", name=name)
        self._write(file, f"{value}\n".encode())
        return file

    def delete(self, name: str) -> bool:
        """Whether there was a file of ours. Raises `InkwrightError`: key_file_unwritable."""
        try:
            self._place(name + SUFFIX).unlink()
        except FileNotFoundError:
            return False
        except OSError as error:
            raise InkwrightError("key_file_unwritable", error=error.strerror or "") from error
        return True

    def _file(self, name: str) -> Path:
        bare = not set(name) & {"/", os.sep} and not name.startswith("~")
        return self._place(name + SUFFIX) if bare else Path(name).expanduser()

    def _place(self, name: str) -> Path:
        if self._folder is None:
            raise InkwrightError("key_file_unwritable", error="no folder")
        return self._folder / name

    def _write(self, file: Path, data: bytes) -> None:
        """The file is whole at every moment, and never readable by others."""
        import tempfile

        try:
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            file.parent.chmod(0o700)
            _sweep(file.parent)
            number, made = tempfile.mkstemp(
                dir=file.parent, prefix=".", suffix=_UNFINISHED
            )  # 0600 from the start
            try:
                with os.fdopen(number, "wb") as opened:
                    opened.write(data)
                    opened.flush()
                    os.fsync(opened.fileno())
                Path(made).replace(file)
            except BaseException:
                with contextlib.suppress(OSError):
                    Path(made).unlink()
                raise
        except OSError as error:
            raise InkwrightError("key_file_unwritable", error=error.strerror or "") from error


def _sweep(folder: Path) -> None:
    """Removes what writes that were killed left: it may hold a key. What cannot be removed stays."""
    before = time.time() - _STALE
    for left in folder.glob(f".*{_UNFINISHED}"):
        with contextlib.suppress(OSError):
            if left.lstat().st_mtime < before:
                left.unlink()


def _shared(file: Path) -> bool:
    """Whether a file lies in a book or a repository; a home folder that is one does not count."""
    home = Path.home()
    return any(
        folder not in (home, *home.parents) and any((folder / mark).exists() for mark in BOOK_MARKS)
        for folder in file.parents
    )
