"""The one object that a command takes, read field by field; null counts as absent."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from pygls.exceptions import JsonRpcInvalidParams


class Arguments:
    """Raises `JsonRpcInvalidParams`, which names command and field, for anything of the wrong type."""

    def __init__(self, command: str, given: Mapping[str, Any]) -> None:
        self._command = command
        self._given = given

    def _fail(self, name: str, wanted: str) -> JsonRpcInvalidParams:
        return JsonRpcInvalidParams(f"{self._command}: {name} must be {wanted}")

    def text(self, name: str) -> str:
        """A string that must be there and not be empty."""
        if not (value := self.maybe(name)):
            raise self._fail(name, "a string")
        return value

    def maybe(self, name: str) -> str:
        """A string, '' when absent."""
        value = self._given.get(name)
        if value is None:
            return ""
        if not isinstance(value, str):
            raise self._fail(name, "a string")
        return value

    def texts(self, name: str) -> list[str]:
        """A list of strings that must be there and hold at least one."""
        value = self._given.get(name)
        if not isinstance(value, list) or not value or not all(isinstance(one, str) and one for one in value):
            raise self._fail(name, "a list of strings")
        return value

    def ids(self, name: str) -> frozenset[str]:
        """A list of strings, which may be empty or absent."""
        return frozenset(self.texts(name)) if self._given.get(name) not in (None, []) else frozenset()

    def given(self, *names: str) -> dict[str, str]:
        """The strings among `names` that are there."""
        return {name: self.maybe(name) for name in names if self._given.get(name) is not None}

    def whole(self, name: str) -> int | None:
        value = self._given.get(name)
        if value is None:
            return None
        if isinstance(value, float) and value.is_integer():  # JSON knows one kind of number
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise self._fail(name, "a whole number")
        return value

    def flag(self, name: str) -> bool:
        value = self._given.get(name)
        if value is not None and not isinstance(value, bool):
            raise self._fail(name, "true or false")
        return bool(value)

    def cursor(self, name: str) -> tuple[float, str] | None:
        """Where a page begins, as the page before it said."""
        if not (value := self.maybe(name)):
            return None
        created, _, last = value.partition("|")
        try:
            at = float(created)
        except ValueError:
            at = math.nan
        if not last or not math.isfinite(at):
            raise self._fail(name, "what an earlier page gave as next")
        return at, last

    def place(self, name: str) -> int:
        """Where a page begins by number, as the page before it said; 0 when absent."""
        value = self.maybe(name)
        if not (value.isascii() and value.isdigit() and len(value) < 10) and value:
            raise self._fail(name, "what an earlier page gave as next")
        return int(value or 0)

    def indices(self, name: str) -> tuple[int, ...] | None:
        value = self._given.get(name)
        if value is None:
            return None
        if not isinstance(value, list) or not all(_whole(item) for item in value):
            raise self._fail(name, "a list of indices")
        return tuple(dict.fromkeys(int(item) for item in value))

    def token(self, name: str) -> str | int | None:
        value = self._given.get(name)
        if value is not None and (not isinstance(value, str | int) or isinstance(value, bool)):
            raise self._fail(name, "a string or a whole number")
        return value

    def range(self, name: str) -> tuple[int, int, int, int] | None:
        """An LSP range as (line, character, line, character), in the order in which it came."""
        value = self._given.get(name)
        if value is None:
            return None
        try:
            places = [value[end][unit] for end in ("start", "end") for unit in ("line", "character")]
        except (KeyError, TypeError, IndexError):
            places = [None]
        if not all(_whole(place) for place in places):
            raise self._fail(name, "a range")
        a, b, c, d = map(int, places)
        return a, b, c, d

    def body(self, *without: str) -> str:
        """What makes two calls the same call: every field but those, in one order."""
        kept = {
            name: value for name, value in self._given.items() if name not in without and value is not None
        }
        return json.dumps(kept, sort_keys=True)


def _whole(value: object) -> bool:
    if isinstance(value, bool):
        return False
    return (isinstance(value, int) and value >= 0) or (
        isinstance(value, float) and value.is_integer() and value >= 0
    )
