"""What the tools of one run work with: one book, the run's own chapter as it stood, one language."""

from __future__ import annotations

import asyncio
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from inkwright.domain.cards import Card
from inkwright.domain.conversation import Locale
from inkwright.domain.facts import FactTaker
from inkwright.domain.manuscript import Chapter
from inkwright.domain.ports import BookView, CardMaker, Summaries
from inkwright.domain.text import Snapshot
from inkwright.manuscript import facts
from inkwright.manuscript.markdown import scan
from inkwright.manuscript.places import Order
from inkwright.tools import plain
from inkwright.tools.texts import line

CURRENT = "current"
"""The id of the run's own chapter, whatever its path."""
_KEPT = 4
_NUMBER = re.compile(r"\d{1,9}")
_PRIVATE = frozenset({"private", "secret", "秘密"})


class Refused(Exception):  # noqa: N818
    """A tool cannot do what it was asked; the text says so to the model."""


@dataclass(slots=True)
class Desk:
    """`view` is None for a document without a book: then its own chapter is all there is. `maker` takes
    new cards, `facts` what is told of them; `summaries` knows what chapters are about."""

    view: BookView | None
    snapshot: Snapshot
    locale: Locale
    maker: CardMaker | None = None
    facts: FactTaker | None = None
    summaries: Summaries | None = None
    _read: dict[str, plain.Plain] = field(default_factory=dict)
    _order: Order | None = None

    def chapters(self) -> tuple[Chapter, ...]:
        return self.view.chapters() if self.view else ()

    def order(self) -> Order:
        """The chapters, to be asked where a reference leads."""
        chapters = self.chapters()
        if self._order is None or self._order.chapters is not chapters:
            self._order = Order(chapters)
        return self._order

    def cards(self) -> tuple[Card, ...]:
        """The cards that a model may see."""
        return tuple(card for card in self.view.cards() if card.ai != "never") if self.view else ()

    def so_far(self) -> tuple[Card, ...]:
        """Those of them that a run is given unasked: none that was made from a later chapter, unless its
        author wants it always."""
        here = self.place()
        later = set() if here is None else {chapter.path for chapter in self.chapters()[here + 1 :]}
        return tuple(
            card
            for card in self.cards()
            if card.ai == "always" or str(card.fields.get("source")) not in later
        )

    def place(self) -> int | None:
        """The index of the run's own chapter in reading order."""
        return self.order().index(self.snapshot.path)

    def find(self, id_: str) -> str:
        """The path of the chapter that an id means: a path, else a file name, a title or a number
        that fits one chapter alone. Raises `Refused`."""
        wanted = _nfc(id_.strip().replace("\\", "/").removeprefix("./"))
        if wanted in ("", CURRENT, self.snapshot.path):
            return self.snapshot.path
        chapters = self.chapters()
        for meant in _meanings(wanted):
            found = [chapter.path for chapter in chapters if meant(chapter)]
            if len(found) == 1:
                return found[0]
            if found:
                raise Refused(line("ambiguous", self.locale, id=wanted[:100], ids=_ids(found)))
        some = [chapter.path for chapter in chapters[:5]] or [CURRENT]
        raise Refused(line("no_chapter", self.locale, id=wanted[:100], ids=_ids(some)))

    def chapter(self, path: str) -> Chapter | None:
        return next((c for c in self.chapters() if c.path == path), None)

    def title(self, path: str) -> str:
        """The chapter's title; for one that the book doesn't list, its first heading or file name."""
        if (chapter := self.chapter(path)) is not None:
            return one_line(chapter.title)
        heading = next(iter(scan(self.snapshot.text).headings), None)
        return one_line(heading.title if heading else PurePosixPath(path).stem)

    async def read(self, path: str) -> plain.Plain:
        """A chapter's prose; the run's own chapter is the snapshot's. Raises `InkwrightError`."""
        if path not in self._read:
            own = path == self.snapshot.path or self.view is None
            text = self.snapshot.text if own or self.view is None else await self.view.text(path)
            while len(self._read) >= _KEPT:
                del self._read[next(iter(self._read))]
            self._read[path] = await plain.read(text)
        return self._read[path]

    def later(self, path: str) -> bool:
        """Whether a chapter comes after the run's own."""
        here = self.place()
        return here is not None and any(chapter.path == path for chapter in self.chapters()[here + 1 :])

    def card(self, card: Card) -> str:
        """A card as known in the run's chapter: no private field, no later fact, no markup."""
        return describe(card, self.order(), self.place())

    async def described(self, cards: Sequence[Card]) -> list[str]:
        """The same of many, off the event loop; the book is asked before."""
        order, place = self.order(), self.place()
        return await asyncio.to_thread(lambda: [describe(card, order, place) for card in cards])


def describe(card: Card, order: Order, place: int | None) -> str:
    """A card as known in a chapter, for a model to read."""
    shown = {key: value for key, value in card.fields.items() if key.casefold() not in _PRIVATE}
    # A line end before the body: a `---` on its first line opens no front matter.
    bare = replace(card, fields=shown, private="", body=plain.plain(f"\n{card.body}").text)
    return facts.describe(bare, order, place)


def one_line(text: object) -> str:
    return " ".join(str(text).split()).replace("|", "/")


def shorten(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def _ids(paths: Sequence[str]) -> str:
    return ", ".join(paths[:10])


def _meanings(wanted: str) -> Iterable[Callable[[Chapter], bool]]:
    """What an id may stand for, the surest first."""
    yield lambda chapter: _nfc(chapter.path) == wanted
    yield lambda chapter: wanted in _names(_nfc(chapter.path))
    yield lambda chapter: _nfc(chapter.title).strip() == wanted
    if _NUMBER.fullmatch(wanted):
        number = int(wanted)
        yield lambda chapter: chapter.number == number and chapter.kind == "main"


def _names(path: str) -> tuple[str, str]:
    """The file's name, whole and without its suffix."""
    name = path.rpartition("/")[2]
    return name, name.rpartition(".")[0] or name


def _nfc(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFC", text)
