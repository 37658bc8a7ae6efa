"""What every command is given, and how it speaks: answers to stdout, all else to stderr."""

from __future__ import annotations

import argparse
import errno
import json
import os
import re
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from inkwright.domain.conversation import Locale
from inkwright.domain.errors import Fault, InkwrightError
from inkwright.domain.text import SURROGATE
from inkwright.i18n import render, tr

if TYPE_CHECKING:
    from inkwright.abilities.studio import Studio


class Build(Protocol):
    """Makes the studio; `notify` gets what the writer should know."""

    def __call__(
        self,
        *,
        editor: Mapping[str, Any] | None,
        locale: Locale,
        folders: Sequence[Path],
        notify: Callable[[Fault], None],
    ) -> Awaitable[Studio]: ...


class Subparsers(Protocol):
    """What `argparse` gives for adding commands."""

    def add_parser(self, name: str, *, help: str) -> argparse.ArgumentParser: ...  # noqa: A002


EXIT_DONE = 0
EXIT_FINDINGS = 1
EXIT_USAGE = 2
EXIT_FAILED = 3
EXIT_PARTIAL = 4
EXIT_CANCELLED = 130


class OutputError(Exception):
    """The answer cannot be written: nobody reads it any more, the disk is full, there is no stdout."""

    def __init__(self, cause: Exception) -> None:
        super().__init__(str(cause))
        self.gone = isinstance(cause, BrokenPipeError)
        self.said = (cause.strerror if isinstance(cause, OSError) else None) or type(cause).__name__


@dataclass(slots=True)
class Context:
    """`json`: the answer is one JSON object, also when it is a fault."""

    build: Build
    locale: Locale
    json: bool
    debug: bool
    _open_line: bool = False
    _told: set[str] = field(default_factory=set)

    def say(self, text: str, *, end: str = "\n") -> None:
        """A line of the answer. Raises `OutputError`."""
        if sys.stdout is None:
            raise OutputError(OSError(errno.EBADF, os.strerror(errno.EBADF)))
        try:
            sys.stdout.write(_printable(text + end, sys.stdout.encoding))
        except (OSError, ValueError) as error:
            raise OutputError(error) from error

    def row(self, text: str) -> None:
        """A line of the answer that stays one, whatever the names in it hold. Raises `OutputError`."""
        self.say(flat(text))

    def flush(self) -> None:
        """What was said is out. Raises `OutputError`."""
        if sys.stdout is None:
            return
        try:
            sys.stdout.flush()
        except (OSError, ValueError) as error:
            raise OutputError(error) from error

    def note(self, text: str, *, end: str = "\n") -> None:
        """Text beside the answer, a piece of a streamed one say. Without a stderr it goes nowhere."""
        written = text + end
        if not written or sys.stderr is None:
            return
        self._open_line = not written.endswith("\n")
        with suppress(OSError, ValueError):
            sys.stderr.write(_printable(written, sys.stderr.encoding))
            sys.stderr.flush()

    def line(self, text: str) -> None:
        """A line of its own beside the answer, and never two."""
        self.end_line()
        self.note(flat(text))

    def end_line(self) -> None:
        """Ends a streamed line that is still open."""
        if self._open_line:
            self.note("")

    @property
    def on_screen(self) -> bool:
        """Whether both the answer and what stands beside it are read by the same eyes."""
        return all(stream is not None and stream.isatty() for stream in (sys.stdout, sys.stderr))

    def emit(self, value: Mapping[str, Any]) -> None:
        """The one JSON object of a command with `--json`. Raises `OutputError`."""
        encoding = getattr(sys.stdout, "encoding", None) or ""
        plain = encoding.lower().replace("_", "-") in ("utf-8", "utf8")
        text = _HIGH.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, ensure_ascii=not plain))
        self.say(SURROGATE.sub("?", text))

    def notice(self, fault: Fault) -> None:
        """One line that says what happened and what to do; the same one is said once."""
        text = render(fault, self.locale)
        if text not in self._told:
            self._told.add(text)
            self.line(f"inkwright: {text}")

    def fail(self, fault: Fault, status: int) -> int:
        """One line on stderr, with `--json` also `{error: {code, message}}` on stdout."""
        self.notice(fault)
        if self.json:
            self.emit({"error": {"code": fault.code, "message": render(fault, self.locale)}})
        return status

    def tr(self, code: str, **params: object) -> str:
        return tr(code, self.locale, params)

    @asynccontextmanager
    async def studio(
        self, folders: Sequence[Path] = (), notify: Callable[[Fault], None] | None = None
    ) -> AsyncIterator[Studio]:
        """The studio for one command; from here on the command speaks the language that the settings name.

        Notices go to `notify`, else to stderr: those of the settings once their language is known.
        """
        early: list[Fault] = []
        told = notify or self.notice
        ready = False

        def tell(fault: Fault) -> None:
            if ready:
                told(fault)
            else:
                early.append(fault)

        studio = await self.build(editor=None, locale=self.locale, folders=folders, notify=tell)
        self.locale = studio.locale
        ready = True
        for fault in early:
            told(fault)
        try:
            yield studio
        finally:
            await studio.close()


def folder_of(given: Path) -> Path:
    """The folder that an argument names, absolute. Raises `InkwrightError`: no_folder."""
    from inkwright.workspace import absolute

    folder = absolute(given)
    if not folder.is_dir():
        raise InkwrightError("no_folder", path=str(given))
    return folder


# A model's answer, a file's name: nothing that is shown may move the cursor, colour or rename a terminal.
# Searched for, since to translate a text costs a look at each of its characters, and most have none of these.
_HIGH = re.compile("[\x7f-\x9f]")
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


_EOL = re.compile("[\r\n\u2028\u2029]")


def flat(text: str) -> str:
    """A text as one line: a file's name may hold a line end."""
    return _EOL.sub(
        lambda found: f"\\x{ord(found[0]):02x}" if found[0] < "\x80" else f"\\u{ord(found[0]):04x}", text
    )


def _printable(text: str, encoding: str | None) -> str:
    """What the terminal's encoding can show; anything else as an escape, never an exception."""
    encoding = encoding or "utf-8"
    plain = _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text)
    return plain.encode(encoding, "backslashreplace").decode(encoding)
