"""What front matter may say: fields not there yet, words of a field, names of cards, threads. Pure."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Literal, NamedTuple

from inkwright.domain.cards import Card
from inkwright.domain.manuscript import Chapter
from inkwright.manuscript import fields, threads
from inkwright.manuscript.fieldnames import CARD, CHAPTER

Locale = Literal["zh", "en"]
NAMES: Mapping[str, tuple[str, ...]] = {
    "pov": ("character",),
    "characters": ("character",),
    "mentions": (),
    "location": ("location",),
    "affiliation": ("faction",),
    "owner": ("character", "faction"),
    "relations": ("character",),
}
"""The fields that name cards, and the kinds of card that come first there."""
_CHAPTERS = ("from", "until")


class Suggestion(NamedTuple):
    """A word to write. `about` says what it is; `card` is the card's path where it is a name, `likely` whether
    it is of a kind that belongs there.
    """

    text: str
    about: str = ""
    card: str = ""
    likely: bool = True


def keys(table: str, present: Iterable[str], typed: str) -> list[Suggestion]:
    """The fields that front matter of this kind may still have; under another name where that is being typed."""
    taken = {fields.word(key, table) or key for key in present}
    out: list[Suggestion] = []
    for name, others in fields.table(table).items():
        if name in taken:
            continue
        shown = next((other for other in others if not other.isascii()), "")
        out.append(Suggestion(name, shown))
        if typed:
            out += (
                Suggestion(other, name) for other in others if other.startswith(typed) and not other.isascii()
            )
    return out


def values(
    table: str,
    key: str,
    parent: str,
    cards: Sequence[Card],
    chapters: Sequence[Chapter],
    locale: Locale,
) -> list[Suggestion]:
    """What a field may say, likely words first. `key` and `parent` are as written."""
    over = fields.word(parent, table) or parent
    if over == "threads" and table == CHAPTER and fields.word(key, table) is None:
        return [Suggestion(word) for word in _words("states", locale)]
    if over == "facts" or (over and fields.word(key, "card.fact") in _CHAPTERS):
        inner = fields.word(key, "card.fact") or key
        if inner == "key" and over == "facts":
            written = dict.fromkeys(fact.key for card in cards for fact in card.facts)
            known = _words("facts", locale)
            return [Suggestion(word) for word in (*known, *(w for w in written if w and w not in known))]
        return [Suggestion(c.title, c.path) for c in chapters] if inner in _CHAPTERS else []
    if over == "match" and fields.word(key, "card.match") == "case":
        return [Suggestion("exact"), Suggestion("ignore")]
    name = fields.word(key, table) or key
    if name in NAMES:
        return _cards(cards, NAMES[name])
    if table == CHAPTER and name == "threads":
        return [Suggestion(thread) for thread in threads.names(chapters)]
    return [Suggestion(word) for word in dict.fromkeys(_said(table, name, cards, chapters, locale))]


def snippet(kind: Literal["card", "chapter"], locale: Locale) -> str:
    """Front matter to be filled in, as a snippet; `$NAME` stands for the name of the file."""
    return str(_data()["snippets"][locale][kind])


def _said(
    table: str, name: str, cards: Sequence[Card], chapters: Sequence[Chapter], locale: Locale
) -> Iterable[str]:
    """The words of a field, and those that the book has for it so far."""
    where = "card" if table == CARD else "chapter"
    used: Iterable[str] = ()
    if table == CARD:
        if name == "type":
            used = (card.type for card in cards)
        elif name == "tags":
            used = (tag for card in cards for tag in card.tags)
        elif name == "status":
            used = (fields.text(card.fields.get(name)) for card in cards)
    elif name in ("status", "mode", "date", "time"):
        used = (fields.text(chapter.meta.get(name)) for chapter in chapters)
    known = _words(f"{where}.{name}", locale)
    return (*(word for word in dict.fromkeys(used) if word), *known)


def _cards(cards: Sequence[Card], first: tuple[str, ...]) -> list[Suggestion]:
    return [
        Suggestion(
            name,
            card.name if name != card.name else card.summary or card.type,
            card.path,
            not first or card.kind in first,
        )
        for card in cards
        for name in dict.fromkeys(card.names)
    ]


def _words(table: str, locale: Locale) -> Sequence[str]:
    found: Sequence[str] = _data()["words"][locale].get(table, ())
    return found


@cache
def _data() -> Mapping[str, Any]:
    return tomllib.loads((files("inkwright.manuscript") / "suggesting.toml").read_text("utf-8"))
