"""Chapters that go back in time without saying so, and people at two places at once or away from where they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from inkwright.checks.book.page import Page
from inkwright.checks.continuity import dates, known, offers, story
from inkwright.checks.continuity.claims import Act
from inkwright.checks.continuity.known import Known
from inkwright.checks.continuity.story import Story
from inkwright.domain.cards import Fact
from inkwright.domain.diagnostic import Diagnostic
from inkwright.domain.manuscript import Chapter
from inkwright.domain.params import Params
from inkwright.domain.text import Span
from inkwright.manuscript import fieldnames, fields
from inkwright.manuscript.overview import Overview

ORDER, TWO_PLACES, ELSEWHERE = "continuity_order", "continuity_two_places", "continuity_elsewhere"
CODES = frozenset({ORDER, TWO_PLACES, ELSEWHERE})


def find(book: Overview, page: Page) -> Iterable[Diagnostic]:
    told = story.of(book, page)
    if told is None or page.chapter is None:
        return
    if told.aside:
        return
    chapters = told.known.order.chapters
    times = book.once(
        "times", book.bearing, lambda: _Times([moment(one) for one in chapters], _slots(chapters))
    )
    yield from _order(page, told, times)
    yield from _two_places(page, told, times)
    yield from _elsewhere(book, page, told)


class _Times(NamedTuple):
    """The date of each chapter, and the chapters of each hour of a day that one names."""

    moments: Sequence[dates.Moment | None]
    slots: Mapping[tuple[dates.Moment, str], Sequence[int]]


def _slots(chapters: Sequence[Chapter]) -> Mapping[tuple[dates.Moment, str], Sequence[int]]:
    out: dict[tuple[dates.Moment, str], list[int]] = {}
    for at, chapter in enumerate(chapters):
        if (time := _time(chapter)) is not None and not story.flashback(chapter.meta.get("mode")):
            out.setdefault(time, []).append(at)
    return out


def _order(page: Page, told: Story, times: _Times) -> Iterator[Diagnostic]:
    here = told.known.order.chapters[told.place]
    now = times.moments[told.place]
    if now is None or here.meta.get("story_order") is not None:
        return
    for at in range(told.place - 1, -1, -1):
        before, then = told.known.order.chapters[at], times.moments[at]
        if (
            then is None
            or story.flashback(before.meta.get("mode"))
            or before.meta.get("story_order") is not None
        ):
            continue
        order = dates.compare(now, then)
        key = "date"
        if order == 0:
            a, b = dates.minute(_slot(here)), dates.minute(_slot(before))
            order, key = (-1 if a is not None and b is not None and a < b else 0), "time"
        if order == -1:
            where = known.field_of(page.text, key, "chapter.keys") or known.field_of(
                page.text, "date", "chapter.keys"
            )
            if where is not None:
                params = {
                    "found": fields.text(here.meta.get(key) or here.meta.get("date")),
                    "title": before.title,
                }
                params["before"] = fields.text(before.meta.get(key) or before.meta.get("date"))
                there = known.in_chapter(before, key if before.meta.get(key) is not None else "date")
                yield Diagnostic(
                    where, "information", ORDER, params, related=(there,), fixes=offers.aside(page, told, 0)
                )
            return
        if order is not None:
            return


def _two_places(page: Page, told: Story, times: _Times) -> Iterator[Diagnostic]:
    chapters = told.known.order.chapters
    here = chapters[told.place]
    time = _time(here)
    if time is None or not _locations(here):
        return
    mine = people(told.known, here)
    for at in times.slots.get(time, ()):
        other = chapters[at]
        if at >= told.place or not _locations(other):
            continue
        if not apart(told.known, _locations(here), _locations(other)):
            continue
        theirs = people(told.known, other)
        for card in theirs:
            where = _named(page, told, card, mine.get(card, ""))
            if where is None:
                continue
            name = told.known.cards[card].name
            params: Params = {
                "name": name,
                "here": tuple(_locations(here)),
                "there": tuple(_locations(other)),
                "title": other.title,
            }
            related = (
                known.in_chapter(
                    other, theirs[card].partition("\t")[0], name=theirs[card].partition("\t")[2]
                ),
            )
            fixes = () if where.start < page.front.body_start else offers.aside(page, told, where.start)
            yield Diagnostic(where, "information", TWO_PLACES, params, related=related, fixes=fixes)


def _elsewhere(book: Overview, page: Page, told: Story) -> Iterator[Diagnostic]:
    here = told.known.order.chapters[told.place]
    locations = _locations(here)
    if not locations:
        return
    mine = people(told.known, here)
    for card in told.known.stating("location") & told.known.people:
        rows = [one for one in told.known.of(card, "location") if one.holds(told.place)]
        for one in sorted(rows, key=lambda row: row.since)[-1:]:
            if not one.dated or one.changing(told.place):
                continue
            if told.known.location(one.value) is None or not apart(
                told.known, locations, fields.texts(one.value)
            ):
                continue
            where = _named(page, told, card, mine.get(card, ""))
            if where is None:
                continue
            params: Params = {"name": one.card.name, "here": tuple(locations), "there": one.value}
            fact = Fact(one.key, locations[0], offers.reference(told, page))
            yield Diagnostic(
                where,
                "information",
                ELSEWHERE,
                params,
                related=(known.related(one),),
                fixes=offers.stated(book, one.card, fact),
            )


def moment(chapter: Chapter) -> dates.Moment | None:
    return dates.read(fields.text(chapter.meta.get("date")))


def people(facts: Known, chapter: Chapter) -> dict[str, str]:
    """The people whom a chapter's front matter puts into it, each with the field and the name that say so."""
    out: dict[str, str] = {}
    for key in ("characters", "pov"):
        for name in fields.texts(chapter.meta[key]) if chapter.meta.get(key) is not None else ():
            card = facts.person(name)
            if card is not None:
                out.setdefault(card.path, f"{key}\t{name}")
    return out


def apart(facts: Known, here: Iterable[str], there: Iterable[str]) -> bool:
    """Whether two places cannot be one: none of them is, holds or is told of in the other."""
    return not any(_near(facts, a, b) for a in here for b in there)


def _near(facts: Known, a: str, b: str) -> bool:
    x, y = a.casefold(), b.casefold()
    if x in y or y in x:
        return True
    one, two = facts.location(a), facts.location(b)
    if one is not None and two is not None:
        return one.path == two.path or _tells(one.body, two.names, one) or _tells(two.body, one.names, two)
    return any(card is not None and _tells(card.body, (other,), card) for card, other in ((one, b), (two, a)))


def _tells(body: str, names: Iterable[str], card: object) -> bool:
    said = (
        body
        + " "
        + " ".join(map(fields.text, getattr(card, "fields", {}).values()))
        + getattr(card, "summary", "")
    )
    return any(name in said for name in names)


def _locations(chapter: Chapter) -> tuple[str, ...]:
    return fields.texts(chapter.meta["location"]) if chapter.meta.get("location") is not None else ()


def _slot(chapter: Chapter) -> str:
    said = fields.text(chapter.meta.get("time")) or fields.text(chapter.meta.get("date"))
    return dates.slot(said)


def _time(chapter: Chapter) -> tuple[dates.Moment, str] | None:
    now, slot = moment(chapter), _slot(chapter)
    return (now, slot) if now is not None and slot and len(now.parts) in (1, 2, 3) and _whole(now) else None


def _whole(now: dates.Moment) -> bool:
    """Whether a date names a day."""
    return now.kind == "day" or len(now.parts) == (2 if now.kind == "month" else 3)


def _named(page: Page, told: Story, card: str, said: str) -> Span | None:
    key, _, name = said.partition("\t")
    if name:
        for found in fieldnames.names(page.text, fieldnames.CHAPTER):
            if found.key == key and found.name == name:
                return found.span
    act = told.firsts(Act, (card,)).get(card)
    return None if act is None else act.span
