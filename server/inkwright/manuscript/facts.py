"""What is known of a card at one chapter: facts of later chapters are not there yet."""

from __future__ import annotations

from collections.abc import Sequence

from inkwright.domain.cards import Card, Fact
from inkwright.domain.manuscript import Chapter
from inkwright.manuscript.naming import parse


def at(card: Card, chapters: Sequence[Chapter], place: int | None) -> tuple[Fact, ...]:
    """The facts that hold in chapter number `place` of `chapters` (an index; None: in the whole book).

    A fact holds from its `since` to its `until`, both included. A reference names a chapter by title,
    file or number; one to a chapter that is not written yet is placed by its number.
    """
    if place is None:
        return card.facts
    return tuple(
        fact
        for fact in card.facts
        if _start(fact.since, chapters) <= place and place <= _end(fact.until, chapters)
    )


def reference(chapters: Sequence[Chapter], place: int) -> str:
    """What a fact calls a chapter: the first of its title, file name and path that means it and no other."""
    path = chapters[place].path
    names = (chapters[place].title.strip(), path.rpartition("/")[2].rpartition(".")[0], path)
    return next((name for name in names if name and _place(name, chapters, beyond=-1) == place), path)


def chapter(chapters: Sequence[Chapter], reference: str) -> Chapter | None:
    """The chapter that a fact's reference means; None for none that is written."""
    place = _place(reference, chapters, beyond=-1) if reference else -1
    return chapters[int(place)] if place >= 0 and place == int(place) else None


def start(fact: Fact, chapters: Sequence[Chapter]) -> float:
    """The place in `chapters` from which on a fact holds: minus infinity for always, infinity for never yet."""
    return _start(fact.since, chapters)


def describe(card: Card, chapters: Sequence[Chapter], place: int | None) -> str:
    """A card as a model may read it: no private field, no later fact. The most telling lines first."""
    lines = [f"{card.name} ({card.type or card.kind})"]
    if card.aliases:
        lines[0] += " = " + ", ".join(card.aliases)
    if card.summary:
        lines.append(card.summary)
    lines += [f"{fact.key}: {fact.value}" for fact in at(card, chapters, place)]
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


def _start(reference: str, chapters: Sequence[Chapter]) -> float:
    return float("-inf") if not reference else _place(reference, chapters, beyond=float("inf"))


def _end(reference: str, chapters: Sequence[Chapter]) -> float:
    return float("inf") if not reference else _place(reference, chapters, beyond=float("inf"))


def _place(reference: str, chapters: Sequence[Chapter], beyond: float) -> float:
    """The index of the chapter that is meant; `beyond` for one after the last, and for no chapter."""
    wanted = reference.strip()
    for index, chapter in enumerate(chapters):
        path = chapter.path
        if wanted in (chapter.title, path, path.rpartition("/")[2].rpartition(".")[0]):
            return index
    number = parse(wanted).number
    if number is None:
        return beyond
    numbered = [(i, c.number) for i, c in enumerate(chapters) if c.kind == "main" and c.number is not None]
    exact = next((i for i, n in numbered if n == number), None)
    if exact is not None:
        return exact
    return next((i - 0.5 for i, n in numbered if n > number), beyond)
