"""What a finished run leaves to remember, by rules alone.

Of the writer's message: preferences and decisions. Of the answer, which a model wrote and which may
echo a chapter: lessons, under stricter rules. Never anything of the manuscript.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from inkwright.domain.memory import Memory, MemoryType
from inkwright.domain.text import EOL, encodable
from inkwright.manuscript import sentences
from inkwright.manuscript.folding import fold
from inkwright.memory.keywords import keywords
from inkwright.memory.words import TYPES, words

SENTENCES = 3
CHARS = 300
READ = 4_000
"""Of a message so many characters are looked at: what is longer is a text, not a wish."""
ANSWER = 40_000
ECHO = 12
"""So many characters in a row that stand in the material are taken from it."""
SHORTEST = ECHO // 2 + 1
"""And a sentence of no more than ECHO, but of so many, when all of it stands there."""

_FENCE = re.compile(r"^[ \t]*(```|~~~).*?^[ \t]*\1[ \t]*$", re.M | re.S)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]")
_MARKER = re.compile(r"^\s*(?:[-*+•·]|\d{1,3}[.)、．]|[（(]?[一二三四五六七八九十]{1,3}[)）、．])\s*")
_QUOTED = re.compile(r"“[^”]*”|「[^」]*」|『[^』]*』|\"[^\"]*\"|‘[^’]*’|《[^》]*》")
_LONG_QUOTE = 8
_EMPHASIS = re.compile(r"\*+|__")
_LETTERS = re.compile(r"[\W_]+")


def extract(message: str, answer: str, ability: str, material: Sequence[str] = ()) -> tuple[Memory, ...]:
    """At most one memory of each type, of at most SENTENCES sentences and CHARS characters.

    `material` is manuscript that the run saw: what stands in it is nobody's wish. An id and times are
    given when it is put among the others.
    """
    said = list(_said(message[:READ]))
    spoken = {"preference": said, "decision": said, "lesson": _advised(answer[:ANSWER])}
    carried = {kind: [one for one in spoken[kind] if _carries(kind, one)] for kind in TYPES}
    echoes = _echoes({one for found in carried.values() for one in found}, material)
    drafts = [
        draft(kind, ability, _fitting(one for one in carried[kind] if one not in echoes)) for kind in TYPES
    ]
    return tuple(memory for memory in drafts if memory.keywords)


def draft(kind: MemoryType, ability: str, lines: Iterable[str]) -> Memory:
    """A memory of these sentences, one a line, before it has an id."""
    content = "\n".join(lines)
    return Memory("", ability, kind, content, keywords(content))


def lines_of(content: str) -> list[str]:
    """The sentences of a memory."""
    return list(_sentences(content))


def clean(text: str) -> str:
    """Without control characters, invisible ones and lone surrogates."""
    return _CONTROL.sub("", encodable(text))


def _said(message: str) -> Iterator[str]:
    """The sentences that the writer says: not what is quoted or asked."""
    for line in _plain(message):
        for sentence in _sentences(line):
            if not _asked(sentence):
                yield sentence


def _advised(answer: str) -> Iterator[str]:
    """The sentences of an answer that can be kept: no heading or quotation, nothing that could steer."""
    for line in _plain(answer):
        for sentence in _sentences(_EMPHASIS.sub("", line)):
            folded = fold(sentence)
            if (
                len(sentence) <= CHARS
                and not _asked(sentence)
                and not words().unsafe.search(folded)
                and not any(len(quote) - 2 >= _LONG_QUOTE for quote in _QUOTED.findall(sentence))
            ):
                yield sentence


def _plain(text: str) -> Iterator[str]:
    """The lines that are somebody's own words: no fence, no blockquote, no heading, no table, no comment."""
    for line in EOL.split(_FENCE.sub("\n", clean(text))):
        bare = line.strip()
        if bare and not bare.startswith((">", "#", "|", "<", "+++", "---")):
            yield _MARKER.sub("", bare)


def _sentences(text: str) -> Iterator[str]:
    for line in EOL.split(text):
        for span in sentences.split(line):
            if sentence := span.of(line).strip():
                yield sentence


def _fitting(said: Iterable[str]) -> list[str]:
    """The first sentences, cut to what a memory holds."""
    out: list[str] = []
    room = CHARS
    for sentence in said:
        if sentence in out:
            continue
        if len(sentence) > room:
            if out:
                break
            sentence = f"{sentence[: room - 1].rstrip()}…"
        out.append(sentence)
        room -= len(sentence) + 1
        if len(out) == SENTENCES:
            break
    return out


def _carries(kind: MemoryType, sentence: str) -> bool:
    table = words()
    own = _QUOTED.sub(" ", fold(sentence))
    found = table.triggers[kind].findall(own)
    if kind == "lesson" or any(word not in table.spoken for word in found):
        return bool(found)
    return bool(found) and table.speakers.search(own) is not None


def _asked(sentence: str) -> bool:
    folded = fold(sentence)
    return words().question.search(folded) is not None and words().asks.search(folded) is None


def _letters(text: str) -> str:
    return _LETTERS.sub("", fold(text))


def _echoes(said: Collection[str], material: Iterable[str]) -> set[str]:
    """Those of the sentences that stand in the material, or have ECHO characters in a row from it.

    Goes through the material once, however many sentences there are.
    """
    sought: dict[str, set[str]] = {}
    for sentence in said:
        for piece in _pieces(_letters(sentence)):
            sought.setdefault(piece, set()).add(sentence)
    if not sought:
        return set()
    begun: dict[str, set[int]] = {}
    for piece in sought:
        begun.setdefault(piece[:SHORTEST], set()).add(len(piece))
    out: set[str] = set()
    for text in map(_letters, material):
        for at in range(len(text) - SHORTEST + 1):
            for size in begun.get(text[at : at + SHORTEST], ()):
                # What was found once need not be found again.
                out |= sought.pop(text[at : at + size], frozenset())
    return out


def _pieces(letters: str) -> Iterable[str]:
    """What a sentence is known by in the material; a very short one by nothing."""
    if len(letters) <= ECHO:
        return [letters] if len(letters) >= SHORTEST else []
    return {letters[at : at + ECHO] for at in range(len(letters) - ECHO + 1)}
