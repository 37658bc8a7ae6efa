"""What is offered at a place that is being typed at: completion items, as JSON."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal
from weakref import WeakKeyDictionary

from lsprotocol import types as t

from inkwright.domain.text import Span
from inkwright.lsp.convert import plain
from inkwright.lsp.wire import Json, dumps
from inkwright.manuscript import completing, fieldnames, frontmatter, frontmatter_edits, suggesting
from inkwright.manuscript.completing import Fit, Place
from inkwright.manuscript.suggesting import Suggestion

if TYPE_CHECKING:
    from inkwright.abilities.studio import Studio
    from inkwright.domain.cards import Card
    from inkwright.lsp.session import Session
    from inkwright.lsp.still import Still
    from inkwright.manuscript.index import BookIndex
    from inkwright.workspace import OpenBook

LIMIT = 200
SUMMARY = 300

_CHOICE = re.compile(r"\$\{\d+\|([^,|]*)[^|]*\|\}")
_FILLED = re.compile(r"\$\{\d+:([^}]*)\}")
_STOP = re.compile(r"\$\d+")
_CLOSED = re.compile(r"[^\[\]\r\n]*\]\]")


@dataclass(frozen=True, slots=True)
class Offer:
    """One name as it is offered. `label` and `about` are the JSON of what does not hang on the place."""

    name: str
    card: str
    label: str
    about: str


class Names:
    """The names of the books' cards by name, made once for each state of the cards."""

    def __init__(self) -> None:
        self._made: WeakKeyDictionary[BookIndex, tuple[object, list[Offer]]] = WeakKeyDictionary()

    def of(self, index: BookIndex) -> list[Offer]:
        cards = index.cards()
        made = self._made.get(index)
        if made is None or made[0] is not cards:
            offers = [_offer(card, name) for card in cards for name in dict.fromkeys(card.names)]
            offers.sort(key=lambda offer: offer.name)
            made = self._made[index] = (cards, offers)
        return made[1]


def _offer(card: Card, name: str) -> Offer:
    about: dict[str, Any] = {
        "kind": t.CompletionItemKind.Reference.value,
        "detail": card.name if name != card.name else (card.type or card.kind),
    }
    if card.summary:
        about["documentation"] = card.summary[:SUMMARY]
    return Offer(name, card.path, dumps(name), dumps(about)[1:-1])


class Offering:
    """The items for one place."""

    def __init__(
        self, ls: Session, book: OpenBook, still: Still, offset: int, place: Place, names: Names
    ) -> None:
        self._ls = ls
        self._book = book
        self._still = still
        self._offset = offset
        self._place = place
        self._names = names
        self._tail = completing.Tail(place.typed)
        self._items: list[str] = []
        self._incomplete = False
        self._ranges: dict[int, str] = {}

    def answer(self) -> Json:
        kind = self._place.kind
        if kind == "head":
            self._head()
        if kind in ("key", "value"):
            self._fields()
        elif self._book.index is not None:
            self._named(self._book.index)
        return self._json()

    async def of_profile(self, studio: Studio) -> Json | None:
        """The items for a profile's file; None in any other."""
        from inkwright.abilities import profile_files

        place, path = self._place, self._still.path
        if path is None or place.kind not in ("key", "value"):
            return None
        present = _present(self._still.text, self._offset) if place.kind == "key" else []
        found = await profile_files.words(studio, self._book, path, place.key, place.parent, present)
        if found is None:
            return None
        kind = t.CompletionItemKind.Property if place.kind == "key" else t.CompletionItemKind.Value
        self._suggested([Suggestion(word) for word in found], kind, {})
        return self._json()

    def _json(self) -> Json:
        incomplete = "true" if self._incomplete else "false"
        return Json(f'{{"isIncomplete":{incomplete},"items":[{",".join(self._items)}]}}')

    # Names in a text.

    def _named(self, index: BookIndex) -> None:
        place = self._place
        offers = self._names.of(index)
        if place.kind == "shown":
            wanted = place.key.casefold()
            cards = {offer.card for offer in offers if offer.name.casefold() == wanted}
            offers = [offer for offer in offers if offer.card in cards]
        fits = [(fit, offer) for offer in offers if (fit := self._fit(offer.name)) is not None]
        if any(fit.rank < 3 for fit, _ in fits):
            # What has most of a name typed already is meant before what has none.
            fits = [row for row in fits if row[0].rank < 3]
        near = completing.cast(self._still.text, self._offset, index.dictionary)
        last = len(near)
        # The people of this scene, then those of many chapters.
        fits.sort(
            key=lambda row: (
                row[0].rank,
                -row[0].typed,
                near.get(row[1].card, last),
                -len(index.tally(row[1].card)),
            )
        )
        self._incomplete |= len(fits) > LIMIT
        close = self._close()
        for fit, offer in fits[:LIMIT]:
            self._put(fit, offer.label, offer.about, close)
        if place.kind == "link" and place.typed:
            self._chapters(index, close)

    def _fit(self, name: str) -> Fit | None:
        if self._place.kind in ("name", "head"):
            return self._tail.fit(name)
        return completing.fit(self._place.typed, name)

    def _chapters(self, index: BookIndex, close: str) -> None:
        for chapter in index.chapters():
            if len(self._items) >= LIMIT:
                self._incomplete = True
                return
            if (fit := completing.fit(self._place.typed, chapter.title)) is not None:
                about = {"kind": t.CompletionItemKind.File.value, "detail": chapter.path}
                self._put(fit, dumps(chapter.title), dumps(about)[1:-1], close)

    def _close(self) -> str:
        """What closes a link here; '' where it is closed already."""
        if self._place.kind not in ("link", "shown"):
            return ""
        text, at = self._still.text, self._offset
        if _CLOSED.match(text, at):
            return ""
        return "]" if text[at : at + 1] == "]" else "]]"

    # Front matter.

    def _fields(self) -> None:
        index, place = self._book.index, self._place
        if index is None:
            return
        path = "" if self._still.path is None else self._book.relative(self._still.path)
        table = fieldnames.CARD if index.card(path) is not None else fieldnames.CHAPTER
        if place.kind == "key":
            present = _present(self._still.text, self._offset)
            found = suggesting.keys(table, present, place.typed)
            self._suggested(found, t.CompletionItemKind.Property, {})
            return
        locale = self._locale(index)
        words = suggesting.values(table, place.key, place.parent, index.cards(), index.chapters(), locale)
        here = Counter(mention.card for mention in index.mentions(path))
        self._suggested(words, t.CompletionItemKind.Value, here)

    def _locale(self, index: BookIndex) -> suggesting.Locale:
        """The language of the book, else of its cards' names, else of the editor."""
        language = self._book.book.language.casefold()
        if language:
            return "zh" if language.startswith("zh") else "en"
        cards = index.cards()
        if not cards:
            return self._ls.locale
        return "zh" if any("\u3400" <= ch <= "\u9fff" for card in cards for ch in card.name) else "en"

    def _suggested(
        self, found: Sequence[Suggestion], kind: t.CompletionItemKind, here: dict[str, int]
    ) -> None:
        typed = self._place.typed
        rows = [(fit, word) for word in found if (fit := completing.fit(typed, word.text)) is not None]
        rows.sort(key=lambda row: (row[0].rank, not row[1].likely, -here.get(row[1].card, 0)))
        self._incomplete |= len(rows) > LIMIT
        for fit, word in rows[:LIMIT]:
            about: dict[str, Any] = {"kind": kind.value}
            if word.about:
                about["detail"] = word.about[:SUMMARY]
            new = (
                word.text + ("" if self._colon() else ": ")
                if self._place.kind == "key"
                else self._value(word)
            )
            self._put(fit, dumps(word.text), dumps(about)[1:-1], new=new)

    def _colon(self) -> bool:
        return self._still.text[self._offset : self._offset + 1] == ":"

    def _value(self, word: Suggestion) -> str:
        text = frontmatter_edits.plain(word.text) if word.card else word.text
        return f" {text}" if self._place.glued else text

    # A new file.

    def _head(self) -> None:
        index, path = self._book.index, self._still.path
        among_cards = (
            index is not None and path is not None and index.card(self._book.relative(path)) is not None
        )
        locale = self._ls.locale
        kinds: tuple[Literal["card", "chapter"], ...] = ("chapter", "card")
        kinds = kinds[::-1] if among_cards else kinds
        for kind in kinds:
            snippet = suggesting.snippet(kind, locale)
            snippets = self._ls.client.can.snippets
            name = path.stem if path is not None else ""
            if snippets:
                new = snippet.replace("$NAME", re.sub(r"([\\$}])", r"\\\1", name))
            else:
                filled = _STOP.sub("", _FILLED.sub(r"\1", _CHOICE.sub(r"\1", snippet.replace("$NAME", "\0"))))
                new = filled.replace("\0", name)
            about = {
                "kind": t.CompletionItemKind.Snippet.value,
                "detail": self._ls.tr(f"complete_head_{kind}_about"),
                **({"insertTextFormat": t.InsertTextFormat.Snippet.value} if snippets else {}),
            }
            label = self._ls.tr(f"complete_head_{kind}")
            typed = self._place.typed
            if typed and not typed.startswith("-") and not kind.startswith(typed.lower()):
                continue
            filter_ = "---" if typed.startswith("-") else kind if typed else label
            self._put(Fit(0, len(typed), filter_), dumps(label), dumps(about)[1:-1], new=new)

    # An item.

    def _put(self, fit: Fit, label: str, about: str, close: str = "", *, new: str | None = None) -> None:
        """`label` is JSON; what is written is the label and `close`, or `new`."""
        # What was found by other letters than its own: the client must ask again, it could not tell.
        self._incomplete |= bool(fit.letters) and self._place.kind != "head"
        mark = "@" if self._place.kind == "mention" else ""
        count = fit.typed + len(mark)
        where = self._ranges.get(count)
        if where is None:
            span = Span(self._offset - count, self._offset)
            where = self._ranges[count] = dumps(plain(self._still.range(span, self._ls.encoding)))
        matched = dumps(mark + fit.letters) if fit.letters else f'"{mark}{label[1:]}' if mark else label
        written = dumps(new) if new is not None else f'{label[:-1]}{close}"'
        self._items.append(
            f'{{"label":{label},{about},"filterText":{matched},"sortText":"{len(self._items):04}",'
            f'"textEdit":{{"range":{where},"newText":{written}}}}}'
        )


def _present(text: str, offset: int) -> list[str]:
    """The fields that the front matter has on other lines than the one of `offset`."""
    rows = re.finditer(r"^([^\s:#\-\[\]{},][^:\r\n]*?)[ \t]*:", text[: frontmatter.MAX_LENGTH], re.MULTILINE)
    end = re.search(r"^(?:---|\.\.\.)[ \t]*$", text[4:], re.MULTILINE)
    limit = 4 + end.start() if end else max(offset, 0)
    return [row[1] for row in rows if row.start() < limit and not row.start() <= offset <= row.end()]
