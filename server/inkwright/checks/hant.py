"""Traditional and Simplified characters, as far as one stands for the other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from itertools import islice, product

from inkwright.checks.rules import families


@cache
def pairs() -> Mapping[str, str]:
    """A Simplified character that no Traditional text has -> the Traditional one that it stands for."""
    table = _table()
    return {
        s: t for s, t in zip(table["simplified"], table["traditional"], strict=True) if s not in table["both"]
    }


@cache
def back() -> Mapping[str, str]:
    """A Traditional character that no Simplified text has -> the Simplified one."""
    table = _table()
    more = zip(table["more_traditional"], table["more_simplified"], strict=True)
    return dict(zip(table["traditional"], table["simplified"], strict=True)) | dict(more)


@lru_cache(maxsize=4)
def is_traditional(chars: frozenset[str]) -> bool:
    """Whether more of these characters are Traditional ones than Simplified ones."""
    if _only().isdisjoint(chars):
        return False
    return sum(map(back().__contains__, chars)) > sum(map(pairs().__contains__, chars))


@cache
def _only() -> frozenset[str]:
    return frozenset(back())


def written(text: str) -> str:
    """A text in Simplified characters with those that have one Traditional form in that form."""
    return "".join(pairs().get(char, char) for char in text)


def spellings(word: str, most: int = 16) -> tuple[str, ...]:
    """A word in Simplified characters, and the ways in which it may be written in Traditional ones."""
    forms = ((char, *_forms().get(char, ())) for char in word)
    return tuple("".join(one) for one in islice(product(*forms), most))


def both(expression: str) -> str:
    """A regular expression over Simplified characters that takes the Traditional ones for them as well."""
    return "".join(_both(expression))


def _both(expression: str) -> Iterator[str]:
    inside = False
    for part in re.findall(r"\\.|.", expression, re.DOTALL):
        if part == "[":
            inside = True
        elif part == "]":
            inside = False
        forms = "".join(_forms().get(part, ()))
        yield part if not forms else part + forms if inside else f"[{part}{forms}]"


@cache
def _forms() -> Mapping[str, tuple[str, ...]]:
    out: dict[str, tuple[str, ...]] = {}
    for traditional, simplified in back().items():
        out[simplified] = (*out.get(simplified, ()), traditional)
    return out


@cache
def _table() -> Mapping[str, str]:
    found: Mapping[str, str] = next(f for f in families() if f.method == "scripts").tables["table"]
    return found
