"""What the offline engine has at hand: the book, the text that a passage stands in, the names of its cards."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from inkwright.checks import checking
from inkwright.domain.cards import Card
from inkwright.domain.conversation import Locale, Task
from inkwright.domain.diagnostic import Diagnostic
from inkwright.domain.errors import InkwrightError
from inkwright.domain.ports import BookView
from inkwright.domain.text import Span
from inkwright.manuscript.markdown import Document, scan
from inkwright.offline.cast import Cast


@dataclass(frozen=True, slots=True)
class Setting:
    """The text that a passage stands in and where. `known` False: the passage is all there is of it."""

    text: str
    span: Span
    document: Document
    known: bool


@dataclass(frozen=True)
class Chapter:
    """Whom `span` of a chapter's text names. `written` are the cards whose names were known."""

    text: str
    span: Span
    title: str
    written: tuple[Card, ...]
    language: Locale
    cast: Cast


_NUMBER = re.compile(
    r"第[〇零一二三四五六七八九十百千两\d]{1,9}[回章节讲课篇]|(?:Chapter|Lecture|Part)\s+[\dIVXLC]+\b",
    re.IGNORECASE,
)


def short(title: str) -> str:
    """What a chapter is called for short: its number where the title begins with one."""
    match = _NUMBER.match(title)
    return match[0] if match else title[:30].rstrip()


@dataclass(slots=True)
class Desk:
    view: BookView | None
    disabled: Collection[str] = ()
    chapter: Chapter | None = None
    _text: str | None = None
    _document: Document | None = None
    _found: tuple[Diagnostic, ...] | None = None
    _last: tuple[str, int] | None = None

    @property
    def language(self) -> str:
        return self.view.book.language if self.view is not None else ""

    def cards(self) -> tuple[Card, ...]:
        """The cards that may be shown to a model: a later run's model could read this run's answer."""
        return tuple(c for c in self.view.cards() if c.ai != "never") if self.view is not None else ()

    def names(self) -> frozenset[str]:
        """Every name and alias, also of cards that are shown to nobody."""
        cards = self.view.cards() if self.view is not None else ()
        return frozenset(name for card in cards for name in card.names)

    async def whole(self, task: Task) -> str:
        """The text of the task's chapter as it stands now; the passage where there is none."""
        if self.view is None or not task.path:
            return task.passage
        try:
            return await self.view.text(task.path)
        except InkwrightError:
            return task.passage

    def place(self, whole: str, task: Task) -> Setting:
        """Find the passage in the text. Takes CPU time: call it in a thread."""
        start = _find(whole, task.passage, task.offset)
        known = start >= 0 and bool(task.path or not task.offset) and whole is not task.passage
        if start < 0:
            whole, start = task.passage, 0
        if self._text != whole or self._document is None:
            self._text, self._document, self._found = whole, scan(whole), None
        return Setting(whole, Span(start, start + len(task.passage)), self._document, known)

    def title(self, task: Task, setting: Setting) -> str:
        """The title of the task's chapter: the book's, else its first heading; '' for neither."""
        chapters = self.view.chapters() if self.view is not None else ()
        own = next((c.title for c in chapters if c.path == task.path and task.path), "")
        heading = next((h.title for h in setting.document.headings), "")
        return " ".join((own or heading).split())

    def goes_on(self, setting: Setting) -> bool:
        """Whether a window begins behind the one that was asked about before it, in the same text."""
        last, self._last = self._last, (setting.text, setting.span.end)
        return last is not None and last[0] == setting.text and 0 < last[1] <= setting.span.start

    def proofread(self, setting: Setting) -> tuple[Diagnostic, ...]:
        """What the sure rules say of the whole text; once for all windows of it. Takes CPU time."""
        if self._found is None or self._text != setting.text:
            found = checking.check(
                setting.text,
                language=self.language,
                names=self.names(),
                disabled={*self.disabled, *checking.hints()},
            )
            self._found = tuple(found)
        return self._found


def _find(whole: str, passage: str, offset: int) -> int:
    """The occurrence of `passage` nearest to `offset`; -1 when the text has changed under it."""
    if whole.startswith(passage, offset):
        return offset
    before, after = whole.rfind(passage, 0, offset + len(passage)), whole.find(passage, offset)
    found = [at for at in (before, after) if at >= 0]
    return min(found, key=lambda at: abs(at - offset), default=-1)
