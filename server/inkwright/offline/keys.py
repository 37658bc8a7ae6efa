"""The sentences that say most: by their terms, their place, whom they name, and what they signal."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from inkwright.domain.conversation import Locale
from inkwright.domain.text import Span
from inkwright.manuscript.bigrams import grams
from inkwright.offline.cast import HIDDEN, Cast
from inkwright.offline.cues import cue
from inkwright.offline.measures import stop_words
from inkwright.offline.prose import Prose, Sentence

_QUOTED = re.compile(r"“[^”]*(?:”|\Z)|「[^」]*(?:」|\Z)|\"[^\"]*(?:\"|\Z)")
LEAST = {"zh": 8, "en": 25}
MOST = {"zh": 160, "en": 420}
_POINT = {"zh": 4, "en": 3}
"""So many letters, or words, are needed besides a speech tag for a sentence to have a point."""
_CLAUSE = re.compile(r"[^，,；;：:。．！!？?、…“”「」『』\"\n]+")
_OPENS = re.compile(r"\s*+(?:[：:]|(?:[，,]\s*+)?[“「『\"])")
_CLOSING = ("”", "」", "』", '"')
_FITTING = {"zh": 60, "en": 180}


@dataclass(frozen=True)
class Scored:
    """Sentences with what each is worth, in the order of the text."""

    sentences: tuple[Sentence, ...]
    scores: tuple[float, ...]

    def best(self, count: int, among: Collection[Sentence] | None = None) -> list[Sentence]:
        """The `count` that are worth most, in the order of the text, none that repeats another."""
        places = {s.span for s in among} if among is not None else None
        order = sorted(range(len(self.sentences)), key=lambda i: (-self.scores[i], i))
        kept: list[int] = []
        for i in order:
            if len(kept) == count or self.scores[i] <= 0:
                break
            sentence = self.sentences[i]
            if places is not None and sentence.span not in places:
                continue
            if not any(_alike(sentence.text, self.sentences[k].text) for k in kept):
                kept.append(i)
        return [self.sentences[i] for i in sorted(kept)]

    def worth(self, sentence: Sentence) -> float:
        return self._worth[sentence.span]

    @cached_property
    def _worth(self) -> dict[Span, float]:
        return dict(zip((s.span for s in self.sentences), self.scores, strict=True))


def score(prose: Prose, cast: Cast, language: Locale, *, narrative: bool) -> Scored:
    """Every sentence with its worth. Linear in the passage."""
    han, latin = stop_words()
    shared = [
        {g for g in grams(s.text) if g not in latin and (g.isascii() or han.isdisjoint(g))}
        for s in prose.sentences
    ]
    often = Counter(gram for found in shared for gram in found)
    total = max(1, len(prose.sentences))
    last = prose.sentences[-1].paragraph if prose.sentences else 0
    scores = [
        _worth(s, found, often, total, cast, language, last, narrative)
        for s, found in zip(prose.sentences, shared, strict=True)
    ]
    return Scored(prose.sentences, tuple(scores))


def _worth(
    sentence: Sentence,
    found: set[str],
    often: Counter[str],
    total: int,
    cast: Cast,
    language: Locale,
    last: int,
    narrative: bool,
) -> float:
    size = len(sentence.text)
    if not sentence.raw or size < LEAST[language] or bare(sentence, cast, language):
        return 0.0
    # Terms that come back in some sentences, not in nearly all.
    # Exactly: the terms are a set, whose order is another in every process.
    weight = math.fsum(math.log(often[g]) for g in found if 1 < often[g] <= max(3, total // 4))
    worth = weight / math.sqrt(max(len(found), 8))
    if sentence.place == 0:
        worth += 1.0
    elif sentence.last:
        worth += 0.5
    if sentence.paragraph in (0, last):
        worth += 0.5
    named = cast.named(sentence.text)
    worth += 0.8 * min(3, len({entity.name for entity in named})) + 0.2 * min(3, len(named))
    if cue(language, "time").search(sentence.text[: _FITTING[language]]):
        worth += 0.8 if narrative else 0.0
    if cue(language, "claim").search(sentence.text):
        worth += 0.3 if narrative else 1.5
    spoken = sum(len(match[0]) for match in _QUOTED.finditer(sentence.text))
    if narrative and (sentence.spoken or spoken > 0.6 * size):
        worth -= 1.5
    if sentence.text.endswith(("?", "？")):
        worth -= 0.8
    if size > MOST[language]:
        worth -= 1.0
    elif size < LEAST[language] * 2:
        worth -= 0.5
    return max(0.0, worth)


def bare(sentence: Sentence, cast: Cast, language: Locale) -> bool:
    """Whether nothing is in a sentence but who speaks, a name that is called, and words of agreement."""
    dropped = left = 0
    text = sentence.text
    for match in _CLAUSE.finditer(text):
        clause = match[0].strip()
        if not clause:
            continue
        tag = _OPENS.match(text, match.end()) or text.endswith(_CLOSING, 0, match.start())
        if (
            (tag and cue(language, "speaks").fullmatch(clause))
            or cue(language, "calls").fullmatch(clause)
            or not cast.masked(clause).strip(f"{HIDDEN} ")
        ):
            dropped += 1
        else:
            left += len(clause.split()) if language == "en" else len(clause)
    return dropped > 0 and left < _POINT[language]


def narrative(prose: Prose, cast: Cast) -> bool:
    """Whether a passage tells of people, or sets out a matter."""
    people = {entity.name for entity in cast.of("character")}
    told = sum(any(e.name in people for e in cast.named(s.text)) for s in prose.sentences)
    return told >= max(3, len(prose.sentences) / 8)


def _alike(a: str, b: str) -> bool:
    one, two = grams(a), grams(b)
    return len(one & two) > 0.6 * max(1, min(len(one), len(two)))


def ordered(sentences: Sequence[Sentence]) -> list[Sentence]:
    return sorted(sentences, key=lambda s: (s.paragraph, s.place))
