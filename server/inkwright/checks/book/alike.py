"""Words that are one slip of the hand away from a name: which slips there are, and which are none."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import NamedTuple

from inkwright.checks.book.nearest import distance
from inkwright.domain.cards import Card
from inkwright.manuscript import pinyin
from inkwright.manuscript.script import HAN

SHORTEST_HAN = 3
SHORTEST_LATIN = 5

_ANY = f"[{HAN}]"
_HAN_NAME = re.compile(f"[{HAN}]{{{SHORTEST_HAN},12}}")
_LETTER = "[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0370-\u03ff\u0400-\u052f\u1e00-\u1eff]"
_WORD = re.compile(rf"{_LETTER}+(?:['’]{_LETTER}+)*")
_OWNED = re.compile(r"['’][sS]?\Z")
_VOWELS = frozenset("aeiouy")


class Slip(NamedTuple):
    """`better` was probably meant by what stands at `start`…`end`; `card` is its card's path."""

    start: int
    end: int
    better: str
    card: str


@dataclass(frozen=True)
class _Near:
    """What may stand for any of the names `meant`, each with its card; all of `wanted` stand in it."""

    wanted: frozenset[str]
    meant: tuple[tuple[str, str], ...]
    variants: tuple[str, ...]

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Made once it is needed: few of a large book's names are nearly written in a chapter."""
        return re.compile(f"(?=({'|'.join(self.variants)}))")


class Speller:
    """The names of a book's cards, made ready once; asked for one paragraph at a time."""

    def __init__(self, cards: Iterable[Card]) -> None:
        self._han: list[_Near] = []
        self._latin: dict[str, dict[str, str]] = {}
        self._known: set[str] = set()
        self._found: dict[str, tuple[str, str] | None] = {}
        names = {name: card for card in reversed(list(cards)) for name in card.names}
        by_variant: dict[str, list[tuple[str, str]]] = {}
        for name, card in names.items():
            if _HAN_NAME.fullmatch(name):
                for variant in _variants(name, card.kind):
                    by_variant.setdefault(variant, []).append((name, card.path))
            for word in _WORD.findall(name):
                self._known.add(word.casefold())
                if len(word) >= SHORTEST_LATIN and word[0].isupper():
                    for short in _shorter(word.casefold()):
                        self._latin.setdefault(short, {})[word] = card.path
        self._names = frozenset(names)
        # What stands for several names is looked for once for all of them.
        by_names: dict[tuple[tuple[str, str], ...], list[str]] = {}
        for variant, meant in by_variant.items():
            by_names.setdefault(tuple(meant), []).append(variant)
        for named, variants in by_names.items():
            wanted = frozenset.intersection(*(frozenset(v.replace(_ANY, "")) for v in variants))
            self._han.append(_Near(wanted, named, tuple(variants)))

    def han(self, text: str) -> Iterator[Slip]:
        """Stretches as long as a name with one character that sounds or looks like the right one, or two swapped."""
        chars = frozenset(text)
        for near in self._han:
            if not near.wanted <= chars:
                continue
            slips: dict[str, list[tuple[str, str]]] = {}
            for match in near.pattern.finditer(text):
                found = match[1]
                if found not in slips:
                    alien = found not in self._names
                    slips[found] = [one for one in near.meant if alien and _is_slip(found, one[0])]
                for name, card in slips[found]:
                    yield Slip(match.start(1), match.end(1), name, card)

    def latin(self, text: str) -> Iterator[Slip]:
        """Capitalised words one letter away from a word of a name."""
        if not self._latin:
            return
        for match in _WORD.finditer(text):
            word = _OWNED.sub("", match[0])
            if len(word) < SHORTEST_LATIN - 1 or not word[0].isupper():
                continue
            if word not in self._found:
                self._found[word] = self._near(word)
            near = self._found[word]
            if near is not None:
                yield Slip(match.start(), match.start() + len(word), *near)

    def _near(self, word: str) -> tuple[str, str] | None:
        folded = word.casefold()
        if folded in self._known or folded in _capitalised():
            return None
        for short in _shorter(folded):
            for name, card in self._latin.get(short, {}).items():
                if distance(folded, name.casefold(), 1) == 1 and _is_letter_slip(folded, name.casefold()):
                    return name, card
        return None


def _variants(name: str, kind: str) -> Iterator[str]:
    """Patterns of what may stand for a name: any character for one of its own, or two that changed places."""
    place = kind != "character" and name[-1] in _words("places")
    family = len(name) == SHORTEST_HAN and name[:2] in _words("surnames")
    last = len(name) - (place or family)
    for i in range(last):
        yield f"{name[:i]}{_ANY}{name[i + 1 :]}"
    for i in range(last - 1):
        if name[i] != name[i + 1]:
            yield f"{name[:i]}{name[i + 1]}{name[i]}{name[i + 2 :]}"


def _is_slip(found: str, name: str) -> bool:
    different = [(a, b) for a, b in zip(found, name, strict=True) if a != b]
    if len(different) == 2:  # two that stand the wrong way round
        return True
    (written, meant) = different[0]
    if written in _words("common"):
        return False
    sounds = bool(set(pinyin.readings(written)) & set(pinyin.readings(meant)))
    looks = written in _shapes().get(meant, "")
    if name[0] == meant and name[1:] in _words("titles"):
        return sounds and looks
    return sounds or looks


def _is_letter_slip(word: str, name: str) -> bool:
    """Not another first letter, nor an ending that makes another name or number of it: Julia and Julie, Bennets."""
    if word[0] != name[0]:
        return False
    if len(word) != len(name):
        longer, shorter = sorted((word, name), key=len, reverse=True)
        return not (longer.startswith(shorter) and (longer[-1] in _VOWELS or longer[-1] == "s"))
    return not (word[:-1] == name[:-1] and (word[-1] in _VOWELS or name[-1] in _VOWELS))


def _shorter(word: str) -> set[str]:
    """The word, and the word without each of its letters: two words share one of these if they are near."""
    return {word, *(word[:i] + word[i + 1 :] for i in range(len(word)))}


@cache
def _shapes() -> Mapping[str, str]:
    text = (files("inkwright.checks.book") / "shapes.txt").read_text("utf-8")
    out: dict[str, str] = {}
    for group in text.split("\n"):
        if group and not group.startswith("#"):
            for char in group:
                out[char] = out.get(char, "") + group
    return out


@cache
def _capitalised() -> frozenset[str]:
    text = (files("inkwright.checks.book") / "capitalised.txt").read_text("utf-8")
    rows = (line for line in text.split("\n") if not line.startswith("#"))
    return frozenset(word for row in rows for word in row.split())


@cache
def _words(name: str) -> frozenset[str]:
    """A list of `alike.toml`: of words, or of single characters."""
    said: str = tomllib.loads((files("inkwright.checks.book") / "alike.toml").read_text("utf-8"))[name]
    return frozenset(said.split() if "\n" in said else said)
