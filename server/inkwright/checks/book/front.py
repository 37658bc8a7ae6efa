"""Front matter that cannot be read, or says of a field what it cannot say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any

from inkwright.checks.book import fixes, places
from inkwright.checks.book.nearest import distance, nearest
from inkwright.checks.book.page import Page
from inkwright.domain.diagnostic import Diagnostic
from inkwright.domain.text import Span
from inkwright.manuscript import cards, fieldnames, fields, frontmatter, naming, numerals
from inkwright.manuscript.markdown import scan
from inkwright.manuscript.overview import Overview

KEY, NUMBER, TEXT, NAMES, YES_NO = (
    "front_key_unlikely",
    "front_not_number",
    "front_not_text",
    "front_not_names",
    "front_not_yes_no",
)
DATE, TIME, STATE = "front_date_impossible", "front_time_impossible", "thread_state_unknown"
ORDER = "order_not_number"
OF_CARDS = frozenset(
    {"card_bad_match", "card_bad_case", "card_bad_ai", "card_bad_facts", "card_too_many_names"}
)
OF_YAML = frozenset({"frontmatter_unreadable", "frontmatter_duplicate"})
LATE = "frontmatter_late"
CODES = frozenset({KEY, NUMBER, TEXT, NAMES, YES_NO, DATE, TIME, STATE, ORDER, LATE}) | OF_CARDS | OF_YAML

_TEXTS = frozenset({"title", "status", "date", "time", "mode", "synopsis", "outline"})
_NAMES = frozenset({"pov", "characters", "mentions", "location"})
_YES_NO = frozenset(("true", "false", "yes", "no", "on", "off", "y", "n", "0", "1", "2", "是", "否"))
_AMOUNT = re.compile(r"[0-9][0-9,，_ ]*+(?:\.[0-9]+)?\s*(?:[kKwW千万])?\s*(?:字|词|words?|characters?)?")
_DATE = re.compile(r"([0-9]{4})([-/.年])([0-9]{1,2})(?:\2|月)([0-9]{1,2})日?")
_TIME = re.compile(r"([0-9]{1,2})[:：]([0-9]{2})(?:[:：]([0-9]{2}))?")
_EARLY = 2_000
"""Characters in which a front matter may begin that text was written before."""
_BLOCK = re.compile(
    r"---[ \t]*(?P<end>\r\n|\n|\r)(?P<keys>(?:(?!---)[^\r\n]+(?:\r\n|\n|\r)){1,40})---[ \t]*(?:[\r\n]|\Z)"
)
_LONG = 6
"""Letters from which on a key that is one letter off from a known one is no word of its own."""


def find(book: Overview, page: Page) -> Iterable[Diagnostic]:
    front = page.front
    if front.problem is not None:
        yield _unreadable(page)
    if not front:
        if front.problem is None and (late := _late(page.text)) is not None:
            yield Diagnostic(late, "warning", LATE)
        return
    if page.chapter is not None:
        yield from _chapter(page)
    elif page.cards:
        yield from _card(book, page)


def _late(text: str) -> Span | None:
    """The opening line of a front matter that text was written before: the cursor was at the top. A block that stands
    apart from the text above it, between two scene breaks, is part of the story."""
    found = _BLOCK.search(text, 0, _EARLY) if "---" in text[:_EARLY] else None
    if found is None:
        return None
    *above, same = re.split(r"\r\n|\n|\r", text[: found.start()])
    if not same.strip() and any(line.strip() for line in above) and not above[-1].strip():
        return None
    front = frontmatter.read(text[found.start() :])
    known = [
        key
        for key in front.keys
        if any(fields.word(key, table) for table in (fieldnames.CARD, fieldnames.CHAPTER))
    ]
    if not known or 2 * len(known) < len(front.keys):
        return None
    return Span(found.start(), found.start() + 3)


def _unreadable(page: Page) -> Diagnostic:
    front = page.front
    assert front.problem is not None
    text = page.text
    at = min(front.at, len(text))
    if text[at : at + 1] in ("\r", "\n", ""):
        start = max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1
        at = start if start < at else at
    end = re.compile(r"[^\r\n]*").match(text, at)
    span = Span(at, end.end() if end is not None else at)
    return Diagnostic(span, "warning", front.problem.code, front.problem.params)


def _chapter(page: Page) -> Iterator[Diagnostic]:
    for key, value in page.front.meta.items():
        name = fields.word(key, fieldnames.CHAPTER)
        if name is None:
            yield from _unlikely(page, key, fieldnames.CHAPTER)
        elif value is not None:
            if code := _wrong(name, value):
                params = {"key": key, "value": fields.text(value)[:40]}
                yield Diagnostic(_place(page, key), "warning", code, params)
            elif name == "threads":
                yield from _states(page, key, value)


def _wrong(name: str, value: Any) -> str:
    """The code of what is wrong with the value of a field, '' where nothing is."""
    said = fields.text(value)
    if name == "order":
        return ORDER if naming.order_value(value) is None else ""
    if name == "target":
        amount = _AMOUNT.fullmatch(said) or numerals.chinese(said.rstrip("字"))
        return "" if amount and not isinstance(value, bool) else NUMBER
    if name == "compile":
        return "" if said.casefold() in _YES_NO else YES_NO
    if name in _NAMES:
        rows = value if isinstance(value, list) else [value]
        return NAMES if any(isinstance(row, Mapping | list) for row in rows) else ""
    if name not in _TEXTS:
        return ""
    if isinstance(value, Mapping) or (isinstance(value, list) and name not in ("synopsis", "outline")):
        return TEXT
    if name == "date" and (found := _DATE.fullmatch(said)) is not None:
        return "" if _is_date(found) else DATE
    if name == "time" and (found := _TIME.fullmatch(said)) is not None:
        hour, minute, second = (int(part or 0) for part in found.groups())
        return "" if hour <= 24 and minute < 60 and second < 60 else TIME
    return ""


def _is_date(found: re.Match[str]) -> bool:
    try:
        return bool(date(max(1, int(found[1])), int(found[3]), int(found[4])))
    except ValueError:
        return False


def _states(page: Page, key: str, value: Any) -> Iterator[Diagnostic]:
    """States of threads that are no word for one; a mapping is the only form that must have one."""
    known = fields.table("thread.states")
    words = [word for ours, others in known.items() for word in (ours, *others)]
    taken = 0
    for row in value if isinstance(value, list) else [value]:
        said = fields.canonical(row, "thread.keys") if isinstance(row, Mapping) else {}
        state = said.get("state")
        if "name" not in said or state is None or fields.word(state, "thread.states") is not None:
            continue
        written = fields.text(state)
        place = next(
            (s for s in page.scalars if s.key == key and s.span.start >= taken and s.value == written), None
        )
        span = _place(page, key) if place is None else place.span
        taken = span.end
        near = nearest(written, words) or tuple(known)
        params = {"state": written, "name": fields.text(said["name"])}
        offered = fixes.replaced(span, near) if place is not None else ()
        yield Diagnostic(span, "warning", STATE, params, fixes=offered)


def _card(book: Overview, page: Page) -> Iterator[Diagnostic]:
    for key in page.front.keys:
        if fields.word(key, fieldnames.CARD) is None:
            yield from _unlikely(page, key, fieldnames.CARD)
    if any(card.within for card in page.cards):
        for problem in book.problems(page.path):
            if problem.code in OF_CARDS:
                span = places.line(page.text, problem.line)
                yield Diagnostic(span, "warning", problem.code, problem.params)
        return
    _, problems = cards.read(page.path, page.text, scan(page.text))
    for problem in problems:
        key = str(problem.params.get("key", ""))
        yield Diagnostic(
            _place(page, key, problem.params.get("value")), "warning", problem.code, problem.params
        )


def _unlikely(page: Page, key: str, table: str) -> Iterator[Diagnostic]:
    """A key that is a slip of one letter away from a known one."""
    if key.casefold() == "fact" and table == fieldnames.CARD and "facts" not in page.front.keys:
        span = page.front.keys[key]
        fix = fixes.replace(span, "facts", preferred=True)
        yield Diagnostic(span, "hint", KEY, {"key": key, "better": "facts"}, fixes=(fix,))
        return
    if len(key) < _LONG or not key.isascii() or key not in page.front.keys:
        return
    taken = {fields.word(other, table) for other in page.front.keys}
    for name, others in fields.table(table).items():
        for word in (name, *others):
            near = len(word) >= _LONG and name not in taken and distance(key.casefold(), word, 1) == 1
            if near and key.rstrip("s") != word.rstrip("s"):
                span = page.front.keys[key]
                params = {"key": key, "better": word}
                yield Diagnostic(
                    span, "hint", KEY, params, fixes=(fixes.replace(span, word, preferred=True),)
                )
                return


def _place(page: Page, key: str, value: object = None) -> Span:
    """The value of a key where it is one word or line, else the key."""
    mine = [s for s in page.scalars if s.key == key]
    if value is not None:
        found = next((s.span for s in mine if s.value[:40] == str(value)), None)
        if found is not None:
            return found
    written = page.front.meta.get(key)
    if len(mine) == 1 and not isinstance(written, Mapping | list):
        return mine[0].span
    return page.front.keys.get(key, Span(0, 0))
