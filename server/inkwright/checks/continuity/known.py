"""What the cards of a book state, put in the order of its chapters, and where that stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from inkwright.checks.continuity import stating
from inkwright.checks.continuity.stating import Statement, Topic
from inkwright.domain.cards import Card
from inkwright.domain.diagnostic import Related
from inkwright.domain.manuscript import Chapter
from inkwright.domain.text import EOL, Span
from inkwright.manuscript import factlist, fields, frontmatter
from inkwright.manuscript.overview import Overview
from inkwright.manuscript.places import Order


@dataclass(frozen=True)
class Known:
    """The cards and chapters of one moment."""

    order: Order
    cards: Mapping[str, Card]
    named: Mapping[str, tuple[Card, ...]]

    @cached_property
    def statements(self) -> Mapping[str, tuple[Statement, ...]]:
        """Of each card that states anything, by its path."""
        found = ((path, stating.of(card, self.order)) for path, card in self.cards.items() if _states(card))
        return {path: rows for path, rows in found if rows}

    def of(self, card: str, *topics: Topic) -> Sequence[Statement]:
        rows = self.statements.get(card, ())
        return [one for one in rows if one.topic in topics] if topics else rows

    def stating(self, *topics: Topic) -> frozenset[str]:
        """The cards that state something on one of these."""
        return frozenset(
            path for path, rows in self.statements.items() if any(one.topic in topics for one in rows)
        )

    @cached_property
    def longest_first(self) -> Sequence[tuple[str, Card]]:
        """All names with their cards."""
        rows = ((name, card) for card in self.cards.values() for name in card.names)
        return sorted(rows, key=lambda row: -len(row[0]))

    @cached_property
    def people(self) -> frozenset[str]:
        return frozenset(path for path, card in self.cards.items() if card.kind == "character")

    @cached_property
    def things(self) -> frozenset[str]:
        """What can be owned: things, and whatever says that it has an owner."""
        owned = (path for path in self.statements if self.of(path, "owner"))
        return frozenset(p for p, c in self.cards.items() if c.kind == "item").union(owned) - self.people

    def person(self, name: str) -> Card | None:
        """The one person of that name."""
        return self._one(name, "character")

    def location(self, name: str) -> Card | None:
        return self._one(name, "location")

    def _one(self, name: str, kind: str) -> Card | None:
        from inkwright.manuscript.overview import plain

        found = [card for card in self.named.get(plain(name), ()) if card.kind == kind]
        return found[0] if len(found) == 1 else None


def of(book: Overview) -> Known:
    return Known(Order(book.chapters), book.table.by_path, book.table.by_name)


def _states(card: Card) -> bool:
    return bool(card.facts or card.fields)


def related(one: Statement) -> Related:
    """Where a card says something: the entry of its list, or its field."""
    params = {"name": one.card.name, "key": one.key, "value": one.value}
    return Related(one.card.file, partial(place, one), "related_fact", params)


def named(card: Card) -> Related:
    """Where a card says its name."""
    from inkwright.checks.book import places

    return places.card(card)


def place(one: Statement, text: str) -> Span | None:
    """Where in the text of its card a statement stands."""
    if one.card.within:
        starts = [0, *(m.end() for m in EOL.finditer(text))]
        start = starts[one.card.line] if one.card.line < len(starts) else 0
        ending = EOL.search(text, start)
        return Span(start, ending.start() if ending else len(text))
    if one.fact is not None:
        return next((entry.span for entry in factlist.entries(text) if entry.fact == one.fact), None)
    return field_of(text, one.key, "card.keys")


def field_of(text: str, key: str, table: str) -> Span | None:
    """The first value of a field of front matter, under our name for it or as written."""
    for scalar in frontmatter.scalars(text):
        if scalar.key == key or fields.word(scalar.key, table) == key:
            return scalar.span
    return None


def in_chapter(chapter: Chapter, key: str, code: str = "related_chapter_field", name: str = "") -> Related:
    """A field of another chapter's front matter; in it a name, if one is given."""

    def find(text: str) -> Span | None:
        if name:
            from inkwright.manuscript import fieldnames

            for found in fieldnames.names(text, fieldnames.CHAPTER):
                if found.key == key and found.name == name:
                    return found.span
        return field_of(text, key, "chapter.keys")

    said = fields.text(chapter.meta.get(key))
    return Related(chapter.path, find, code, {"title": chapter.title, "key": key, "value": said})
