"""The concepts of notes: each with its definition, formulas, conditions, symbols, examples and cautions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from inkwright.offline.notes.lines import Line
from inkwright.offline.notes.signs import definitions, sign

Kind = Literal["concept", "law", "formula"]

_LATIN = re.compile(r"[A-Za-z]")
TERM = 24
WORDS = 7


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
        self.block = -1

    def take(self, line: Line) -> None:
        text = line.text
        if line.level:
            self.topic = text
            self.notes.topics.append((line.level, text))
            self.current = self.example = None
            return
        same, self.block = line.block == self.block, line.block
        if line.code:
            self._code(text)
        elif sign("doubt").search(text):
            self.notes.doubts.append(text)
        elif sign("task").match(text):
            self.notes.tasks.append(text)
        elif sign("example").match(text):
            self._example(text, line.raw)
        elif self.example is not None and (sign("solution").match(text) or (same and not self._begins(text))):
            self.example.append(text)
        elif sign("question").match(text) or text.endswith(("?", "？")):
            self.notes.questions.append(text)
        else:
            self.example = None
            self._statement(text, line.raw)

    def _begins(self, text: str) -> bool:
        """Whether a line begins something of its own."""
        return bool(
            _term(text)[0] or _law(text) or sign("caution").match(text) or sign("question").match(text)
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

    def _statement(self, text: str, raw: str) -> None:
        law = _law(text)
        term, rest = ("", text) if law else _term(text)
        if law or term:
            self.current = self.notes.concept(law or term, "law" if law else "concept", self.topic)
            self.current.said.append(text)
            self.current.quote = self.current.quote or raw
            self._formulas(rest, self.current)
            return
        if sign("symbols").match(text) and self._explain(text):
            return
        if sign("caution").match(text) or sign("caution_inside").search(text):
            concept = self._about(text) or self.current
            (concept.cautions if concept else self.notes.loose).append(text)
            return
        found = _formulas_in(text)
        concept = self._about(text) or self.current
        if found:
            concept = self._of_formula(text, found[0]) or concept
            if concept is None:
                concept = self.notes.concept(self.topic or found[0].strip("$ "), "formula", self.topic)
            self.current = concept
            self._formulas(text, concept)
            concept.quote = concept.quote or raw
        elif sign("condition").match(text) and concept is not None:
            (concept.formulas[-1].conditions if concept.formulas else concept.conditions).append(text)
        elif concept is not None:
            concept.points.append(text)
        else:
            self.notes.loose.append(text)

    def _of_formula(self, text: str, formula: str) -> Concept | None:
        """The concept that the words before a formula name, as in: speed v = s/t."""
        lead = _trim(text[: text.find(formula)])
        lead = re.sub(
            r"(?:的)?(?:计算)?(?:公式|formula)?\s*(?:是|为|[：:]|is)?\s*$", "", lead, flags=re.IGNORECASE
        ).strip()
        if lead and _named(lead) and not sign("condition").match(lead):
            return self.notes.concept(lead, "formula", self.topic)
        return None

    def _formulas(self, text: str, concept: Concept) -> None:
        for found in _formulas_in(text):
            if all(found != known.text for known in concept.formulas):
                concept.formulas.append(Formula(found))
        if concept.formulas:
            last = concept.formulas[-1]
            place = text.find(last.text)
            rest = text[:place] + text[place + len(last.text) :] if place >= 0 else text
            last.symbols += [pair for pair in _symbols(rest) if pair not in last.symbols]
            for match in sign("condition").finditer(rest):
                clause = _clause(rest, match.start())
                if clause and clause not in last.conditions and len(clause) < 120:
                    last.conditions.append(clause)

    def _explain(self, text: str) -> bool:
        """Symbols that are explained below a formula."""
        if self.current is None or not self.current.formulas:
            return False
        found = _symbols(text)
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


def _law(text: str) -> str:
    """The name of the theorem or law that a line states, '' for none."""
    if match := sign("theorem").match(text):
        if match["name"]:
            return _trim(match["name"])
        rest = text[match.end() :]
        named = sign("colon").match(rest)
        if named and _named(_trim(named["term"])):
            return _trim(named["term"])
        return "" if not match[0].strip(" :：.、") or len(rest) < 4 else _trim(match[0])
    if match := sign("named_law").match(text):
        name = _trim(match["name"])
        return name if _named(name) else ""
    return ""


def _term(text: str) -> tuple[str, str]:
    """What a line defines and the rest of the line; ('', text) when it defines nothing."""
    for pattern in definitions():
        if match := pattern.match(text):
            term = _trim(match["term"])
            if _named(term):
                return term, text
    if (match := sign("colon").match(text)) and _named(term := _trim(match["term"])):
        return term, text
    return "", text


def _named(term: str) -> bool:
    """Whether a stretch of text can be the name of a concept."""
    if not 1 < len(term) <= (48 if _LATIN.match(term) else TERM) or sign("no_term").search(term):
        return False
    return (
        len(term.split()) <= WORDS
        and not re.search(r"[=$\\，。；：？！]", term)
        and bool(re.search(r"\w", term))
    )


def _trim(term: str) -> str:
    out = sign("trim").sub("", term.strip())
    return sign("trim").sub("", out).strip()


def _lead(text: str) -> str:
    return re.split(r"[：:，,。.？?]", text, maxsplit=1)[0].strip()[:TERM] or text[:TERM]


def _formulas_in(text: str) -> list[str]:
    """The formulas of a line: those between math marks, else what has an equals sign."""
    marked = [
        m[0]
        for m in sign("math").finditer(text)
        if re.search(r"[=≈≤≥<>∝≡]|\\(?:le|ge|approx|to|int|sum|lim|frac)", m[0])
    ]
    if marked or sign("math").search(text):
        return list(dict.fromkeys(marked))
    found = [m["formula"].strip(" .,;)") for m in sign("plain_formula").finditer(text)]
    return list(dict.fromkeys(f for f in found if not re.search(r"[a-z]{3,}\s+[a-z]{3,}\s+[a-z]{2,}", f)))


def _symbols(text: str) -> list[tuple[str, str]]:
    return [
        (m["symbol"], m["meaning"].strip()) for m in sign("symbol").finditer(text) if m["meaning"].strip()
    ]


def _clause(text: str, at: int) -> str:
    """The clause that a condition begins, to its end."""
    low = max(text.rfind(mark, 0, at) for mark in "，,；;。（(") + 1
    match = re.search(r"[；;。）)]|\.(?:\s|$)", text[at:])
    return text[low : at + match.start() if match else len(text)].strip(" ，,")
