"""One paragraph in its sentences and clauses: what is said aloud is hidden, who stands where is known."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from inkwright.checks.continuity.words import HAN, QUOTED, Words, words
from inkwright.domain.text import Span
from inkwright.manuscript.mentions import Hit

_PAIRS = {"“": "”", "「": "」", "『": "』", "《": "》"}
_OPEN = re.compile('[“「『《"]')
_SENTENCE = re.compile(r"[。．！？!?…]+|\.(?=\s|\Z|\ue000)|[；;](?=\s|\Z|[^\x00-\x7f])|[\r\n]+")
_CLAUSE = re.compile(r"[，,：:—–。．！？!?…；;\r\n、.\ue000]")
_AND = re.compile(r"\s*+(?:和|与|、|及|以及|&|,\s++and|(?<=\s)and)\s*")
_WITH = re.compile(r"\s*[跟同]\s*")


class Who(NamedTuple):
    """A name of one card in a paragraph."""

    start: int
    end: int
    card: str


class Subject(NamedTuple):
    """Those who stand where the one who acts stands. `end` is where what they do begins."""

    people: tuple[Who, ...]
    end: int


@dataclass(frozen=True)
class Clauses:
    """`told` is the narration: as long as `text`, with each quotation's characters replaced by `QUOTED`."""

    text: str
    told: str
    quotes: tuple[Span, ...]
    words: Words
    people: tuple[Who, ...]
    things: tuple[Who, ...]
    """The names in the narration, by place."""
    hidden: tuple[Who, ...]
    """Things in quotations."""

    @cached_property
    def bare(self) -> str:
        """The narration without the names of things, which may hold any word."""
        out = self.told
        for who in self.things:
            out = out[: who.start] + QUOTED * (who.end - who.start) + out[who.end :]
        return out

    @cached_property
    def sentences(self) -> tuple[Span, ...]:
        out: list[Span] = []
        at = 0
        for match in _SENTENCE.finditer(self.told):
            out.append(Span(at, match.end()))
            at = match.end()
        if at < len(self.told):
            out.append(Span(at, len(self.told)))
        return tuple(out)

    def sentence(self, at: int) -> Span:
        spans = self.sentences
        return spans[max(0, bisect_right(spans, at, key=lambda s: s.start) - 1)]

    def clause(self, at: int) -> Span:
        """The clause around a place."""
        start = 0
        for match in _CLAUSE.finditer(self.told, max(0, at - 120), at):
            start = match.end()
        ending = _CLAUSE.search(self.told, at)
        return Span(start, ending.start() if ending else len(self.told))

    @cached_property
    def solo(self) -> str:
        """The one card of a person that the narration names, '' for none or several."""
        named = {who.card for who in self.people}
        return next(iter(named)) if len(named) == 1 else ""

    @cached_property
    def haunted(self) -> bool:
        """Whether what is told is nobody's waking life."""
        return self.words.spectral.search(self.text) is not None

    @cached_property
    def subjects(self) -> tuple[Subject, ...]:
        return tuple(self._subjects())

    def alone(self, where: Span, card: str) -> bool:
        """Whether no other person is named in a stretch of narration."""
        return not any(where.start <= w.start < where.end and w.card != card for w in self.people)

    def topic(self, at: int) -> tuple[str, int]:
        """Who a place in the narration is about, and where that one is named: the subject of its sentence, with
        nobody named between. ('', 0) where that is not sure."""
        sentence = self.sentence(at)
        before = [s for s in self.subjects if sentence.start <= s.people[0].start and s.end <= at]
        if before:
            last = before[-1]
            if len(last.people) == 1 and self.alone(Span(last.end, at), last.people[0].card):
                return last.people[0].card, last.people[0].start
            return "", 0
        lead = self.told[sentence.start : at].lstrip()
        if self.solo and _pronoun(lead) and self.alone(Span(0, at), self.solo):
            named = next((w.start for w in self.people if w.start < at), None)
            if named is not None:
                return self.solo, named
        return "", 0

    def _subjects(self) -> Iterator[Subject]:
        people = list(self.people)
        at = 0
        while at < len(people):
            group = [people[at]]
            while at + 1 < len(people):
                joined = _AND.fullmatch(self.told, people[at].end, people[at + 1].start)
                if joined is None:
                    break
                at += 1
                group.append(people[at])
            at += 1
            end = group[-1].end
            if at < len(people) and _WITH.fullmatch(self.told, end, people[at].start):
                end = people[at].end  # 林夏跟周衡走进来
            if self._leads(group[0].start) and not self.told.startswith(("的", "'s", "’s"), end):
                yield Subject(tuple(group), end)

    def _leads(self, start: int) -> bool:
        """Whether a name stands where a clause begins, but for words that say when and how."""
        begin = 0
        for match in _CLAUSE.finditer(self.told, max(0, start - 60), start):
            if match[0] != "、":
                begin = match.end()
        return self.words.lead.fullmatch(self.told, begin, start) is not None


_PRONOUN = re.compile(r"(?:他|她|[Hh]e\b|[Ss]he\b|[Hh]is\b|[Hh]er\b)")


def _pronoun(lead: str) -> bool:
    return _PRONOUN.match(lead) is not None


def read(
    text: str,
    prose: Sequence[Span],
    hits: Sequence[Hit],
    people: Collection[str],
    things: Collection[str],
) -> Clauses:
    """A paragraph. `people` and `things` are the paths of cards that can act, and that can be held."""
    body = _prose(text, prose)
    quotes = tuple(_quotes(body))
    told = list(body)
    for quote in quotes:
        told[quote.start : quote.end] = QUOTED * len(quote)
    language = words("zh" if HAN.search(body) else "en")
    seen: tuple[list[Who], list[Who], list[Who]] = ([], [], [])
    for start, end, cards in hits:
        if len(cards) != 1:
            continue
        who = Who(start, end, cards[0])
        if told[start] == QUOTED:
            if cards[0] in things:
                seen[2].append(who)
        elif cards[0] in people:
            seen[0].append(who)
        elif cards[0] in things:
            seen[1].append(who)
    return Clauses(
        text,
        "".join(told).replace("’", "'"),
        quotes,
        language,
        tuple(seen[0]),
        tuple(seen[1]),
        tuple(seen[2]),
    )


def _prose(text: str, prose: Sequence[Span]) -> str:
    """The text with a space for each character that is no prose; line ends stay."""
    if len(prose) == 1 and prose[0] == Span(0, len(text)):
        return text
    out = [ch if ch in "\r\n" else " " for ch in text]
    for span in prose:
        out[span.start : span.end] = text[span.start : span.end]
    return "".join(out)


def _quotes(text: str) -> Iterator[Span]:
    """What is said aloud, with its marks; one that is not closed goes to the end."""
    at = 0
    while (found := _OPEN.search(text, at)) is not None:
        start = found.start()
        mark = _PAIRS.get(found[0], '"')
        end = text.find(mark, start + 1)
        at = len(text) if end < 0 else end + 1
        yield Span(start, at)
