"""A book's `inkwright.db` in use: opened where it lies, with every repository at hand."""

from __future__ import annotations

import logging
import os
from dataclasses import dataclass
from pathlib import Path

from inkwright.domain.errors import Fault, StorageError
from inkwright.store import locations
from inkwright.store.books import Books
from inkwright.store.candidates import Candidates
from inkwright.store.chapters import Chapters
from inkwright.store.daily_counts import DailyCounts
from inkwright.store.database import BUSY_MS, Database, Notify
from inkwright.store.errors import wrap
from inkwright.store.facts import Facts
from inkwright.store.made_cards import MadeCards
from inkwright.store.memories import Memories
from inkwright.store.proposals import Proposals
from inkwright.store.runs import Runs
from inkwright.store.summaries import ChapterSummaries
from inkwright.store.usage import Spending, UsageLedger

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class State:
    """`notices` are for the writer. Every repository raises `StorageError`, none gives "empty" instead."""

    root: Path
    book_id: str
    database: Database
    books: Books
    chapters: Chapters
    runs: Runs
    proposals: Proposals
    daily_counts: DailyCounts
    made_cards: MadeCards
    candidates: Candidates
    facts: Facts
    summaries: ChapterSummaries
    memories: Memories
    usage: UsageLedger
    spending: Spending
    notices: tuple[Fault, ...]

    @classmethod
    async def open(cls, root: Path, *, busy_ms: int = BUSY_MS, notify: Notify = lambda _: None) -> State:
        """Opens the state of the book at `root`, makes it at first use, and prunes the journal.

        Where none can be made it lives in memory, with the notice `store_memory_only`. Raises
        `StorageError` when one is there that cannot be read.
        """
        path = locations.state_path(root)
        try:
            opened = await Database.open(path, busy_ms=busy_ms, notify=notify)
        except StorageError:
            # Only where there is nothing to read may an empty one stand in.
            if os.path.lexists(path):
                raise
            opened = await Database.memory(path)
        database = opened.database
        try:
            try:
                books, runs, book_id = await _begun(database, root)
            except StorageError as error:
                if error.fault.code != "store_damaged":
                    raise
                # What the opening did not touch is damaged: the next use rebuilds the file.
                books, runs, book_id = await _begun(database, root)
        except BaseException:
            await database.close()
            raise
        return cls(
            root,
            book_id,
            database,
            books,
            Chapters(database, book_id),
            runs,
            Proposals(database, book_id),
            DailyCounts(database, book_id),
            MadeCards(database, book_id),
            Candidates(database, book_id),
            Facts(database, book_id),
            ChapterSummaries(database, book_id),
            Memories(database, book_id),
            UsageLedger(database, book_id),
            Spending(database),
            opened.notices,
        )

    async def adopt(self) -> None:
        """Makes `.inkwright/` and goes on inside it; other processes follow. A second call does nothing.

        Raises `StorageError`, also where the folder cannot be made.
        """
        try:
            locations.make_home(self.root)
        except OSError as error:
            raise wrap(error, locations.home(self.root)) from error
        target = locations.state_path(self.root)
        if target.absolute() == self.database.path.absolute():
            return
        try:
            await self.database.move(target)
        except StorageError as error:
            if error.fault.code != "store_target_exists":
                raise
            # Another process may have moved it there in the meantime: any use of the database follows.
            await self.books.get(self.book_id)
            if target.absolute() != self.database.path.absolute():
                raise

    async def close(self) -> None:
        await self.database.close()


async def _begun(database: Database, root: Path) -> tuple[Books, Runs, str]:
    books = Books(database)
    book_id = await books.ensure(root)
    runs = Runs(database, book_id)
    if not database.readonly:
        await runs.prune()
        await _prune(Memories(database, book_id))
    return books, runs, book_id


async def _prune(memories: Memories) -> None:
    """What is not tidied up now is the next time: it is no reason to keep a book shut."""
    try:
        await memories.prune()
    except StorageError as error:
        _log.warning("memories were not pruned: %s", error.fault.code)
