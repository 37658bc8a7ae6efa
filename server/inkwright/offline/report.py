"""A report in Markdown, its sentences from the locale."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from inkwright.domain.conversation import Locale
from inkwright.domain.text import EOL
from inkwright.i18n import listed, tr

QUOTE = 60
"""Characters of a quotation that a report shows."""

_SPACE = re.compile(r"\s+")


class Report:
    def __init__(self, locale: Locale) -> None:
        self.locale = locale
        self._blocks: list[str] = []
        self._items: list[str] = []

    def say(self, code: str, **params: object) -> str:
        return tr(f"offline_{code}", self.locale, params)

    def title(self, code: str, **params: object) -> None:
        self._add("# " + self.say(code, **params))

    def section(self, code: str) -> None:
        self._add("## " + self.say(f"section_{code}"))

    def head(self, code: str, **params: object) -> None:
        self._add("### " + self.say(code, **params))

    def line(self, code: str, **params: object) -> None:
        self._add(self.say(code, **params))

    def quote(self, text: str) -> None:
        """A quotation as it stands, line for line."""
        self._add("\n".join("> " + line for line in EOL.split(text.strip())))

    def item(self, code: str, **params: object) -> None:
        self._items.append("- " + self.say(code, **params))

    def row(self, text: str) -> None:
        self._items.append("- " + text)

    def table(self, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        head = "| " + " | ".join(self.say(column) for column in columns) + " |"
        rule = "|" + " --- |" * len(columns)
        body = ["| " + " | ".join(cell(value) for value in row) + " |" for row in rows]
        self._add("\n".join([head, rule, *body]))

    def join(self, parts: Iterable[str]) -> str:
        return listed(parts, self.locale)

    def text(self) -> str:
        self._flush()
        return "\n\n".join(self._blocks) + "\n"

    def _add(self, block: str) -> None:
        self._flush()
        self._blocks.append(block)

    def _flush(self) -> None:
        if self._items:
            self._blocks.append("\n".join(self._items))
            self._items = []


def cell(value: object) -> str:
    """A value as one cell of a Markdown table."""
    return _SPACE.sub(" ", str(value)).replace("|", "\\|").strip()


def shorten(text: str) -> str:
    """The beginning of a text, verbatim but for its line ends."""
    flat = _SPACE.sub(" ", text.strip())
    return flat if len(flat) <= QUOTE else flat[:QUOTE] + "…"


def percent(share: float) -> str:
    return f"{share:.0%}"
