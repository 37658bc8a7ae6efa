"""Threads of the plot: what a chapter sets up and what a later one pays off, as its front matter says. Pure.

An entry of `threads` is a name, a name with what happens to it (`信：回收`, `the letter (payoff)`), or a
mapping of the two.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple, cast

from inkwright.domain.manuscript import Chapter
from inkwright.domain.text import Span
from inkwright.manuscript import fields, frontmatter

State = Literal["", "planted", "progress", "due", "paid"]
STATES: tuple[State, ...] = ("planted", "progress", "due", "paid")

_SAID = re.compile(
    r"(?P<name>.+?)\s*(?:[:：]\s*(?P<after>[^:：()（）]+)|[（(](?P<inside>[^()（）]+)[)）])\s*"
)


class Touch(NamedTuple):
    """A thread in one chapter."""

    name: str
    state: State = ""


def read(value: object) -> tuple[Touch, ...]:
    """The threads that a value of `threads` names, each once."""
    rows = value if isinstance(value, list | tuple) else [value]
    out: dict[str, Touch] = {}
    for row in rows:
        for touch in _entry(row):
            out.setdefault(touch.name, touch)
    return tuple(out.values())


def course(chapters: Iterable[Chapter], name: str) -> list[tuple[Chapter, State]]:
    """The chapters of a thread in reading order; the first one without a word sets it up."""
    out: list[tuple[Chapter, State]] = []
    for chapter in chapters:
        for touch in read(chapter.meta.get("threads")):
            if touch.name == name:
                out.append((chapter, touch.state or ("progress" if out else "planted")))
    return out


def names(chapters: Iterable[Chapter]) -> list[str]:
    """All threads of a book, in the order in which they come up."""
    found = (touch.name for chapter in chapters for touch in read(chapter.meta.get("threads")))
    return list(dict.fromkeys(found))


def places(text: str) -> list[tuple[str, Span]]:
    """Where a chapter's front matter names its threads."""
    written = [s for s in frontmatter.scalars(text) if fields.word(s.key, "chapter.keys") == "threads"]
    known = {
        touch.name
        for touch in read(fields.canonical(frontmatter.read(text).meta, "chapter.keys").get("threads"))
    }
    out: list[tuple[str, Span]] = []
    for scalar in written:
        at = 0
        for name in _names(scalar.value):
            if name not in known:
                continue
            offset = scalar.span.of(text).find(name, at)
            at = max(at, offset + len(name))
            span = scalar.span if offset < 0 else Span(0, len(name)).shift(scalar.span.start + offset)
            out.append((name, span))
    return out


def _names(value: str) -> list[str]:
    return [touch.name for touch in _entry(value)]


def _entry(row: object) -> Iterable[Touch]:
    if isinstance(row, Mapping):
        yield from _mapped(row)
    elif isinstance(row, str):
        for part in fields.texts(row):
            yield _said(part)
    elif row is not None and not isinstance(row, bool):
        yield Touch(fields.text(row))


def _mapped(row: Mapping[str, Any]) -> Iterable[Touch]:
    said = fields.canonical(row, "thread.keys")
    if "name" in said:
        if name := fields.text(said["name"]):
            yield Touch(name, _state(said.get("state")))
        return
    for name, value in row.items():
        yield Touch(name, _state(value))


def _said(part: str) -> Touch:
    if match := _SAID.fullmatch(part):
        state = _state(match["after"] or match["inside"])
        if state:
            return Touch(match["name"], state)
    return Touch(part)


def _state(value: object) -> State:
    return cast(State, fields.word(value, "thread.states") or "")
