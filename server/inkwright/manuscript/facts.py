"""What is known of a card at one chapter: facts of later chapters are not there yet."""

from __future__ import annotations

from inkwright.domain.cards import Card, Fact
from inkwright.domain.manuscript import Chapter
from inkwright.manuscript.places import BEYOND, Order


def at(card: Card, order: Order, place: int | None) -> tuple[Fact, ...]:
    """The facts that hold in chapter number `place` of the book (an index; None: in the whole book).

    A fact holds from its `since` to its `until`, both included. A reference names a chapter by title,
    file or number; one to a chapter that is not written yet is placed by its number.
    """
    if place is None:
        return card.facts
    return tuple(
        fact for fact in card.facts if _start(fact.since, order) <= place and place <= _end(fact.until, order)
    )


def reference(order: Order, place: int) -> str:
    """What a fact calls a chapter: the first of its title, file name and path that means it and no other."""
    chapter = order.chapters[place]
    names = (chapter.title.strip(), chapter.path.rpartition("/")[2].rpartition(".")[0], chapter.path)
    return next((name for name in names if name and order.place(name) == place), chapter.path)


def chapter(order: Order, reference: str) -> Chapter | None:
    """The chapter that a fact's reference means; None for none that is written."""
    place = order.place(reference) if reference else BEYOND
    return order.chapters[int(place)] if 0 <= place < BEYOND and place == int(place) else None


def start(fact: Fact, order: Order) -> float:
    """The place in the book from which on a fact holds: minus infinity for always, infinity for never yet."""
    return _start(fact.since, order)


def describe(card: Card, order: Order, place: int | None) -> str:
    """A card as a model may read it: no private field, no later fact. The most telling lines first."""
    lines = [f"{card.name} ({card.type or card.kind})"]
    if card.aliases:
        lines[0] += " = " + ", ".join(card.aliases)
    if card.summary:
        lines.append(card.summary)
    lines += [f"{fact.key}: {fact.value}" for fact in at(card, order, place)]
    lines += [f"{key}: {_plain(value)}" for key, value in card.fields.items() if value not in (None, "", [])]
    body = card.body.strip()
    if body and body != card.summary:
        lines.append(body)
    return "\n".join(lines)


def _plain(value: object) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(_plain, value))
    if isinstance(value, dict):
        return ", ".join(f"{k} {_plain(v)}" for k, v in value.items())
    return str(value)


def _start(reference: str, order: Order) -> float:
    return -BEYOND if not reference else order.place(reference)


def _end(reference: str, order: Order) -> float:
    return BEYOND if not reference else order.place(reference)
