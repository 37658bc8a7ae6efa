"""Diagnostics as the client takes them: places in its encoding, sentences in its language, related places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple

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
MOST = 4 * LIMIT
"""Diagnostics, and stretches, of one document that are remembered as they were shown."""
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
    """What is shown of one document, as JSON, and how many diagnostics that are."""

    json: str = "[]"
    count: int = 0

    @cached_property
    def id(self) -> str:
        """What tells it from all else that this process shows."""
        return f"{hash(self.json) & _ID:016x}"


class Row(NamedTuple):
    """A diagnostic as JSON: `where` it stands in a text in which its stretch begins in `line`, and the `rest`."""

    one: Diagnostic
    where: Range
    line: int
    rest: str

    def at(self, line: int) -> str:
        """The same where its stretch begins in `line`."""
        (start, end), by = (self.where.start, self.where.end), line - self.line
        return (
            f'{{"range":{{"start":{{"line":{start.line + by},"character":{start.character}}},'
            f'"end":{{"line":{end.line + by},"character":{end.character}}}}},{self.rest}'
        )


class Rows:
    """What was shown of one document: of stretches that stand, nothing is made anew but the numbers of lines."""

    def __init__(self) -> None:
        self._how: tuple[str, str] = ("", "")
        self._rows: dict[int, Row] = {}
        self._parts: dict[int, tuple[int, str, Sequence[Diagnostic]]] = {}
        """By what was found of a stretch, which is held so that its number stands for it, the line and what was shown."""

    def begin(self, encoding: str, locale: str) -> None:
        """What was shown in another way, and so much that most of it must be gone, is forgotten."""
        other, self._how = self._how != (encoding, locale), (encoding, locale)
        for kept in (self._rows, self._parts):
            if other or len(kept) > MOST:
                kept.clear()

    def part(self, part: Said) -> str | None:
        """What was shown of a whole stretch, if it stands and begins in the same line."""
        known = self._parts.get(id(part.found))
        return known[1] if known is not None and known[0] == part.line else None

    def row(self, one: Diagnostic) -> Row | None:
        return self._rows.get(id(one))

    def keep(self, part: Said, shown: str) -> None:
        self._parts[id(part.found)] = part.line, shown, part.found

    def keep_row(self, row: Row) -> None:
        self._rows[id(row.one)] = row


async def shown(
    ls: Session, still: Still, said: Sequence[Said], book: OpenBook | None, rows: Rows | None = None
) -> Shown:
    """As many as an editor can show, the gravest of them; that there are more stands in the first line."""
    rows = rows or Rows()
    rows.begin(ls.encoding, ls.locale)
    sources = Sources(ls, book)
    out: list[str] = []
    count = sum([len(part.found) for part in said])
    if count > LIMIT:
        out.append(dumps(_left_out(ls, count)))
        said, count = _gravest(said), LIMIT + 1
    for part in said:
        if part.found:
            row = rows.part(part)
            out.append(await _row(ls, still, part, sources, rows) if row is None else row)
    return Shown(f"[{','.join(out)}]", count)


async def _row(ls: Session, still: Still, part: Said, sources: Sources, rows: Rows) -> str:
    related = ls.client.can.related_information
    out: list[str] = []
    lasting = part.lasting
    for one in part.found:
        if one.related and related:  # hangs on other texts too
            lasting = False
            out.append(dumps(await _item(ls, still, one.shift(part.at), sources)))
            continue
        row = rows.row(one) if part.lasting else None
        if row is None:
            where = still.range(one.span.shift(part.at), ls.encoding)
            row = Row(one, where, part.line, dumps(_told(one, ls.locale))[1:])
            if part.lasting:
                rows.keep_row(row)
        out.append(row.at(part.line))
    shown = ",".join(out)
    if lasting:
        rows.keep(part, shown)
    return shown


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
    return [
        part if len(found) == len(part.found) else part._replace(found=found)
        for part, found in zip(said, chosen, strict=True)
        if found
    ]


def _told(one: Diagnostic, locale: Locale) -> Item:
    """A diagnostic but for its places."""
    from inkwright.checks import checking

    return {
        "severity": SEVERITY[one.severity],
        "code": one.code,
        "source": SOURCE,
        "message": checking.message(one, locale),
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
