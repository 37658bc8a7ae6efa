"""What a card's new name means for its other names. Pure.

A card is renamed at one of its names. Names that contain it follow with it; names that only share the part
that changed (凤姐 when 王熙凤 becomes 王熙鸾, Fred when Fred Smith becomes Frank Smith) are for the writer to
confirm.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from inkwright.domain.cards import Card
from inkwright.domain.errors import InkwrightError
from inkwright.manuscript import cardname

_SPACE = re.compile(r"\s+")
_MARK = re.compile(r"[*_~=\[\]\\]")
_ESCAPED = re.compile(r"\\([*_~=\[\]\\])")
_LETTERS = re.compile(r"[^\W_]+")
_HAN = re.compile("[\u3400-\u9fff\U00020000-\U0003ffff]+")


@dataclass(frozen=True, slots=True)
class Change:
    """One name of a card and what becomes of it. `sure` False: the writer has to confirm it."""

    old: str
    new: str
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Wish:
    """A card's name `old`, which is to be `new`, and with it `changes`: that name first, then the others.

    `shared` are the names of the card that another card has too, folded.
    """

    card: Card
    old: str
    new: str
    changes: tuple[Change, ...]
    shared: frozenset[str] = frozenset()

    @property
    def main(self) -> bool:
        """Whether it is the card's name and not one of its aliases."""
        return self.old == self.card.name

    def sure(self, change: Change) -> bool:
        """Whether a place that holds nothing but the name is sure."""
        return change.sure and fold(change.old) not in self.shared

    def change(self, written: str) -> Change | None:
        """What becomes of a name as it is written: by its very spelling, else by its letters."""
        plain = spelled(written)
        exact = next((change for change in self.changes if spelled(change.old) == plain), None)
        if exact is not None:
            return exact
        return next((change for change in self.changes if fold(change.old) == fold(plain)), None)


def wish(card: Card, old: str, new: str, cards: Iterable[Card]) -> Wish:
    """`card`'s name or alias `old` as `new`; `cards` are all of the book.

    Raises `InkwrightError`: rename_taken, and what `cardname.checked` does.
    """
    name = cardname.checked(new)
    others = [other for other in cards if other.path != card.path]
    taken = {fold(word): other for other in reversed(others) for word in other.names}
    if (other := taken.get(fold(name))) is not None:
        raise InkwrightError("rename_taken", name=name, card=other.name, path=other.path)
    changes = [Change(old, name)]
    for alias in card.names:
        if alias == old:
            continue
        follows, sure = _follows(alias, old, name)
        if follows != alias:
            changes.append(Change(alias, follows, sure and old == card.name and fold(follows) not in taken))
    shared = frozenset(folded for name in card.names if (folded := fold(name)) in taken)
    return Wish(card, old, name, tuple(changes), shared)


def named(card: Card, written: str) -> str:
    """Which of a card's names is written there; its name when it is none to the letter."""
    plain = spelled(written)
    for same in (spelled, fold):
        found = next((name for name in card.names if same(name) == same(plain)), None)
        if found is not None:
            return found
    return card.name


def spelled(name: str) -> str:
    """A name whose spelling can be compared: composed, one blank for any white space, no backslash before a mark."""
    plain = _ESCAPED.sub(r"\1", name) if "\\" in name else name
    return _SPACE.sub(" ", unicodedata.normalize("NFC", plain)).strip()


def escaped(written: str, new: str) -> str:
    """The new name with a backslash before each mark of Markdown, where the old one was written so."""
    return _MARK.sub(r"\\\g<0>", new) if _ESCAPED.search(written) else new


def literal(written: str, new: str) -> str:
    """The same for prose: a new name whose marks stand otherwise than the old one's might be read as Markdown."""
    if not _MARK.search(new) or _LETTERS.sub("x", written) == _LETTERS.sub("x", new):
        return escaped(written, new)
    return _MARK.sub(r"\\\g<0>", new)


def fold(name: str) -> str:
    """The same without regard to case."""
    return spelled(name).casefold()


def cased(written: str, change: Change) -> str:
    """The new name in the case of one that is written otherwise than the card has it."""
    plain = spelled(written)
    if plain == spelled(change.old):
        return change.new
    if plain.islower():
        return change.new.lower()
    return change.new.upper() if plain.isupper() and len(plain) > 1 else change.new


def _follows(alias: str, old: str, new: str) -> tuple[str, bool]:
    """What becomes of an alias, and whether that is sure."""
    whole = _replaced(alias, old, new)
    if whole != alias:
        return whole, len(old) > 1 or _bordered(old)
    for before, after in _parts(old, new):
        part = _replaced(alias, before, after)
        if part != alias:
            return part, False
    return alias, False


def _parts(old: str, new: str) -> Sequence[tuple[str, str]]:
    """The parts of a name that become others, those that tell most first: a given name, a word, a character."""
    out: list[tuple[str, str]] = []
    if _HAN.fullmatch(old) and _HAN.fullmatch(new):
        if len(old) == len(new) > 1:
            out += [(old[at:], new[at:]) for at in range(1, len(old)) if old[at:] != new[at:]]
            out += [(a, b) for a, b in zip(old, new, strict=True) if a != b]
        elif len(old) > 1 and len(new) > 1:
            out.append((old[1:], new[1:]))
    elif len(before := old.split()) == len(after := new.split()) > 1:
        out += [(a, b) for a, b in zip(before, after, strict=True) if a != b]
    return list(dict.fromkeys(out))


def _replaced(alias: str, old: str, new: str) -> str:
    """`alias` with `old` in it as `new`; a word with borders only where it stands alone."""
    left = r"(?<!\w)" if _bordered(old[0]) else ""
    right = r"(?!\w)" if _bordered(old[-1]) else ""
    return re.sub(left + re.escape(old) + right, lambda _: new, alias)


def _bordered(ch: str) -> bool:
    return ch.isalnum() and ord(ch) < 0x2E80
