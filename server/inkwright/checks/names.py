"""The names of cards: where one stands, no rule has a say."""

from __future__ import annotations

from collections.abc import Collection, Iterable


class Names:
    """Names by the characters they are written with, so that a hit asks only those that could cover it."""

    __slots__ = ("_by_char", "_longest", "given", "source")

    def __init__(self, names: Collection[str] = ()) -> None:
        self.source = frozenset(names)
        self.given = frozenset(name.strip() for name in names if name.strip())
        self._by_char: dict[str, list[str]] = {}
        for name in sorted(self.given):
            for char in set(name):
                self._by_char.setdefault(char, []).append(name)
        self._longest = max(map(len, self.given), default=0)

    def touch(self, text: str, start: int, end: int) -> bool:
        """Whether a name stands in `text` that shares a character with [start, end)."""
        if not self.given or self._by_char.keys().isdisjoint(text[start:end]):
            return False
        from_, to = max(0, start - self._longest), end + self._longest
        for name in self._candidates(text[start:end]):
            at = text.find(name, from_, to)
            while at >= 0:
                if at < end and at + len(name) > start and _whole(text, at, name):
                    return True
                at = text.find(name, at + 1, to)
        return False

    def _candidates(self, part: str) -> Iterable[str]:
        seen: set[str] = set()
        for char in set(part):
            for name in self._by_char.get(char, ()):
                if name not in seen:
                    seen.add(name)
                    yield name


def _whole(text: str, at: int, name: str) -> bool:
    """A Latin name is no part of a longer word."""
    before, after = text[at - 1 : at], text[at + len(name) : at + len(name) + 1]
    left = name[0].isascii() and name[0].isalnum() and before.isascii() and before.isalnum()
    right = name[-1].isascii() and name[-1].isalnum() and after.isascii() and after.isalnum()
    return not left and not right
