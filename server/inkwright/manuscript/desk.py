"""The open documents: read when somebody asks, else in the background soon after a keystroke."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress

from inkwright.manuscript import drafts
from inkwright.manuscript.drafts import Draft
from inkwright.manuscript.ends import Ends
from inkwright.manuscript.layouts import Place
from inkwright.manuscript.leaf import Leaf
from inkwright.manuscript.mentions import Dictionary
from inkwright.manuscript.pages import Pages
from inkwright.manuscript.stock import Stock
from inkwright.manuscript.worker import Worker

_LOG = logging.getLogger(__name__)
_PAUSE = 0.15  # seconds from a keystroke to the reading of its document
_SHARE = 120  # that reading takes at most one part in this of the time
_LOOP_SECONDS = 5.0  # how long another thread waits for the loop


class Desk:
    """Keeps the leaves of drafts true to their texts."""

    def __init__(self, stock: Stock, worker: Worker) -> None:
        self._stock = stock
        self._worker = worker
        self._timer: asyncio.TimerHandle | None = None
        self._reading: asyncio.Task[None] | None = None
        self._pause = _PAUSE
        self._loop: asyncio.AbstractEventLoop | None = None

    def put(self, path: str, source: Callable[[], str], ends: Ends | None = None) -> bool:
        """Takes a text as it stands; True when the book had no such file or document before."""
        self._loop = asyncio.get_running_loop()
        draft = self._stock.drafts.get(path)
        new = False
        if draft is None:
            new = self._stock.open(Draft(path, source, ends))
        else:
            if draft.ends is not ends:  # another document's marks mean nothing here
                draft.ends, draft.pages = ends, Pages()
            draft.source, draft.dirty = source, True
            draft.generation += 1
        self.schedule()
        return new

    def schedule(self) -> None:
        """Sees to it that dirty documents are read soon, once they have a place. Never put off: typing on does not
        starve it."""
        places = self._stock.places
        dirty = any(draft.dirty and draft.path in places for draft in self._stock.drafts.values())
        if dirty and self._timer is None and not self._worker.closing.is_set():
            self._timer = asyncio.get_running_loop().call_later(self._pause, self.begin)

    def begin(self) -> bool:
        """Begins the reading that is scheduled, now; False when none is."""
        if self._timer is None:
            return False
        self._timer.cancel()
        self._timer = None
        if self._reading is None or self._reading.done():
            self._reading = self._worker.start(self._read_all(), "read open documents")
        return True

    def freshen(self, path: str) -> None:
        """Makes the leaf of one open document true to its text, here and now; from any thread."""
        draft = self._stock.drafts.get(path)
        if draft is not None and draft.dirty:
            self._on_loop(self._freshen, path)

    def _on_loop(self, work: Callable[[str], None], path: str) -> None:
        """What the book knows changes on the loop alone: another thread has it done there, and waits."""
        loop = self._loop
        try:
            here = asyncio.get_running_loop()
        except RuntimeError:
            here = None
        if loop is None or loop is here:
            work(path)
            return
        done: Future[None] = Future()

        def worked() -> None:
            try:
                work(path)
            finally:
                done.set_result(None)

        # A loop that has ended, or is about to, makes nothing true any more: what was known stays.
        with suppress(RuntimeError, TimeoutError):
            loop.call_soon_threadsafe(worked)
            done.result(_LOOP_SECONDS)

    def _freshen(self, path: str) -> None:
        draft = self._stock.drafts.get(path)
        for _ in range(2):  # a card's own names may change what is found in it, were it a chapter
            if draft is None or not draft.dirty or path not in self._stock.places:
                return
            dictionary = self._stock.catalogue.dictionary
            place, pages = self._stock.places[path], self._pages(draft, dictionary)
            leaf, pages, _ = _read(draft, draft.source(), place, dictionary, pages)
            self._install(draft, leaf, pages)

    def freshen_all(self) -> None:
        self.freshen_cards()
        for path in [draft.path for draft in self._stock.drafts.values() if draft.dirty]:
            self.freshen(path)

    def freshen_cards(self) -> None:
        """Only what may change a card: a chapter being typed in is left to its own questions."""
        for draft in list(self._stock.drafts.values()):
            if draft.dirty and (draft.leaf is None or draft.leaf.cards):
                self.freshen(draft.path)

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    async def _read_all(self) -> None:
        """Reads the dirty documents on the worker; one that changed meanwhile is left for the next time."""
        stock = self._stock
        for draft in list(stock.drafts.values()):
            place = stock.places.get(draft.path)
            if not draft.dirty or place is None:
                continue
            generation, dictionary = draft.generation, stock.catalogue.dictionary
            began = time.thread_time()
            text, pages = draft.source(), self._pages(draft, dictionary)
            asked = time.thread_time() - began
            leaf, pages, cost = await self._worker.run(_read, draft, text, place, dictionary, pages)
            self._pause = max(_PAUSE, (asked + cost) * _SHARE)
            same = stock.drafts.get(draft.path) is draft and draft.generation == generation
            if same and dictionary is stock.catalogue.dictionary and stock.places.get(draft.path) == place:
                self._install(draft, leaf, pages)
        self.schedule()

    def _pages(self, draft: Draft, dictionary: Dictionary) -> Pages:
        return draft.pages if draft.pages_version == dictionary.version else Pages()

    def _install(self, draft: Draft, leaf: Leaf, pages: Pages) -> None:
        draft.leaf, draft.pages, draft.dirty = leaf, pages, False
        draft.pages_version = self._stock.catalogue.dictionary.version
        self._stock.show(draft.path)
        self._stock.refresh_dictionary()


def _read(
    draft: Draft, text: str, place: Place, dictionary: Dictionary, pages: Pages
) -> tuple[Leaf, Pages, float]:
    """The leaf of a draft, its paragraphs, and the seconds that took. A fault of ours leaves the leaf as it was."""
    began = time.thread_time()
    try:
        leaf, kept = drafts.read(draft.path, text, place, dictionary, pages, draft.ends)
    except Exception as error:  # noqa: BLE001
        _LOG.error("an open document could not be worked out: %s", type(error).__name__)
        leaf, kept = draft.leaf or Leaf(draft.path, "other", place, b""), Pages()
    return leaf, kept, time.thread_time() - began
