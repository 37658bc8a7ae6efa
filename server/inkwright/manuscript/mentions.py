"""Mentions: where the names of cards stand in prose.

Overlapping Aho-Corasick, then the filters, then greedy longest: in that order, since a longer name
that fails a filter must not hide a shorter one that passes. Offsets are code points throughout.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from inkwright.domain.cards import Card
from inkwright.domain.manuscript import Mention
from inkwright.domain.text import SURROGATE, Span
from inkwright.manuscript import mention_marks
from inkwright.manuscript.inline import WikiLink
from inkwright.manuscript.markdown import Outline
from inkwright.manuscript.mention_marks import MARK, Pairs

Hit = tuple[int, int, tuple[str, ...]]
"""Start, end, and the paths of the cards that the name may mean: more than one when it is ambiguous."""

_SUFFIX = re.compile(r"[eE]?[sS]")  # may follow a Latin name; an apostrophe ends it anyway
_SPACE = re.compile(r"\s+")
# Letters of scripts that are written without spaces have no word borders.
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class _Entry:
    """One card behind a pattern. `exact` is the spelling that must stand there, '' for any.

    `forbidden`: words that the name must not be a part of, each with where in it the name stands.
    """

    card: str
    exact: str
    forbidden: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class _Pattern:
    """A name in its folded form. `left` and `right`: it has a letter there that a longer word could go on with.

    `plain` are its cards when no entry has a condition of its own, `always` when nothing at all has to be
    looked at. `marked`: it holds what Markdown may take for marks; of a pair of
    these it has both or none.
    """

    left: bool
    right: bool
    marked: bool
    entries: tuple[_Entry, ...]
    plain: tuple[str, ...]
    always: tuple[str, ...]


class Dictionary:
    """The names of a book's cards, ready to be searched for. Immutable; building costs microseconds a name."""

    def __init__(self, cards: Iterable[Card]) -> None:
        ordered = sorted(cards, key=lambda card: card.path)
        self._signatures = {card.path: _signature(card) for card in ordered}
        found: dict[str, list[_Entry]] = {}
        owners: dict[str, dict[str, None]] = {}
        self._spaced = False
        self.of_card: dict[str, frozenset[str]] = {}
        """The folded names of each card, by its path."""
        for card in ordered:
            mine: set[str] = set()
            for name in dict.fromkeys(_SPACE.sub(" ", n.strip()) for n in card.names):
                if not any(ch.isalnum() for ch in name):
                    continue
                owners.setdefault(_fold(name), {})[card.path] = None
                for pattern, entry in _entries(card, name):
                    rows = found.setdefault(pattern, [])
                    if entry not in rows:
                        rows.append(entry)
                    mine.add(pattern)
                    self._spaced |= " " in pattern
            self.of_card[card.path] = frozenset(mine)
        self._names = sorted(found)
        self._marked = any(MARK.search(name) for name in found)
        self._patterns = [_pattern(name, found[name]) for name in self._names]
        self._scan = scanner(self._names)
        words = [word for rows in found.values() for entry in rows for _, word in entry.forbidden]
        self._cased = any(map(_has_cases, (*self._names, *words)))
        self.ambiguous: Mapping[str, tuple[str, ...]] = {
            name: tuple(paths) for name, paths in owners.items() if len(paths) > 1
        }
        rows_of = "\n".join(f"{path}\t{sig}" for path, sig in sorted(self._signatures.items()))
        self.version = hashlib.blake2b(rows_of.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()

    def __len__(self) -> int:
        return len(self._names)

    def find(self, text: str, spans: Sequence[Span]) -> list[Mention]:
        """The mentions in the pieces `spans` of `text` (sorted, apart), by place. No hit crosses a piece's border.

        An ambiguous name gives a mention for each of its cards, at the same span.
        """
        return [
            Mention(card, Span(start, end)) for start, end, cards in self.hits(text, spans) for card in cards
        ]

    def hits(self, text: str, spans: Sequence[Span]) -> list[Hit]:
        """The same as triples, one for each place."""
        return self.within(text, [span.start for span in spans], [span.end for span in spans])

    def within(self, text: str, starts: Sequence[int], ends: Sequence[int]) -> list[Hit]:
        """The same for the pieces from each of `starts` to each of `ends`."""
        if not self._names or not starts:
            return []
        base, limit = starts[0], ends[-1]
        if self._marked:
            base, limit = mention_marks.widened(text, base, limit)
        whole = base == 0 and limit == len(text)
        folded = self._prepare(text if whole else text[base:limit])
        found = self._scan(folded)
        if not found:
            return []
        patterns = self._patterns
        kept: list[Hit] = []
        last = piece = 0
        marked, pairs = self._marked, None
        found.sort(key=_by_place)
        for index, at, stop in found:
            start, end = at + base, stop + base
            if start < last:
                continue
            while piece < len(ends) and ends[piece] <= start:
                piece += 1
            if piece == len(ends):
                break
            pattern = patterns[index]
            around = Span(starts[piece], ends[piece])
            if start < starts[piece] or ends[piece] < end:
                if not pattern.marked or not mention_marks.bridged(text, start, end, starts, ends, piece):
                    continue
                around = Span(min(start, around.start), max(end, around.end))
            if marked and pattern.marked:
                pairs = pairs or Pairs(text, starts, ends)
                if pairs.halved(start, end, piece):
                    continue
            cards = pattern.always or self._cards(pattern, text, Span(start, end), around, folded, base)
            if cards:
                kept.append((start, end, cards))
                last = end
        return kept

    def in_outline(self, text: str, outline: Outline) -> list[Hit]:
        """The hits in the prose and headings of a whole text, by place."""
        links = [link for link in outline.wikilinks if link.shown != link.target]
        pieces = [piece for *_, prose in outline.parts for piece in prose]
        hits = self.within(text, [start for start, _ in pieces], [end for _, end in pieces])
        return self.with_links(text, hits, links)

    def with_links(self, text: str, hits: list[Hit], links: Sequence[WikiLink]) -> list[Hit]:
        """`hits` with `[[target|shown]]` read as a mention of its target, and then not of what is shown."""
        for link in links:
            linked = self.hits(text, [link.target])
            if linked:
                hits = [h for h in hits if not (link.shown.start <= h[0] and h[1] <= link.shown.end)] + linked
        return sorted(hits) if links else hits

    def changed(self, before: Dictionary) -> frozenset[str]:
        """The folded names whose cards differ between the two: only texts that contain one need a new search."""
        paths = {p for p in {*self._signatures, *before._signatures} if self._differs(before, p)}
        sets = [d.of_card[p] for d in (self, before) for p in paths if p in d.of_card]
        return frozenset().union(*sets)

    def touches(self, text: str, names: Iterable[str]) -> bool:
        """Whether one of the folded `names` stands anywhere in `text`."""
        folded = self._prepare(text, spaced=True)
        return any(name in folded for name in names)

    def _differs(self, before: Dictionary, path: str) -> bool:
        return self._signatures.get(path) != before._signatures.get(path)

    def _prepare(self, text: str, spaced: bool = False) -> str:
        """`text` folded to the same length: letters lower, line ends as the spaces that they are in a name.

        Where no name has a letter with two cases it can be found without.
        """
        folded = _fold(text) if spaced or self._cased else _whole(text)
        if (spaced or self._spaced) and ("\n" in folded or "\r" in folded):
            folded = folded.replace("\n", " ").replace("\r", " ")
        return folded

    def _cards(
        self, pattern: _Pattern, text: str, hit: Span, piece: Span, folded: str, base: int
    ) -> tuple[str, ...]:
        """The cards that are meant at a place; none where the name is a part of a longer word."""
        start, end = hit.start, hit.end
        if pattern.left and start > 0 and _joins(text[start - 1]):
            return ()
        if pattern.right and not _ends_word(text, end):
            return ()
        if pattern.plain:
            return pattern.plain

        def stands_in(word: str, at: int) -> bool:
            inside = piece.start <= start - at and start - at + len(word) <= piece.end
            return inside and folded.startswith(word, start - at - base)

        return tuple(
            dict.fromkeys(
                entry.card
                for entry in pattern.entries
                if (not entry.exact or _as_written(text[start:end]) == entry.exact)
                and not any(stands_in(word, at) for at, word in entry.forbidden)
            )
        )


def _by_place(hit: tuple[int, int, int]) -> int:
    """By start, the longest first: names are shorter than 4,095 characters."""
    return hit[1] * 4096 - hit[2]


def _signature(card: Card) -> str:
    marked = any(MARK.search(name) for name in card.names)  # what an older index has of these is not all
    return repr((card.names, card.match.case, card.match.exclude, *("paired marks",) * marked))


def _entries(card: Card, name: str) -> Iterable[tuple[str, _Entry]]:
    """The patterns of one name: composed and decomposed, and with a gap of two characters for CRLF."""
    composed = unicodedata.normalize("NFC", name)
    single = len(composed) == 1
    # A Latin letter that is a name (V, K) is never the article or the pronoun of the same letter.
    exact = composed if card.match.case == "exact" or (single and _joins(composed)) else ""
    words = [_fold(unicodedata.normalize("NFC", w.strip())) for w in card.match.exclude]
    words += guarded().get(composed, ()) if single else ()
    for written in mention_marks.written(composed):
        for form in dict.fromkeys((written, unicodedata.normalize("NFD", written))):
            folded = _fold(form)
            gaps = [m.start() for m in re.finditer(" ", folded)]
            for pattern in (folded, *(folded[:gap] + " " + folded[gap:] for gap in gaps)):
                forbidden = tuple((m, w) for w in words if w for m in _places(pattern, w))
                yield pattern, _Entry(card.path, exact and written, forbidden)


def _places(pattern: str, word: str) -> list[int]:
    """Where `pattern` stands in `word`, overlapping; a word that is no longer than the name forbids nothing."""
    if len(word) <= len(pattern):
        return []
    return [i for i in range(len(word) - len(pattern) + 1) if word.startswith(pattern, i)]


def _pattern(name: str, entries: list[_Entry]) -> _Pattern:
    left, right = _joins(name[0]), _joins(name[-1])
    bare = all(not e.exact and not e.forbidden for e in entries)
    plain = tuple(dict.fromkeys(e.card for e in entries)) if bare else ()
    marked = MARK.search(name) is not None
    return _Pattern(left, right, marked, tuple(entries), plain, () if left or right else plain)


def _as_written(piece: str) -> str:
    return _SPACE.sub(" ", unicodedata.normalize("NFC", piece))


def _fold(text: str) -> str:
    """Lower case without changing the length, the same in any context; lone surrogates become U+FFFD."""
    folded = text.lower()
    if len(folded) != len(text):
        folded = "".join([low if len(low := ch.lower()) == 1 else ch for ch in text])
    return _whole(folded.replace("ς", "σ"))


def _whole(text: str) -> str:
    """`text` with U+FFFD for each lone surrogate: the search takes valid Unicode only."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return SURROGATE.sub("\ufffd", text)
    return text


def _has_cases(text: str) -> bool:
    return text.upper() != text or text.lower() != text


def _joins(ch: str) -> bool:
    """Whether a character continues a word of a script that has word borders."""
    if ch < "\x80":
        return ch.isalnum()
    return (ch.isalnum() or unicodedata.combining(ch) > 0) and not _UNSPACED.match(ch)


def _ends_word(text: str, end: int) -> bool:
    if end >= len(text) or not _joins(text[end]):
        return True
    suffix = _SUFFIX.match(text, end)
    return suffix is not None and (suffix.end() >= len(text) or not _joins(text[suffix.end()]))


@cache
def guarded() -> Mapping[str, tuple[str, ...]]:
    """Words that a one-character name does not stand in, by that character."""
    text = Path(__file__).with_name("one_character.txt").read_text("utf-8")
    rows = [line.split(" ") for line in text.split("\n") if line and not line.startswith("#")]
    return {row[0]: tuple(dict.fromkeys(word for word in row[1:] if row[0] in word)) for row in rows}


Scanner = Callable[[str], list[tuple[int, int, int]]]
"""All overlapping occurrences in a folded text as (index of the name, start, end), in no order."""


def scanner(names: Sequence[str]) -> Scanner:
    """Looks for all names at once. Takes texts without lone surrogates."""
    if not names:
        return lambda _text: []
    try:
        from ahocorasick_rs import AhoCorasick
    except ImportError:
        return plain_scanner(names)
    automaton = AhoCorasick(list(names), store_patterns=False)
    return lambda text: automaton.find_matches_as_indexes(text, overlapping=True)


def plain_scanner(names: Sequence[str]) -> Scanner:
    """The same without a native library: each possible first character, each length that begins with it."""
    by_first: dict[str, dict[int, dict[str, int]]] = {}
    for index, name in enumerate(names):
        by_first.setdefault(name[0], {}).setdefault(len(name), {})[name] = index
    first = re.compile("[" + "".join(map(re.escape, by_first)) + "]")

    def scan(text: str) -> list[tuple[int, int, int]]:
        out: list[tuple[int, int, int]] = []
        for match in first.finditer(text):
            at = match.start()
            for length, table in by_first[text[at]].items():
                index = table.get(text[at : at + length])
                if index is not None:
                    out.append((index, at, at + length))
        return out

    return scan
