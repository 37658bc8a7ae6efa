"""Review questions from a page of concepts, ours or a model's."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from inkwright.domain.conversation import Locale
from inkwright.i18n import LOCALES, tr
from inkwright.offline.notes import pages

MOST = 12

_HEADING = re.compile(r"###\s+(?P<name>.+)")
_ROW = re.compile(r"(?P<in>\s*)-\s+(?:\*\*(?P<label>[^*]+?)[：:]?\*\*[：:]?\s*)?(?P<text>.*)")
_TITLED = re.compile(
    r"(?:\W*)(?:\w+\s*)?(?:character|location|timeline|faction|item|misc)\s*[｜|]\s*(?P<name>.*\w)\W*",
    re.IGNORECASE,
)
_FIELD = re.compile(r"(?P<label>内容|引句|Content|Quote)\s*[：:]\s*(?P<text>.+)", re.IGNORECASE)


@dataclass(slots=True)
class Point:
    """One concept as a page has it: texts by label (as in `pages.LABELS`, and condition, symbols)."""

    name: str
    rows: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))


@dataclass(frozen=True, slots=True)
class Question:
    asked: str
    answer: str
    about: str


def quiz_of(products: Sequence[str], locale: Locale) -> str:
    """Numbered questions, then the answers; each concept has one before any has two."""
    points = [point for text in products for point in _read(text)]
    queues = [list(_ask(point, locale)) for point in points]
    asked: list[Question] = []
    while any(queues) and len(asked) < MOST:
        for queue in queues:
            if queue and len(asked) < MOST:
                asked.append(queue.pop(0))
    out = [tr("offline_rules_quiz", locale)]
    if not asked:
        return "\n\n".join([*out, tr("offline_no_quiz", locale)]) + "\n"
    out.append(f"### {tr('offline_section_quiz', locale)}")
    out.append("\n".join(f"{n}. {question.asked}" for n, question in enumerate(asked, 1)))
    out.append(f"### {tr('offline_section_answers', locale)}")
    answer = [
        tr("offline_answer", locale, {"number": n, "answer": question.answer, "about": question.about})
        for n, question in enumerate(asked, 1)
    ]
    out.append("\n".join(answer))
    return "\n\n".join(out) + "\n"


def _read(text: str) -> list[Point]:
    """The concepts of a page."""
    labels = {
        pages.label(name, locale).casefold(): name
        for locale in LOCALES
        for name in (*pages.LABELS, "condition", "symbols")
    }
    out: list[Point] = []
    last = ""
    for line in text.split("\n"):
        if match := _HEADING.fullmatch(line.strip()) or _TITLED.fullmatch(line.strip()):
            out.append(Point(match["name"].strip()))
            last = ""
        elif out and (match := _FIELD.match(line.strip())):
            if match["label"].casefold() in ("内容", "content"):
                out[-1].rows["definition"].append(match["text"].strip())
        elif out and (match := _ROW.fullmatch(line)):
            name = labels.get((match["label"] or "").casefold(), "")
            if name:
                out[-1].rows[name].append(match["text"].strip())
                last = name
            elif match["in"] and last == "example":
                out[-1].rows["steps"].append(match["text"].strip())
    return [point for point in out if point.rows]


def _ask(point: Point, locale: Locale) -> Iterator[Question]:
    rows, name = point.rows, point.name

    def question(code: str, answer: Sequence[str], **params: str) -> Question:
        joined = " ".join(part for part in answer if part)
        return Question(tr(f"offline_ask_{code}", locale, {"name": name, **params}), joined, name)

    if rows["definition"]:
        yield question("definition", rows["definition"])
    if rows["law"]:
        yield question("law", rows["law"])
    if rows["formula"]:
        yield question("formula", [*rows["formula"], *rows["condition"], *rows["symbols"]])
    if rows["example"]:
        task = rows["example"][0]
        if rows["steps"]:
            yield question("example", rows["steps"], task=task)
        else:
            yield question("instance", [task])
    if rows["caution"]:
        yield question("caution", rows["caution"])
    if rows["definition"] and name in rows["definition"][0]:
        blank = rows["definition"][0].replace(name, "____")
        yield Question(tr("offline_ask_blank", locale, {"text": blank}), name, name)
