"""Eyes and hair of another colour than the card's, and limbs in use that somebody has lost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from inkwright.checks.book.page import Page
from inkwright.checks.continuity import bodies, known, offers, story
from inkwright.checks.continuity.bodies import Shades
from inkwright.checks.continuity.claims import Limbs, Looks, Part, Side
from inkwright.checks.continuity.stating import Statement
from inkwright.checks.continuity.story import Story
from inkwright.checks.continuity.words import HAN, Limb
from inkwright.domain.cards import Fact
from inkwright.domain.diagnostic import Diagnostic
from inkwright.manuscript.overview import Overview

LOOKS, LIMB = "continuity_looks", "continuity_limb"
CODES = frozenset({LOOKS, LIMB})

_ALIKE = {
    "eyes": (("black", "brown"), ("brown", "gold")),
    "hair": (("grey", "white"), ("red", "brown"), ("gold", "brown"), ("black", "brown")),
}
"""Colours that one person may be said to have."""
_WITH: dict[Limb, tuple[Limb, ...]] = {
    "arm": ("arm", "hand"),
    "hand": ("hand",),
    "leg": ("leg", "foot"),
    "foot": ("foot",),
    "eye": ("eye",),
}
"""What goes with a limb that is lost."""


def find(book: Overview, page: Page) -> Iterable[Diagnostic]:
    told = story.of(book, page)
    if told is None or told.aside:
        return
    yield from _colours(book, page, told)
    yield from _limbs(book, page, told)


def _colours(book: Overview, page: Page, told: Story) -> Iterator[Diagnostic]:
    seen: set[tuple[str, str, str]] = set()
    for look in told.of(Looks, told.known.stating("eyes", "hair", "other")):
        against = _against(told, look)
        key = (look.card, look.part, look.colour)
        if against is None or key in seen:
            continue
        seen.add(key)
        one, word = against
        said = look.span.of(page.text)
        params = {"name": one.card.name, "found": said, "part": look.part, "value": one.value}
        better = _like(said, word)
        chinese = HAN.search(page.text[look.span.start : look.span.end + 1]) is not None
        fixes = [*offers.aside(page, told, look.span.start)]
        if better:
            fixes.insert(0, offers.text(look.span, better))
        label = {"eyes": "眼睛", "hair": "头发"}[look.part] if chinese else look.part
        if one.topic == look.part and not one.dated:
            fixes += offers.restated(book, one, _restated(one.value, word, said))
        else:
            value = f"{said}色" if chinese and not said.endswith("色") else said
            fixes += offers.stated(book, one.card, Fact(label, value, offers.reference(told, page)))
        yield Diagnostic(
            look.span, "information", LOOKS, params, related=(known.related(one),), fixes=tuple(fixes)
        )


def _against(told: Story, look: Looks) -> tuple[Statement, str] | None:
    """The statement that a colour contradicts, and its word; None where one holds that it fits."""
    wrong: tuple[Statement, str] | None = None
    for one in told.known.of(look.card):
        if not one.holds(told.place):
            continue
        found = _shades(one, look.part)
        if found is None:
            continue
        alike = any(_alike(look.part, colour, look.colour) for colour in found.colours)
        if (one.dated and one.changing(told.place)) or alike:
            return None
        wrong = (one, found.word)
    return wrong


def _shades(one: Statement, part: Part) -> Shades | None:
    if one.topic == part:
        return bodies.shades_in(one.value)
    if one.topic == "other":
        return bodies.shades_of(part, one.value)
    return None


def _alike(part: Part, a: str, b: str) -> bool:
    return a == b or any(a in pair and b in pair for pair in _ALIKE[part])


def _like(said: str, word: str) -> str:
    """The card's word where the text's stood; '' where the two are of two languages."""
    if said.isascii() != word.isascii():
        return ""
    return word.capitalize() if said[:1].isupper() else word


def _restated(value: str, word: str, said: str) -> str:
    """The value of a card with the text's word for the colour in it: `灰色` with `褐` as `褐色`."""
    if said.isascii() != word.isascii():
        return said
    return value.replace(word, said.lower() if word.islower() else said, 1)


def _limbs(book: Overview, page: Page, told: Story) -> Iterator[Diagnostic]:
    seen: set[tuple[str, Limb, Side]] = set()
    for limb in told.of(Limbs, told.known.stating("eyes", "other")):
        one = _lost(told, limb)
        if one is None or (limb.card, limb.limb, limb.side) in seen:
            continue
        seen.add((limb.card, limb.limb, limb.side))
        params = {"name": one.card.name, "found": limb.span.of(page.text), "key": one.key, "value": one.value}
        chinese = HAN.search(one.key + one.value) is not None
        healed = Fact(one.key, "完好" if chinese else "whole", offers.reference(told, page))
        fixes = (*offers.aside(page, told, limb.span.start), *offers.stated(book, one.card, healed))
        yield Diagnostic(limb.span, "information", LIMB, params, related=(known.related(one),), fixes=fixes)


def _lost(told: Story, limb: Limbs) -> Statement | None:
    rows = [one for one in told.known.of(limb.card) if one.topic in ("other", "eyes")]
    for one in rows:
        if not one.holds(told.place) or (one.dated and one.changing(told.place)):
            continue
        healed = any(r.key == one.key and one.since < r.since <= told.place for r in rows)
        if healed:
            continue
        for lost, side in bodies.lost_in(one.key, one.value):
            if limb.limb in _WITH[lost] and (side == "both" or limb.side in (side, "both")):
                return one
    return None
