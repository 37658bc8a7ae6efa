"""Searching a book: the full-text index says which files may hold the words, the texts say which lines do.

What the index does not know, or not as it stands, is looked through: the answer is whole at any time.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Literal

from inkwright.domain.errors import InkwrightError
from inkwright.manuscript import bigrams, fulltext, query, ranking, reading
from inkwright.manuscript.fulltext import Fulltext
from inkwright.manuscript.query import Needles, Query
from inkwright.manuscript.ranking import Best, Findings, Source
from inkwright.manuscript.stock import Stock
from inkwright.manuscript.worker import Worker
from inkwright.store.index_store import IndexStore
from inkwright.store.search import Held, Needs, Words

LOOSE = 50
"""Lines that are given when none holds all that was asked for."""
_ENOUGH = 0.5
"""The share of the best such line's weight that another one needs."""
_LEAST = 0.2
"""The share of all that was asked for that such a line needs."""
_SOME = 8  # files that are read before it is asked whether others can still be better
_SLICE = 0.05  # seconds


class Searching:
    """The searches of one book. `store` is None where no index is kept."""

    def __init__(self, root: Path, stock: Stock, worker: Worker, store: IndexStore | None) -> None:
        self._root = root
        self._stock = stock
        self._worker = worker
        self._words = words = Words(store, fulltext.VERSION) if store is not None else None
        self._fulltext = Fulltext(root, stock, worker, words) if words is not None else None

    def touched(self) -> None:
        """The writer does something: what goes on in the background waits."""
        if self._fulltext is not None:
            self._fulltext.touched()

    async def search(self, asked: str, limit: int = 0) -> Findings:
        """The lines that hold all that was asked for, best first; without any, those that hold most of it,
        unless a single word was.

        `limit` 0 gives all of the former, and at most `LOOSE` of the latter.
        Raises `InkwrightError`: query_too_long, book_closed.
        """
        wanted = query.parse(asked)
        if self._worker.closing.is_set():
            raise InkwrightError("book_closed", root=str(self._root))
        if not wanted.needles.texts:
            return Findings()
        self.touched()
        sources = self._sources()
        best = await self._strict(wanted, sources, limit)
        if not best.total and not wanted.one_word:
            best = await self._loose(wanted.loose, sources)
        found = await self._worker.run(best.findings, limit)
        self.touched()
        if self._fulltext is not None:
            self._fulltext.keep_up()
        return found

    def _sources(self) -> list[Source]:
        """Chapters in reading order, then cards by path."""
        stock, out = self._stock, list[Source]()
        for chapter in stock.catalogue.chapters():
            out.append(self._source(len(out), "chapter", chapter.path, chapter.title))
        seen: set[str] = set()
        for card in stock.catalogue.cards():
            if card.file not in seen:
                seen.add(card.file)
                title = PurePosixPath(card.within).stem if card.within else card.name
                out.append(self._source(len(out), "card", card.file, title, card.names))
        return out

    def _source(
        self,
        order: int,
        kind: Literal["chapter", "card"],
        path: str,
        title: str,
        names: tuple[str, ...] = (),
    ) -> Source:
        draft, leaf = self._stock.drafts.get(path), self._stock.disk.get(path)
        text = draft.source() if draft is not None else None
        return Source(order, kind, path, title, names, leaf.digest if leaf else b"", text)

    async def _held(self, needles: Needles) -> Mapping[str, Held]:
        if self._words is None:
            return {}
        needs = [Needs(*bigrams.keys_of(text)) for text in needles.texts]
        return await self._worker.run(self._words.find, needs)

    async def _strict(self, wanted: Query, sources: Sequence[Source], limit: int) -> Best:
        held = await self._held(wanted.needles)
        every = (1 << len(wanted.needles.texts)) - 1
        todo = [s for s in sources if (mask := _mask(s, held)) is None or mask == every]
        best = Best(wanted.needles, limit)

        def look(source: Source, text: str) -> None:
            if lines := wanted.needles.lines(text):
                worth = ranking.worth(wanted, source.names)
                for line in lines:
                    best.put(worth(line), source, line)

        await self._each(todo, look)
        return best

    async def _loose(self, needles: Needles, sources: Sequence[Source]) -> Best:
        """The lines whose words and pairs weigh most: what stands in few files weighs much."""
        if len(needles.texts) < 2:
            return Best(needles, LOOSE)
        held = await self._held(needles)
        masks = {s.order: mask for s in sources if (mask := _mask(s, held)) is not None}

        def look(source: Source, text: str) -> None:
            masks[source.order] = needles.likely(text)

        await self._each([s for s in sources if s.order not in masks], look)
        weights = ranking.weights(masks.values(), len(needles.texts))
        best = Best(needles, LOOSE, least=_LEAST, share=_ENOUGH)
        # What a text holds altogether is the most that a line of it can hold.
        bounds = {order: ranking.weight(mask, weights) for order, mask in masks.items() if mask}
        likely = sorted(bounds, key=lambda order: (-bounds[order], order))

        def take(source: Source, text: str) -> None:
            for line in needles.lines(text, all_=False):
                best.put(ranking.weight(line.mask, weights), source, line)

        for at in range(0, len(likely), _SOME):
            if bounds[likely[at]] < best.least:
                break
            await self._each([sources[order] for order in likely[at : at + _SOME]], take)
        return best

    async def _each(self, sources: Sequence[Source], look: Callable[[Source, str], None]) -> None:
        """Hands the text of each source to `look`, on the thread, in slices of time."""
        at = 0
        while at < len(sources):
            if self._worker.closing.is_set():
                raise InkwrightError("book_closed", root=str(self._root))
            at += await self._worker.run(_slice, self._root, sources, at, look, self._worker.closing)


def _mask(source: Source, held: Mapping[str, Held]) -> int | None:
    """What the index knows of a source; None when it does not know the text that counts."""
    known = held.get(source.path)
    if source.text is not None or known is None or known.digest != source.digest:
        return None
    return known.mask


def _slice(
    root: Path,
    sources: Sequence[Source],
    start: int,
    look: Callable[[Source, str], None],
    closing: threading.Event,
) -> int:
    """How many were looked at. A file that is gone or cannot be read has no lines; the book tells of it."""
    ends = time.monotonic() + _SLICE
    for count, source in enumerate(sources[start:], 1):
        text = source.text
        if text is None:
            read = reading.read_text(root, source.path)
            text = read[0] if read else ""
        look(source, text)
        if time.monotonic() > ends or closing.is_set():
            return count
    return len(sources) - start
