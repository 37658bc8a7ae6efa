"""What a model answered → the rewrite in it, or the finding that there is none.

The agreed form is the passage, then optionally a line `=== 修改说明 ===` (or `=== Notes ===`) and
notes. Models also answer in a fence, with an opening sentence, with notes before or after, with the
original first: all of that is understood. What is no rewrite of the passage is `no_rewrite`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from inkwright.domain.errors import Fault
from inkwright.domain.text import EOL, TextEdit, apply
from inkwright.proposals.align import align
from inkwright.proposals.blocks import is_wrapped, lines, read
from inkwright.proposals.forms import forms
from inkwright.proposals.likeness import likeness, verdict, words
from inkwright.proposals.phrases import bare, is_line, phrases
from inkwright.proposals.pieces import BLANK
from inkwright.proposals.rewrite import edits

SEPARATORS = {"zh": "=== 修改说明 ===", "en": "=== Notes ==="}

_SEPARATOR = re.compile(
    r"[*_# ]*={2,}\s*(?:修改说明|润色说明|修订说明|说明|notes?|changes)\s*(?:[:：]\s*)?={2,}[*_ ]*", re.I
)
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})[^`]*")
_TAG = re.compile(r"</?[A-Za-z_\u4e00-\u9fff][\w\u4e00-\u9fff-]*(?:\s[^<>]*)?>")
_RULER, _ENDS, _TITLE = "-=*#<>[]【】《》", 3, 40
"""A title between two rulers: how many of these characters there are on each side at least, and how long it may be."""
_RULE = re.compile(r"(?:[-*_=] ?){3,}|—{2,}")
_WHOLE_TAG = re.compile(r"<(?P<tag>[A-Za-z_]+)>[^\r\n]*</(?P=tag)>")
_ROW = re.compile(r"\|.*\|")


@dataclass(frozen=True, slots=True)
class Rewrite:
    """`text` is the passage rewritten, its white space and line ends the passage's own; `notes` are the model's.

    `edits` make it from the passage: ordered, not overlapping, each one a hunk to be.
    """

    text: str
    notes: str = ""
    edits: tuple[TextEdit, ...] = ()


def read_answer(
    passage: str,
    answer: str,
    *,
    before: str = "",
    after: str = "",
    length: tuple[float, float] | None = None,
) -> Rewrite | Fault:
    """The rewrite in `answer`, or `Fault("no_rewrite", {"reason": …})`.

    `before` and `after` are the texts around the passage: a model that repeats them is understood.
    `length` are the least and the most that it may have of the passage's words; None: 0.6 to 2.
    """
    around = {bare(line) for line in _texts(before + "\n" + after)} - {""}
    around -= {bare(line) for line in _texts(passage)}
    best: _Found | None = None
    for found in _candidates(passage, answer, around):
        if best is None or found.rank >= best.rank:  # of equals, the one with less around it
            best = found
    if best is None or not best.text.strip():
        return _no("chat" if words(answer) else "empty")
    reason = verdict(passage, best.text, length)
    if reason is not None or best.likeness < 0.6:
        start = answer.lstrip()
        if phrases().refusals.match(start) and not passage.lstrip().startswith(start[:6]):
            reason = "chat"
    if reason is not None:
        return _no(reason)
    changes = edits(passage, best.text)
    return Rewrite(apply(passage, changes), best.notes, tuple(changes))


def _no(reason: str) -> Fault:
    return Fault("no_rewrite", {"reason": reason})


@dataclass(frozen=True, slots=True)
class _Found:
    """A reading of the answer. Of two readings the one more like the passage is the better."""

    text: str
    notes: str
    likeness: float = 0.0
    certain: bool = False

    @property
    def rank(self) -> tuple[bool, float]:
        return (self.certain, self.likeness)


def _texts(text: str) -> Iterator[str]:
    return (text[a:b] for a, b in lines(text))


def _candidates(passage: str, answer: str, around: set[str]) -> Iterator[_Found]:
    own = {line.strip() for line in _texts(passage)}
    asked = words(passage)
    body, notes = _cut(answer, own)
    for raw in _readings(body, notes, own):
        held = [
            replace(raw, text=text, certain=raw.certain or sure) for text, sure in forms(passage, raw.text)
        ]
        for reading in (raw, *held):
            found = _trimmed(passage, reading, own, around)
            yield replace(found, likeness=likeness(asked, words(found.text)))


def _cut(answer: str, own: set[str]) -> tuple[str, str]:
    """The answer before and after our separator; an answer that begins with it holds notes first."""
    for start, end in lines(answer):
        line = answer[start:end].strip()
        if line not in own and _SEPARATOR.fullmatch(line):
            if answer[:start].strip():
                return answer[:start], answer[end:].strip()
            return answer[end:], ""
    return answer, ""


def _readings(body: str, notes: str, own: set[str]) -> Iterator[_Found]:
    """The body as it is, inside its fence, after its label, and in the forms that hold it whole."""
    revised = _after_original(body, own)
    if revised is not None:
        yield _Found(revised, notes, certain=True)
        body = revised
    yield _Found(body, notes)
    if not any(_FENCE.fullmatch(line) for line in own):
        for inside, outside in _fenced(body):
            yield _Found(inside, _both(outside, notes))
    first = next((line for line in _texts(body) if line.strip()), "")
    label = phrases().labels.match(first.lstrip(BLANK + "*_#"))
    if label and label.end() < len(first.strip()) and first.strip() not in own:
        at = body.index(first) + first.index(label.group()) + label.end()
        yield _Found(body[at:].lstrip("*_ "), notes)


def _after_original(body: str, own: set[str]) -> str | None:
    """The part below "revised:" of an answer that shows the original above it."""
    seen = False
    for start, end in lines(body):
        line = body[start:end].strip()
        if not line or line in own:
            continue
        if is_line(phrases().originals, line):
            seen = True
        elif seen and is_line(phrases().revised, line):
            return body[end:]
    return None


def _fenced(body: str) -> Iterator[tuple[str, str]]:
    """Each fence's inside with what stands outside it; one that never closes goes to the end."""
    opened: tuple[int, int, str] | None = None
    for start, end in lines(body):
        match = _FENCE.fullmatch(body[start:end].rstrip())
        if match is None:
            continue
        if opened is None:
            opened = (start, end, match.group(1))
        elif body[start:end].strip().startswith(opened[2]):
            yield _within(body, opened[1], start), _both(body[: opened[0]].strip(), body[end:].strip())
            opened = None
    if opened is not None:
        yield _within(body, opened[1], len(body)), body[: opened[0]].strip()


def _within(body: str, start: int, end: int) -> str:
    first = EOL.match(body, start)
    return body[first.end() if first else start : end]


def _both(a: str, b: str) -> str:
    return "\n\n".join(part for part in (a.strip(), b.strip()) if part)


def _trimmed(passage: str, found: _Found, own: set[str], around: set[str]) -> _Found:
    """A reading without what the model says before and after the text."""
    wrapped = is_wrapped(passage)
    text = found.text
    blocks = read(text, wrapped=wrapped)
    if not blocks:
        return replace(found, text="")
    cores = [block.span.of(text) for block in blocks]
    old = [block.span.of(passage) for block in read(passage, wrapped=wrapped)]
    pairs = [
        step.j1
        for step in align(old, cores, 0.4)
        if not step.lone and (step.equal or (step.alike and _kin(old[step.i1], cores[step.j1])))
    ]
    first, last = (pairs[0], pairs[-1]) if pairs else (len(cores), -1)
    said = _Said(
        cores,
        own,
        around,
        bulleted=[not block.plain for block in blocks],
        lists=any(not b.plain for b in read(passage, wrapped=wrapped)),
        tables=any(_ROW.fullmatch(line) for line in own),
    )
    head = said.head(first)
    tail = said.tail(max(last + 1, head + 1 if not pairs else 0))
    if head >= tail:
        return replace(found, text="")
    begin = blocks[head].span.start - len(blocks[head].lead)
    stop = blocks[tail - 1].span.end
    outside = _both(_spoken(text[:begin], cores[:head]), text[stop:])
    return replace(found, text=text[begin:stop], notes=_both(outside, found.notes))


def _is_frame(core: str) -> bool:
    """Whether a paragraph is a tag, a ruler or a title between two rulers. Takes time by its length."""
    if _TAG.fullmatch(core) or _WHOLE_TAG.fullmatch(core) or _RULE.fullmatch(core):
        return True
    title = core.lstrip(_RULER)
    before = len(core) - len(title)
    if not title:
        return before >= 2 * _ENDS
    title = title.rstrip(_RULER)
    after = len(core) - before - len(title)
    return min(before, after) >= _ENDS and len(title) <= _TITLE and "\n" not in title


def _kin(a: str, b: str) -> bool:
    return likeness(words(a), words(b)) >= 0.3


def _spoken(text: str, cores: list[str]) -> str:
    """What was said before the text, if it says more than that the text follows."""
    return text if any(is_line(phrases().notes, core) for core in cores) else ""


@dataclass(frozen=True, slots=True)
class _Said:
    """The paragraphs of an answer, and which of them are talk."""

    cores: list[str]
    own: set[str]
    around: set[str]
    bulleted: list[bool]
    lists: bool
    tables: bool

    def head(self, first: int) -> int:
        """Where the text begins: after the last opening line above paragraph `first`."""
        if first and self._notes(0):
            marks = [j for j in range(first) if self._opens(j)]
            return marks[-1] + 1 if marks else (first if first < len(self.cores) else 0)
        at = 0
        for j in range(first):
            if self._opens(j) or bare(self.cores[j]) in self.around:
                at = j + 1
            elif first == len(self.cores):
                break
        return at

    def tail(self, after: int) -> int:
        """Where it ends: before the first closing line at or below paragraph `after`."""
        for j in range(max(after, 1), len(self.cores)):
            if self._closes(j):
                return j
        return len(self.cores)

    def _foreign(self, j: int) -> bool:
        return self.cores[j].strip() not in self.own

    def _notes(self, j: int) -> bool:
        return self._foreign(j) and is_line(phrases().notes, self.cores[j])

    def _opens(self, j: int) -> bool:
        core = self.cores[j]
        talk = phrases()
        return self._foreign(j) and (
            is_line(talk.openers, core) or is_line(talk.revised, core) or _is_frame(core)
        )

    def _closes(self, j: int) -> bool:
        core = self.cores[j]
        talk = phrases()
        return bare(core) in self.around or (
            self._foreign(j)
            and (
                is_line(talk.notes, core)
                or is_line(talk.closers, core)
                or _is_frame(core)
                or (self.bulleted[j] and not self.lists)
                or (bool(_ROW.fullmatch(core)) and not self.tables)
            )
        )
