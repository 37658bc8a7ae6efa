"""What a writer said is intended: lines of `decisions.jsonl`, and the diagnostics that they answer.

A decision knows the code, the text that was pointed at and a little of what stood around it, so that it finds
its place again after edits. One without a path holds everywhere in the book. Lines of other kinds, and lines
that cannot be read, are nobody's here and stay where they are.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice

from inkwright.checks.rules import families
from inkwright.domain.diagnostic import Diagnostic, Said
from inkwright.domain.manuscript import Problem
from inkwright.domain.text import SURROGATE

KIND = "intended"
AROUND = 20
"""Characters that are kept of what stands on either side."""
NEAR = 4
"""Characters beside the place that must still be the same, in the same file."""
FAR = 12
"""And in another file, where the text may have moved to."""
MAX_TEXT = 200
MOST = 200
"""Decisions on the same words whose places have changed that are looked for: the latest."""
Place = tuple[int, int]
"""A diagnostic by the number of its stretch and its number there."""
_CONFLICT = ("<<<<<<<", "=======", ">>>>>>>", "|||||||")


@dataclass(frozen=True, slots=True)
class Intended:
    """`path` is the file's in the book, '' for the whole book, where `before` and `after` say nothing."""

    code: str
    text: str
    path: str = ""
    before: str = ""
    after: str = ""

    @property
    def everywhere(self) -> bool:
        return not self.path

    @property
    def id(self) -> str:
        return hashlib.sha256(line(self).encode("utf-8", "surrogatepass")).hexdigest()[:12]


class Decided:
    """Decisions by what they answer: put together once, asked of every text of the book."""

    def __init__(self, decisions: Iterable[Intended] = ()) -> None:
        self._by_words: dict[tuple[str, str], dict[Intended, int]] = {}
        for decision in decisions:
            same = self._by_words.setdefault((decision.code, decision.text), {})
            same.setdefault(decision, len(same))
        self._everywhere = {key for key, said in self._by_words.items() if any(d.everywhere for d in said)}
        self.codes = frozenset(code for code, _ in self._by_words)

    def __bool__(self) -> bool:
        return bool(self._by_words)

    def on(self, code: str, words: str) -> dict[Intended, int] | None:
        """The decisions on these words, each with its number in the order in which they were taken; None for none."""
        return self._by_words.get((code, words))

    def everywhere(self, code: str, words: str) -> bool:
        """Whether one of them holds in the whole book."""
        return (code, words) in self._everywhere


def line(decision: Intended) -> str:
    """The decision as a line, without its end; the same decision is always the same line."""
    said = {"kind": KIND, "code": decision.code, "text": decision.text}
    if decision.path:
        said |= {"path": decision.path, "before": decision.before, "after": decision.after}
    plain = json.dumps(said, ensure_ascii=False)
    return json.dumps(said) if SURROGATE.search(plain) else plain


def read(lines: Sequence[str], name: str) -> tuple[tuple[Intended, ...], tuple[Problem, ...]]:
    """The decisions in the lines of the file `name`, each once, and what could not be read of it.

    What stands between the marks of an unfinished merge counts, from both sides.
    """
    found: dict[Intended, None] = {}
    problems: list[Problem] = []
    conflict = False
    for number, raw in enumerate(lines):
        if not raw.strip():
            continue
        if raw.startswith(_CONFLICT):
            if not conflict:
                problems.append(Problem(name, number, "decisions_conflict", {"line": number + 1}))
            conflict = True
            continue
        try:
            said = json.loads(raw)
        except (ValueError, RecursionError):
            said = None
        if not isinstance(said, dict):
            problems.append(Problem(name, number, "decisions_bad_line", {"line": number + 1}))
        elif said.get("kind") == KIND:
            decision = _decision(said)
            if decision is None:
                problems.append(Problem(name, number, "decisions_bad_line", {"line": number + 1}))
            else:
                found[decision] = None
    return tuple(found), tuple(problems)


def of(diagnostic: Diagnostic, text: str, path: str, *, everywhere: bool = False) -> Intended:
    """The decision that what `diagnostic` says of `text` is intended, here or in the whole book."""
    span = diagnostic.span
    covered = _clean(span.of(text))[:MAX_TEXT]
    if everywhere or not path:
        return Intended(diagnostic.code, covered)
    if diagnostic.code in _of_chapter():
        return Intended(diagnostic.code, covered, path)
    before, after = text[max(0, span.start - AROUND) : span.start], text[span.end : span.end + AROUND]
    return Intended(diagnostic.code, covered, path, _clean(before), _clean(after))


def without(said: Sequence[Said], text: str, path: str, decided: Decided) -> list[Said]:
    """The diagnostics that nobody called intended. A decision for a place answers one diagnostic at most."""
    asked: dict[tuple[str, str], list[Place]] = {}
    for i, part in enumerate(said):
        for j, one in enumerate(part.found):
            if one.code in decided.codes:
                key = (one.code, _clean(one.span.shift(part.at).of(text))[:MAX_TEXT])
                if decided.on(*key) is not None:
                    asked.setdefault(key, []).append((i, j))
    answered: dict[int, set[int]] = {}
    for key, places in asked.items():
        taken = set(places)
        if not decided.everywhere(*key) and (on := decided.on(*key)) is not None:
            here = [((i, j), of(said[i].found[j].shift(said[i].at), text, path)) for i, j in places]
            taken = _bound(here, on)
        for i, j in taken:
            answered.setdefault(i, set()).add(j)
    return [
        part._replace(found=[one for j, one in enumerate(part.found) if j not in answered[i]])
        if i in answered
        else part
        for i, part in enumerate(said)
    ]


def _bound(places: list[tuple[Place, Intended]], said: dict[Intended, int]) -> set[Place]:
    """Which of the places the decisions mean: the pairs that have most in common first."""
    taken: set[Place] = set()
    used: set[int] = set()
    for i, here in places:
        n = said.get(here, -1)
        if n >= 0 and n not in used:
            taken.add(i)
            used.add(n)
    rest = _latest(said, used) if len(taken) < len(places) else []
    pairs = sorted(
        (
            (-score, i, n)
            for i, here in places
            if i not in taken
            for decision, n in rest
            if (score := _score(here, decision, alone=len(places) == len(said) == 1))
        )
    )
    for _, i, n in pairs:
        if i not in taken and n not in used:
            taken.add(i)
            used.add(n)
    return taken


def _latest(said: dict[Intended, int], used: Collection[int]) -> list[tuple[Intended, int]]:
    """The latest decisions that are not used, in order."""
    left = (pair for pair in reversed(said.items()) if pair[1] not in used)
    return list(islice(left, MOST))[::-1]


def _score(here: Intended, decision: Intended, *, alone: bool) -> int:
    """How much of what stood around the place stands there still; 0: it is another place."""
    if here.code in _of_chapter():
        return int(here.path == decision.path)
    left = _common(here.before[::-1], decision.before[::-1])
    right = _common(here.after, decision.after)
    whole = here.before == decision.before or here.after == decision.after
    if here.path != decision.path:
        return left + right if left + right >= FAR else 0
    if whole or left + right >= NEAR or (alone and left + right):
        return left + right + 1
    return 0


def _common(a: str, b: str) -> int:
    length = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        length += 1
    return length


def _clean(text: str) -> str:
    """White space is one space: line ends differ from machine to machine."""
    return " ".join(text.split()) if any(char.isspace() for char in text) else text


@cache
def _of_chapter() -> frozenset[str]:
    """The codes of what a whole chapter does too often: their place is wherever it is done first."""
    return frozenset(
        rule.id
        for family in families()
        if family.method in ("frequent", "openings", "throughout")
        for rule in family.rules
    )


def _decision(said: dict[str, object]) -> Intended | None:
    values = [said.get(key, "") for key in ("code", "text", "path", "before", "after")]
    if not values[0] or not all(isinstance(value, str) for value in values):
        return None
    return Intended(*map(str, values))
