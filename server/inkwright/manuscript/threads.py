"""Threads of the plot: what a chapter sets up and what a later one pays off. Pure.

A chapter says so in its front matter: an entry of `threads` is a name, a name with what happens to it
(`信：回收`, `the letter (payoff)`), or a mapping of the two. Or it says so where it happens, in a comment that
begins with a word for threads: `<!-- 伏笔: 信 埋设 -->`, `<!-- thread: the letter paid -->`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, cast

from inkwright.domain.manuscript import Chapter
from inkwright.domain.text import Span
from inkwright.manuscript import fields, frontmatter

State = Literal["", "planted", "progress", "due", "paid"]
STATES: tuple[State, ...] = ("planted", "progress", "due", "paid")

_SAID = re.compile(r"(?P<name>.+)(?:[:：](?P<after>[^:：()（）]+)|[（(](?P<inside>[^()（）]+)[)）])")
_MARK = re.compile(r"(?:<!--|%%)\s*(?P<word>[^\W\d_]{2,20})\s*[:：]\s*(?P<said>[^\r\n]{1,200})")
_TAILS = ("--!>", "-->", "%%")
_BORDER = re.compile(r"[,，、;；|]")
_DUE = re.compile(r"(?:due|by|期限|待回收|到期|回收于)\s*[:：=]?\s*(?P<place>.+)", re.IGNORECASE)


class Touch(NamedTuple):
    """A thread in one chapter. `due` names the chapter by which it is to be paid, '' where nothing is said."""

    name: str
    state: State = ""
    due: str = ""


class Marked(NamedTuple):
    """A touch that is said in a comment, and where its name stands."""

    touch: Touch
    span: Span


def read(value: object) -> tuple[Touch, ...]:
    """The threads that a value of `threads` names, each once: what is said of one in several places is joined."""
    out: dict[str, Touch] = {}
    for touch in touches(value):
        known = out.get(touch.name)
        out[touch.name] = touch if known is None else _joined(known, touch)
    return tuple(out.values())


def touches(value: object) -> list[Touch]:
    """All that a value of `threads` says, one thread as often as it does."""
    rows = value if isinstance(value, list | tuple) else [value]
    return [touch for row in rows for touch in _entry(row)]


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
    """Where a chapter names its threads: in its front matter, then in its comments."""
    from inkwright.manuscript import markdown

    out = _in_front_matter(text)
    if _MARK.search(text):
        out += ((mark.touch.name, mark.span) for mark in marks(text, markdown.scan(text).comments))
    return out


def place(text: str, name: str) -> Span | None:
    """Where a chapter names one thread first."""
    return next((span for found, span in places(text) if found == name), None)


def marks(text: str, comments: Sequence[Span]) -> list[Marked]:
    """The threads that are named in comments, by place."""
    return [mark for comment in comments for mark in _marked(text, comment)]


def with_marks(meta: Mapping[str, Any], text: str, comments: Sequence[Span]) -> Mapping[str, Any]:
    """A chapter's front matter under our names, with the threads of its comments beside its own."""
    found = [mark.touch for mark in marks(text, comments)] if comments else []
    if not found:
        return meta
    own = [touch for touch in touches(meta.get("threads")) if touch.name]
    rows = [{k: v for k, v in touch._asdict().items() if v} for touch in (*own, *found)]
    return {**meta, "threads": rows}


def _in_front_matter(text: str) -> list[tuple[str, Span]]:
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


def _marked(text: str, comment: Span) -> Iterator[Marked]:
    """`name`, `name state`, `name (state)`, `name: state, due a chapter`; several with `;` or `、` between."""
    found = _MARK.match(text, comment.start, comment.end)
    if found is None or fields.word(found["word"], "thread.marks") is None:
        return
    said = found["said"].rstrip()
    said = next((said.removesuffix(end) for end in _TAILS if said.endswith(end)), said).rstrip()
    at = found.start("said")
    last: Marked | None = None
    for part in _BORDER.split(said):
        start = at + len(part) - len(part.lstrip())
        at += len(part) + 1
        if not (word := part.strip()):
            continue
        due = _DUE.fullmatch(word)
        if last is not None and (due or _state(word)):
            state = last.touch.state or ("planted" if due else _state(word))
            last = Marked(
                Touch(last.touch.name, state, due["place"].strip() if due else last.touch.due), last.span
            )
            continue
        if last is not None:
            yield last
        touch = _spoken(word)
        last = Marked(touch, Span(start, start + len(touch.name)))
    if last is not None:
        yield last


def _spoken(part: str) -> Touch:
    """An entry of a comment: what happens may also be its last word."""
    touch = _said(part)
    if not touch.state:
        name, _, word = part.rpartition(" ")
        if name.strip() and (state := _state(word)):
            return Touch(name.strip(), state)
    return touch


def _joined(known: Touch, touch: Touch) -> Touch:
    """Of what happens to a thread in one chapter the last counts: what is planted and paid in it is paid."""
    later = max(known.state, touch.state, key=lambda state: STATES.index(state) if state else -1)
    return Touch(known.name, later, known.due or touch.due)


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
            yield Touch(name, _state(said.get("state")), fields.text(said.get("due")))
        return
    for name, value in row.items():
        yield Touch(name, _state(value))


def _said(part: str) -> Touch:
    if match := _SAID.fullmatch(part.strip()):
        state = _state(match["after"] or match["inside"])
        if state:
            return Touch(match["name"].rstrip(), state)
    return Touch(part)


def _state(value: object) -> State:
    return cast(State, fields.word(value, "thread.states") or "")
