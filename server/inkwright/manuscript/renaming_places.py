"""What a mention of a card becomes when the card is renamed, and whether that is sure. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from inkwright.domain.text import Span
from inkwright.manuscript import mention_marks, renaming
from inkwright.manuscript.links import Targets
from inkwright.manuscript.mention_marks import MARK
from inkwright.manuscript.mentions import Dictionary, Hit, guarded
from inkwright.manuscript.renaming import Change, Wish

_HAN = re.compile("[\u3400-\u9fff\U00020000-\U0003ffff]")
_SUFFIX = re.compile(r"[^\W\d_]")
_GAP = re.compile(r"\s*[\r\n]\s*")
# What stands beside a name of one character rather than making a longer word with it.
_BEFORE = frozenset("和与跟同对向给让叫被把问找")
_AFTER = frozenset("说道问笑答叹喊也就都便又和与跟的是在")


class Place(NamedTuple):
    """A piece of a text and what it becomes. `change` None: part of a link that follows the card's file."""

    span: Span
    new: str
    change: Change | None
    sure: bool


@dataclass(frozen=True, slots=True)
class Terms:
    """A rename as texts see it: `file` is the new path of the card's file, '' where it keeps its own; `targets`
    is what the book offers to `[[link]]` to."""

    wish: Wish
    dictionary: Dictionary
    targets: Targets
    file: str = ""


def mention(text: str, hit: Hit, wish: Wish, *, prose: bool = False) -> Place | None:
    """What a mention becomes; None for one of another card, or of a name that stays. `prose`: it stands where marks
    are Markdown's."""
    start, end, cards = hit
    if wish.card.path not in cards:
        return None
    written = text[start:end]
    change = wish.change(written)
    if change is None:
        return None
    sure = change.sure and len(cards) == 1 and renaming.spelled(written) == renaming.spelled(change.old)
    sure = sure and _alone(text, start, end)
    marked = renaming.literal if prose else renaming.escaped
    new = marked(written, renaming.cased(written, change))
    if prose and (MARK.search(written) or MARK.search(new)):
        sure = sure and mention_marks.outlived(text, start, end, new)
    return Place(Span(start, end), broken(written, new), change, sure)


def broken(written: str, new: str) -> str:
    """`new` with the line end that its place has between two words, where it has one."""
    gap = _GAP.search(written)
    return new.replace(" ", gap.group(), 1) if gap else new


def _alone(text: str, start: int, end: int) -> bool:
    """Whether a name stands for itself: no plural, a single character not beside one that it makes a word with,
    two of them not the end of one word and the beginning of the next (林夏 in 森林夏季)."""
    after = text[end : end + 1]
    if end - start == 2 and _within(text, start) and _within(text, end):
        return False
    if _HAN.match(text[end - 1]):
        before = text[start - 1 : start] if start else ""
        return end - start > 1 or not (
            (_HAN.match(before) and before not in _BEFORE) or (_HAN.match(after) and after not in _AFTER)
        )
    return not (_SUFFIX.match(after) and ord(after) < 0x2E80 and text[end - 1].isalpha())


def _within(text: str, border: int) -> bool:
    """Whether a common word goes over a border between two characters."""
    if not 0 < border < len(text):
        return False
    words = (*guarded().get(text[border - 1], ()), *guarded().get(text[border], ()))
    return any(
        text.startswith(word, border - at)
        for word in words
        for at in range(1, min(border, len(word) - 1) + 1)
    )
