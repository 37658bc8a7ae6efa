"""The forms in which a model hands over a whole text, and the text in them.

JSON, a quotation, a quotation in Markdown, lines wrapped as on a page, sentence pairs of before and
after, the same text twice: each is taken off only where the passage itself does not have it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from rapidfuzz.fuzz import ratio

from inkwright.domain.text import EOL
from inkwright.proposals.blocks import is_wrapped, lines, read
from inkwright.proposals.likeness import likeness, words
from inkwright.proposals.phrases import is_line, phrases

_MARKED = re.compile(r" {0,3}> ?")
_QUOTES = {"“": "”", '"': '"', "「": "」", "『": "』"}
_OPENED = 0.75
"""How like the first paragraph of the passage one must be to begin another copy of it."""
_COPY = 0.75
"""The words that a copy has at least, as a share of the passage's."""
_UNSPACED = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff—…“”‘’]")


def forms(passage: str, text: str) -> Iterator[tuple[str, bool]]:
    """What `text` may hold, and whether that is surely meant. Never raises."""
    yield from ((value, True) for value in _json(passage, text))
    paired = _paired(passage, text)
    if paired is not None:
        yield paired, True
    one = _one_of_copies(passage, text)
    if one is not None:
        yield one, True
    bare = text
    for take_off in (_unmarked, _unquoted, _joined):
        bare = take_off(passage, bare) or bare
    if bare != text:
        yield bare, False


def _json(passage: str, text: str) -> Iterator[str]:
    """The strings of a JSON value, without those under a name for the original or the notes."""
    plain = text.strip()
    if plain[:1] not in ("{", "[", '"') or passage.lstrip()[:1] == plain[:1]:
        return
    try:
        found = json.loads(plain, strict=False)
    except (ValueError, RecursionError):
        return
    if isinstance(found, str):
        yield found
    elif isinstance(found, list) and found and all(isinstance(item, str) for item in found):
        yield "\n\n".join(found)
    elif isinstance(found, dict):
        talk = phrases()
        for key, value in found.items():
            other = is_line(talk.originals, key) or is_line(talk.notes, key)
            if isinstance(value, str) and not other:
                yield value


def _paired(passage: str, text: str) -> str | None:
    """The second of each pair "before: … after: …"; what is not paired is talk."""
    talk = phrases()
    if any(talk.before.match(_bare(passage[a:b])) for a, b in lines(passage)):
        return None
    out: list[str] = []
    befores = afters = 0
    taking = False
    for start, end in lines(text):
        line = text[start:end]
        said = _bare(line)
        if talk.before.match(said):
            befores, taking = befores + 1, False
        elif match := talk.after.match(said):
            afters, taking = afters + 1, True
            out += ["", said[match.end() :].lstrip("*_ ")]
        elif taking:
            out.append(line)
    return "\n".join(out) if befores and afters else None


def _bare(line: str) -> str:
    return line.lstrip("*_-#> \t\u3000")


def _one_of_copies(passage: str, text: str) -> str | None:
    """The first of several versions of the whole passage that is not the passage as it was."""
    asked = words(passage)
    wrapped = is_wrapped(passage)
    old = read(passage, wrapped=wrapped)
    if not old or len(words(text)) < 2 * _COPY * len(asked):
        return None
    first = old[0].span.of(passage)
    starts = [
        block.span.start - len(block.lead)
        for block in read(text, wrapped=wrapped)
        if ratio(first, block.span.of(text)) >= 100 * _OPENED
    ]
    begin, found = 0, None
    for start in starts:
        part = text[begin:start]
        if _is_version(asked, part) and _is_version(asked, text[start:]):
            if words(part) != asked:
                return part
            begin, found = start, text[start:]
    return found


def _is_version(asked: list[str], part: str) -> bool:
    own = words(part)
    return len(own) >= _COPY * len(asked) and likeness(asked, own[: 2 * len(asked)]) >= 0.5


def _unmarked(passage: str, text: str) -> str | None:
    """A text in a Markdown quotation."""
    if not any(_MARKED.match(text, a, b) for a, b in lines(text)):
        return None
    if any(_MARKED.match(passage, a, b) for a, b in lines(passage)):
        return None
    out: list[str] = []
    at = 0
    for start, end in lines(text):
        out.append(text[at:start])
        match = _MARKED.match(text, start, end)
        at = match.end() if match else start
    return "".join(out) + text[at:]


def _unquoted(passage: str, text: str) -> str | None:
    """A text in quotation marks that hold all of it."""
    plain = text.strip()
    close = _QUOTES.get(plain[:1])
    old = passage.strip()
    if close is None or len(plain) < 2 or not plain.endswith(close):
        return None
    if old.startswith(plain[0]) and old.endswith(close):
        return None
    inner = plain[1:-1]
    return inner if _balanced(inner, plain[0], close) else None


def _balanced(inner: str, mark: str, close: str) -> bool:
    """Whether the marks of a text pair off within it: then those around it are a pair too."""
    if mark == close:
        parts = [inner[a:b] for a, b in lines(inner) if inner[a:b].strip()]
        if len(parts) < 2:
            return mark not in inner
        return parts[0].count(mark) % 2 == 0 and parts[-1].count(mark) % 2 == 0
    depth = 0
    for char in inner:
        depth += (char == mark) - (char == close)
        if depth < 0:
            return False
    return depth == 0


def _joined(passage: str, text: str) -> str | None:
    """A text in lines as on a page, for a passage whose paragraphs are lines."""
    blocks = read(text, wrapped=True)
    if is_wrapped(passage) or not any(EOL.search(block.span.of(text)) for block in blocks):
        return None
    if not is_wrapped(text):
        # Lines that stand together, as many stretches of them as the passage has lines that stand alone.
        alone = len(read(passage, wrapped=False))
        if alone < 2 or not alone == len(read(passage, wrapped=True)) == len(blocks):
            return None
    return "\n\n".join(block.lead + _one_line(block.span.of(text)) for block in blocks)


def _one_line(core: str) -> str:
    """Lines put together: with a space, but not between characters that are written without."""
    out = ""
    for line in EOL.split(core):
        piece = line.strip()
        tight = _UNSPACED.match(out[-1:]) or _UNSPACED.match(piece)
        out = piece if not out else out + ("" if tight else " ") + piece
    return out
