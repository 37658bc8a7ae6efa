"""When things happen in a passage: its sentences with a mark of time, and those that carry the story."""

from __future__ import annotations

import re
from dataclasses import dataclass

from inkwright.offline.cues import cue
from inkwright.offline.keys import LEAST
from inkwright.offline.portrait import LONG
from inkwright.offline.prose import Sentence, excerpt
from inkwright.offline.reading import Reading
from inkwright.offline.verses import stretches

MOST = 7
SUNG = 24
"""A shorter sentence in or beside verse is a line of it."""
_TRIM = re.compile(r"^[\s，,]+|[\s，,]+$")


@dataclass(frozen=True)
class Event:
    """`when` is the mark of time as it stands, '' for none; `text` is verbatim."""

    when: str
    text: str
    worth: float


def events(reading: Reading, most: int = MOST) -> list[Event]:
    """What happens, in the order of the text: marked sentences first of all, then the weightiest."""
    sung = {n for first, end, _ in stretches(reading.prose.blocks) for n in range(first - 1, end + 1)}
    told = [s for s in reading.prose.sentences if s.raw and (s.paragraph not in sung or len(s.text) > SUNG)]
    marked = [s for s in told if _when(s, reading) and _tells(s, reading)]
    kept = reading.scored.best(most, marked)
    if len(kept) < most:
        others = [
            s
            for s in reading.prose.sentences
            if s not in kept and not s.spoken and s.text[:1] not in '“"「『'
        ]
        kept += reading.scored.best(min(3, most - len(kept)), others)
    kept.sort(key=lambda s: (s.paragraph, s.place))
    return [_event(s, reading) for s in kept]


def _tells(sentence: Sentence, reading: Reading) -> bool:
    """Whether more than a mood is told: a line of verse has a time too."""
    return (
        sentence.place == 0
        or len(sentence.text) >= 2 * LEAST[reading.language]
        or bool(reading.cast.named(sentence.text))
    )


def _when(sentence: Sentence, reading: Reading) -> str:
    match = cue(reading.language, "time").search(sentence.text)
    spoken = re.search(r"[“\"「『]", sentence.text)
    if sentence.spoken or match is None or (spoken and spoken.start() < match.start()):
        return ""
    around = sentence.text[match.start() : match.end() + 1]
    if len(match[0]) < 2 or cue(reading.language, "loose").search(around):
        return ""
    return match[0]


def _event(sentence: Sentence, reading: Reading) -> Event:
    when = _when(sentence, reading)
    text = excerpt(sentence.raw, LONG[reading.language], when)
    return Event(
        cue(reading.language, "lead").sub("", _TRIM.sub("", when)), text, reading.scored.worth(sentence)
    )
