"""How much of a document stands, at its beginning and at its end, since it was another text."""

from __future__ import annotations

from collections.abc import Callable

_LONGEST = 64
"""Texts back that is known what was typed; before that texts are compared."""


class Ends:
    """Of one document: told by whoever edits it, else found by comparing. Any thread may ask; one tells."""

    def __init__(self) -> None:
        self._newest: tuple[str, int, tuple[tuple[int, int], ...]] = "", 0, ()
        """The text, its number, and for it and those before what of each stood in the one that it was made of."""
        self._compared: tuple[str, str, tuple[int, int]] = "", "", (0, 0)

    def typed(self, text: str, head: int, tail: int) -> None:
        """The document became `text`: so many characters at its beginning and at its end, or more, are those of
        the text before."""
        _, number, log = self._newest
        self._newest = text, number + 1, (*log[1 - _LONGEST :], (head, tail))

    def mark(self, text: str) -> int:
        """The number of a text by which it is known later; 0 when it is not the newest."""
        newest, number, _ = self._newest
        return number if newest is text else 0

    def common(self, old: str, mark: int, new: str) -> tuple[int, int]:
        """How many characters two texts share at their beginning, and how many of the rest at their end: so many at
        least. `mark` is that of the old one."""
        newest, number, log = self._newest
        if mark and newest is new and number - mark <= len(log):
            most = min(len(old), len(new))
            rows = log[len(log) - (number - mark) :]
            head = min([most, *[head for head, _ in rows]])
            return head, min([most - head, *[tail for _, tail in rows]])
        known_old, known_new, found = self._compared
        if known_old is not old or known_new is not new:
            found = common(old, new)
            self._compared = old, new, found
        return found


def common(old: str, new: str) -> tuple[int, int]:
    """How many characters two texts share at their beginning, and how many of the rest at their end."""
    most = min(len(old), len(new))
    head = _shared(most, lambda at, stop: new.startswith(old[at:stop], at))
    tail = _shared(
        most - head, lambda at, stop: new.endswith(old[len(old) - stop : len(old) - at], 0, len(new) - at)
    )
    return head, tail


def _shared(most: int, same: Callable[[int, int], bool]) -> int:
    """How far from 0 on, `most` at the most, all is the `same`; asked of large parts first."""
    at, part = 0, 65_536
    while at < most and part:
        stop = min(at + part, most)
        if same(at, stop):
            at = stop
        else:
            part = (stop - at) // 2
    return at
