"""An open chapter as a row of stretches, each with what is worked out of it: a key costs the stretch it touches."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from inkwright.domain.manuscript import Counts
from inkwright.domain.text import Span
from inkwright.manuscript import leaf, markdown, structure
from inkwright.manuscript.borders import reaching
from inkwright.manuscript.counting import measure, shown
from inkwright.manuscript.ends import Ends
from inkwright.manuscript.inline import WikiLink
from inkwright.manuscript.leaf import Found
from inkwright.manuscript.markdown import Outline, Part
from inkwright.manuscript.mentions import Dictionary, Hit
from inkwright.manuscript.stretches import Stretches
from inkwright.manuscript.structure import Contents, Shape

SIZE = 2_000
"""Characters of a page before it ends at the next place where it may."""

Key = tuple[str, tuple[int, ...], tuple[int, ...]]
"""A paragraph by its text, what of it is prose, and its links that show something else than their target."""
Known = dict[Key, tuple[Counts, tuple[Hit, ...]]]
"""What was worked out of each paragraph. Hits count from its start."""


@dataclass(frozen=True, slots=True)
class Page:
    """One stretch; all places count from its start. `known` is what was worked out of its paragraphs."""

    text: str
    reaches: bool
    shape: Shape
    comments: tuple[Span, ...]
    counts: Counts
    found: Found
    known: Known = field(repr=False)


@dataclass(frozen=True, slots=True)
class Pages:
    """The pages of a chapter as it was last read: `text`. `times` is how often each card is meant, first come first;
    `contents` are its title and marks, as `structure.contents` gives them."""

    row: tuple[Page, ...] = ()
    begins: array[int] = field(default_factory=lambda: array("Q", (0,)), repr=False)
    times: Mapping[str, int] = field(default_factory=dict)
    counts: Counts = field(default_factory=Counts)
    contents: Contents = "", ()
    commented: int = 0
    """How many of its pages have comments."""
    text: str = field(default="", repr=False)
    mark: int = 0
    size: int = SIZE

    def follow(self, text: str, dictionary: Dictionary, *, apart: bool, ends: Ends | None = None) -> Pages:
        """The pages of `text`. These must have been made with the same dictionary.

        `apart` False: it cannot be told where one page may end. `ends` are those of the document.
        """
        row = _Row(self, dictionary, ends)
        if apart:
            row.follow(text)
        else:
            row.put(0, len(row.row), row.made((text,), row.row))
            row.text, row.mark = text, 0
        return row.pages()

    @property
    def comments(self) -> list[Span]:
        if not self.commented:
            return []
        return [
            span.shift(at) for at, page in zip(self.begins, self.row, strict=False) for span in page.comments
        ]

    def found(self, version: str) -> Found:
        """The mentions as the index has them."""
        return Found(version, tuple(self.times), array("I", self.times.values()), _Places(self))


class _Places(leaf.Places):
    """The places of all mentions, put together when somebody asks for them."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self._made: array[int] | None = None

    def whole(self) -> array[int]:
        if self._made is None:
            numbers = {card: number for number, card in enumerate(self._pages.times)}
            places: list[int] = []
            for at, page in zip(self._pages.begins, self._pages.row, strict=False):
                rows = iter(page.found.places)
                mine = [numbers[card] for card in page.found.cards]
                for card, start, length in zip(rows, rows, rows, strict=True):
                    places += (mine[card], start + at, length)
            self._made = array("I", places)
        return self._made


class _Row(Stretches[Page]):
    def __init__(self, pages: Pages, dictionary: Dictionary, ends: Ends | None) -> None:
        super().__init__(pages.size, ends)
        self.row = list(pages.row)
        self.text, self.mark, self._begins = pages.text, pages.mark, pages.begins
        self._times = dict(pages.times)
        self._counts, self._commented = pages.counts, pages.commented
        self._contents: Contents | None = pages.contents
        self._dictionary = dictionary

    def pages(self) -> Pages:
        contents = self._contents or structure.contents([page.shape for page in self.row])
        return Pages(
            tuple(self.row),
            self._begins,
            self._times,
            self._counts,
            contents,
            self._commented,
            self.text,
            self.mark,
            self._size,
        )

    def put(self, front: int, back: int, made: list[Page]) -> None:
        old = self.row[front:back]
        super().put(front, back, made)
        for page in old:
            self._counts -= page.counts
        for page in made:
            self._counts += page.counts
        self._commented += sum(bool(page.comments) for page in made) - sum(
            bool(page.comments) for page in old
        )
        if [page.shape for page in old] != [page.shape for page in made]:
            self._contents = None
        before, after = _times(old), _times(made)
        if list(before) != list(after):  # which card comes first may be another one
            self._times = _times(self.row)
        else:
            for card, times in after.items():
                self._times[card] += times - before[card]

    def made(self, texts: Iterable[str], old: Sequence[Page]) -> list[Page]:
        known = {key: read for page in old for key, read in page.known.items()}
        return [self._page(text, known) for text in texts]

    def _page(self, text: str, known: Known) -> Page:
        outline = markdown.outline(text)
        counts = Counts()
        hits: list[Hit] = []
        own: Known = {}
        links = _links(outline)
        for part in outline.parts:
            start, prose = part[0], part[4]
            if not prose:
                continue
            mine = links.get(start, ())
            key = _key(text, part, mine)
            read = own.get(key) or known.get(key) or _read(text, part, mine, self._dictionary)
            own[key] = read
            counts += read[0]
            hits += [(a + start, b + start, paths) for a, b, paths in read[1]]
        found = leaf.pack(self._dictionary.version, hits)
        comments = tuple(outline.comments)
        return Page(text, reaching(text), structure.shape(text, outline), comments, counts, found, own)


def _times(row: Iterable[Page]) -> dict[str, int]:
    out: dict[str, int] = {}
    for page in row:
        for card, times in zip(page.found.cards, page.found.tallies, strict=True):
            out[card] = out.get(card, 0) + times
    return out


def _key(text: str, part: Part, links: tuple[WikiLink, ...]) -> Key:
    start, end, _, _, prose = part
    pieces = tuple([x - start for piece in prose for x in piece])
    linked = [x - start for link in links for x in (link.target.start, link.target.end)]
    return text[start:end], pieces, tuple(linked)


def _read(
    text: str, part: Part, links: tuple[WikiLink, ...], dictionary: Dictionary
) -> tuple[Counts, tuple[Hit, ...]]:
    start, prose = part[0], part[4]
    hits = dictionary.within(text, [a for a, _ in prose], [b for _, b in prose])
    hits = dictionary.with_links(text, hits, links)
    return measure(shown(text, prose)), tuple((a - start, b - start, paths) for a, b, paths in hits)


def _links(outline: Outline) -> dict[int, tuple[WikiLink, ...]]:
    """The links that show something else than their target, by the start of their paragraph."""
    out: dict[int, tuple[WikiLink, ...]] = {}
    for link in outline.wikilinks:
        if link.shown != link.target:
            start = outline.parts[_holding(outline, link.span.start)][0]
            out[start] = (*out.get(start, ()), link)
    return out


def _holding(outline: Outline, offset: int) -> int:
    """The index of the paragraph that begins last before `offset`."""
    return bisect_right(outline.parts, offset, key=lambda part: part[0]) - 1
