"""Keeps the leaves of a book's files true: the first build, changes outside, names that changed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from inkwright import intake
from inkwright.domain.manuscript import Problem
from inkwright.manuscript import bookfile, ignoring, layouts, reading, shelf, walk
from inkwright.manuscript.bookfile import BookFields
from inkwright.manuscript.collector import paused
from inkwright.manuscript.layouts import Arrangement, Heads
from inkwright.manuscript.leaf import Leaf
from inkwright.manuscript.reading import Job, Outcome
from inkwright.manuscript.stock import Stock
from inkwright.manuscript.walk import Limits, Listing, Seen
from inkwright.manuscript.worker import Worker
from inkwright.store import locations
from inkwright.store.index_store import FileRecord, IndexStore

Progress = Callable[[int, int], None]
"""Files done, files in all; called on the loop, never decreasing."""

_QUIET = 1.0  # seconds that the names of cards must stay the same before all chapters are searched for them
_MANY = 40  # changed files from which on a walk costs less than looking at each


@dataclass(frozen=True, slots=True)
class _Survey:
    """What the first look at a book gives: `kept` are the leaves of files that did not change since."""

    book: tuple[BookFields, tuple[Problem, ...], bool]
    listing: Listing
    arrangement: Arrangement
    kept: Mapping[str, Leaf]
    gone: Sequence[str]


class Upkeep:
    """One change at a time; reading is done on the worker in slices, taking on the loop.

    `replanned` is called when open documents may have another place.
    """

    def __init__(
        self,
        root: Path,
        stock: Stock,
        worker: Worker,
        store: IndexStore | None,
        limits: Limits,
        replanned: Callable[[], None],
    ) -> None:
        self._root = root
        self._stock = stock
        self._worker = worker
        self._store = store
        self._limits = limits
        self._replanned = replanned
        self._heads: Heads = {}
        self._lock = asyncio.Lock()
        self._hurry = asyncio.Event()
        self._built = False
        self._searching: asyncio.Task[None] | None = None

    async def build(self, progress: Progress | None) -> None:
        """Reads the book: from the store what is unchanged, from the files the rest."""
        stock = self._stock
        async with self._lock:
            with paused():  # what is taken from the store and the files stays
                survey = await self._worker.run(self._survey)
                stock.take_book(*survey.book)
                stock.drop(stock.take_listing(survey.listing))
                stock.arrangement = survey.arrangement
                await self._replan()
                todo = await self._take_kept(survey.kept)
                await self._read(todo, progress, len(stock.files))
            if survey.gone and self._store is not None:
                await self._worker.run(self._store.save, (), survey.gone)
            self._built = True
        self.names_changed()

    async def read_book(self) -> None:
        """Takes `book.toml` without a look at the files."""
        self._stock.take_book(*await self._worker.run(self._book))

    async def reread_book(self) -> None:
        """Reads `book.toml` again; what its globs decide is decided anew."""
        async with self._lock:
            await self.read_book()
            await self._read(await self._replan())

    async def place_anew(self) -> None:
        """Places all files anew, since a document came that is not on the disk."""
        async with self._lock:
            await self._read(await self._replan())

    async def rescan(self, changed_too: Collection[str] = ()) -> None:
        """Walks the files again and reads those that are new or changed, and those that are said to be."""
        stock = self._stock
        async with self._lock:
            book, (listing, arrangement) = await self._worker.run(lambda: (self._book(), self._walk()))
            moved = bool(stock.arrangement.projects or arrangement.projects)
            if book != (stock.fields, stock.book_problems, stock.owned):
                stock.take_book(*book)
                moved = True
            stock.arrangement = arrangement
            before = stock.files
            await self._drop(stock.take_listing(listing))
            changed = {
                path
                for path, seen in listing.files.items()
                if path not in stock.disk or before.get(path) != seen or path in stock.racy
            }
            changed.update(path for path in changed_too if path in listing.files)
            if stock.misplaced or moved:
                changed.update(await self._replan())
            await self._read(changed)

    async def changed(self, paths: Collection[str]) -> None:
        """Files and folders were created, changed, renamed or deleted on the disk."""
        stock = self._stock
        if bookfile.NAME in paths or locations.HOME in paths:
            await self.reread_book()
        texts = {stock.known(path) for path in paths if stock.belongs(path)}
        others = [path for path in paths if not stock.belongs(path) and not stock.foreign(path)]
        if (
            len(texts) > _MANY
            or any(map(_bounding, paths))
            or stock.respelled(texts)
            or stock.held([*texts, *others])
            or any(map(stock.arrangement.hangs_on, paths))
            or await self._worker.run(self._any_wider, sorted(texts), others)
        ):
            await self.rescan(texts)
            return
        if not texts:
            return
        async with self._lock:
            looked = await self._worker.run(reading.look_at, self._root, sorted(texts), self._limits)
            await self._drop(stock.take_looked(looked))
            again = {path for path in looked if path in stock.files}
            if stock.misplaced:
                again.update(await self._replan())
            await self._read(again)

    def names_changed(self) -> None:
        """Begins a search of the stale chapters in the background, unless one goes on or the build sees to it."""
        idle = self._searching is None or self._searching.done()
        if self._built and idle and self._stock.stale():
            self._searching = self._worker.start(self._search_when_quiet(), "search for names")

    def hurry(self) -> None:
        """A search that waits for quiet begins now."""
        self._hurry.set()

    def _any_wider(self, texts: Sequence[str], others: Sequence[str]) -> bool:
        """Whether one of the paths is a folder, or a note that says how a project is laid out."""
        return reading.any_folder(self._root, [*texts, *others]) or reading.any_project(self._root, texts)

    def _survey(self) -> _Survey:
        listing, arrangement = self._walk()
        files = listing.files

        def take(record: FileRecord) -> Leaf | None:
            same = files.get(record.path) == Seen(record.mtime_ns, record.size, record.ctime_ns)
            return shelf.leaf(record) if same else None

        known = self._store.each(take) if self._store is not None else {}
        kept = {path: leaf for path, leaf in known.items() if leaf is not None}
        return _Survey(self._book(), listing, arrangement, kept, [*known.keys() - files.keys()])

    def _book(self) -> tuple[BookFields, tuple[Problem, ...], bool]:
        fields, problems = bookfile.read(self._root, said=bool(self._stock.fields.given))
        return fields, problems, locations.owned(self._root)

    def _walk(self) -> tuple[Listing, Arrangement]:
        """What there is, the files of projects included, and what projects they are."""
        listing = walk.scan(self._root, deep=self._stock.deep, limits=self._limits, apart=self._stock.apart)
        found = layouts.survey(self._root, listing.files, listing.others, listing.marks, self._heads)
        for path in sorted(found.named):
            seen = walk.look(self._root, path, self._limits, named=True)
            if isinstance(seen, Problem):
                listing.problems.append(seen)
            elif seen is not None:
                listing.files[path] = seen
        listing.problems += found.problems
        return listing, found

    async def _replan(self) -> list[str]:
        stock = self._stock
        again: list[str] = []
        planned: frozenset[str] | None = None
        # While a plan is made a document may come that had a place before, and would lose it with this plan.
        while planned != (paths := frozenset(stock.files.keys() | stock.drafts.keys())):
            planned = paths
            again += stock.take_places(await self._worker.run(stock.plan))
        self._replanned()
        return again

    async def _take_kept(self, kept: Mapping[str, Leaf]) -> list[str]:
        """Takes what the store knew of unchanged files; returns the files that are to be read."""
        stock = self._stock
        todo: list[str] = []
        for count, path in enumerate(list(stock.files)):
            known = kept.get(path)
            place = stock.places.get(path)
            if known is None or place is None or not place.reads_like(known.place):
                todo.append(path)
            else:
                stock.disk[path] = known if place == known.place else known.under(place)
                stock.show(path)
            if count % 200 == 0:
                await asyncio.sleep(0)
        return todo

    async def _drop(self, paths: Sequence[str]) -> None:
        self._stock.drop(paths)
        if paths and self._store is not None:
            await self._worker.run(self._store.save, (), paths)

    async def _read(self, paths: Collection[str], progress: Progress | None = None, total: int = 0) -> None:
        """Reads files: cards first, so that chapters are searched for all names at once."""
        stock = self._stock
        total = total or len(paths)
        done = total - len(paths)
        jobs = [Job(path, stock.places[path], stock.disk.get(path)) for path in paths if path in stock.places]
        first, rest = await self._worker.run(reading.cards_first, self._root, jobs) if jobs else ([], [])
        if progress:
            progress(done, total)
        for batch in (first, rest):
            at = 0
            while at < len(batch) and not self._worker.closing.is_set():
                outcomes = await self._worker.run(
                    reading.read_slice,
                    self._root,
                    batch,
                    at,
                    stock.catalogue.dictionary,
                    self._worker.closing,
                )
                at += len(outcomes)
                await self._take(outcomes)
                if progress:
                    progress(done + at, total)
            done += len(batch)
            stock.refresh_dictionary()
        if self._built:
            self.names_changed()
        else:
            await self._search()

    async def _take(self, outcomes: Sequence[Outcome]) -> None:
        """Takes leaves that were read from files, and keeps them in the store."""
        stock = self._stock
        if passing := [outcome for outcome in outcomes if outcome.passing]:
            outcomes = [outcome for outcome in outcomes if not outcome.passing]
            self._hold(passing)
        for outcome in outcomes:
            path = outcome.job.path
            if outcome.fault is not None:
                stock.faults[path] = outcome.fault
                stock.disk.pop(path, None)
            elif outcome.leaf is not None and outcome.seen is not None and path in stock.files:
                stock.faults.pop(path, None)
                stock.files[path] = outcome.seen
                stock.disk[path] = outcome.leaf
                if outcome.racy:
                    stock.racy.add(path)
                else:
                    stock.racy.discard(path)
            stock.show(path)
        if self._store is not None:
            await self._worker.run(reading.keep, self._store, outcomes)

    def _hold(self, passing: Sequence[Outcome]) -> None:
        """What is known of these files goes on to count until they are looked at once more."""
        stock = self._stock
        paths = [outcome.job.path for outcome in passing]
        for outcome in passing:
            if outcome.leaf is not None and stock.disk.get(outcome.job.path) is outcome.job.known:
                stock.disk[outcome.job.path] = outcome.leaf
        stock.racy.update(paths)
        self._worker.start(self._later(paths), "look at files that were being saved", awaited=False)

    async def _later(self, paths: Sequence[str]) -> None:
        await asyncio.sleep(intake.SAVING)
        await self.changed(paths)

    async def _search_when_quiet(self) -> None:
        """Typing a name into a card searches the book once, not with every letter."""
        self._hurry.clear()
        dictionary = None
        while dictionary is not self._stock.catalogue.dictionary:
            dictionary = self._stock.catalogue.dictionary
            try:
                await asyncio.wait_for(self._hurry.wait(), _QUIET)
            except TimeoutError:
                continue
        await self._search()

    async def _search(self) -> None:
        """Searches every stale chapter anew, until none is."""
        stock = self._stock
        while stale := stock.stale():
            batch = [Job(path, stock.places[path], stock.disk[path]) for path in stale]
            dictionary = stock.catalogue.dictionary
            versions = {stock.disk[path].found.version for path in stale}
            names = {version: stock.catalogue.names_since(version) for version in versions}
            at = 0
            while at < len(batch) and dictionary is stock.catalogue.dictionary:
                outcomes = await self._worker.run(
                    reading.search_slice, self._root, batch, at, dictionary, names, self._worker.closing
                )
                if self._worker.closing.is_set():
                    return
                at += len(outcomes)
                await self._take([o for o in outcomes if stock.disk.get(o.job.path) is o.job.known])
            stock.refresh_dictionary()


def _bounding(path: str) -> bool:
    """Whether a path decides what in the folder is the book's: an ignore file, or the mark of a book in it."""
    folder, _, name = path.rpartition("/")
    return name in ignoring.NAMES or (bool(folder) and name in bookfile.MARKS)
