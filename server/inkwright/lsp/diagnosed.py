"""Diagnostics as the client takes them: places in its encoding, sentences in its language, related places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from inkwright.lsp.wire import dumps

if TYPE_CHECKING:
    from inkwright.domain.conversation import Locale
    from inkwright.domain.diagnostic import Diagnostic, Related, Said
    from inkwright.domain.text import Range
    from inkwright.lsp.session import Session
    from inkwright.lsp.still import Still
    from inkwright.workspace import OpenBook

LIMIT = 500
"""Diagnostics of one document that are shown."""
RELATED = 8
"""Related places of one diagnostic that are shown."""
FILES = 50
"""Other files that are looked at for the related places of one document."""
SOURCE = "inkwright"
UNREAD = "paragraph_overlong"
"""Says that there may be more that nobody has looked for: never left out."""
_ID = (1 << 64) - 1
SEVERITY = {"error": 1, "warning": 2, "information": 3, "hint": 4}

Item = dict[str, Any]


class Sources:
    """The texts of a book's files as they stand, each read once: open documents before the disk."""

    def __init__(self, ls: Session, book: OpenBook | None) -> None:
        self._ls = ls
        self._book = book
        self._read: dict[str, Still | None] = {}

    async def of(self, path: str) -> Still | None:
        """None for a file that cannot be read, and once there have been too many."""
        from inkwright.domain.errors import InkwrightError
        from inkwright.lsp.still import Still

        index = self._book.index if self._book is not None else None
        if index is None or self._book is None:
            return None
        if path not in self._read:
            place = self._book.root / path
            document = self._ls.documents.at(place)
            still: Still | None = None
            if document is not None:
                still = document.still()
            elif len(self._read) < FILES:
                try:
                    text = await index.text(path)
                    still = Still(self._ls.documents.uri(place), place, None, text)
                except InkwrightError:
                    still = None
            self._read[path] = still
        return self._read[path]


@dataclass(frozen=True)
class Shown:
    """What is shown of one document, each diagnostic as JSON."""

    items: tuple[str, ...] = ()

    @cached_property
    def id(self) -> str:
        """What tells it from all else that this process shows."""
        return f"{hash(self.items) & _ID:016x}"

    @property
    def json(self) -> str:
        return f"[{','.join(self.items)}]"


class Row:
    """A diagnostic as JSON. Its lines count from the first one of its stretch; `rest` is what follows its range."""

    __slots__ = ("_line", "_text", "line", "one", "rest", "where")

    def __init__(self, one: Diagnostic, where: Range, line: int, rest: str) -> None:
        """`where` it stands in a text in which its stretch begins in `line`."""
        self.one = one
        self.where = where
        self.line = line
        self.rest = rest
        self._line, self._text = -1, ""

    def at(self, line: int) -> str:
        """The same where its stretch begins in `line`."""
        if self._line != line:
            (start, end), by = (self.where.start, self.where.end), line - self.line
            self._line = line
            self._text = (
                f'{{"range":{{"start":{{"line":{start.line + by},"character":{start.character}}},'
                f'"end":{{"line":{end.line + by},"character":{end.character}}}}},{self.rest}'
            )
        return self._text


class Rows:
    """What was last shown of one document: of stretches that stand, nothing is made anew but the numbers of lines."""

    def __init__(self) -> None:
        self._how: tuple[str, str] = ("", "")
        self._known: dict[int, Row] = {}

    def begin(self, how: tuple[str, str]) -> tuple[Mapping[int, Row], dict[int, Row]]:
        """What is known in an encoding and a language, by the id of the diagnostic, and what will be the next time."""
        known = self._known if how == self._how else {}
        self._how, self._known = how, {}
        return known, self._known


async def shown(
    ls: Session, still: Still, said: Sequence[Said], book: OpenBook | None, rows: Rows | None = None
) -> Shown:
    """As many as an editor can show, the gravest of them; that there are more stands in the first line."""
    known, kept = (rows or Rows()).begin((ls.encoding, ls.locale))
    sources, related = Sources(ls, book), ls.client.can.related_information
    out: list[str] = []
    count = sum(len(part.found) for part in said)
    if count > LIMIT:
        out.append(dumps(_left_out(ls, count)))
        said = _gravest(said)
    for part in said:
        for one in part.found:
            if one.related and related:
                out.append(dumps(await _item(ls, still, one.shift(part.at), sources)))
                continue
            row = known.get(id(one)) if part.lasting else None
            if row is None:
                where = still.range(one.span.shift(part.at), ls.encoding)
                row = Row(one, where, part.line, dumps(_told(one, ls.locale))[1:])
            if part.lasting:
                kept[id(one)] = row
            out.append(row.at(part.line))
    return Shown(tuple(out))


def _left_out(ls: Session, count: int) -> Item:
    return {
        "range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}},
        "severity": SEVERITY["information"],
        "code": "diagnostics_left_out",
        "source": SOURCE,
        "message": ls.tr("diagnostics_left_out", count=count - LIMIT, shown=LIMIT),
    }


def _gravest(said: Sequence[Said]) -> list[Said]:
    """As many as are shown, in the same stretches."""
    ranked: list[list[tuple[int, Diagnostic]]] = [[] for _ in range(1 + len(SEVERITY))]
    for i, part in enumerate(said):
        for one in part.found:
            ranked[SEVERITY[one.severity] if one.code != UNREAD else 0].append((i, one))
    chosen: list[list[Diagnostic]] = [[] for _ in said]
    for i, one in islice(chain.from_iterable(ranked), LIMIT):
        chosen[i].append(one)
    return [replace(part, found=found) for part, found in zip(said, chosen, strict=True) if found]


def _told(one: Diagnostic, locale: Locale) -> Item:
    """A diagnostic but for its places."""
    from inkwright import checks

    return {
        "severity": SEVERITY[one.severity],
        "code": one.code,
        "source": SOURCE,
        "message": checks.message(one, locale),
    }


async def wire(ls: Session, still: Still, found: Sequence[Diagnostic], book: OpenBook | None) -> list[Item]:
    """All of them, each with its related places where the client shows them."""
    sources = Sources(ls, book)
    return [await _item(ls, still, one, sources) for one in found]


async def _item(ls: Session, still: Still, one: Diagnostic, sources: Sources) -> Item:
    from inkwright.lsp.convert import plain

    item = {"range": plain(still.range(one.span, ls.encoding)), **_told(one, ls.locale)}
    if one.related and ls.client.can.related_information:
        places = [await _related(ls, sources, related) for related in one.related[:RELATED]]
        item["relatedInformation"] = [place for place in places if place is not None]
    return item


async def _related(ls: Session, sources: Sources, related: Related) -> Item | None:
    from inkwright.abilities import relating
    from inkwright.lsp.convert import plain

    still = await sources.of(related.path)
    if still is None:
        return None
    where = still.range(relating.where(related, still.text), ls.encoding)
    return {
        "location": {"uri": still.uri, "range": plain(where)},
        "message": ls.tr(related.code, **related.params),
    }
