"""Cards that stand several in a file, or in no Markdown: what each says, before it becomes a card. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from inkwright.domain.manuscript import Problem


@dataclass(frozen=True, slots=True)
class Record:
    """One card of a file. `meta` are its fields as written there, `line` (zero-based) is where it begins.

    `name` and `aliases` win over what `meta` says of them; `type` over the folder's.
    """

    name: str
    meta: Mapping[str, Any] = field(default_factory=dict)
    type: str = ""
    aliases: tuple[str, ...] = ()
    body: str = ""
    line: int = 0


Read = tuple[list[Record], list[Problem]]

MAX_RECORDS = 5_000
MAX_LENGTH = 4_000_000
"""Characters of a file of cards that are read at most."""
MAX_LINE = 500
"""Characters of a line that may be a heading or a name."""
_EOL = re.compile(r"\r\n|\n|\r")


def lines(text: str) -> list[str]:
    """The lines of a text without their ends, as editors count them."""
    return _EOL.split(text)


def line_of(text: str, offset: int) -> int:
    """The zero-based line of an offset."""
    head = text[:offset]
    return head.count("\n") + head.count("\r") - head.count("\r\n")


def read(reader: str, path: str, text: str) -> Read:
    """The cards of a text in the form that `reader` names."""
    if len(text) > MAX_LENGTH:
        params: dict[str, str | int | float] = {"path": path, "limit": MAX_LENGTH // 1_000_000}
        return [], [Problem(path, 0, "project_file_large", params)]
    if reader in ("json", "json5"):
        from inkwright.manuscript.layouts.objects import read as objects

        return objects(path, text)
    if reader in ("headings", "roles", "words", "sections", "states", "matrix"):
        from inkwright.manuscript.layouts.outlined import READERS

        return READERS[reader](text), []
    if reader.startswith("manuskript"):
        from inkwright.manuscript.layouts.manuskript import records as of_manuskript

        return of_manuskript(reader, path, text)
    from inkwright.manuscript.layouts.novelwriter import records as of_novelwriter

    return of_novelwriter(text), []
