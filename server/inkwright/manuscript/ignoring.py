"""Ignore files as version control reads them: `.gitignore`, `.ignore`, and `.inkwrightignore`, which has the last word.

A pattern costs no more than its length times the name's, whatever a stranger wrote into it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

NAMES = (".gitignore", ".ignore", ".inkwrightignore")
"""In a folder the later ones go before the earlier."""
MAX_SIZE = 1_000_000
MAX_RULES = 2_000

_WILD = re.compile(r"[*?\[\\]")
_Part = str | re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Rule:
    """One line. `parts` are what it says of each folder on the way, None for `**`; `kept` is that of a `!`."""

    parts: tuple[_Part | None, ...]
    kept: bool = False
    folders: bool = False

    def matches(self, names: Sequence[str]) -> bool:
        """Whether it speaks of a path below the folder of its file, as names in NFC from there on."""
        if len(self.parts) == 2 and self.parts[0] is None:
            return _fits(self.parts[1], names[-1])
        return _along(self.parts, names)


def rules(text: str) -> tuple[Rule, ...]:
    """The rules of an ignore file, in its order; a line that is none says nothing."""
    lines = unicodedata.normalize("NFC", text.removeprefix("\ufeff")).split("\n")
    found = (_rule(line.removesuffix("\r")) for line in lines)
    return tuple(islice((rule for rule in found if rule is not None), MAX_RULES))


def _rule(line: str) -> Rule | None:
    if line.startswith("#"):
        return None
    kept = line.startswith("!")
    line = line[1:] if kept else line
    while line.endswith((" ", "\t")) and not line.endswith(("\\ ", "\\\t")):
        line = line[:-1]
    folders = line.endswith("/")
    line = line.rstrip("/")
    if not line:
        return None
    anchored = "/" in line
    names = line.removeprefix("/").split("/")
    parts: list[_Part | None] = [] if anchored else [None]
    for name in names:
        part = None if name == "**" else _part(name)
        if part is not None or not parts or parts[-1] is not None:
            parts.append(part)
    if parts[-1] is None:  # `a/**` is all that lies in `a`, but not `a`
        parts.append(_part("*"))
    return Rule(tuple(parts), kept, folders)


def _part(name: str) -> _Part:
    """A name, or the expression of one; each `*` takes as little as it can and never takes it back."""
    if not _WILD.search(name):
        return name
    pieces: list[list[str]] = [[]]
    at = 0
    while at < len(name):
        char = name[at]
        at += 1
        if char == "*":
            pieces.append([])
        elif char == "?":
            pieces[-1].append(".")
        elif char == "[" and (end := _closing(name, at)) > 0:
            pieces[-1].append(_class(name[at:end]))
            at = end + 1
        elif char == "\\" and at < len(name):
            pieces[-1].append(re.escape(name[at]))
            at += 1
        else:
            pieces[-1].append(re.escape(char))
    first, *rest = ("".join(piece) for piece in pieces)
    middle = "".join(f"(?>.*?{piece})" for piece in rest[:-1] if piece)
    last = f".*{rest[-1]}" if rest else ""
    try:
        return re.compile(f"(?s:{first}{middle}{last})")
    except re.error:
        return name


def _closing(name: str, at: int) -> int:
    """Where a class ends: a `]` right at its beginning is one of its characters."""
    return name.find("]", at + (2 if name[at : at + 1] in ("!", "^") else 1))


def _class(inside: str) -> str:
    negated = inside[0] in "!^"
    inside = inside[1:] if negated else inside
    inside = re.sub(r"([\[\]^&~|])", r"\\\1", inside.replace("\\", "\\\\"))
    return f"[{'^' if negated else ''}{inside}]"


def _fits(part: _Part | None, name: str) -> bool:
    return part == name if isinstance(part, str) else part is not None and part.fullmatch(name) is not None


def _along(parts: Sequence[_Part | None], names: Sequence[str]) -> bool:
    """Whether the parts stand for the names, each `**` for any number of them."""
    at = here = 0
    star = back = -1
    while here < len(names):
        if at < len(parts) and parts[at] is None:
            star, back = at, here
            at += 1
        elif at < len(parts) and _fits(parts[at], names[here]):
            at += 1
            here += 1
        elif star >= 0:
            back += 1
            at, here = star + 1, back
        else:
            return False
    return all(part is None for part in parts[at:])
