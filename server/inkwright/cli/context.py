"""What every command is given, and how it speaks: answers to stdout, all else to stderr."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from inkwright.domain.conversation import Locale
from inkwright.domain.errors import Fault
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


@dataclass(frozen=True, slots=True)
class Context:
    build: Build
    locale: Locale
    json: bool
    debug: bool

    def say(self, text: str, *, end: str = "\n") -> None:
        """A line of the answer."""
        sys.stdout.write(_printable(text + end, sys.stdout.encoding))

    def note(self, text: str, *, end: str = "\n") -> None:
        """A line beside the answer: progress, streamed text, notices."""
        sys.stderr.write(_printable(text + end, sys.stderr.encoding))
        sys.stderr.flush()

    def emit(self, value: Mapping[str, Any]) -> None:
        """The one JSON object of a command with `--json`."""
        plain = (sys.stdout.encoding or "").lower().replace("_", "-") in ("utf-8", "utf8")
        text = json.dumps(value, ensure_ascii=not plain)
        self.say(text.encode("utf-8", "replace").decode("utf-8"))

    def notice(self, fault: Fault) -> None:
        self.note(f"inkwright: {render(fault, self.locale)}")

    def fail(self, fault: Fault, status: int) -> int:
        """One line on stderr, with `--json` also `{error: {code, message}}` on stdout."""
        self.notice(fault)
        if self.json:
            self.emit({"error": {"code": fault.code, "message": render(fault, self.locale)}})
        return status

    def tr(self, code: str, **params: object) -> str:
        return tr(code, self.locale, params)

    @asynccontextmanager
    async def studio(self, folders: Sequence[Path] = ()) -> AsyncIterator[Studio]:
        """The studio for one command, with notices going to stderr."""
        studio = await self.build(editor=None, locale=self.locale, folders=folders, notify=self.notice)
        try:
            yield studio
        finally:
            await studio.close()


def _printable(text: str, encoding: str | None) -> str:
    """What the terminal's encoding can show; anything else as an escape, never an exception."""
    encoding = encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)
