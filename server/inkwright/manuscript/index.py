"""The index of one book: built in the background, true while the writer types and files change outside.

One object, one event loop, one worker thread. All state is changed on the loop; the thread reads files
and works out leaves, in slices, and hands them back. Texts of files are never kept.
"""

from __future__ import annotations

import asyncio
import threading
import time
import unicodedata
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from inkwright.domain.cards import Card
from inkwright.domain.errors import InkwrightError
from inkwright.domain.manuscript import Book, Chapter, Mention, Problem
from inkwright.domain.text import Snapshot
from inkwright.manuscript import bookfile, drafts, layouts, reading, shelf, walk
from inkwright.manuscript.bookfile import BookFields
from inkwright.manuscript.catalogue import Catalogue
from inkwright.manuscript.drafts import Draft
from inkwright.manuscript.layouts import Place
from inkwright.manuscript.leaf import Leaf
from inkwright.manuscript.mentions import Dictionary
from inkwright.manuscript.reading import Job, Outcome
from inkwright.manuscript.walk import Limits, Listing, Seen
from inkwright.store import locations
from inkwright.store.index_store import IndexStore

Progress = Callable[[int, int], None]
"""Files done, files in all; called on the loop, never decreasing."""

P = ParamSpec("P")
T = TypeVar("T")

_LIMITS = Limits()
_PAUSE = 0.15  # seconds from a keystroke to the background analysis of its document
_SHARE = 20  # that analysis takes at most one part in this of the time
_MANY = 40  # changed files from which on a walk costs less than looking at each


@dataclass(frozen=True, slots=True)
class _Survey:
    """What the first look at a book gives: `kept` are the leaves of files that did not change since."""

    book: tuple[BookFields, tuple[Problem, ...], bool]
    listing: Listing
    kept: Mapping[str, Leaf]
    gone: Sequence[str]


class BookIndex:
    """One book, read only. Implements `domain.ports.BookView`; every method is for the loop's thread.

    `ready` is set when the first build is done; until then the answers grow. `deep` False keeps to the
    files of the root itself.
    """

    def __init__(
        self, root: Path, store: IndexStore | None = None, *, deep: bool = True, limits: Limits = _LIMITS
    ) -> None:
        self.root = root
        self.ready = asyncio.Event()
        self.stored: Book | None = None
        self._store = store
        self._deep = deep
        self._limits = limits
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="inkwright-index")
        self._closing = threading.Event()
        self._lock = asyncio.Lock()
        self._fields = BookFields()
        self._owned = False
        self._book_problems: tuple[Problem, ...] = ()
        self._walk_problems: tuple[Problem, ...] = ()
        self._files: dict[str, Seen] = {}
        self._read_ns: dict[str, int] = {}
        self._faults: dict[str, Problem] = {}
        self._places: Mapping[str, Place] = {}
        self._spelling: dict[str, str] = {}
        self._disk: dict[str, Leaf] = {}
        self._drafts: dict[str, Draft] = {}
        self._catalogue = Catalogue()
        self._tasks: set[asyncio.Task[None]] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._drafting: asyncio.Task[None] | None = None
        self._searching: asyncio.Task[None] | None = None
        self._pause = _PAUSE

    @classmethod
    async def open(
        cls, root: Path, store: IndexStore | None = None, *, deep: bool = True, limits: Limits = _LIMITS
    ) -> BookIndex:
        """An index that knows the book's own fields; its files are read by `build`."""
        index = cls(root, store, deep=deep, limits=limits)
        index._take_book(*await index._work(_read_book, root))
        return index

    # What is asked of it.

    @property
    def book(self) -> Book:
        """What `book.toml` says; for the keys that it has not, what is stored."""
        said, stored = self._fields, self.stored or Book(root="", title="")

        def value(name: str) -> Any:
            return getattr(said if name in said.given else stored, name)

        return Book(
            root=str(self.root),
            title=value("title") or self.root.name,
            type=value("type"),
            language=value("language"),
            author=value("author"),
            count=value("count"),
            model=value("model"),
            revision=stored.revision,
            owned=self._owned,
        )

    @property
    def fields(self) -> BookFields:
        """What `book.toml` says, and which keys it has."""
        return self._fields

    @property
    def revision(self) -> int:
        """Goes up with every change of what the index would answer."""
        return self._catalogue.revision

    @property
    def dictionary(self) -> Dictionary:
        """The names of all cards, for a search in a single paragraph."""
        self._freshen_cards()
        return self._catalogue.dictionary

    def chapters(self) -> tuple[Chapter, ...]:
        """In reading order."""
        self._freshen_all()
        return self._catalogue.chapters()

    def chapter(self, path: str) -> Chapter | None:
        """One chapter; None for a path that is none."""
        path = self._known(path)
        self._freshen(path)
        return self._catalogue.chapter(path)

    def cards(self) -> tuple[Card, ...]:
        """By path."""
        self._freshen_cards()
        return self._catalogue.cards()

    def card(self, path: str) -> Card | None:
        """One card; None for a path that is none."""
        path = self._known(path)
        self._freshen(path)
        leaf = self._catalogue.leaves.get(path)
        return leaf.card if leaf else None

    def mentions(self, path: str) -> tuple[Mention, ...]:
        """The mentions in one chapter, by place; of an ambiguous name one for each of its cards."""
        path = self._known(path)
        self._freshen(path)
        return self._catalogue.mentions(path)

    def card_counts(self, card_path: str) -> dict[str, int]:
        """How often a card is mentioned, by chapter in reading order; chapters without it are left out."""
        self._freshen_all()
        return self._catalogue.card_counts(self._known(card_path))

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What could not be read, or not as meant."""
        self._freshen_all()
        faults = [self._faults[path] for path in sorted(self._faults)]
        return (*self._book_problems, *self._walk_problems, *faults, *self._catalogue.problems())

    def digest(self, path: str) -> str:
        """What tells one content of a chapter or card from another; '' for a path that is none."""
        path = self._known(path)
        draft = self._drafts.get(path)
        if path not in self._disk and draft is not None:
            return drafts.digest(draft.source()).hex()
        leaf = self._disk.get(path)
        return leaf.digest.hex() if leaf else ""

    def readonly(self, path: str) -> str:
        """Why the file on the disk must not be written (`encoding`, `binary`), else ''."""
        leaf = self._disk.get(self._known(path))
        return leaf.readonly if leaf else ""

    async def text(self, path: str) -> str:
        """The text of a chapter or card. Raises `InkwrightError`: file_missing, file_unreadable, file_binary."""
        return (await self.snapshot(path)).text

    async def snapshot(self, path: str) -> Snapshot:
        """A file as it stands, the open buffer before the disk; without a version. Raises as `text` does."""
        path = self._known(path)
        uri = (self.root / path).as_uri()
        draft = self._drafts.get(path)
        if draft is not None:
            return Snapshot(uri, path, None, draft.source(), self.readonly(path))
        decoded = await self._work(reading.text_of, self.root, path, self._limits)
        if isinstance(decoded, Problem):
            raise InkwrightError(decoded.code, **dict(decoded.params))
        if decoded.readonly == "binary":
            raise InkwrightError("file_binary", path=path)
        return Snapshot(uri, path, None, decoded.text, decoded.readonly)

    async def settled(self) -> None:
        """Waits until all that is known to have changed is in the answers."""
        while True:
            if self._timer is not None:
                self._timer.cancel()
                self._begin_drafting()
            running = [t for t in (self._drafting, self._searching, *self._tasks) if t and not t.done()]
            if not running:
                return
            await asyncio.wait(running)

    # What it is told.

    async def build(self, progress: Progress | None = None) -> None:
        """Reads the book: from the store what is unchanged, from the files the rest. Sets `ready` at its end."""
        async with self._lock:
            survey = await self._work(self._survey)
            self._take_book(*survey.book)
            self._take_listing(survey.listing)
            await self._replan()
            await self._read(await self._take_kept(survey.kept), progress, len(self._files))
            if survey.gone and self._store is not None:
                await self._work(self._store.save, (), survey.gone)
        self.ready.set()
        self._begin_searching()

    async def rescan(self) -> None:
        """Walks the files again and reads those that are new or changed."""
        async with self._lock:
            listing = await self._work(self._walk)
            await self._take_changes(listing)

    async def reread_book(self) -> None:
        """Reads `book.toml` again; what its globs decide is decided anew."""
        async with self._lock:
            self._take_book(*await self._work(_read_book, self.root))
            await self._read(await self._replan())

    async def file_changed(self, path: str) -> None:
        """A file or folder was created, changed, renamed to or away, or deleted on the disk."""
        await self.files_changed((path,))

    async def files_changed(self, paths: Collection[str]) -> None:
        """The same for many at once."""
        if any(path == bookfile.NAME or path == locations.HOME for path in paths):
            await self.reread_book()
        texts = {self._known(path) for path in paths if walk.is_text(path.rpartition("/")[2])}
        folders = [path for path in paths if path not in texts and self._may_hold(path)]
        if folders or len(texts) > _MANY:
            await self.rescan()
        if not texts:
            return
        async with self._lock:
            looked = await self._work(reading.look_at, self.root, sorted(texts), self._limits)
            await self._take_looked(looked)

    def set_buffer(self, path: str, source: str | Callable[[], str]) -> None:
        """An open document as it stands: it wins over the file until `clear_buffer`.

        `source` may be a function that gives the text: it is called when the text is needed, so that a
        keystroke costs nothing here.
        """
        path = self._known(path)
        if not self._belongs(path):
            return
        get = source if callable(source) else _constant(source)
        draft = self._drafts.get(path)
        if draft is None:
            self._drafts[path] = Draft(path, get)
            self._spelling.setdefault(_nfc(path), path)
            if path not in self._places:
                self._places = {**self._places, path: self._plan()[path]}
                self._spawn(self._place_anew())
        else:
            draft.source, draft.dirty = get, True
            draft.generation += 1
        if self._timer is None and not self._closing.is_set():
            self._timer = asyncio.get_running_loop().call_later(self._pause, self._begin_drafting)

    def clear_buffer(self, path: str) -> None:
        """The document was closed: its file counts again, and is looked at."""
        path = self._known(path)
        if self._drafts.pop(path, None) is not None:
            self._show(path)
            self._refresh_dictionary()
            self._spawn(self.file_changed(path))

    async def move_store(self, target: Path) -> None:
        """The store goes on at `target`."""
        if self._store is not None:
            await self._work(self._store.move, target)

    async def close(self) -> None:
        """Stops the background work and closes the store."""
        self._closing.set()
        if self._timer is not None:
            self._timer.cancel()
        tasks = [t for t in (self._drafting, self._searching, *self._tasks) if t is not None]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        if self._store is not None:
            await self._work(self._store.close)
        self._pool.shutdown(wait=False)

    # The book's own fields, its files, their places.

    def _take_book(self, fields: BookFields, problems: tuple[Problem, ...], owned: bool) -> None:
        self._fields, self._book_problems, self._owned = fields, problems, owned
        self._catalogue.revision += 1

    def _survey(self) -> _Survey:
        listing = self._walk()
        records = self._store.load() if self._store is not None else {}
        kept: dict[str, Leaf] = {}
        for path, seen in listing.files.items():
            found = records.get(path)
            if found is not None and (found.mtime_ns, found.size) == (seen.mtime_ns, seen.size):
                known = shelf.leaf(found)
                if known is not None:
                    kept[path] = known
        gone = [path for path in records if path not in listing.files]
        return _Survey(_read_book(self.root), listing, kept, gone)

    def _walk(self) -> Listing:
        return walk.scan(self.root, deep=self._deep, limits=self._limits)

    def _take_listing(self, listing: Listing) -> None:
        self._files = listing.files
        self._walk_problems = tuple(listing.problems)
        self._faults = {path: fault for path, fault in self._faults.items() if path in listing.files}
        self._spelling = {_nfc(path): path for path in (*self._drafts, *listing.files)}

    def _plan(self) -> Mapping[str, Place]:
        paths = self._files.keys() | self._drafts.keys()
        layout = layouts.detect(paths)
        return layout.plan(paths, self._fields.chapters, self._fields.cards)

    async def _replan(self) -> list[str]:
        """Places anew; returns the files that must be read again because they may be something else now."""
        self._places = await self._work(self._plan)
        again: list[str] = []
        for path, leaf in list(self._disk.items()):
            place = self._places.get(path)
            if place is None or place == leaf.place:
                continue
            if replace(place, volume="") == replace(leaf.place, volume=""):
                self._disk[path] = replace(leaf, place=place)
                self._show(path)
            else:
                again.append(path)
        for draft in self._drafts.values():
            if draft.leaf is not None and self._places.get(draft.path) != draft.leaf.place:
                draft.dirty = True
        return again

    async def _take_kept(self, kept: Mapping[str, Leaf]) -> list[str]:
        """Takes what the store knew of unchanged files; returns the files that are to be read."""
        todo: list[str] = []
        for count, path in enumerate(self._files):
            known = kept.get(path)
            if known is None or known.place != self._places[path]:
                todo.append(path)
            else:
                self._disk[path] = known
                self._show(path)
            if count % 200 == 0:
                await asyncio.sleep(0)
        return todo

    async def _take_changes(self, listing: Listing) -> None:
        before = self._files
        self._take_listing(listing)
        gone = [path for path in before if path not in listing.files]
        changed = {
            path
            for path, seen in listing.files.items()
            if path not in self._disk
            or before.get(path) != seen
            or reading.racy(seen, self._read_ns.get(path, seen.mtime_ns))
        }
        await self._drop(gone)
        if self._places.keys() != self._files.keys() | self._drafts.keys():
            changed.update(await self._replan())
        await self._read(changed)

    async def _place_anew(self) -> None:
        async with self._lock:
            await self._read(await self._replan())

    async def _take_looked(self, looked: Mapping[str, Seen | Problem | None]) -> None:
        """Takes what was seen of single files."""
        gone: list[str] = []
        for path, seen in looked.items():
            self._faults.pop(path, None)
            if isinstance(seen, Seen):
                self._files[path] = seen
                self._spelling.setdefault(_nfc(path), path)
            else:
                if isinstance(seen, Problem):
                    self._faults[path] = seen
                if self._files.pop(path, None) is not None:
                    gone.append(path)
        self._walk_problems = tuple(p for p in self._walk_problems if p.path not in looked)
        await self._drop(gone)
        changed = {path for path, seen in looked.items() if isinstance(seen, Seen)}
        if self._places.keys() != self._files.keys() | self._drafts.keys():
            changed.update(await self._replan())
        await self._read(changed)

    async def _drop(self, paths: Sequence[str]) -> None:
        for path in paths:
            self._disk.pop(path, None)
            self._read_ns.pop(path, None)
            self._show(path)
        if paths and self._store is not None:
            await self._work(self._store.save, (), paths)

    # Reading files, in slices of the worker's time.

    async def _read(self, paths: Collection[str], progress: Progress | None = None, total: int = 0) -> None:
        """Reads files and takes their leaves: cards first, so that chapters are searched for all names at once."""
        total = total or len(paths)
        done = total - len(paths)
        waiting = [Job(path, self._places[path]) for path in paths if path in self._places]
        first, rest = await self._work(reading.cards_first, self.root, waiting) if waiting else ([], [])
        if progress:
            progress(done, total)
        for batch in (first, rest):
            at = 0
            while at < len(batch) and not self._closing.is_set():
                outcomes = await self._work(
                    reading.read_slice, self.root, batch, at, self._catalogue.dictionary, self._closing
                )
                at += len(outcomes)
                await self._take(outcomes)
                if progress:
                    progress(done + at, total)
            done += len(batch)
            self._refresh_dictionary()
        if not self.ready.is_set():
            await self._search()
        else:
            self._begin_searching()

    async def _take(self, outcomes: Sequence[Outcome]) -> None:
        """Takes leaves that were read from files, and keeps them in the store."""
        for outcome in outcomes:
            path = outcome.job.path
            if outcome.fault is not None:
                self._faults[path] = outcome.fault
                self._disk.pop(path, None)
            elif outcome.leaf is not None and outcome.seen is not None and path in self._files:
                self._faults.pop(path, None)
                self._files[path] = outcome.seen
                self._read_ns[path] = outcome.read_ns
                self._disk[path] = outcome.leaf
            self._show(path)
        if self._store is not None:
            await self._work(reading.keep, self._store, outcomes)

    def _show(self, path: str) -> None:
        """Puts what counts for a path into the catalogue: its draft, else its file, else nothing."""
        draft = self._drafts.get(path)
        leaf = draft.leaf if draft is not None and draft.leaf is not None else self._disk.get(path)
        if leaf is not None or path in self._catalogue.leaves:
            self._catalogue.put(path, leaf)

    # Names changed: chapters are searched again in the background.

    def _refresh_dictionary(self) -> None:
        if self._catalogue.refresh_dictionary():
            for draft in self._drafts.values():
                draft.dirty = True
            if self.ready.is_set():
                self._begin_searching()

    def _begin_searching(self) -> None:
        idle = self._searching is None or self._searching.done()
        if idle and not self._closing.is_set() and self._stale():
            self._searching = asyncio.create_task(self._search(), name="search for names")

    async def _search(self) -> None:
        """Searches every stale chapter anew, until none is."""
        while stale := self._stale():
            batch = [Job(path, self._places[path], self._disk[path]) for path in stale]
            at = 0
            dictionary = self._catalogue.dictionary
            names = {
                job.known.found.version: self._catalogue.names_since(job.known.found.version)
                for job in batch
                if job.known is not None
            }
            while at < len(batch) and dictionary is self._catalogue.dictionary:
                outcomes = await self._work(
                    reading.search_slice, self.root, batch, at, dictionary, names, self._closing
                )
                if self._closing.is_set():
                    return
                at += len(outcomes)
                current = [o for o in outcomes if self._disk.get(o.job.path) is o.job.known]
                await self._take(current)
            self._refresh_dictionary()

    def _stale(self) -> list[str]:
        """Chapters on the disk with mentions of an older dictionary; drafts see to themselves."""
        version = self._catalogue.dictionary.version
        return [
            path
            for path, leaf in self._disk.items()
            if leaf.role == "chapter" and leaf.found.version != version and path in self._places
        ]

    # Open documents.

    def _begin_drafting(self) -> None:
        self._timer = None
        if self._closing.is_set():
            return
        if self._drafting is None or self._drafting.done():
            self._drafting = asyncio.create_task(self._draft_all(), name="read open documents")

    async def _draft_all(self) -> None:
        """Reads the open documents that changed, on the worker; a text that changed meanwhile is read again later."""
        for draft in list(self._drafts.values()):
            place = self._places.get(draft.path)
            if not draft.dirty or place is None:
                continue
            generation, dictionary = draft.generation, self._catalogue.dictionary
            pages = draft.pages if draft.pages_version == dictionary.version else {}
            began = time.thread_time()
            leaf, pages, cost = await self._work(_timed, draft.path, draft.source(), place, dictionary, pages)
            self._pause = max(_PAUSE, (cost + time.thread_time() - began) * _SHARE)
            current = self._drafts.get(draft.path) is draft and draft.generation == generation
            if current and dictionary is self._catalogue.dictionary and self._places.get(draft.path) == place:
                self._install(draft, leaf, pages)
        if self._timer is None and any(d.dirty for d in self._drafts.values()) and not self._closing.is_set():
            self._timer = asyncio.get_running_loop().call_later(self._pause, self._begin_drafting)

    def _freshen(self, path: str) -> None:
        """Makes the leaf of an open document true to its text, here and now."""
        draft = self._drafts.get(path)
        tries = 0
        while draft is not None and draft.dirty and path in self._places and tries < 2:
            dictionary = self._catalogue.dictionary
            pages = draft.pages if draft.pages_version == dictionary.version else {}
            leaf, pages = drafts.read(path, draft.source(), self._places[path], dictionary, pages)
            self._install(draft, leaf, pages)
            tries += 1

    def _install(self, draft: Draft, leaf: Leaf, pages: drafts.Pages) -> None:
        draft.leaf, draft.pages, draft.dirty = leaf, pages, False
        draft.pages_version = self._catalogue.dictionary.version
        self._show(draft.path)
        self._refresh_dictionary()

    def _freshen_all(self) -> None:
        self._freshen_cards()
        for path in [draft.path for draft in self._drafts.values() if draft.dirty]:
            self._freshen(path)

    def _freshen_cards(self) -> None:
        """Only what may change a card: a chapter being typed in is left to its own questions."""
        for draft in list(self._drafts.values()):
            if draft.dirty and (draft.leaf is None or draft.leaf.card is not None):
                self._freshen(draft.path)

    # Paths, threads.

    def _known(self, path: str) -> str:
        """The spelling of a path that the book uses: systems differ in the normal form of names."""
        if path in self._files or path in self._drafts:
            return path
        return self._spelling.get(_nfc(path), path)

    def _belongs(self, path: str) -> bool:
        parts = path.split("/")
        inside = bool(path) and not path.startswith("/") and ".." not in parts
        foreign = any(walk.is_foreign(part) for part in parts[:-1])
        return inside and not foreign and walk.is_text(parts[-1]) and (self._deep or len(parts) == 1)

    def _may_hold(self, path: str) -> bool:
        """Whether a path that is no text may be a folder of texts, now or before."""
        parts = path.split("/")
        if any(walk.is_foreign(part) for part in parts) or not self._deep:
            return False
        return "." not in parts[-1] or any(known.startswith(f"{path}/") for known in self._files)

    def _spawn(self, work: Coroutine[object, object, None]) -> None:
        if self._closing.is_set():
            work.close()
            return
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _work(self, fn: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """One hop to the worker thread."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, lambda: fn(*args, **kwargs))


def _read_book(root: Path) -> tuple[BookFields, tuple[Problem, ...], bool]:
    fields, problems = bookfile.read(root)
    return fields, problems, locations.owned(root)


def _timed(
    path: str, text: str, place: Place, dictionary: Dictionary, pages: drafts.Pages
) -> tuple[Leaf, drafts.Pages, float]:
    began = time.thread_time()
    leaf, kept = drafts.read(path, text, place, dictionary, pages)
    return leaf, kept, time.thread_time() - began


def _constant(text: str) -> Callable[[], str]:
    return lambda: text


def _nfc(path: str) -> str:
    return unicodedata.normalize("NFC", path)
