"""Who and what a chapter is about, and where a sentence speaks of one of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from inkwright.domain.cards import Card
from inkwright.domain.conversation import Locale
from inkwright.offline.names import han, latin
from inkwright.offline.names.entity import Entity, Kind
from inkwright.offline.prose import Sentence

MADE_HERE = "source"
"""A card with this field was made from a chapter: what a text names is found without such cards, so that
cards of an earlier run change nothing in a later one."""


HIDDEN = "\x00"


@dataclass(frozen=True)
class Cast:
    entities: tuple[Entity, ...]

    def of(self, kind: Kind) -> tuple[Entity, ...]:
        return tuple(e for e in self.entities if e.kind == kind)

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        forms = sorted(self._owner, key=len, reverse=True)
        return re.compile("|".join(map(_bounded, forms))) if forms else None

    @cached_property
    def _owner(self) -> dict[str, Entity]:
        return {form: entity for entity in reversed(self.entities) for form in entity.forms}

    def named(self, text: str) -> list[Entity]:
        """Those that a text names, each as often as it does, in order."""
        if self._pattern is None:
            return []
        return [self._owner[match[0]] for match in self._pattern.finditer(text)]

    def masked(self, text: str) -> str:
        """The text with every name made unreadable, of the same length."""
        if self._pattern is None:
            return text
        return self._pattern.sub(lambda m: HIDDEN * len(m[0]), text)


def written(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The cards that were not made from a chapter."""
    return tuple(card for card in cards if MADE_HERE not in card.fields)


def read(text: str, title: str, language: Locale, own: Collection[Card]) -> Cast:
    """The cast of a chapter's text. `own` are cards that lend names the writer wrote down. Takes CPU time."""
    known = [n for card in own if card.kind == "character" for n in card.names if len(n) > 1]
    others = [card for card in own if card.kind in ("location", "item")]
    given = [entity for card in others if (entity := _of_card(card, text))]
    if language == "en":
        found: Sequence[Entity] = latin.entities(text, known)
    else:
        people = han.people(text, title, known)
        names = [form for entity in people for form in entity.forms]
        places = han.places(text, names)
        names += [form for entity in places for form in entity.forms]
        found = [*people, *places, *han.things(text, names)]
    found = _joined(found, [card for card in own if card.kind == "character"], text)
    taken = {form for entity in given for form in entity.forms}
    rest = [entity for entity in found if taken.isdisjoint(entity.forms)]
    return Cast(tuple(sorted([*given, *rest], key=lambda e: (-e.score, e.kind, e.name))))


def _joined(found: Sequence[Entity], people: Sequence[Card], text: str) -> list[Entity]:
    """The entities with all names of one card in one: what the writer wrote down goes before what rules see. A name
    that several cards have joins nobody."""
    shared = Counter(name for card in people for name in set(card.names))
    out = list(found)
    for card in people:
        own = tuple(name for name in card.names if shared[name] == 1 and len(name) > 1 and name in text)
        if not own:
            continue
        mates = [one for one in out if one.kind == "character" and not set(own).isdisjoint(one.forms)]
        forms = tuple(dict.fromkeys((*own, *(form for one in mates for form in one.forms))))
        count = han.occurrences(text, forms)
        score = max((one.score for one in mates), default=0.0) or count + 4.0
        out = [one for one in out if one not in mates]
        out.append(Entity("character", own[0], forms, count, score))
    return out


def _of_card(card: Card, text: str) -> Entity | None:
    forms = tuple(name for name in card.names if len(name) > 1 and name in text)
    count = han.occurrences(text, forms) if forms else 0
    kind: Kind = "location" if card.kind == "location" else "item"
    return Entity(kind, forms[0], forms, count, count + 4.0) if count else None


def mentions(entity: Entity, sentences: Iterable[Sentence]) -> list[Sentence]:
    """The sentences that name it."""
    pattern = re.compile("|".join(_bounded(f) for f in sorted(entity.forms, key=len, reverse=True)))
    return [sentence for sentence in sentences if pattern.search(sentence.text)]


def form_in(entity: Entity, text: str) -> str:
    """The spelling by which a text names it, '' for none."""
    found = [(text.find(form), -len(form), form) for form in entity.forms if form in text]
    return min(found)[2] if found else ""


def _bounded(form: str) -> str:
    return rf"(?<!\w){re.escape(form)}(?!\w)" if form.isascii() else re.escape(form)
