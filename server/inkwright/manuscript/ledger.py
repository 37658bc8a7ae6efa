"""The ledger of threads: where each is set up, goes on, falls due and is paid. Pure over the chapters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from inkwright.domain.manuscript import Chapter
from inkwright.manuscript import fields, threads
from inkwright.manuscript.places import BEYOND, Order

Standing = Literal["open", "overdue", "unpaid", "unplanted", "paid"]
"""open: waits for its chapter. overdue: that has passed. unpaid: the book is finished without it.
unplanted: paid, and nothing before has set it up. paid: as it should be."""


@dataclass(frozen=True, slots=True)
class Row:
    """One thread. Chapters are indices into the chapters that were given, in reading order.

    `due` is the index of the chapter by which it is to be paid, None where nothing says so; `due_said` that
    chapter as it was written, '' where a chapter itself is marked as the one.
    """

    name: str
    standing: Standing
    planted: tuple[int, ...] = ()
    progress: tuple[int, ...] = ()
    paid: tuple[int, ...] = ()
    due: int | None = None
    due_said: str = ""

    @property
    def first(self) -> int:
        """The chapter that names it first."""
        touched = [*self.planted, *self.progress, *self.paid]
        return min(touched) if touched else self.due or 0


def ledger(chapters: Sequence[Chapter], order: Order | None = None) -> tuple[Row, ...]:
    """Every thread of a book, in the order in which they come up. `order` is that of the chapters, if there is one."""
    found: dict[str, list[tuple[int, threads.Touch]]] = {}
    for at, chapter in enumerate(chapters):
        if chapter.meta.get("threads") is not None:
            for touch in threads.touches(chapter.meta["threads"]):
                found.setdefault(touch.name, []).append((at, touch))
    if not found:
        return ()
    order = order or Order(chapters)
    ended = finished(chapters)
    return tuple(_row(name, touches, order, ended=ended) for name, touches in found.items())


def finished(chapters: Sequence[Chapter]) -> bool:
    """Whether a book is done: its last chapter says that it ends, or each of its chapters that it is final."""
    if not chapters:
        return False
    said = [fields.word(chapter.meta.get("status"), "chapter.statuses") for chapter in chapters]
    return said[-1] == "ended" or all(word in ("final", "ended") for word in said)


def _row(name: str, touches: Sequence[tuple[int, threads.Touch]], order: Order, *, ended: bool) -> Row:
    planted: list[int] = []
    progress: list[int] = []
    paid: list[int] = []
    due: float | None = None
    due_said = ""
    for at, touch in touches:
        state = touch.state or ("progress" if planted or progress or paid else "planted")
        if state == "due":
            due = at if due is None else due
        else:
            {"planted": planted, "progress": progress, "paid": paid}[state].append(at)
        if touch.due and not due_said:
            due_said = touch.due
    if due_said:
        # A number may be one of a chapter that is not written yet: then it is not due.
        due = order.place(due_said)
    last = len(order.chapters) - 1
    standing: Standing = "open"
    if paid:
        standing = "paid" if min((*planted, *progress), default=BEYOND) <= paid[0] else "unplanted"
    elif ended:
        standing = "unpaid"
    elif due is not None and due < last:
        standing = "overdue"
    exact = None if due is None or due == BEYOND else int(due) if due >= 0 else None
    return Row(name, standing, tuple(planted), tuple(progress), tuple(paid), exact, due_said)
