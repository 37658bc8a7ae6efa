"""What a chapter's text is made of for the eye: names by the kind of their card, and what people say. Pure.

Pieces never overlap: a name inside of speech divides it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from inkwright.domain.cards import Card
from inkwright.domain.text import Encoding, Lines, Span, units
from inkwright.manuscript.inline import WikiLink
from inkwright.manuscript.markdown import Document, Paragraph, between
from inkwright.manuscript.mentions import Dictionary, Hit

TYPES = ("character", "location", "item", "faction", "dialogue")
DIALOGUE = TYPES.index("dialogue")
FIRST, UNCONFIRMED, AMBIGUOUS = 1, 2, 4

_SPEAKING = frozenset(("text", "quote", "list"))
_SPEECH = re.compile(
    r"“[^”]*(?:”|\Z)|「[^」]*(?:」|\Z)|『[^』]*(?:』|\Z)|\"[^\"]*\"|(?<!\w)‘(?:[^’]|’(?=[^\W\d_]))*’(?!\w)"
)
_OPENS = re.compile(r"[“「『\"‘]")
_SAID = re.compile(r"[。！？…，；：—～,.!?;:-][”’」』\"]?\Z")
_LED_IN = re.compile(r"[：，。！？…；—,.:!?;\-”’」』\"]\s*\Z")
_LOOK_BACK = 12


class Piece(NamedTuple):
    """`kind` counts in TYPES, `modifiers` is a set of bits; `cards` are those that a name may mean."""

    start: int
    end: int
    kind: int
    modifiers: int = 0
    cards: tuple[str, ...] = ()


_made = tuple.__new__
"""As the class itself makes a piece, at a third of the cost."""

Key = tuple[str, str, tuple[int, ...], tuple[int, ...]]
Pages = dict[Key, tuple[Piece, ...]]
"""The pieces of paragraphs seen before, counted from where each begins."""


class Palette:
    """The names of a book by the kind of their card; those of `waiting` cards are not confirmed yet.

    `names` is the book's own dictionary; `version` tells a palette that gives other pieces.
    """

    def __init__(self, dictionary: Dictionary, cards: Sequence[Card], waiting: Sequence[Card] = ()) -> None:
        self.names = dictionary
        known = {name for card in cards for name in card.names}
        waiting = [card for card in waiting if card.name not in known]
        self.dictionary = Dictionary([*cards, *waiting]) if waiting else dictionary
        self._kinds = {card.path: TYPES.index(card.kind) for card in (*cards, *waiting) if card.kind in TYPES}
        self._waiting = frozenset(card.path for card in waiting)
        self.version = (self.dictionary.version, self._waiting, tuple(sorted(self._kinds.items())))

    def piece(self, start: int, end: int, cards: tuple[str, ...]) -> Piece | None:
        """None for a name whose cards are of no kind that is shown."""
        kind = next((self._kinds[card] for card in cards if card in self._kinds), None)
        if kind is None:
            return None
        modifiers = AMBIGUOUS if len(cards) > 1 else 0
        if all(card in self._waiting for card in cards):
            modifiers |= UNCONFIRMED
        return Piece(start, end, kind, modifiers, cards)


def pieces(
    text: str, parsed: Document, palette: Palette, pages: Pages, seen: Collection[str] = ()
) -> tuple[list[Piece], Pages]:
    """The pieces of the parsed part of a text by place, and its paragraphs for the next time.

    `pages` must have been made with a palette of the same version. The first name of a card gets FIRST, but for
    those in `seen`.
    """
    links = _links(parsed)
    kept: Pages = {}
    out: list[Piece] = []
    met = set(seen)
    for paragraph in parsed.paragraphs:
        if not paragraph.prose:
            continue
        start = paragraph.span.start
        key = _key(text, paragraph, links.get(start, ()))
        page = pages.get(key)
        if page is None:  # one without pieces is a page as well
            page = kept.get(key)
            if page is None:
                page = tuple(_page(text, paragraph, links.get(start, ()), palette))
        kept[key] = page
        for begin, end, kind, modifiers, cards in page:
            if cards and not met.issuperset(cards):
                met.update(cards)
                modifiers |= FIRST
            out.append(_made(Piece, (begin + start, end + start, kind, modifiers, cards)))
    return out, kept


def part(text: str, where: Span, palette: Palette) -> list[Piece]:
    """The pieces that `where` touches, at the cost of that stretch and, for what comes first, of what led to it."""
    parsed = between(text, where)
    found, kept = pieces(text, parsed, palette, {})
    wanted = {card for piece in found if piece.modifiers & FIRST for card in piece.cards}
    if wanted and parsed.paragraphs:
        start, end = parsed.frontmatter.body_start, parsed.paragraphs[0].span.start
        found, _ = pieces(text, parsed, palette, kept, _named(text, start, end, wanted, palette))
    return [piece for piece in found if piece.start < where.end and where.start < piece.end]


def _named(text: str, start: int, end: int, wanted: Collection[str], palette: Palette) -> set[str]:
    """Those of `wanted` cards that are named between two paragraphs: searched bit by bit until all are found."""
    missing, at, step = set(wanted), start, 4_000
    while missing and at < end:
        parsed = between(text, Span(at, min(end, at + step)))
        links = _links(parsed)
        for paragraph in parsed.paragraphs:
            if paragraph.prose and paragraph.span.start < end:
                for _, _, cards in _hits(text, paragraph, links.get(paragraph.span.start, ()), palette):
                    missing.difference_update(cards)
        last = parsed.paragraphs[-1].span.end if parsed.paragraphs else at
        at, step = max(at + step, last), step * 2
    return set(wanted) - missing


def packed(found: Sequence[Piece], lines: Lines, encoding: Encoding) -> list[int]:
    """Five numbers a token as LSP has them: a piece over several lines is one token on each."""
    out: list[int] = []
    starts, text = lines.starts, lines.text
    wide = units(text, encoding) != len(text)
    size = len(starts)
    number = last_line = last_column = 0
    for begin, end, kind, modifiers, _ in found:
        while number + 1 < size and starts[number + 1] <= begin:
            number += 1
        if number + 1 < size and end + 2 <= starts[number + 1] and not wide:  # short of the line's end
            gap, column = number - last_line, begin - starts[number]
            out += (gap, column if gap else column - last_column, end - begin, kind, modifiers)
            last_line, last_column = number, column
            continue
        line = number
        while True:
            stop = min(end, lines.end(line))
            first = max(begin, starts[line])
            if first < stop:
                if wide:
                    column = lines.position(first, encoding).character
                    length = lines.position(stop, encoding).character - column
                else:
                    column, length = first - starts[line], stop - first
                gap = line - last_line
                out += (gap, column if gap else column - last_column, length, kind, modifiers)
                last_line, last_column = line, column
            line += 1
            if line >= size or starts[line] >= end:
                break
    return out


def difference(before: Sequence[int], after: Sequence[int]) -> tuple[int, int, list[int]] | None:
    """Where two rows of numbers part: from which on, how many go, what comes. None when they are the same."""
    if before == after:
        return None
    least = min(len(before), len(after))
    head = _common(before, after, least, 1)
    tail = _common(before, after, least - head, -1)
    return head, len(before) - head - tail, list(after[head : len(after) - tail])


def _common(a: Sequence[int], b: Sequence[int], limit: int, way: int) -> int:
    """How many numbers are the same from the front (1) or from the back (-1)."""
    step, at = 4_096, 0
    while step:
        size = min(step, limit - at)
        if size and _stretch(a, at, size, way) == _stretch(b, at, size, way):
            at += size
        else:
            step //= 2
    return at


def _stretch(row: Sequence[int], at: int, size: int, way: int) -> Sequence[int]:
    return row[at : at + size] if way > 0 else row[len(row) - at - size : len(row) - at]


def _key(text: str, paragraph: Paragraph, links: Sequence[WikiLink]) -> Key:
    start, end = paragraph.span.start, paragraph.span.end
    prose = paragraph.prose
    if len(prose) == 1 and prose[0] == paragraph.span and not links:
        return text[start:end], paragraph.kind, (), ()
    inside = tuple([x - start for piece in prose for x in (piece.start, piece.end)])
    linked = tuple([x - start for link in links for x in (link.target.start, link.target.end)])
    return text[start:end], paragraph.kind, inside, linked


def _page(text: str, paragraph: Paragraph, links: Sequence[WikiLink], palette: Palette) -> Iterator[Piece]:
    start, end = paragraph.span.start, paragraph.span.end
    hits = _hits(text, paragraph, links, palette)
    named = [
        piece for a, b, cards in hits if (piece := palette.piece(a - start, b - start, cards)) is not None
    ]
    at = 0
    for begin, stop in speech(text, start, end) if paragraph.kind in _SPEAKING else ():
        begin, stop = begin - start, stop - start
        while at < len(named) and named[at].end <= begin:
            yield named[at]
            at += 1
        while at < len(named) and named[at].start < stop:
            if begin < named[at].start:
                yield Piece(begin, named[at].start, DIALOGUE)
            yield named[at]
            begin = named[at].end
            at += 1
        if begin < stop:
            yield Piece(begin, stop, DIALOGUE)
    yield from named[at:]


def _hits(text: str, paragraph: Paragraph, links: Sequence[WikiLink], palette: Palette) -> list[Hit]:
    names = palette.dictionary
    return names.with_links(text, names.hits(text, paragraph.prose), links)


def speech(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """What is said in a paragraph, quotation marks included. A word in quotation marks is not said."""
    if _OPENS.search(text, start, end) is None:
        return
    for match in _SPEECH.finditer(text, start, end):
        a, b = match.span()
        lead = text[max(start, a - _LOOK_BACK) : a]
        if not lead.strip(" \t\u3000>") or _SAID.search(text, max(a + 1, b - 3), b) or _LED_IN.search(lead):
            yield a, b


def _links(parsed: Document) -> Mapping[int, list[WikiLink]]:
    """The links that show something else than their target, by the start of their paragraph."""
    out: dict[int, list[WikiLink]] = {}
    shown = [link for link in parsed.wikilinks if link.shown != link.target]
    for paragraph in parsed.paragraphs if shown else ():
        inside = [link for link in shown if paragraph.span.start <= link.span.start < paragraph.span.end]
        if inside:
            out[paragraph.span.start] = inside
    return out
