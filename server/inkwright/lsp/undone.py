"""Acceptances that the writer takes back: by the editor's own undo, or by leaving a text without saving it. Their hunks
wait again; a redo accepts them again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from inkwright.lsp.documents import Document, Event
    from inkwright.lsp.session import Session

MOST = 500
"""Acceptances of one document that can be taken back, the newest ones; a text is kept as its length and a digest."""
ALL = 2_000
"""Beyond so many of all documents those of closed ones go, the longest untouched first, and of open ones none: an editor
may keep what can be undone in a closed text, for another day."""

Mark = tuple[int, bytes]


@dataclass(slots=True, eq=False)
class Accepted:
    """Hunks that were accepted together: what the whole text was before and after, and when it was read for the proposal
    (`base`): an undo may go back over many steps at once. Acceptances and what takes them back
    are numbered as they come: `number` is its own, `undone` that of when it was taken back, 0 while it stands. `saved`
    is whether it stood when the text was saved last."""

    number: int
    proposal: str
    hunks: tuple[int, ...]
    before: Mark
    after: Mark
    base: Mark
    undone: int = 0
    saved: bool = False


class Undone:
    """What was accepted in this session. A text that is again, to the letter, what it was before is one that came
    back: whoever types the old words by hand, with something else changed, has decided otherwise."""

    def __init__(self, ls: Session) -> None:
        self._ls = ls
        self._kept: dict[str, list[Accepted]] = {}
        self._work: dict[str, asyncio.Task[None]] = {}
        self._numbers = count(1)
        ls.documents.listen(self._heard)

    def accepted(
        self, uri: str, proposal: str, hunks: Sequence[int], before: str, after: str, base: str
    ) -> None:
        """Notes an acceptance that is in the document and written down."""
        from inkwright.lsp import uris

        if not hunks or before == after:
            return
        key, taken = uris.key(uri), set(hunks)
        new = Accepted(next(self._numbers), proposal, tuple(hunks), _mark(before), _mark(after), _mark(base))
        kept = [
            one
            for one in self._kept.get(key, ())
            if one.proposal != proposal
            or taken.isdisjoint(one.hunks)
            or not (one.undone or (one.before, one.after) == (new.before, new.after))
        ]
        self._kept.pop(key, None)
        self._kept[key] = [*kept, new][-MOST:]  # the last of them now
        self._let_go()
        # The writer may have been quicker than the writing down.
        if (document := self._ls.documents.get(uri)) is not None and document.text() != after:
            self._heard(document, "changed")

    def __len__(self) -> int:
        """How many acceptances can be taken back."""
        return sum(map(len, self._kept.values()))

    def _let_go(self) -> None:
        spare = len(self) - ALL
        if spare <= 0:
            return
        used = {document.key for document in self._ls.documents}
        closed = (key for key in tuple(self._kept) if key not in used)
        while spare > 0 and (key := next(closed, None)) is not None:
            gone = min(spare, len(self._kept[key]))
            del self._kept[key][:gone]
            if not self._kept[key]:
                del self._kept[key]
            spare -= gone

    async def settled(self) -> None:
        """Once all that came back with what the client has told is written down. Not under a lock of a proposal."""
        while self._work:
            await asyncio.wait(set(self._work.values()))

    async def close(self) -> None:
        """What is not saved by now goes with the editor, which may bring it back: a hunk that stands in a text does not
        wait there, whatever is written down."""
        for document in self._ls.documents:
            self._left(document)
        await self.settled()

    def _heard(self, document: Document, event: Event) -> None:
        kept = self._kept.get(document.key)
        if not kept:
            return
        if event == "changed":
            self._changed(document, kept)
        elif event == "saved":
            for one in kept:
                one.saved = not one.undone
        elif event == "closed":
            self._left(document)

    def _changed(self, document: Document, kept: Sequence[Accepted]) -> None:
        """At each change, for the one after it may already lead elsewhere; the length tells most of them apart."""
        size = document.buffer.size
        if any(size in (one.before[0], one.after[0], one.base[0]) for one in kept):
            self._turn(document, _turned(kept, _mark(document.text())))

    def _left(self, document: Document) -> None:
        """A text that is closed is what its file is, and so are the acceptances in it."""
        other = [one for one in self._kept.get(document.key, ()) if one.saved == bool(one.undone)]
        if other and document.path is not None:
            self._begin(document, partial(self._as_saved, document, document.path, document.text(), other))

    async def _as_saved(self, document: Document, path: Path, text: str, other: Sequence[Accepted]) -> None:
        from inkwright.manuscript.encoding import decode

        try:
            data = await asyncio.to_thread(path.read_bytes)
        except OSError:  # gone, and with it what could be decided
            return
        # A client that tells of no saving has saved it all the same.
        if decode(data).text != text:
            kept = self._kept.get(document.key, ())
            self._turn(document, [one for one in kept if one in other and one.saved == bool(one.undone)])

    def _turn(self, document: Document, turned: list[Accepted]) -> None:
        now = next(self._numbers)
        for one in turned:
            one.undone = 0 if one.undone else now
        if turned:
            self._begin(document, partial(self._write, document, turned))

    def _begin(self, document: Document, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        key = document.key
        task = self._ls.spawn(self._after(self._work.get(key), work))
        self._work[key] = task
        task.add_done_callback(lambda done: self._done(key, done))

    @staticmethod
    async def _after(
        earlier: asyncio.Task[None] | None, work: Callable[[], Coroutine[Any, Any, None]]
    ) -> None:
        if earlier is not None:
            await asyncio.wait({earlier})
        await work()

    def _done(self, key: str, task: asyncio.Task[None]) -> None:
        if self._work.get(key) is task:
            del self._work[key]

    async def _write(self, document: Document, turned: list[Accepted]) -> None:
        from inkwright.domain.errors import InkwrightError, StorageError

        book = await self._ls.books.of(document.path)
        for one in turned:
            async with self._ls.review_lock(one.proposal):
                try:
                    if one.undone:
                        await book.state.proposals.reopen(one.proposal, one.hunks)
                    else:
                        await book.state.proposals.decide(one.proposal, dict.fromkeys(one.hunks, "accepted"))
                except StorageError:
                    raise
                except InkwrightError:  # its run is not kept any more
                    kept = self._kept.get(document.key, [])
                    self._kept[document.key] = [other for other in kept if other is not one]
        self._ls.pending.changed()


def _turned(kept: Sequence[Accepted], mark: Mark) -> list[Accepted]:
    """Those that a text takes back or brings back. A client may tell of several undos at once: with an acceptance all
    later ones go, and with one that comes back come those that stood when it was made."""
    one = next((one for one in reversed(kept) if mark in (one.before, one.after)), None)
    one = one or next((one for one in kept if mark == one.base), None)
    if one is None:
        return []
    earlier = {id(other) for other in kept if other.number < one.number and not 0 < other.undone < one.number}
    standing = earlier | {id(one)} if mark == one.after else earlier
    return [other for other in kept if bool(other.undone) == (id(other) in standing)]


def _mark(text: str) -> Mark:
    return len(text), blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
