"""Values as people and programs write them, read into ours or refused with a reason."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from inkwright.domain.errors import Fault


class Refused(Exception):  # noqa: N818 - a reason, caught in this package
    """Why a value cannot be used: a code and what fills its sentence."""

    def __init__(self, code: str, **params: str | int | float) -> None:
        super().__init__(code)
        self.code = code
        self.params = params


Read = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Reader:
    """A `Read` that says what it takes: `shape` is JSON Schema."""

    read: Read
    shape: Mapping[str, Any]

    def __call__(self, value: Any) -> Any:
        return self.read(value)


def text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise Refused("setting_not_text")
    return value.strip()


def flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise Refused("setting_not_flag")
    return value


def number(low: float, high: float) -> Reader:
    def read(value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise Refused("setting_not_number", low=low, high=high)
        # NaN lies in no range; an integer may be too large for any float.
        if not low <= value <= high:
            raise Refused("setting_not_number", low=low, high=high)
        return value

    return Reader(read, {"type": "number", "minimum": low, "maximum": high})


def whole(low: int, high: int) -> Reader:
    inner = number(low, high)

    def read(value: Any) -> int:
        if inner(value) != int(value):
            raise Refused("setting_not_number", low=low, high=high)
        return int(value)

    return Reader(read, {"type": "integer", "minimum": low, "maximum": high})


def choice(*options: str) -> Reader:
    def read(value: Any) -> str:
        if not isinstance(value, str) or value not in options:
            raise Refused("setting_not_choice", choices=", ".join(options))
        return value

    return Reader(read, {"type": "string", "enum": list(options)})


class Layer:
    """One source of settings, named in every complaint about it."""

    def __init__(self, where: str, tree: Any, problems: list[Fault]) -> None:
        self.where = where
        self.problems = problems
        self.tree = self._mapping("", tree)

    def complain(self, key: str, code: str, **params: str | int | float) -> Fault:
        self.problems.append(Fault(code, {"key": key or "inkwright", "where": self.where, **params}))
        return self.problems[-1]

    def table(self, key: str, within: Mapping[str, Any] | None = None, prefix: str = "") -> Mapping[str, Any]:
        """The table at `key`; an empty one when it is absent or no table."""
        tree = self.tree if within is None else within
        return self._mapping(prefix + key, tree.get(key))

    def value(self, key: str, read: Read, within: Mapping[str, Any] | None = None, prefix: str = "") -> Any:
        """What stands at `key`, read; None when it is absent, null, an empty text, or refused."""
        tree = self.tree if within is None else within
        found = tree.get(key)
        if found is None or found == "":
            return None
        try:
            return read(found)
        except Refused as refusal:
            self.complain(prefix + key, refusal.code, **refusal.params)
            return None

    def words(self, key: str, within: Mapping[str, Any], prefix: str) -> tuple[str, ...] | None:
        """A list of texts; an element that is none is named and left out."""
        found = within.get(key)
        if found is None:
            return None
        if isinstance(found, Mapping) and not found:
            return ()
        if not isinstance(found, list | tuple):
            self.complain(prefix + key, "setting_not_list")
            return None
        return tuple(self._each(found, prefix + key))

    def _each(self, found: Any, key: str) -> Iterator[str]:
        for n, item in enumerate(found):
            try:
                yield text(item)
            except Refused as refusal:
                self.complain(f"{key}[{n}]", refusal.code, **refusal.params)

    def _mapping(self, key: str, found: Any) -> Mapping[str, Any]:
        if found is None or (isinstance(found, list | tuple) and not found):
            return {}
        if not isinstance(found, Mapping):
            self.complain(key, "setting_not_table")
            return {}
        return {str(k): v for k, v in found.items()}
