"""A passage as the breakdown reads it: its prose, the cast of its chapter, what its sentences are worth."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from inkwright.domain.conversation import Locale, Task
from inkwright.domain.text import Span
from inkwright.offline import cast as casts
from inkwright.offline import keys, prose
from inkwright.offline.cues import language_of
from inkwright.offline.desk import Chapter, Desk, Setting
from inkwright.offline.keys import Scored
from inkwright.offline.names import han
from inkwright.offline.prose import Prose

WHOLE = 60_000
"""Up to this many characters a chapter is searched for names as a whole."""
AROUND = 18_000


@dataclass(frozen=True)
class Reading:
    """`prose` is that of the passage; `earlier` the text of the chapter before it, '' where it begins it."""

    setting: Setting
    chapter: Chapter
    prose: Prose
    scored: Scored
    narrative: bool
    earlier: str

    @property
    def cast(self) -> casts.Cast:
        return self.chapter.cast

    @property
    def language(self) -> Locale:
        return self.chapter.language

    @property
    def title(self) -> str:
        return self.chapter.title

    @property
    def first(self) -> bool:
        """Whether the chapter begins with this passage."""
        return not self.earlier

    def known_before(self, forms: Collection[str]) -> int:
        """How often something is named in what went before."""
        return han.occurrences(self.earlier, forms) if self.earlier else 0


def read(desk: Desk, task: Task, whole: str) -> Reading:
    """Names are found in the whole chapter, sentences in the passage alone. Takes CPU time."""
    setting = desk.place(whole, task)
    passage = prose.read(setting.text, setting.document, setting.span)
    chapter = _chapter(desk, setting, desk.title(task, setting))
    start = setting.span.start
    begun = any(p.prose and p.kind != "heading" and p.span.end <= start for p in setting.document.paragraphs)
    narrative = keys.narrative(passage, chapter.cast)
    scored = keys.score(passage, chapter.cast, chapter.language, narrative=narrative)
    earlier = setting.text[:start] if begun else ""
    return Reading(setting, chapter, passage, scored, narrative, earlier)


def _chapter(desk: Desk, setting: Setting, title: str) -> Chapter:
    """The chapter, or of a very long one what is around the passage; read once for all steps of a batch."""
    known = desk.chapter
    written = casts.written(desk.cards())
    span = _around(setting)
    if known is not None and (known.text, known.span, known.title, known.written) == (
        setting.text,
        span,
        title,
        written,
    ):
        return known
    whole = prose.read(setting.text, setting.document, span)
    language = language_of(whole.text)
    cast = casts.read(whole.text, title, language, written)
    desk.chapter = Chapter(setting.text, span, title, written, language, cast)
    return desk.chapter


def _around(setting: Setting) -> Span:
    whole = Span(0, len(setting.text))
    if len(whole) <= WHOLE:
        return whole
    return Span(max(0, setting.span.start - AROUND), min(whole.end, setting.span.end + AROUND))
