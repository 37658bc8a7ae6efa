"""What a passage says of one person, place or thing: its own sentences, sorted by what they tell."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

from inkwright.offline.cast import HIDDEN, form_in, mentions
from inkwright.offline.cues import cue
from inkwright.offline.keys import LEAST, ordered
from inkwright.offline.names.entity import Entity
from inkwright.offline.prose import Sentence, excerpt
from inkwright.offline.reading import Reading

SIDES = ("identity", "looks", "nature")
LONG = {"zh": 90, "en": 280}
"""Characters of one statement, where its clauses allow."""
_NEAR = {"zh": 30, "en": 90}


@dataclass(frozen=True)
class Portrait:
    """`sides` are statements by what they tell, `deeds` those that are left, in the order of the text;
    `quote` is the one to rest on, '' for none. `company` are the others in the same sentences."""

    entity: Entity
    count: int
    sides: dict[str, tuple[str, ...]]
    deeds: tuple[str, ...]
    company: tuple[str, ...]
    quote: str

    @property
    def size(self) -> int:
        return sum(map(len, self.sides.values())) + len(self.deeds)


def draw(entity: Entity, reading: Reading, deeds: int = 3) -> Portrait:
    """The portrait of one entity. Linear in the passage."""
    named = [s for s in mentions(entity, reading.prose.sentences) if s.raw]
    own = {s.span.start for s in named}
    found = _followed(named, entity, reading)
    count = sum(e.name == entity.name for s in found for e in reading.cast.named(s.text))
    sides: dict[str, tuple[str, ...]] = {}
    used: set[int] = set()
    order: list[str] = []
    if entity.kind == "character":
        for side in SIDES:
            rated = [(_fit(side, s, entity, reading), i) for i, s in enumerate(found) if i not in used]
            best = sorted((r for r in rated if r[0] > 0), key=lambda r: (-r[0], r[1]))[
                : 2 if side == "identity" else 1
            ]
            if best:
                used.update(i for _, i in best)
                sides[side] = tuple(
                    _said(found[i], entity, reading, side) for _, i in sorted(best, key=lambda r: r[1])
                )
                order.append(_said(found[best[0][1]], entity, reading, side))
    least = LEAST[reading.language] * 3 // 2
    left = [s for i, s in enumerate(found) if i not in used and s.span.start in own and len(s.text) >= least]
    acts = reading.scored.best(
        deeds, [s for s in left if _leads(entity, s, reading) or entity.kind != "character"]
    )
    acts = acts or reading.scored.best(deeds, left) or left[:1] or found[: not used]
    told = tuple(dict.fromkeys(_said(s, entity, reading) for s in acts))
    strong = max(acts, key=lambda s: (_introduces(s, entity, reading), reading.scored.worth(s)), default=None)
    quote = order[0] if order else _said(strong, entity, reading) if strong else ""
    company = Counter(
        e.name
        for s in found
        for e in set(reading.cast.named(s.text))
        if e.name != entity.name and e.kind == "character"
    )
    near = tuple(name for name, _ in sorted(company.items(), key=lambda p: (-p[1], p[0]))[:5])
    return Portrait(entity, count, sides, told, near, quote)


def _followed(named: list[Sentence], entity: Entity, reading: Reading) -> list[Sentence]:
    """The sentences, and those that go on from one of them with a pronoun that can mean nobody else."""
    if entity.kind != "character":
        return named
    out = list(named)
    own = {s.span.start for s in named if _alone(s, reading)}
    sentences = reading.prose.sentences
    for before, after in pairwise(sentences):
        if (
            before.span.start not in own
            or before.paragraph != after.paragraph
            or after.spoken
            or not after.raw
        ):
            continue
        pronoun = cue(reading.language, "pronoun").match(after.text)
        if pronoun and not reading.cast.named(after.text) and not _another(before, pronoun[0], reading):
            out.append(after)
    return ordered(out)


def _alone(sentence: Sentence, reading: Reading) -> bool:
    """Whether the sentence names one person and no other."""
    return len({e.name for e in reading.cast.named(sentence.text) if e.kind == "character"}) == 1


def _another(sentence: Sentence, pronoun: str, reading: Reading) -> bool:
    """Whether the sentence speaks of somebody else whom the pronoun could mean too."""
    male = cue(reading.language, "male")
    same = male if male.search(pronoun) else cue(reading.language, "female")
    return same.search(sentence.text) is not None


def _introduces(sentence: Sentence, entity: Entity, reading: Reading) -> bool:
    """Whether the sentence says that this is what something is called."""
    form = form_in(entity, sentence.text)
    return (
        bool(form)
        and cue(reading.language, "called").search(sentence.text[: sentence.text.find(form)]) is not None
    )


def _fit(side: str, sentence: Sentence, entity: Entity, reading: Reading) -> float:
    """How well a sentence tells that side of somebody: signs close behind, or just before, the name."""
    text = reading.cast.masked(sentence.text)
    pronoun = cue(reading.language, "pronoun").match(text)
    form = form_in(entity, sentence.text) or (pronoun[0] if pronoun else "")
    places = [m.start() for m in re.finditer(re.escape(form), sentence.text)]
    best = sum(_sign(m, text, form, places, reading) for m in cue(reading.language, side).finditer(text))
    if side == "identity":
        best += sum(
            _calling(m, text, form, places, reading) for m in cue(reading.language, "kin").finditer(text)
        )
    if best and (sentence.spoken or text[:1] in '“"「『'):
        best *= 0.5
    if best and len(text) > 2 * LONG[reading.language]:
        best *= 0.8
    return best if best >= 1.0 else 0.0


def _sign(match: re.Match[str], text: str, form: str, places: list[int], reading: Reading) -> float:
    """The weight of one sign: less with its distance, none when somebody else comes between."""
    near = _NEAR[reading.language]
    before = [p for p in places if p < match.start()]
    if before:
        between = text[before[-1] + len(form) : match.start()]
        held = cue(reading.language, "possession").match(between)
        if held and len(between) <= near and not _other(between[held.end() :], reading):
            return 2.0 - len(between) / near
    after = [p for p in places if p >= match.end()]
    if after:
        between = text[match.end() : after[0]]
        if len(between) <= 2:
            return 2.5
        if reading.language == "zh" and len(between) <= near // 3 and not _other(between, reading):
            return 1.7 - len(between) / near
    return 0.0


def _calling(match: re.Match[str], text: str, form: str, places: list[int], reading: Reading) -> float:
    """The weight of kin or a calling: only where the text says that somebody is it."""
    for place in places:
        between = text[place + len(form) : match.start()] if place < match.start() else None
        if between is not None and len(between) <= _NEAR[reading.language]:
            said = cue(reading.language, "copula").match(between)
            if said and not _other(between[said.end() :], reading):
                return 1.5
        if place >= match.end() and len(text[match.end() : place].strip()) <= 1 and match[0][:1] != "之":
            return 1.1
    return 0.0


def _other(between: str, reading: Reading) -> bool:
    """Whether somebody else is spoken of in what stands between a name and a sign."""
    return HIDDEN in between or cue(reading.language, "other").search(between) is not None


def _leads(entity: Entity, sentence: Sentence, reading: Reading) -> bool:
    """Whether it is the first that the sentence names, and outside speech."""
    named = reading.cast.named(sentence.text)
    return bool(named) and named[0].name == entity.name and not sentence.spoken


def _said(sentence: Sentence, entity: Entity, reading: Reading, side: str = "") -> str:
    form = form_in(entity, sentence.raw)
    around = form
    if side and (match := cue(reading.language, side).search(sentence.raw)):
        low = min(sentence.raw.find(form), match.start()) if form else match.start()
        around = sentence.raw[low : low + 4]
    return excerpt(sentence.raw, LONG[reading.language], around)
