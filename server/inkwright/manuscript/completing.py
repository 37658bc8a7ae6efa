"""What a writer is about to name at a place: in a link, after `@`, in front matter, or in prose. Pure."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Literal

from inkwright.domain.text import Span
from inkwright.manuscript import pinyin
from inkwright.manuscript.mentions import Dictionary

Kind = Literal["link", "shown", "mention", "name", "key", "value", "head"]
LONGEST = 60
"""Characters of a name that is being typed."""
BEFORE, AFTER = 4_000, 1_500
"""How far round a place the people of its scene are looked for."""

_LINK = re.compile(r"\[\[([^\[\]\r\n]{0,120})\Z")
_MENTION = re.compile(r"(?<![A-Za-z0-9.])@([^\s@,，。！？；：“”]{0,60})\Z")
_LETTERS = re.compile(r"[A-Za-z][A-Za-z'’]*\Z")
_OPEN = re.compile(r"\ufeff?---[ \t]*(?:\r\n|\n|\r)")
_CLOSE = re.compile(r"^(?:---|\.\.\.)[ \t]*$", re.MULTILINE)
_YAML = re.compile(r"[ \t]*(?:\Z|[#\-{}\[\]]|[^\s:：][^:]{0,40}:(?:[ \t]|\Z)|[ \t])")
_PAIR = re.compile(
    r"(?P<lead>[ \t]*(?:-[ \t]+)?)(?P<key>[^\s:#\-\[\]{},][^:#\[\]{},]*?)[ \t]*:(?P<rest>.*)\Z", re.DOTALL
)
_INNER = re.compile(
    r"[{,][ \t]*(?P<key>[^\s:\[\]{},][^:\[\]{},]*?)[ \t]*:[ \t]*(?P<rest>\[[^\[\]{}]*|[^{}\[\],:]*)\Z"
)
_ITEM = re.compile(r"[ \t]*-[ \t]+(?P<rest>.*)\Z", re.DOTALL)
_TYPED = re.compile(r"[^,，、;；|/\[\]{}\"']*\Z")
_MARKED = re.compile(r"^[ \t\u3000]*[*\-_⁂※＊◇◆☆★#].*$", re.MULTILINE)
_BORDER = re.compile(
    r"[ \t\u3000]*(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|[⁂※＊◇◆☆★]+|#.*)[ \t\u3000\r]*"
)


@dataclass(frozen=True, slots=True)
class Place:
    """What is being typed. `key` is the field of a value, `parent` the one that a nested field stands under,
    both as written; for `shown` it is what the link links to. `glued`: a colon stands right before.
    """

    kind: Kind
    typed: str
    key: str = ""
    parent: str = ""
    glued: bool = False


def place(text: str, offset: int, line: str) -> Place:
    """What stands before `offset`; `line` is its line up to there."""
    if text.startswith(("---", "\ufeff---")) and (found := _in_front(text, offset, line)):
        return found
    if offset == len(line) + text.startswith("\ufeff") and re.fullmatch(r"\ufeff?-{0,3}[A-Za-z]*", line):
        return Place("head", line.removeprefix("\ufeff"))
    if match := _LINK.search(line):
        target, bar, shown = match[1].partition("|")
        return Place("shown", shown, target.strip()) if bar else Place("link", match[1].lstrip())
    if match := _MENTION.search(line):
        return Place("mention", match[1])
    return Place("name", line[-LONGEST:])


def _in_front(text: str, offset: int, line: str) -> Place | None:
    fence = _OPEN.match(text)
    if fence is None or offset < fence.end():
        return None
    close = _CLOSE.search(text, fence.end())
    if close is not None and close.start() < offset:
        return None
    above = re.split(r"\r\n|\n|\r", text[fence.end() : offset - len(line)])[:-1]
    if close is None and not all(_YAML.match(row) for row in above):
        return None
    return _field(line, above)


def _field(line: str, above: list[str]) -> Place:
    pair = _PAIR.fullmatch(line)
    if inner := _INNER.search(line):
        parent = pair["key"] if pair is not None and not pair["lead"] else _above(above)
        return Place("value", _typed(inner["rest"]), inner["key"].strip(), parent.strip())
    if pair is not None:
        parent = _above(above) if pair["lead"] else ""
        return Place("value", _typed(pair["rest"]), pair["key"].strip(), parent, glued=not pair["rest"])
    if item := _ITEM.fullmatch(line):
        return Place("value", _typed(item["rest"]), _above(above))
    if line[:1] in (" ", "\t") and line.strip():
        return Place("value", _typed(line), _above(above))
    return Place("key", line.strip())


def _above(above: list[str]) -> str:
    """The key that the lines above stand under."""
    for row in reversed(above):
        pair = _PAIR.fullmatch(row)
        if pair is not None and not pair["lead"]:
            return pair["key"].strip()
    return ""


def _typed(rest: str) -> str:
    found = _TYPED.search(rest)
    return found[0].lstrip() if found else ""


@dataclass(frozen=True, slots=True)
class Fit:
    """How well a name goes on with what is typed: `typed` characters are replaced; the lower the rank, the better.

    `letters` is the spelling by which it was found, which begins with what is typed; '' for the name itself.
    """

    rank: int
    typed: int
    letters: str = ""


_ANY = Fit(3, 0)


def fit(typed: str, name: str) -> Fit | None:
    """Whether `name` is meant by all that is `typed`: as its beginning, a part of it, or by its pinyin."""
    folded, low = typed.lower(), name.lower()
    if not folded or low.startswith(folded):
        return Fit(0, len(typed))
    if pinyin.typed(typed) == folded and (spelled := pinyin.completed(folded, name)):
        return Fit(1, len(typed), spelled)
    return Fit(2, len(typed)) if folded in low else None


class Tail:
    """The end of a line of prose, to be gone on with."""

    def __init__(self, before: str) -> None:
        self._low = before.lower()
        latin = _LETTERS.search(before[-LONGEST:])
        self._latin = latin[0].lower() if latin else ""
        self._letters = self._latin if pinyin.typed(self._latin) == self._latin else ""

    def fit(self, name: str) -> Fit | None:
        """Whether it ends in the beginning of `name`, or of its pinyin. Any name goes on after no letter."""
        if count := overlap(self._low, name.lower()):
            return Fit(0, count)
        if not self._latin:
            return _ANY
        if self._letters and (spelled := pinyin.completed(self._letters, name)):
            return Fit(1, len(self._letters), spelled)
        return None


def overlap(before: str, name: str) -> int:
    """How many characters of `name` stand at the end of `before`; both folded."""
    if name[:1] not in before:
        return 0
    return next((n for n in range(min(len(before), len(name)), 0, -1) if before.endswith(name[:n])), 0)


def cast(text: str, offset: int, names: Dictionary) -> dict[str, int]:
    """The cards that the scene round a place names, by the order in which they come to mind: 0 the nearest one.

    Only what stands near is looked at, so that it costs the same in any chapter.
    """
    start, end = max(0, offset - BEFORE), min(len(text), offset + AFTER)
    for border in _MARKED.finditer(text, start, end):
        if not _BORDER.fullmatch(border[0]):
            continue
        if border.end() <= offset:
            start = border.end()
        elif border.start() > offset:
            end = border.start()
            break
    near: dict[str, int] = {}
    times: Counter[str] = Counter()
    for at, stop, cards in names.hits(text, [Span(start, end)]) if start < end else ():
        for card in cards:
            times[card] += 1
            distance = offset - stop if stop <= offset else at - offset + BEFORE
            near[card] = min(distance, near.get(card, distance))
    ordered = sorted(near, key=lambda card: (near[card] // 400, -times[card], near[card]))
    return {card: order for order, card in enumerate(ordered)}
