"""Ages in the text that do not fit what the card says, or when somebody was born."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from inkwright.checks.book.page import Page
from inkwright.checks.continuity import dates, known, offers, story
from inkwright.checks.continuity.claims import Aged
from inkwright.checks.continuity.stating import Statement
from inkwright.checks.continuity.story import Story
from inkwright.domain.diagnostic import Diagnostic, Severity
from inkwright.manuscript import fields, numerals
from inkwright.manuscript.overview import Overview
from inkwright.manuscript.places import BEYOND

AGE = "continuity_age"
CODES = frozenset({AGE})


class _Range(NamedTuple):
    """The years that somebody may be; `sure` False where the story may have gone on since."""

    low: int
    high: int
    against: Statement
    sure: bool = True


def find(book: Overview, page: Page) -> Iterable[Diagnostic]:
    told = story.of(book, page)
    if told is None or told.aside:
        return
    seen: set[tuple[str, int]] = set()
    for aged in told.of(Aged, told.known.stating("age", "birth")):
        range_ = _range(told, aged, chinese="岁" in page.text[aged.span.end : aged.span.end + 2])
        if range_ is None or range_.low <= aged.years <= range_.high or (aged.card, aged.years) in seen:
            continue
        seen.add((aged.card, aged.years))
        one = range_.against
        severity: Severity = "information" if range_.sure or aged.years < range_.low else "hint"
        params: dict[str, str | int | float] = {
            "name": one.card.name,
            "years": aged.years,
            "fit": str(range_.low) if range_.low == range_.high else f"{range_.low}–{range_.high}",
        }
        fixes = [*offers.aside(page, told, aged.span.start)]
        if range_.low == range_.high:
            fixes.insert(0, offers.text(aged.span, _written(range_.low, aged.span.of(page.text))))
        if one.topic == "age":
            fixes += offers.restated(
                book,
                one,
                numerals.NUMBER.sub(_written(aged.years, _number_in(one.value)), one.value, count=1),
            )
        yield Diagnostic(aged.span, severity, AGE, params, related=(known.related(one),), fixes=tuple(fixes))


def _range(told: Story, aged: Aged, *, chinese: bool) -> _Range | None:
    chapters, place = told.known.order.chapters, told.place
    here = dates.read(fields.text(chapters[place].meta.get("date")))
    rows = [one for one in told.known.of(aged.card, "age") if one.holds(place) and numerals.years(one.value)]
    if rows:
        one = max(rows, key=lambda row: row.since)
        base = numerals.years(one.value)
        if not one.dated:
            return _Range(base, base, one, sure=False)
        start = int(one.since) if 0 <= one.since < len(chapters) else place
        there = dates.read(fields.text(chapters[start].meta.get("date")))
        if here and there and here.year is not None and there.year is not None and here.kind == there.kind:
            gone = max(0, here.year - there.year)
            return _Range(base + max(0, gone - 1), base + gone + (1 if gone else 0), one)
        if one.ends != BEYOND:
            following = [
                numerals.years(r.value) for r in told.known.of(aged.card, "age") if r.since == one.ends
            ]
            return _Range(base, max([base, *following]), one)
        same = place == one.since or one.until != BEYOND
        return _Range(base, base if same else base + 1, one, sure=same)
    for one in told.known.of(aged.card, "birth"):
        born = dates.read(one.value)
        if born is None or here is None or born.year is None or born.kind != here.kind or here.year is None:
            continue
        full = here.year - born.year
        exact = len(born.parts) > 1 and len(here.parts) > 1 and born.parts[1:] != here.parts[1:]
        if exact:
            full -= here.parts[1:] < born.parts[1:]
        low = full if exact else full - 1
        return _Range(max(0, low), full + (2 if chinese else 0), one)
    return None


def _number_in(value: str) -> str:
    found = numerals.NUMBER.search(value)
    return found[0] if found else "1"


def _written(number: int, like: str) -> str:
    """A number below 150 in the notation of another."""
    if like.isdecimal() and like.isascii():
        return str(number)
    if not like.isascii():
        digits = "零一二三四五六七八九"
        hundreds, rest = divmod(number, 100)
        tens, ones = divmod(rest, 10)
        head = f"{digits[hundreds]}百" if hundreds else ""
        if tens:
            head += ("" if tens == 1 and not hundreds else digits[tens]) + "十"
        elif hundreds and ones:
            head += "零"
        return head + (digits[ones] if ones or not head else "")
    words = next((word for word in _english() if numerals.english(word) == number), str(number))
    return words.capitalize() if like[:1].isupper() else words


def _english() -> Iterable[str]:
    ones = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
    tens = "twenty thirty forty fifty sixty seventy eighty ninety"
    yield from ones.split()
    for ten in tens.split():
        yield ten
        yield from (f"{ten}-{one}" for one in ones.split()[:9])
