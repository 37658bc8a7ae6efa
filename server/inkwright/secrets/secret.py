"""A key as a value, and what a key may consist of."""

from __future__ import annotations

from typing import Any, NoReturn

MASK = "***"
MAX_KEY = 16_384


class Secret:
    """A key that shows itself only through `reveal`: not in repr, str, format, pickle or JSON."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        return self._value

    def __repr__(self) -> str:
        return MASK

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return MASK

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._value == self._value

    def __hash__(self) -> int:
        return hash((Secret, self._value))

    def __bool__(self) -> bool:
        return bool(self._value)

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError("a secret is not to be pickled")


def trimmed(value: str) -> str:
    """A key as it was copied, without the white space, line ends and byte order mark round it."""
    return value.strip().strip("\ufeff").strip()


def sound(value: str) -> bool:
    """Whether a trimmed value can be sent in a header at all: printable ASCII in one piece."""
    return 0 < len(value) <= MAX_KEY and value.isascii() and value.isprintable() and " " not in value
