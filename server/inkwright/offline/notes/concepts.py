"""The concepts of notes: each with its definition, formulas, conditions, symbols, examples and cautions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from inkwright.offline.notes.forms import (
    TERM,
    clause_of,
    formulas_in,
    law_of,
    named,
    symbols_in,
    term_of,
    trim,
)
from inkwright.offline.notes.lines import Line
from inkwright.offline.notes.signs import sign

Kind = Literal["concept", "law", "formula"]

_ABOUT = re.compile(r"的?(?:概念|定义|含义|意义|介绍|简介|概述)$")


@dataclass(slots=True)
class Formula:
    """A formula as it stands, with what the notes say of when it holds and what its symbols mean."""

    text: str
    conditions: list[str] = field(default_factory=list)
    symbols: list[tuple[str, str]] = field(default_factory=list)


@dataclass(slots=True)
class Concept:
    """What the notes have of one thing. All texts are the notes' own; `quote` stands in them to the letter."""

    name: str
    kind: Kind = "concept"
    topic: str = ""
    said: list[str] = field(default_factory=list)
    formulas: list[Formula] = field(default_factory=list)
    conditions: list[str] = field(default_factory=list)
    examples: list[list[str]] = field(default_factory=list)
    cautions: list[str] = field(default_factory=list)
    points: list[str] = field(default_factory=list)
    quote: str = ""

    @property
    def weight(self) -> int:
        return (
            3 * len(self.said)
            + 3 * len(self.formulas)
            + 2 * len(self.examples)
            + len(self.cautions)
            + len(self.points)
        )


@dataclass(slots=True)
class Notes:
    """Everything that was found. `topics` are headings with their level; `loose` belongs to no concept."""

    concepts: list[Concept] = field(default_factory=list)
    topics: list[tuple[int, str]] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    tasks: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    loose: list[str] = field(default_factory=list)
    _by_name: dict[str, Concept] = field(default_factory=dict)

    def concept(self, name: str, kind: Kind, topic: str) -> Concept:
        name = _ABOUT.sub("", name) or name
        found = self._by_name.get(name.casefold())
        if found is None:
            found = self._by_name[name.casefold()] = Concept(name, kind, topic)
            self.concepts.append(found)
        return found


def gather(lines: Sequence[Line]) -> Notes:
    """The notes put in order. Linear in the lines, but for the names of what was found before."""
    reader = _Reader()
    for line in lines:
        reader.take(line)
    reader.notes.concepts = [c for c in reader.notes.concepts if c.weight]
    return reader.notes


class _Reader:
    def __init__(self) -> None:
        self.notes = Notes()
        self.topic = ""
        self.current: Concept | None = None
        self.example: list[str] | None = None
        self.open: Concept | None = None
        """A law or definition whose number was told and whose words are still to come."""
        self.block = -1

    def take(self, line: Line) -> None:
        text = line.text
        if line.level:
            self.block, self.open = line.block, None
            self._topic(text)
            return
        same, self.block = line.block == self.block, line.block
        if line.code:
            self._code(text)
        elif match := sign("section").fullmatch(text):
            self._topic(match["title"].strip())
        elif self.open is not None:
            self.open.said[-1] += " " + text
            self.open.quote, self.open = line.raw or self.open.quote, None
        elif self.example is not None and (
            sign("solution").match(text) or (same and _works(text) and not self._begins(text))
        ):
            self.example.append(text)
        else:
            self.example = None
            if not self._aside(text):
                self._statement(text, line.raw, line)

    def _topic(self, title: str) -> None:
        self.topic = title
        self.notes.topics.append((2, title))
        self.current = self.example = None

    def _aside(self, text: str) -> bool:
        """Lines that say nothing of a matter: what is doubtful, to be done, asked, or talk."""
        for kind, kept in (("doubt", self.notes.doubts), ("task", self.notes.tasks)):
            sought = sign(kind).search if kind == "doubt" else sign(kind).match
            if sought(text):
                kept.append(text)
                if kind == "task":
                    # What comes after it is no longer of the concept before it.
                    self.current = None
                return True
        if sign("example").match(text):
            return False
        if sign("question").match(text) or text.endswith(("?", "？")):
            self.notes.questions.append(text)
            return True
        if sign("chatter").match(text) and not formulas_in(text):
            told = sign("caution_inside").search(text) and self.current
            (self.current.cautions if told and self.current else self.notes.loose).append(text)
            return True
        return False

    def _begins(self, text: str) -> bool:
        """Whether a line begins something of its own."""
        return bool(
            term_of(text)
            or law_of(text)
            or any(sign(k).match(text) for k in ("caution", "question", "example", "chatter"))
        )

    def _code(self, text: str) -> None:
        if self.example is not None:
            self.example.append(text)
        elif self.current is not None:
            self.current.examples.append([text])

    def _example(self, text: str, raw: str) -> None:
        concept = self._about(text) or self.current
        if concept is None and self.topic:
            concept = self.notes.concept(self.topic, "concept", self.topic)
        self.example = [text]
        if concept is None:
            concept = self.notes.concept(_lead(text), "concept", self.topic)
        concept.examples.append(self.example)
        concept.quote = concept.quote or raw

    def _statement(self, text: str, raw: str, line: Line) -> None:
        if sign("example").match(text):
            self._example(text, raw)
        elif sign("caution").match(text):
            concept = self._about(text) or self.current
            (concept.cautions if concept else self.notes.loose).append(text)
        elif (match := sign("labelled").match(text)) and (self.current or self.topic):
            self._define(self._labelled(), "concept", text, raw, match["rest"])
        elif law := law_of(text):
            self._define(law, "formula" if sign("formula_name").search(law) else "law", text, raw, text)
        elif term := _marked(line) or term_of(text, head=line.head):
            self._define(term, "concept", text, raw, text)
        elif not (sign("symbols").match(text) and self._explain(text)):
            self._rest(text, raw)

    def _labelled(self) -> str:
        if self.current is not None and not self.current.said:
            return self.current.name
        return self.topic or (self.current.name if self.current else "")

    def _define(self, name: str, kind: Kind, text: str, raw: str, rest: str) -> None:
        concept = self.current = self.notes.concept(name, kind, self.topic)
        self._formulas(rest, concept)
        bare = text
        for formula in concept.formulas:
            bare = bare.replace(formula.text, "")
        said = len(re.sub(r"\W|_", "", bare)) - len(re.sub(r"\W|_", "", name))
        if said > 3 or not concept.formulas:
            concept.said.append(text)
        elif (remark := sign("remark").search(text)) and remark["text"]:
            kept = concept.cautions if sign("caution_inside").search(remark["text"]) else concept.points
            kept.append(remark["text"].strip())
        if (match := sign("theorem").match(text)) and len(text[match.end() :].strip(" .：:。")) < 2:
            self.open = concept
        concept.quote = concept.quote or raw

    def _rest(self, text: str, raw: str) -> None:
        """A line that defines nothing: of the concept that it begins with, else of the one before it."""
        if sign("caution_inside").search(text):
            concept = self._about(text) or self.current
            (concept.cautions if concept else self.notes.loose).append(text)
            return
        concept = self._about(text[: TERM // 2]) or self.current
        found = formulas_in(text)
        if found:
            concept = self._of_formula(text, found[0]) or concept
            if concept is None:
                concept = self.notes.concept(self.topic or found[0].strip("$ "), "formula", self.topic)
            self.current = concept
            self._formulas(text, concept)
            concept.quote = concept.quote or raw
        elif sign("condition").match(text) and self.current is not None:
            last = self.current
            (last.formulas[-1].conditions if last.formulas else last.conditions).append(text)
        elif concept is not None:
            concept.points.append(text)
        else:
            self.notes.loose.append(text)

    def _of_formula(self, text: str, formula: str) -> Concept | None:
        """The concept that the words before a formula name, as in: speed v = s/t."""
        lead = trim(text[: text.find(formula)])
        lead = re.sub(
            r"(?:的)?(?:计算)?(?:公式|formula)?\s*(?:是|为|[：:]|is)?\s*$", "", lead, flags=re.IGNORECASE
        ).strip()
        if lead and named(lead) and not sign("condition").match(lead):
            return self.notes.concept(lead, "formula", self.topic)
        return None

    def _formulas(self, text: str, concept: Concept) -> None:
        for found in formulas_in(text):
            if all(found != known.text for known in concept.formulas):
                concept.formulas.append(Formula(found))
        if concept.formulas:
            last = concept.formulas[-1]
            place = text.find(last.text)
            rest = text[:place] + text[place + len(last.text) :] if place >= 0 else text
            last.symbols += [pair for pair in symbols_in(rest) if pair not in last.symbols]
            for match in sign("condition").finditer(rest):
                clause = clause_of(rest, match.start())
                if clause and clause not in last.conditions and len(clause) < 120:
                    last.conditions.append(clause)

    def _explain(self, text: str) -> bool:
        """Symbols that are explained below a formula."""
        if self.current is None or not self.current.formulas:
            return False
        found = symbols_in(text)
        self.current.formulas[-1].symbols += found
        return bool(found)

    def _about(self, text: str) -> Concept | None:
        """The concept with the longest name that a line names."""
        low = text.casefold()
        return max(
            (c for c in self.notes.concepts if len(c.name) > 1 and c.name.casefold() in low),
            key=lambda c: len(c.name),
            default=None,
        )


def _marked(line: Line) -> str:
    """The term in bold that a line defines: it may be one character long, as 熵 is."""
    return line.marked if line.marked and named(line.marked, least=1) else ""


def _works(text: str) -> bool:
    """Whether a line may be a step of an example."""
    return bool(re.search(r"[\d=≈]", text))


def _lead(text: str) -> str:
    return re.split(r"[：:，,。.？?]", text, maxsplit=1)[0].strip()[:TERM] or text[:TERM]
