"""Moving a chapter in the reading order where that order is the writer's own `order:` in front matter. Pure."""

from __future__ import annotations

import math
import posixpath
from collections.abc import Mapping, Sequence
from itertools import pairwise

from inkwright.domain.errors import InkwrightError
from inkwright.domain.manuscript import Chapter
from inkwright.domain.text import Span, TextEdit, apply
from inkwright.manuscript import frontmatter, naming

OURS = frozenset(("order", "序号", "顺序"))
"""The keys that are written; `sequence` is another program's."""
DIGITS = 6


def target(
    chapters: Sequence[Chapter], path: str, *, after: str = "", before: str = "", index: int = -1
) -> int:
    """Where among the other chapters of its folder a chapter is to stand.

    `after` and `before` are chapters, `index` is a place in the whole book, counted without the chapter itself.
    Raises `InkwrightError`: move_no_chapter, move_no_place, move_other_folder.
    """
    others = [chapter.path for chapter in chapters if chapter.path != path]
    if len(others) == len(chapters):
        raise InkwrightError("move_no_chapter", path=path)
    siblings = [other for other in others if _folder(other) == _folder(path)]
    if index >= 0:
        if index > len(others):
            raise InkwrightError("move_no_place", index=index, most=len(others))
        behind = others[index - 1] if index else ""
        if behind and _folder(behind) == _folder(path):
            after = behind
        elif index < len(others):
            before = others[index]
        else:
            after = behind
    for mark, step in ((after, 1), (before, 0)):
        if not mark:
            continue
        if mark not in others:
            raise InkwrightError("move_no_chapter", path=mark)
        if mark not in siblings:
            raise InkwrightError("move_other_folder", path=path, other=mark)
        return siblings.index(mark) + step
    raise InkwrightError("move_no_chapter", path=path)


def orders(chapters: Sequence[Chapter], path: str, at: int) -> Mapping[str, str]:
    """The chapters that get a new `order`, with it: as few as can be, and none when it stands there already.

    `at` is what `target` gave. Raises `InkwrightError`: move_by_names, where not every chapter of the folder has
    an order of its own.
    """
    folder = [chapter for chapter in chapters if _folder(chapter.path) == _folder(path)]
    own = {chapter.path: naming.order_value(chapter.meta.get("order")) for chapter in folder}
    missing = [chapter.path for chapter in folder if own[chapter.path] is None]
    if missing:
        raise InkwrightError("move_by_names", path=missing[0], count=len(missing))
    known = {one: value for one, value in own.items() if value is not None}
    if any(known[a.path] > known[b.path] for a, b in pairwise(folder)):
        raise InkwrightError("move_not_by_order", path=path)
    others = [chapter.path for chapter in folder if chapter.path != path]
    if [*others[:at], path, *others[at:]] == [chapter.path for chapter in folder]:
        return {}
    low = known[others[at - 1]] if at else None
    high = known[others[at]] if at < len(others) else None
    value = between(low, high)
    if value is not None:
        return {path: value}
    row = [*others[:at], path, *others[at:]]
    return {one: str(number) for number, one in enumerate(row, 1) if known[one] != number}


def between(low: float | None, high: float | None) -> str | None:
    """A number between two, a whole one where there is one; None where there is no room. None: no border."""
    if low is None or high is None:
        if low is None:
            return "1" if high is None else str(math.ceil(high) - 1)
        return str(math.floor(low) + 1)
    middle = (low + high) / 2
    for whole in (math.floor(middle), math.ceil(middle)):
        if low < whole < high:
            return str(whole)
    text = f"{middle:.{DIGITS}f}".rstrip("0")
    return text if low < float(text) < high else None


def edit(text: str, order: str) -> TextEdit | None:
    """The edit that gives a chapter an order in place of the one that it has; None where it cannot be written."""
    found = [scalar for scalar in frontmatter.scalars(text) if scalar.key.strip().lower() in OURS]
    if len(found) != 1:
        return None
    span: Span = found[0].span
    change = TextEdit(span, order)
    before, after = frontmatter.read(text), frontmatter.read(apply(text, [change]))
    kept = after.problem is None and list(after.keys) == list(before.keys)
    rest = {k: v for k, v in before.meta.items() if k != found[0].key} == {
        k: v for k, v in after.meta.items() if k != found[0].key
    }
    if not (kept and rest) or naming.order_value(after.meta.get(found[0].key)) != float(order):
        return None
    return change


def _folder(path: str) -> str:
    return posixpath.dirname(path)
