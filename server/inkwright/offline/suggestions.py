"""Names and titles by rule: out of tables that avoid what the book has, and out of the chapter's own words."""

from __future__ import annotations

import asyncio
import hashlib
import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from itertools import product

from inkwright.domain.conversation import Locale, Task
from inkwright.domain.text import Lines, Span
from inkwright.manuscript.script import HAN
from inkwright.offline import measures, reading
from inkwright.offline.desk import Desk
from inkwright.offline.prose import Sentence
from inkwright.offline.reading import Reading
from inkwright.offline.report import Report

EACH = 4
"""Suggestions of one kind."""
KINDS = ("plain", "meaning", "strong")
_PLACE = re.compile(r"地名|地点|place|town|village", re.IGNORECASE)
_CLAUSE = re.compile(rf"(?<![{HAN}])[{HAN}]{{4,8}}(?![{HAN}])")
_ASKED = re.compile(r"[^，。．！？!?“”\"「」：:\s]{2,14}[？?]|\b[A-Z][^.!?\"“”\n]{3,40}\?")
_SAYS = re.compile(r"(?:[说问道答曰喊叫]|听如此说)$")
_SPOILS = 0.85
"""The part of a chapter that titles may come from: its end is not given away."""


async def names(desk: Desk, task: Task) -> str:
    """Names for a person, or for a place when the message asks for one; none near one that the book has."""
    whole = await desk.whole(task)
    return await asyncio.to_thread(_names, desk, task, whole)


def _names(desk: Desk, task: Task, whole: str) -> str:
    found = reading.read(desk, task, whole)
    known = {*desk.names(), *(form for entity in found.cast.entities for form in entity.forms)}
    report = Report(task.locale)
    report.line("rules_names")
    language = found.language if whole.strip() else task.locale
    place = bool(_PLACE.search(task.message))
    if place:
        report.head("names_places")
        for name in _first(_places(language), task, known, EACH * 2):
            report.row(name)
    else:
        surnames = set[str]()
        for kind in KINDS:
            report.head(f"names_{kind}")
            glosses = _given(language, kind)
            pairs = _people(language, glosses)
            for name in _first(pairs, task, known, EACH, surnames):
                given = name[1:] if language == "zh" else name.split()[0]
                report.item("name", name=name, gloss=glosses[given])
    report.line("names_avoided", count=len(known))
    report.line("limits_names")
    return report.text()


@cache
def _table(language: Locale) -> dict[str, dict[str, dict[str, str]]]:
    found: dict[str, dict[str, dict[str, str]]] = tomllib.loads(
        (files("inkwright.offline") / "given.toml").read_text("utf-8")
    )[language]
    return found


def _given(language: Locale, kind: str) -> dict[str, str]:
    rows = (row.split(" ", 1) for row in str(_table(language)["given"][kind]).strip().split("\n"))
    return {row[0]: row[1] for row in rows}


def _people(language: Locale, given: dict[str, str]) -> Iterator[str]:
    for surname, name in product(str(_table(language)["surnames"]).split(), given):
        yield surname + name if language == "zh" else f"{name} {surname}"


def _places(language: Locale) -> Iterator[str]:
    parts = _table(language)["places"]
    for head, middle in product(str(parts["heads"]).split(), str(parts["middles"]).split()):
        if language == "en":
            yield head + middle
        else:
            yield from (head + middle + tail for tail in str(parts["tails"]).split() if head != middle)


def _first(
    candidates: Iterator[str], task: Task, known: set[str], count: int, spent: set[str] | None = None
) -> list[str]:
    """Some of the candidates, the same for the same text, none like a name in use or like another."""
    spent = set() if spent is None else spent
    used = {char for name in known if not name.isascii() for char in name[1:]}
    words = {word.casefold() for name in known for word in name.split()}
    out: list[str] = []
    for name in sorted(
        candidates, key=lambda n: hashlib.sha256(f"{task.passage}\0{n}".encode("utf-8", "replace")).digest()
    ):
        parts = [name[0], name[1:]] if not name.isascii() else name.split()
        if any(part in spent or part.casefold() in words for part in parts):
            continue
        if not name.isascii() and (
            not used.isdisjoint(name[1:]) or any(name in k or k in name for k in known)
        ):
            continue
        spent.update(parts)
        out.append(name)
        if len(out) == count:
            break
    return out


async def titles(desk: Desk, task: Task) -> str:
    """Titles out of the chapter: its people and places, what comes back in it, what is asked in it."""
    whole = await desk.whole(task)
    return await asyncio.to_thread(_titles, desk, task, whole)


def _titles(desk: Desk, task: Task, whole: str) -> str:
    found = reading.read(desk, task, whole)
    report = Report(task.locale)
    report.line("rules_titles")
    early = [
        s
        for s in found.prose.sentences
        if s.span.start <= found.setting.span.start + _SPOILS * len(found.setting.span)
    ]
    if not early:
        report.line("no_prose")
        return report.text()
    lines = Lines(found.setting.text)
    seen = {found.title}
    for kind, rows in (
        ("plain", _facts(found, early)),
        ("image", _images(found, early)),
        ("open", _questions(early)),
    ):
        fresh = [(t, s) for t, s in dict(rows).items() if t not in seen][:EACH]
        seen.update(title for title, _ in fresh)
        if fresh:
            report.head(f"titles_{kind}")
        for title, sentence in fresh:
            report.item(
                "title_from_line",
                title=title,
                line=lines.line_of(sentence.span.start) + 1,
                quote=sentence.text[:40],
            )
    report.line("limits_titles")
    return report.text()


def _facts(found: Reading, early: Sequence[Sentence]) -> Iterator[tuple[str, Sentence]]:
    """What somebody does, in a clause as short as a title; then places."""
    people = {entity.name for entity in found.cast.of("character")}
    for sentence in found.scored.best(30, early):
        for match in _CLAUSE.finditer(sentence.text):
            named = [] if _SAYS.search(match[0]) else found.cast.named(match[0])
            if (
                len({e.name for e in named}) == 1
                and named[0].name in people
                and len(match[0]) > len(named[0].name) + 1
            ):
                yield match[0], sentence
    for entity in found.cast.of("location")[:2]:
        first = next((s for s in early if any(form in s.text for form in entity.forms)), None)
        if first is not None:
            yield entity.name, first
    if found.language == "en":
        for entity in found.cast.of("character")[:2]:
            first = next((s for s in early if any(form in s.text for form in entity.forms)), None)
            if first is not None:
                yield entity.name, first


def _images(found: Reading, early: Sequence[Sentence]) -> Iterator[tuple[str, Sentence]]:
    """Things, and words that come back."""
    named = [form for entity in found.cast.entities if entity.kind == "character" for form in entity.forms]
    words = [entity.name for entity in found.cast.of("item")]
    taken = measures.take(
        found.setting.text, found.setting.document, Span(found.setting.span.start, early[-1].span.end)
    )
    words += [repeat.word for repeat in measures.repeats(taken.sentences, named)]
    given: list[str] = []
    for word in words:
        if any(word in other or other in word for other in given):
            continue
        given.append(word)
        first = next((s for s in early if word in s.text or word in s.text.lower()), None)
        if first is not None and len(word) > 1:
            yield (f"The {word.capitalize()}" if word.isascii() else word), first


def _questions(early: Sequence[Sentence]) -> Iterator[tuple[str, Sentence]]:
    """Short questions that somebody asks."""
    for sentence in early:
        for match in _ASKED.finditer(sentence.text):
            yield match[0].strip(), sentence
