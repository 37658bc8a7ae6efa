"""Verse in a text: lines in a row whose clauses are all of one length."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from inkwright.domain.text import Span
from inkwright.manuscript.script import BEYOND_LATIN
from inkwright.offline.prose import Block, Sentence
from inkwright.offline.reading import Reading

_CLAUSES = re.compile(rf"{BEYOND_LATIN}+")
_NAMED = re.compile(r"《([^》]{2,12})》|([^，。．；：\s“”]{1,6}[歌词诗赋偈曲])[道曰云]?[：:]?\s*$")
FEWEST = 4
MOST = 400


@dataclass(frozen=True)
class Verse:
    """`text` is verbatim, `lead` what stands before it, `name` what it is called there, or its first line."""

    text: str
    lead: str
    name: str
    clauses: int


def verses(reading: Reading) -> list[Verse]:
    """The verses of a passage, in order. Chinese only: English verse has no such lines."""
    out: list[Verse] = []
    blocks = reading.prose.blocks
    for first, end, clauses in stretches(blocks):
        close = _goes_on(reading, end, blocks[first].text)
        span = Span(blocks[first].span.start, close[-1].span.end if close else blocks[end - 1].span.end)
        clauses += sum(len(_CLAUSES.findall(sentence.text)) for sentence in close)
        text = span.of(reading.setting.text).strip()
        if len(text) <= MOST:
            lead = blocks[first - 1].text if first else ""
            out.append(Verse(text, lead, _name(lead, blocks[first].text), clauses))
    return out


def _goes_on(reading: Reading, block: int, first: str) -> list[Sentence]:
    """The sentences at the head of the paragraph below a verse that are of it still."""
    measure = _measure(first)
    out: list[Sentence] = []
    for sentence in (s for s in reading.prose.sentences if s.paragraph == block):
        found = _measure(sentence.text)
        # One clause alone may be of that length by chance.
        if found is None or measure is None or found[0] != measure[0] or found[1] < 2:
            break
        out.append(sentence)
    return out


def stretches(blocks: Sequence[Block]) -> list[tuple[int, int, int]]:
    """First block, end and number of clauses of each verse."""
    out: list[tuple[int, int, int]] = []
    at = 0
    while at < len(blocks):
        end, measure, clauses = at, 0, 0
        while end < len(blocks) and (found := _measure(blocks[end].text)) and measure in (0, found[0]):
            measure, clauses = found[0], clauses + found[1]
            end += 1
        if clauses >= FEWEST:
            out.append((at, end, clauses))
        at = max(end, at + 1)
    return out


def _measure(text: str) -> tuple[int, int] | None:
    """The length of a line's clauses and how many they are; None where they differ or are no verse."""
    clauses = _CLAUSES.findall(text)
    sizes = {len(clause) for clause in clauses}
    return (sizes.pop(), len(clauses)) if sizes in ({5}, {7}) else None


def _name(lead: str, first: str) -> str:
    match = _NAMED.search(lead[-40:])
    if match:
        return match[1] or match[2]
    clause = _CLAUSES.search(first)
    return clause[0] if clause else first
