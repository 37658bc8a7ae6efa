"""Research by search: cards that answer, and the sentences of the chapters, verbatim and with their source."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from inkwright.domain.cards import Card
from inkwright.domain.conversation import Task
from inkwright.domain.errors import InkwrightError
from inkwright.domain.manuscript import Hit
from inkwright.domain.ports import BookView
from inkwright.domain.text import Lines, Span
from inkwright.manuscript.counting import visible
from inkwright.manuscript.markdown import scan
from inkwright.manuscript.sentences import split
from inkwright.offline import terms
from inkwright.offline.desk import Desk
from inkwright.offline.report import Report, shorten
from inkwright.offline.terms import Question

_COMPARE = re.compile(r"冲突|矛盾|校验|核对|一致|conflict|consisten|contradict|verify|check", re.IGNORECASE)
PER_CHAPTER = 3
"""Quotations that one chapter gives for one subject."""
QUOTATIONS = 60
CARDS = 40
NEAREST = 5
_FORM = 200
"""Characters of a name that are searched for: the chapter says whether the rest stands there too."""


@dataclass(frozen=True, slots=True)
class Quotation:
    """A sentence as it stands in a chapter. `line` from 1; `subjects` it was found for."""

    path: str
    line: int
    text: str
    subjects: tuple[str, ...]


async def research(desk: Desk, task: Task) -> str:
    report = Report(task.locale)
    report.title("research_title", message=shorten(task.message) or report.say("untitled"))
    report.line("rules_research")
    if desk.view is None:
        report.line("no_book")
        return report.text()
    question = await asyncio.to_thread(terms.read, task.message, desk.cards())
    if question.cards or question.terms:
        await _answer(report, desk.view, desk, question)
    elif task.path and _COMPARE.search(task.message):
        await _against(report, desk.view, desk, task)
    else:
        _all_cards(report, desk.view, desk)
    return report.text()


async def _answer(report: Report, view: BookView, desk: Desk, question: Question) -> None:
    """What is known of the subjects of a question."""
    cards = [*question.cards, *_cards_with(desk, question)]
    subjects = [*(card.name for card in question.cards), *question.terms]
    report.line("searched_for", list=report.join(subjects))
    report.section("cards")
    for card in cards[:CARDS]:
        _card(report, card)
    if not cards:
        report.line("no_card_found")
    report.section("quotations")
    found: list[Quotation] = []
    per = Counter[str]()
    names = {card.name: card.names for card in question.cards} | {term: (term,) for term in question.terms}
    holding = await _holding(view, [form for forms in names.values() for form in forms])
    for chapter in view.chapters():
        if chapter.path not in holding:
            continue
        try:
            text = await view.text(chapter.path)
        except InkwrightError:
            continue
        hits = await asyncio.to_thread(_quotations, chapter.path, text, names)
        for subject in names:
            if any(subject in hit.subjects for hit in hits):
                per[subject] += 1
        found += hits
    # What speaks of several subjects answers best; else the order of the book.
    found.sort(key=lambda one: -len(one.subjects))
    _quote(report, found[:QUOTATIONS])
    if not found:
        report.line("no_quotation")
        await _nearest(report, view, question.terms)
    elif len(found) > QUOTATIONS:
        report.line("more_quotations", count=len(found) - QUOTATIONS)
    missing = [subject for subject in names if not per[subject]]
    if missing:
        report.section("gaps")
        for subject in missing:
            report.item("gap", subject=subject)


async def _holding(view: BookView, forms: Iterable[str]) -> set[str]:
    """The chapters in which one of the forms may stand."""
    out: set[str] = set()
    for form in dict.fromkeys(form[:_FORM] for form in forms):
        wanted = form if '"' in form else f'"{form}"'
        out.update(hit.path for hit in await view.search(wanted) if hit.kind == "chapter" and hit.score >= 1)
    return out


async def _nearest(report: Report, view: BookView, terms: Sequence[str]) -> None:
    """Where nothing is found: the sentences of the chapters that hold most of what was asked for."""
    near: list[Quotation] = []
    for hit in await view.search(" ".join(term[:_FORM] for term in terms)):
        if hit.kind != "chapter" or hit.score >= 1 or len(near) >= NEAREST:
            continue
        try:
            text = await view.text(hit.path)
        except InkwrightError:
            continue
        near += await asyncio.to_thread(_around, hit, text)
    if near:
        report.line("nearest")
        _quote(report, near)


def _around(hit: Hit, text: str) -> list[Quotation]:
    """The sentence in which most of a hit stands; none where it does not stand in prose any more."""
    for paragraph in scan(text).paragraphs:
        if paragraph.kind == "heading" or not paragraph.prose or not paragraph.span.touches(hit.spans[0]):
            continue
        words = {span.of(text) for span in hit.spans}
        prose = visible(text, paragraph)
        sentences = [piece.of(prose).strip() for piece in split(prose)]
        best = max(sentences, key=lambda said: sum(word in said for word in words), default="")
        if shared := [word for word in dict.fromkeys(s.of(text) for s in hit.spans) if word in best]:
            return [Quotation(hit.path, Lines(text).line_of(paragraph.span.start) + 1, best, tuple(shared))]
    return []


def _cards_with(desk: Desk, question: Question) -> Iterator[Card]:
    """Cards that carry a term in their text, without their private part."""
    wanted = [term.casefold() for term in question.terms]
    for card in desk.cards():
        if card in question.cards:
            continue
        own = " ".join(
            [*card.names, card.type, card.summary, *card.tags, card.body, *(f.value for f in card.facts)]
        )
        if any(term in own.casefold() for term in wanted):
            yield card


async def _against(report: Report, view: BookView, desk: Desk, task: Task) -> None:
    """The cards that the passage mentions beside what the passage says: the writer compares."""
    cards = {card.path: card for card in desk.cards()}
    span = Span(task.offset, task.offset + len(task.passage))
    counts = Counter(m.card for m in view.mentions(task.path) if m.card in cards and span.touches(m.span))
    text = await desk.whole(task)
    report.line("against", path=task.path)
    for path, count in counts.most_common(CARDS):
        card = cards[path]
        hits = await asyncio.to_thread(_quotations, task.path, text, {card.name: card.names}, 5)
        _card(report, card, count)
        _quote(report, hits)
    if not counts:
        report.line("no_people")
    report.section("limits")
    report.line("limits_research")


def _all_cards(report: Report, view: BookView, desk: Desk) -> None:
    """Every card by kind, with its source and where it is first heard of."""
    cards = desk.cards()
    if not cards:
        report.line("no_cards")
        return
    counts = Counter[str]()
    first: dict[str, str] = {}
    for chapter in view.chapters():
        for mention in view.mentions(chapter.path):
            counts[mention.card] += 1
            first.setdefault(mention.card, chapter.path)
    for kind in dict.fromkeys(card.kind for card in cards):
        report.line("cards_of_kind", kind=report.say(f"kind_{kind}"))
        report.table(
            (
                "column_name",
                "column_aliases",
                "column_summary",
                "column_source",
                "column_times",
                "column_first_in",
            ),
            [
                (
                    card.name,
                    report.join(card.aliases),
                    card.summary or shorten(card.body),
                    card.path,
                    counts[card.path],
                    first.get(card.path, "–"),
                )
                for card in cards
                if card.kind == kind
            ],
        )
    silent = [card.name for card in cards if not counts[card.path]]
    if silent:
        report.section("gaps")
        report.item("never_mentioned", list=report.join(silent))


def _card(report: Report, card: Card, count: int | None = None) -> None:
    report.line("card_head", name=card.name, type=card.type, path=card.path)
    if count is not None:
        report.item("card_mentions", count=count)
    if card.aliases:
        report.item("card_aliases", list=report.join(card.aliases))
    if card.summary:
        report.row(shorten(card.summary))
    for fact in card.facts:
        when = (
            report.say("fact_when", since=fact.since or "…", until=fact.until or "…")
            if fact.since or fact.until
            else ""
        )
        report.item("fact", key=fact.key, value=fact.value, when=when)
    if not card.summary and not card.facts and card.body.strip():
        report.row(shorten(card.body))


def _quote(report: Report, found: Sequence[Quotation]) -> None:
    for one in found:
        report.quote(one.text)
        report.line("source", path=one.path, line=one.line, list=report.join(one.subjects))


def _quotations(
    path: str, text: str, names: dict[str, tuple[str, ...]], most: int = PER_CHAPTER
) -> list[Quotation]:
    """The first sentences of a chapter's prose for each subject, in order of place."""
    wanted = {subject: _pattern(forms) for subject, forms in names.items()}
    here = [subject for subject, pattern in wanted.items() if pattern.search(text)]
    if not here:
        return []
    lines = Lines(text)
    given = Counter[str]()
    out = []
    for paragraph in scan(text).paragraphs:
        if not paragraph.prose or paragraph.kind == "heading":
            continue
        prose = visible(text, paragraph)
        if not any(wanted[subject].search(prose) for subject in here):
            continue
        for piece in split(prose):
            sentence = piece.of(prose).strip()
            subjects = tuple(s for s in here if given[s] < most and wanted[s].search(sentence))
            if subjects:
                given.update(subjects)
                out.append(Quotation(path, lines.line_of(paragraph.span.start) + 1, sentence, subjects))
    return out


def _pattern(forms: tuple[str, ...]) -> re.Pattern[str]:
    def one(form: str) -> str:
        left = r"(?<!\w)" if form[0].isascii() else ""
        right = r"(?:s|es)?(?!\w)" if form[-1].isascii() else ""
        return left + re.escape(form) + right

    return re.compile(
        "|".join(one(form) for form in sorted(forms, key=len, reverse=True) if form), re.IGNORECASE
    )
