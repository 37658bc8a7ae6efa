"""The steps of the note pipeline that write: the outline, the concepts, the questions."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence

from inkwright.domain.conversation import Locale, Task
from inkwright.i18n import tr
from inkwright.offline.desk import Desk
from inkwright.offline.notes import pages
from inkwright.offline.notes.concepts import Concept, Notes, gather
from inkwright.offline.notes.lines import lines
from inkwright.offline.notes.quiz import quiz_of

MOST = 30
"""Concepts that one page shows."""


def read(desk: Desk, task: Task, whole: str) -> Notes:
    """The notes of the task's passage. Takes CPU time."""
    setting = desk.place(whole, task)
    return gather(lines(setting.text, setting.document, setting.span))


async def organise(desk: Desk, task: Task) -> str:
    """An outline: topics, and under each what was found, by kind, in the notes' own words."""
    whole = await desk.whole(task)
    return await asyncio.to_thread(lambda: _outline(read(desk, task, whole), desk, task))


def _outline(notes: Notes, desk: Desk, task: Task) -> str:
    locale = task.locale
    out = [tr("offline_rules_organise", locale)]
    if not notes.concepts and not notes.loose:
        return "\n\n".join([*out, tr("offline_no_notes", locale)]) + "\n"
    have = {name.casefold() for card in desk.cards() for name in card.names}
    topics = list(dict.fromkeys(concept.topic for concept in notes.concepts))
    for topic in topics:
        out.append(f"### {topic or tr('offline_section_concepts', locale)}")
        rows: list[str] = []
        for concept in notes.concepts:
            if concept.topic == topic:
                known = tr("offline_has_card", locale) if concept.name.casefold() in have else ""
                rows.append(f"- **{concept.name}**{known}")
                rows += [f"  {row}" for row in _sketch(concept, locale)]
        out.append("\n".join(rows))
    out += pages.section("questions", notes.questions, locale)
    out += pages.section("loose", notes.loose[:MOST], locale)
    out += pages.section("tasks", notes.tasks, locale)
    out += pages.section("doubts", notes.doubts, locale)
    bare = [c.name for c in notes.concepts if not c.said]
    if bare:
        out.append(tr("offline_to_be_added", locale, {"list": tr("offline_note_and", locale).join(bare)}))
    return "\n\n".join(out) + "\n"


def _sketch(concept: Concept, locale: Locale) -> Iterator[str]:
    def row(name: str, text: str) -> str:
        return tr("offline_note_row", locale, {"label": pages.label(name, locale), "text": text})

    yield from (row("law" if concept.kind == "law" else "definition", said) for said in concept.said)
    yield from (row("formula", " ".join(formula.text.split())) for formula in concept.formulas)
    yield from (row("example", " ".join(example[0].split())[:80]) for example in concept.examples)
    yield from (row("caution", caution) for caution in concept.cautions)


async def concepts(desk: Desk, task: Task) -> str:
    """Each concept with definition, formulas, conditions, symbols, examples and what to review."""
    whole = await desk.whole(task)
    return await asyncio.to_thread(lambda: _concepts(read(desk, task, whole), task.locale))


def _concepts(notes: Notes, locale: Locale) -> str:
    out = [tr("offline_rules_concepts", locale)]
    if not notes.concepts:
        return "\n\n".join([*out, tr("offline_no_concepts", locale)]) + "\n"
    for concept in notes.concepts[:MOST]:
        out += [f"### {concept.name}", "\n".join(pages.body(concept, locale))]
    if len(notes.concepts) > MOST:
        out.append(tr("offline_more_concepts", locale, {"count": len(notes.concepts) - MOST}))
    return "\n\n".join(out) + "\n"


async def quiz(desk: Desk, task: Task) -> str:  # noqa: ARG001
    """Questions with answers out of what the steps before came to; no passage is seen."""
    products = [text for name, text in task.products if name == "concepts"]
    products = products or [text for _, text in task.products]
    return await asyncio.to_thread(quiz_of, products, task.locale)


def names(text: str) -> Sequence[str]:
    """The names of the concepts of a page."""
    return re.findall(r"^### (.+)$", text, re.MULTILINE)
