"""The reading steps of the breakdown pipeline: the segments of a batch, and what each says in its own words."""

from __future__ import annotations

import asyncio
from collections import Counter

from inkwright.domain.conversation import Task
from inkwright.domain.text import Lines, Span
from inkwright.i18n import tr
from inkwright.manuscript import segments
from inkwright.manuscript.counting import count
from inkwright.offline import keys, prose, reading
from inkwright.offline.cues import cue
from inkwright.offline.desk import Desk
from inkwright.offline.portrait import LONG
from inkwright.offline.prose import Prose, Sentence, excerpt
from inkwright.offline.reading import Reading
from inkwright.offline.report import Report, shorten

POINTS = 3
"""Key sentences of one segment."""
_NAMES = 6


async def split(desk: Desk, task: Task) -> str:
    """The segments of the batch: where each stands, how long it is, who is in it, how it begins."""
    whole = await desk.whole(task)
    return await asyncio.to_thread(_split, desk, task, whole)


def _split(desk: Desk, task: Task, whole: str) -> str:
    found = reading.read(desk, task, whole)
    report = Report(task.locale)
    report.line("rules_split")
    pieces = _segments(found)
    if not pieces:
        report.line("no_prose")
        return report.text()
    table = Lines(found.setting.text)
    for number, (span, part) in enumerate(pieces, 1):
        report.head("segment", number=number, begins=_head(found, span, part))
        first, last = table.line_of(span.start) + 1, table.line_of(max(span.start, span.end - 1)) + 1
        words = count(found.setting.text, found.setting.document, span).mixed
        report.item("segment_size", first=first, last=last, words=words, paragraphs=len(part.blocks))
        if names := _names(found, part):
            report.item("segment_who", list=report.join(names))
        if when := _times(found, part):
            report.item("segment_when", list=report.join(when))
        report.item("segment_ends", quote=shorten(part.sentences[-1].text))
    return report.text()


async def distil(desk: Desk, task: Task) -> str:
    """The key sentences of each segment, verbatim, under the names that they are about."""
    whole = await desk.whole(task)
    return await asyncio.to_thread(_distil, desk, task, whole)


def _distil(desk: Desk, task: Task, whole: str) -> str:
    found = reading.read(desk, task, whole)
    report = Report(task.locale)
    report.line("rules_distil")
    pieces = _segments(found)
    if not pieces:
        report.line("no_prose")
        return report.text()
    for number, (span, part) in enumerate(pieces, 1):
        report.head("segment", number=number, begins=_head(found, span, part))
        best = found.scored.best(POINTS, part.sentences) or _first(found, part)
        for sentence in best:
            about = dict.fromkeys(entity.name for entity in found.cast.named(sentence.text))
            report.line("point", about=report.join([*about][:4]) or tr("offline_point_plain", task.locale))
            report.quote(excerpt(sentence.raw, 2 * LONG[found.language]))
    return report.text()


def _first(found: Reading, part: Prose) -> list[Sentence]:
    """The first sentence that says anything, for a segment in which none is worth more than another."""
    quotable = [s for s in part.sentences if s.raw]
    said = [s for s in quotable if not keys.bare(s, found.cast, found.language)]
    return (said or quotable)[:1]


def _segments(found: Reading) -> list[tuple[Span, Prose]]:
    """The segments of the passage that have prose."""
    setting = found.setting
    spans = segments.within(setting.text, setting.span, segments.MAX_CHARS, setting.document)
    parts = [(span, prose.read(setting.text, setting.document, span)) for span in spans]
    return [(span, _own(found, span, part)) for span, part in parts if part.sentences]


def _own(found: Reading, span: Span, part: Prose) -> Prose:
    """The segment with the sentences of the passage, so that their worth is known."""
    own = tuple(s for s in found.prose.sentences if span.start <= s.span.start < span.end)
    return Prose(part.blocks, own or part.sentences)


def _head(found: Reading, span: Span, part: Prose) -> str:
    """The heading inside a segment, else its first words."""
    heading = next(
        (h.title for h in found.setting.document.headings if span.start <= h.span.start < span.end), ""
    )
    return heading.strip() or _begins(part.sentences[0])


def _begins(sentence: Sentence) -> str:
    return sentence.text if len(sentence.text) <= 24 else sentence.text[:24] + "…"


def _names(found: Reading, part: Prose) -> list[str]:
    counts = Counter(entity.name for entity in found.cast.named(part.text))
    return [f"{name} ×{n}" for name, n in sorted(counts.items(), key=lambda p: (-p[1], p[0]))[:_NAMES]]


def _times(found: Reading, part: Prose) -> list[str]:
    marks = (cue(found.language, "time").search(s.text) for s in part.sentences if not s.spoken)
    shown = [" ".join(m[0].split()) for m in marks if m and len(m[0]) > 1]
    return list(dict.fromkeys(shown))[:_NAMES]
