"""Analysis by measures: a report in Markdown that names the chapter and the line of all it shows."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from inkwright.checks import checking
from inkwright.domain.cards import Card
from inkwright.domain.conversation import Task
from inkwright.domain.errors import InkwrightError
from inkwright.domain.manuscript import Chapter, Mention
from inkwright.domain.text import Lines, Span
from inkwright.manuscript.markdown import scan
from inkwright.offline import measures
from inkwright.offline.desk import Desk, Setting
from inkwright.offline.measures import Measures
from inkwright.offline.report import Report, percent, shorten

NEIGHBOURS = 5
_MANY = re.compile(
    r"([0-9]{1,3}|[一二两三四五六七八九十]{1,3}|two|three|four|five|six|seven|eight|nine|ten)\s*(?:章|chapters?)",
    re.IGNORECASE,
)
_NUMBERS = (
    {w: n for n, w in enumerate(["一", "二", "三", "四", "五", "六", "七", "八", "九", "十"], 1)}
    | {"两": 2}
    | {
        w: n
        for n, w in enumerate(["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"], 2)
    }
)
MOST_CHAPTERS = 20


async def analyse(desk: Desk, task: Task) -> str:
    whole = await desk.whole(task)
    setting = await asyncio.to_thread(desk.place, whole, task)
    chapters = _chapters(desk, task)
    rows = [await _row(desk, chapter, whole if chapter.path == task.path else None) for chapter in chapters]
    return await asyncio.to_thread(_report, desk, task, setting, [row for row in rows if row is not None])


def _chapters(desk: Desk, task: Task) -> Sequence[Chapter]:
    """The chapters up to the task's own that are set side by side: as many as the message names, else five."""
    if desk.view is None:
        return ()
    chapters = desk.view.chapters()
    at = next((i for i, chapter in enumerate(chapters) if chapter.path == task.path), -1)
    if at < 0:
        return ()
    named = _MANY.search(task.message)
    count = NEIGHBOURS
    if named:
        word = named[1].lower()
        count = int(word) if word.isdigit() else _NUMBERS.get(word, NEIGHBOURS)
    return chapters[max(0, at + 1 - min(max(2, count), MOST_CHAPTERS)) : at + 1]


class Row:
    """One chapter among its neighbours."""

    def __init__(self, chapter: Chapter, taken: Measures, people: Sequence[tuple[str, int]]) -> None:
        self.chapter, self.taken, self.people = chapter, taken, people


async def _row(desk: Desk, chapter: Chapter, text: str | None) -> Row | None:
    if desk.view is None:
        return None
    try:
        text = await desk.view.text(chapter.path) if text is None else text
    except InkwrightError:
        return None
    taken = await asyncio.to_thread(_whole, text)
    counts = Counter(mention.card for mention in desk.view.mentions(chapter.path))
    people = [(card.name, counts[card.path]) for card in desk.cards() if counts[card.path]]
    return Row(chapter, taken, sorted(people, key=lambda p: (-p[1], p[0])))


def _whole(text: str) -> Measures:
    return measures.take(text, scan(text), Span(0, len(text)))


def _report(desk: Desk, task: Task, setting: Setting, rows: Sequence[Row]) -> str:
    report = Report(task.locale)
    taken = measures.take(setting.text, setting.document, setting.span)
    lines = Lines(setting.text)
    first, last = lines.line_of(setting.span.start) + 1, lines.line_of(max(0, setting.span.end - 1)) + 1
    title = next((row.chapter.title for row in rows if row.chapter.path == task.path), "")
    report.title(
        "analysis_title",
        chapter=title or task.path or report.say("untitled"),
        path=task.path,
        first=first,
        last=last,
    )
    report.line("rules_analysis")
    if not taken.sentences:
        report.line("no_prose")
        return report.text()
    _rhythm(report, taken)
    _dialogue(report, taken)
    _repeats(report, taken, desk.names())
    _shapes(report, taken)
    _people(report, desk, task, setting, lines)
    _neighbours(report, rows)
    _marks(report, desk, setting, lines)
    report.section("limits")
    report.line("limits_analysis")
    return report.text()


def _rhythm(report: Report, taken: Measures) -> None:
    report.section("rhythm")
    report.line(
        "rhythm_summary",
        words=taken.words,
        sentences=len(taken.sentences),
        paragraphs=len(taken.blocks),
        mean=f"{taken.mean:.1f}",
        middle=f"{taken.middle:g}",
        short=percent(taken.short),
    )
    bounds = measures.BUCKETS
    labels = [
        f"≤{bounds[0]}",
        *(f"{a + 1}–{b}" for a, b in pairwise(bounds)),
        f">{bounds[-1]}",
    ]
    counts = taken.buckets
    total = len(taken.sentences)
    report.table(
        ("column_length", "column_sentences", "column_share"),
        [
            (label, n, f"{'█' * round(20 * n / total)} {percent(n / total)}")
            for label, n in zip(labels, counts, strict=True)
        ],
    )
    longest = sorted(taken.sentences, key=lambda s: -s.size)[:3]
    for sentence in longest:
        if sentence.size > bounds[-1]:
            report.item("long_sentence", line=sentence.line, size=sentence.size, quote=shorten(sentence.text))
    for run in measures.even(taken.sentences)[:5]:
        sentence = taken.sentences[run.first]
        report.item(
            "even_sentences",
            line=sentence.line,
            count=run.count,
            size=sentence.size,
            quote=shorten(sentence.text),
        )


def _dialogue(report: Report, taken: Measures) -> None:
    report.section("dialogue")
    speaking = sum(block.spoken > 0 for block in taken.blocks)
    report.line(
        "dialogue_summary", share=percent(taken.dialogue), speaking=speaking, paragraphs=len(taken.blocks)
    )
    for run in sorted(measures.silences(taken.blocks), key=lambda run: -run.count)[:3]:
        start, end = taken.blocks[run.first], taken.blocks[run.first + run.count - 1]
        report.item("silence", first=start.line, last=end.line, count=run.count)


def _repeats(report: Report, taken: Measures, names: frozenset[str]) -> None:
    report.section("repeats")
    found = measures.repeats(taken.sentences, names)
    if not found:
        report.line("no_repeats")
        return
    report.table(
        ("column_word", "column_times", "column_line", "column_near"),
        [
            (
                r.word,
                r.count,
                taken.sentences[r.sentence].line,
                report.say("near_same") if r.closest == 0 else r.closest,
            )
            for r in found
        ],
    )


def _shapes(report: Report, taken: Measures) -> None:
    report.section("shapes")
    total = len(taken.sentences)
    common = [(word, n) for word, n in measures.openings(taken.sentences).most_common(6) if n > 1]
    if common:
        report.line("openings", list=report.join(f"{word} ×{n} ({percent(n / total)})" for word, n in common))
    for run in sorted(measures.same_opening(taken.sentences), key=lambda run: -run.count)[:6]:
        sentence = taken.sentences[run.first]
        report.item(
            "same_opening", line=sentence.line, count=run.count, word=run.what, quote=shorten(sentence.text)
        )


def _people(report: Report, desk: Desk, task: Task, setting: Setting, lines: Lines) -> None:
    if desk.view is None or not task.path:
        return
    cards: dict[str, Card] = {card.path: card for card in desk.cards()}
    inside: dict[str, list[Mention]] = {}
    for mention in desk.view.mentions(task.path):
        if mention.card in cards and setting.span.start <= mention.span.start < setting.span.end:
            inside.setdefault(mention.card, []).append(mention)
    report.section("people")
    if not inside:
        report.line("no_people")
        return
    breaks = [
        b.start for b in setting.document.scene_breaks if setting.span.start <= b.start < setting.span.end
    ]
    rows = []
    for path, found in sorted(inside.items(), key=lambda item: (-len(item[1]), item[0])):
        scenes = Counter(sum(b < m.span.start for b in breaks) + 1 for m in found)
        where = report.join(f"{scene} (×{n})" for scene, n in sorted(scenes.items()))
        first, last = (lines.line_of(found[i].span.start) + 1 for i in (0, -1))
        rows.append((cards[path].name, cards[path].type, len(found), first, last, where))
    report.table(
        ("column_name", "column_type", "column_times", "column_first", "column_last", "column_scenes"), rows
    )


def _neighbours(report: Report, rows: Sequence[Row]) -> None:
    if len(rows) < 2:
        return
    report.section("neighbours")
    report.table(
        (
            "column_chapter",
            "column_words",
            "column_mean",
            "column_short",
            "column_dialogue",
            "column_paragraphs",
            "column_who",
        ),
        [
            (
                row.chapter.title or row.chapter.path,
                row.taken.words,
                f"{row.taken.mean:.1f}",
                percent(row.taken.short),
                percent(row.taken.dialogue),
                len(row.taken.blocks),
                report.join(f"{name} ×{n}" for name, n in row.people[:3]),
            )
            for row in rows
        ],
    )
    own, before = rows[-1].taken, [row.taken for row in rows[:-1] if row.taken.sentences]
    if own.sentences and before:
        mean = sum(m.mean for m in before) / len(before)
        if abs(own.mean - mean) > 0.25 * mean:
            report.item("mean_differs", own=f"{own.mean:.1f}", others=f"{mean:.1f}")
        talk = sum(m.dialogue for m in before) / len(before)
        if abs(own.dialogue - talk) > 0.2:
            report.item("dialogue_differs", own=percent(own.dialogue), others=percent(talk))


def _marks(report: Report, desk: Desk, setting: Setting, lines: Lines) -> None:
    inside = [
        one for one in desk.proofread(setting) if setting.span.start <= one.span.start < setting.span.end
    ]
    report.section("marks")
    if not inside:
        report.line("no_marks")
        return
    kinds = Counter(one.code for one in inside)
    rows = []
    for code, count in kinds.most_common(10):
        one = next(one for one in inside if one.code == code)
        rows.append((checking.message(one, report.locale), count, lines.line_of(one.span.start) + 1))
    report.table(("column_rule", "column_times", "column_line"), rows)
