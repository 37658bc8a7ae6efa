"""Text for a Markdown page that somebody else wrote: titles, names, paths."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_MARKS = re.compile(r"([\\`*_{}\[\]()#+!|~^$=@:])")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u2028\u2029\ud800-\udfff]")


def plain(text: str) -> str:
    """`text` on one line, so that no Markdown or HTML in it is read as such."""
    line = " ".join(_CONTROL.sub(" ", text).split())
    line = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _MARKS.sub(r"\\\1", line)


def link(text: str, target: str) -> str:
    """A link with `text` that is somebody else's; without a target the text alone."""
    return f"[{plain(text)}]({target})" if target else plain(text)


def table(
    head: Sequence[str], rows: Iterable[Sequence[str]], numbers: frozenset[int] = frozenset()
) -> list[str]:
    """A Markdown table; the columns `numbers` are set to the right."""
    rule = ["---:" if at in numbers else "---" for at in range(len(head))]
    return [_row(head), _row(rule), *map(_row, rows), ""]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
