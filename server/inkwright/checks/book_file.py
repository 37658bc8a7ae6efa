"""What is wrong in a `book.toml`: what cannot be read, fields that are not used, keys that belong elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator

from inkwright.checks import keys
from inkwright.domain.diagnostic import Diagnostic, Severity
from inkwright.domain.manuscript import Problem
from inkwright.domain.text import EOL, Span
from inkwright.manuscript import bookfile

_FIELD_OF = {"book_field_language": "language", "book_field_count": "count"}


def find(text: str) -> list[Diagnostic]:
    """By place. Of a file that is too long to be read nothing but the keys at its beginning."""
    return sorted([*keys.in_book_file(text), *_unused(text)], key=lambda one: one.span.start)


def _unused(text: str) -> Iterator[Diagnostic]:
    if len(text) > bookfile.MAX_SIZE:
        return
    for problem in bookfile.of(text.removeprefix("\ufeff"))[1]:
        severity: Severity = "error" if problem.code == bookfile.BAD_TOML else "warning"
        yield Diagnostic(_place(text, problem), severity, problem.code, problem.params)


def _place(text: str, problem: Problem) -> Span:
    """The line that the trouble is in."""
    at = 0
    if problem.code == bookfile.BAD_TOML:
        for _ in range(problem.line):
            ending = EOL.search(text, at)
            at = at if ending is None else ending.end()
    else:
        key = _FIELD_OF.get(problem.code) or str(problem.params["key"])
        last = re.escape(key.rpartition(".")[2])
        where = re.compile(
            rf"""^[ \t\ufeff]*(?:(?:[\w"'.-]*\.)?["']?{last}["']?[ \t]*=|\[[ \t]*{re.escape(key)}[ \t]*\])""",
            re.M,
        )
        found = where.search(text)
        at = found.start() if found is not None else 0
    ending = EOL.search(text, at)
    return Span(at, len(text) if ending is None else ending.start())
