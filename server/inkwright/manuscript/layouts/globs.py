"""Globs over paths in a book: `*` within a folder, `**` across folders, `?`, `[…]`; a folder's name means all in it."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Glob:
    """A pattern as an author writes it, relative to the root. `base` is its part before any wildcard."""

    pattern: str
    base: str = field(init=False)
    _regex: re.Pattern[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        text = (
            unicodedata.normalize("NFC", self.pattern.replace("\\", "/"))
            .strip()
            .removeprefix("./")
            .strip("/")
        )
        literal = not re.search(r"[*?\[]", text)
        if literal and "." not in text.rpartition("/")[2]:
            text = f"{text}/**" if text else "**"
        head = re.split(r"[*?\[]", text, maxsplit=1)[0]
        object.__setattr__(self, "base", head.rpartition("/")[0])
        try:
            regex = re.compile(_translate(text))
        except re.error:
            regex = re.compile(re.escape(text))
        object.__setattr__(self, "_regex", regex)

    def matches(self, path: str) -> bool:
        return self._regex.fullmatch(unicodedata.normalize("NFC", path)) is not None


def _translate(text: str) -> str:
    out: list[str] = []
    at = 0
    while at < len(text):
        if text.startswith("**/", at):
            out.append("(?:[^/]+/)*")
            at += 3
        elif text.startswith("**", at):
            out.append(".*")
            at += 2
        elif text[at] == "*":
            out.append("[^/]*")
            at += 1
        elif text[at] == "?":
            out.append("[^/]")
            at += 1
        elif text[at] == "[" and (end := text.find("]", at + 2)) > 0:
            inner = text[at + 1 : end].replace("\\", "\\\\").replace("[", "\\[")
            inner = "^" + inner[1:] if inner[0] == "!" else ("\\" + inner if inner[0] == "^" else inner)
            out.append(f"[{inner}]")
            at = end + 1
        else:
            out.append(re.escape(text[at]))
            at += 1
    return "(?s:" + "".join(out) + ")"
