"""A passage as the breakdown reads it: its prose, the cast of its chapter, what its sentences are worth."""

from __future__ import annotations

from dataclasses import dataclass

from inkwright.domain.conversation import Locale, Task
from inkwright.domain.text import Span
from inkwright.offline import cast as casts
from inkwright.offline import keys, prose
from inkwright.offline.cast import Cast
from inkwright.offline.cues import language_of
from inkwright.offline.desk import Desk, Setting
from inkwright.offline.keys import Scored
from inkwright.offline.prose import Prose


@dataclass(frozen=True)
class Reading:
    """`language` is the passage's own, `title` its chapter's. `first` False: the chapter began before it."""

    setting: Setting
    prose: Prose
    cast: Cast
    scored: Scored
    language: Locale
    title: str
    narrative: bool
    first: bool


def read(desk: Desk, task: Task, whole: str) -> Reading:
    """Names are found in the whole chapter, sentences in the passage alone. Takes CPU time."""
    setting = desk.place(whole, task)
    passage = prose.read(setting.text, setting.document, setting.span)
    chapter = prose.read(setting.text, setting.document, Span(0, len(setting.text)))
    language = language_of(chapter.text)
    title = desk.title(task, setting)
    cast = casts.read(chapter.text, title, language, desk.cards())
    narrative = keys.narrative(passage, cast)
    scored = keys.score(passage, cast, language, narrative=narrative)
    first = (
        not chapter.blocks
        or not passage.blocks
        or passage.blocks[0].span.start <= chapter.blocks[0].span.start
    )
    return Reading(setting, passage, cast, scored, language, title, narrative, first)
