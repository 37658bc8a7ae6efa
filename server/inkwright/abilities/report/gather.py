"""From a book to the figures of its report: chapter by chapter, and no text is kept."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

from inkwright.abilities.report.figures import SEVERITIES, CastRow, ChapterRow, CodeRow, Report
from inkwright.abilities.report.measuring import measured
from inkwright.domain.conversation import Locale
from inkwright.domain.diagnostic import Severity
from inkwright.domain.errors import InkwrightError
from inkwright.domain.manuscript import Chapter
from inkwright.manuscript.ledger import ledger

if TYPE_CHECKING:
    from inkwright.abilities.studio import Studio
    from inkwright.manuscript.index import BookIndex
    from inkwright.workspace import OpenBook


async def gather(
    studio: Studio,
    book: OpenBook,
    locale: Locale,
    *,
    checked: bool = True,
    progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> Report:
    """The report of a book that has files; `progress` is told how many chapters of how many are done.

    `checked` False leaves the diagnostics out. A chapter that cannot be read stands in it and says why.
    Raises `InkwrightError`: book_needs_folder.
    """
    index = book.files
    await book.ready()
    await index.settled()
    chapters = index.chapters()
    checking = _Checking(studio, book, locale, on=checked and studio.settings.checks.enabled)
    rows: list[ChapterRow] = []
    for done, chapter in enumerate(chapters):
        progress(done, len(chapters))
        rows.append(await _chapter(chapter, index, book, checking))
    progress(len(chapters), len(chapters))
    return Report(
        book=index.book,
        rule=index.book.count,
        chapters=tuple(rows),
        cast=_cast(index, chapters),
        threads=ledger(chapters),
        codes=checking.codes(),
        problems=index.problems,
        checked=checking.on,
    )


class _Checking:
    """The diagnostics of one chapter after the other, summed up."""

    def __init__(self, studio: Studio, book: OpenBook, locale: Locale, *, on: bool) -> None:
        self.on = on
        self._studio = studio
        self._book = book
        self._locale = locale
        self._found: Counter[tuple[str, Severity]] = Counter()
        self._examples: dict[tuple[str, Severity], str] = {}

    async def of(self, text: str, path: str) -> Counter[Severity]:
        from inkwright.checks import checking

        if not self.on:
            return Counter()
        found = await self._studio.findings.of(text, self._book, path=path)
        for one in found:
            key = (one.code, one.severity)
            self._found[key] += 1
            if key not in self._examples:
                self._examples[key] = checking.message(one, self._locale)
        return Counter(one.severity for one in found)

    def codes(self) -> tuple[CodeRow, ...]:
        """The gravest first, then the most frequent."""
        rows = [CodeRow(code, rank, n, self._examples[code, rank]) for (code, rank), n in self._found.items()]
        return tuple(sorted(rows, key=lambda row: (SEVERITIES.index(row.severity), -row.count, row.code)))


async def _chapter(chapter: Chapter, index: BookIndex, book: OpenBook, checking: _Checking) -> ChapterRow:
    row = ChapterRow(chapter.path, chapter.title, chapter.volume, chapter.number, chapter.counts)
    try:
        text = await index.text(chapter.path)
    except InkwrightError as error:
        return ChapterRow(row.path, row.title, row.volume, row.number, row.counts, unread=error.fault.code)
    scenes, spoken = await asyncio.to_thread(measured, text, book.book.count)
    found = await checking.of(text, chapter.path)
    return ChapterRow(row.path, row.title, row.volume, row.number, row.counts, scenes, spoken, found)


def _cast(index: BookIndex, chapters: tuple[Chapter, ...]) -> tuple[CastRow, ...]:
    cards = index.cards()
    people = [card for card in cards if card.kind == "character"] or cards
    place = {chapter.path: at for at, chapter in enumerate(chapters)}
    rows = [
        CastRow(
            card.path,
            card.name,
            {place[path]: n for path, n in index.card_counts(card.path).items() if path in place},
        )
        for card in people
    ]
    return tuple(sorted((row for row in rows if row.total), key=lambda row: (-row.total, row.card)))
