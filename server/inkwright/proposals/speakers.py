"""Who says which line: `甲说：“…”`, `“…”乙道`, `"…," said Tom`, and the guard's judgement of it."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from rapidfuzz.fuzz import ratio

from inkwright.domain.proposal import Finding
from inkwright.domain.text import Span
from inkwright.proposals.change import Change
from inkwright.proposals.names import Named
from inkwright.proposals.quotes import quoted, silent
from inkwright.proposals.tables import table

Find = Callable[[str], list[Named]]

_ALIKE = 40
_NEAR = 50
"""Lines before and behind the last one that was met, among which a changed one is looked for."""
_TAG = 40
"""Characters after a line in which its tag may stand."""
SENTENCE = re.compile(r"[。．｡！？!?；;\r\n]|\.(?=\s)")
CLAUSE = re.compile(r"[，,]")
PRONOUN = re.compile(r"(?<![其吉])(?P<han>他们|她们|它们|他|她|我们|我|你)|\b(?P<latin>he|she|I|we|they)\b")
_COMMA = re.compile(r"[，,]?\s*")


@dataclass(frozen=True, slots=True)
class Line:
    """A line that is spoken. `who` is its speaker, '' where none is named; `shown` how the text calls them."""

    words: str
    text: str
    who: str = ""
    shown: str = ""


def lines(text: str, find: Find) -> list[Line]:
    """The spoken lines of `text` in order."""
    spans = quoted(text)
    named = find(text)
    out: list[Line] = []
    end = 0
    for number, span in enumerate(spans):
        if span.start < end or not silent(span.of(text)):
            continue
        following = spans[number + 1].start if number + 1 < len(spans) else len(text)
        speaker = _before(text, Span(end, span.start), named) or _after(
            text, Span(span.end, following), named
        )
        out.append(Line(silent(span.of(text)), span.of(text), *(speaker or ("", ""))))
        end = span.end
    return out


def judged(change: Change, find: Find) -> Iterator[Finding]:
    """A line that is said by another than before. A tag that went leaves the speaker as he was."""
    if not quoted(change.line[0]):
        return
    before, after = (lines(text, find) for text in change.line)
    told: set[tuple[str, str]] = set()
    for old, new in _pairs(before, after):
        pair = (old.shown, new.shown)
        if old.who and new.who and old.who != new.who and pair not in told and _apart(old, new):
            told.add(pair)
            yield Finding(
                "speaker_changed", {"line": _short(old.text), "before": old.shown, "after": new.shown}
            )


def _apart(old: Line, new: Line) -> bool:
    """Whether two words for a speaker cannot be the same person: a pronoun may stand for a name."""
    return (old.who in _PRONOUNS) == (new.who in _PRONOUNS)


_PRONOUNS = frozenset(
    ["他", "她", "我", "你", "他们", "她们", "它们", "我们", "he", "she", "i", "we", "they"]
)


def _pairs(before: list[Line], after: list[Line]) -> Iterator[tuple[Line, Line]]:
    if len(before) == len(after) and sorted(b.words for b in before) != sorted(a.words for a in after):
        yield from zip(before, after, strict=True)
        return
    same: dict[str, deque[int]] = {}
    for number, new in enumerate(after):
        same.setdefault(new.words, deque()).append(number)
    free, at = [True] * len(after), 0
    for old in before:
        places = same.get(old.words, deque())
        while places and not free[places[0]]:
            places.popleft()
        if places:
            best = places.popleft()
        else:
            around = (n for n in range(max(0, at - _NEAR), min(len(after), at + _NEAR)) if free[n])
            best = max(around, key=lambda n: ratio(old.words, after[n].words), default=-1)
            if best < 0 or ratio(old.words, after[best].words) < _ALIKE:
                continue
        free[best], at = False, best + 1
        yield old, after[best]


def _before(text: str, gap: Span, named: list[Named]) -> tuple[str, str] | None:
    """The speaker whom the words before a line name: behind them stands a colon, or a verb and a comma."""
    head = gap.of(text)
    stops = [m.end() for m in SENTENCE.finditer(head.rstrip())]
    start = gap.start + (stops[-1] if stops else 0)
    said = Span(start, gap.end).of(text).rstrip()
    if not said or not (said[-1] in "：:" or (said[-1] in "，," and _ends_in_verb(said[:-1]))):
        return None
    clauses = [start, *(start + m.end() for m in CLAUSE.finditer(said[:-1]))]
    end = start + len(said)
    for at in reversed(clauses):
        if speaker := _first(text, Span(at, end), named):
            return speaker
        end = at
    return None


def _after(text: str, gap: Span, named: list[Named]) -> tuple[str, str] | None:
    """The speaker whom the tag behind a line names."""
    at = gap.start + (m.end() if (m := _COMMA.match(text[gap.start : gap.end])) else 0)
    tail = text[at : min(gap.end, at + _TAG)]
    stop = SENTENCE.search(tail)
    clause = CLAUSE.search(tail)
    tag = tail[: min((m.start() for m in (stop, clause) if m), default=len(tail))]
    match = verbs().search(tag)
    if match is None or match.start() > 20:
        return None
    speaker = _first(text, Span(at, at + match.start()), named)
    if speaker is None and match.group().isascii():  # said Tom
        speaker = _first(text, Span(at + match.end(), at + len(tag)), named)
    return speaker


def _first(text: str, span: Span, named: list[Named]) -> tuple[str, str] | None:
    for name in named:
        if name.person and span.start <= name.span.start < span.end:
            return name.who, name.shown
    match = PRONOUN.search(span.of(text))
    return (match.group().lower(), match.group()) if match else None


def _ends_in_verb(text: str) -> bool:
    tail = text[-24:]
    return any(match.end() >= len(tail.rstrip()) - 6 for match in verbs().finditer(tail))


@cache
def verbs() -> re.Pattern[str]:
    """The verbs by which prose says that somebody speaks."""
    speech = table("speech")
    han = "|".join(sorted(speech["han"], key=len, reverse=True))
    latin = "|".join(speech["latin"])
    not_ = "|".join(speech["han_not"])
    return re.compile(rf"(?!{not_})(?<!知)(?<!听)(?:{han})(?![明路理具士])|\b(?:{latin})\b")


def _short(text: str) -> str:
    return text if len(text) <= 20 else text[:20] + "…"
