"""What a line of notes is by its form: a law, a term that is defined, formulas, symbols."""

from __future__ import annotations

import re
from collections.abc import Iterator

from inkwright.offline.notes.signs import definitions, sign

_LATIN = re.compile(r"[A-Za-z]")
TERM = 24
SHORT = 12
WORDS = 7
_WHERE = re.compile(r"\s+where\b", re.IGNORECASE)
_APART = ("task", "question", "example", "caution", "chatter", "theorem")
_ARTICLE = re.compile(r"^(?:an?|the)\s+", re.IGNORECASE)
_HANGS = re.compile(r"(?:,|\b(?:of|the|an?|and|or|to|by|in|for|with|that|is|are|as|than))\s*$", re.IGNORECASE)
"""A row that cannot end there."""
_OPENING, _CLOSING = "([{", ")]}"


def law_of(text: str) -> str:
    """The name of the theorem or law that a line states, '' for none."""
    if match := sign("theorem").match(text):
        if match["name"]:
            return trim(match["name"])
        rest = text[match.end() :]
        head = sign("colon").match(rest)
        if head and named(trim(head["term"])):
            return trim(head["term"])
        return trim(match[0]) if re.search(r"\d", match[0]) or match["kind"] in ("定理", "定律") else ""
    if match := sign("named_law").match(text):
        name = trim(match["name"])
        return name if named(name) else ""
    return ""


def term_of(text: str, *, head: bool = True) -> str:
    """What a line defines, '' for nothing. A term before a colon stands at the head of its row."""
    for pattern in definitions():
        if (match := pattern.match(text)) and named(term := trim(match["term"]), least=1):
            return term
    match = sign("colon").match(text) if head else None
    if match and named(term := trim(match["term"])) and (_LATIN.match(term) or len(term) <= SHORT):
        return term
    return ""


def named(term: str, least: int = 2) -> bool:
    """Whether a stretch of text can be the name of a concept, of `least` characters at least."""
    if not max(least, 2 * term.isascii()) <= len(term) <= (48 if _LATIN.match(term) else TERM) or sign(
        "no_term"
    ).search(term):
        return False
    return (
        len(term.split()) <= WORDS
        and not re.search(r"[=$\\，。；：？！]", term)
        and bool(re.search(r"\w", term))
    )


def trim(term: str) -> str:
    out = sign("trim").sub("", term.strip())
    return sign("trim").sub("", out).strip()


def formulas_in(text: str) -> list[str]:
    """The formulas of a line: those between math marks, else what has an equals sign."""
    marked = [
        m[0]
        for m in sign("math").finditer(text)
        if re.search(r"[=≈≤≥<>∝≡]|\\(?:le|ge|approx|to|int|sum|lim|frac)", m[0])
    ]
    if marked or sign("math").search(text):
        return list(dict.fromkeys(marked))
    found = [_bare(one) for one in _plain(text)]
    return list(
        dict.fromkeys(f for f in found if f and not re.search(r"[a-z]{3,}\s+[a-z]{3,}\s+[a-z]{2,}", f))
    )


def _plain(text: str) -> Iterator[str]:
    """What has an equals sign, each to the end of its brackets: a comma inside them ends nothing."""
    at = 0
    while match := sign("plain_formula").search(text, at):
        start, at = match.span("formula")
        while (
            _open(text[start:at]) > 0 and (more := sign("formula_rest").match(text, at)) and more.end() > at
        ):
            at = more.end()
        yield text[start:at]
        at = max(at, match.end())


def _bare(formula: str) -> str:
    """The formula without what was written behind it, its brackets in pairs; '' where they cannot be."""
    out = sign("remark").sub("", formula)
    out = sign("aside").sub("", _WHERE.split(out)[0]).strip(" .,;")
    depth = 0
    for place, mark in enumerate(out):
        depth += (mark in _OPENING) - (mark in _CLOSING)
        if depth < 0:  # The bracket was opened before the formula.
            out = out[:place].strip(" .,;")
            break
    while _open(out) > 0:
        # A bracket that is never closed belongs to the words that go on from it.
        low = max(i for i in range(len(out)) if out[i] in _OPENING and _open(out[i:]) > 0)
        if low == 0 or not out[low - 1].isspace():
            return ""
        out = out[:low].strip(" .,;")
    return out if re.search(r"[=≈≤≥∝≡→⇌>]\s*\S", out) else ""


def _open(text: str) -> int:
    """How many more brackets open than close: [0, 1) is a pair."""
    return sum(text.count(mark) for mark in _OPENING) - sum(text.count(mark) for mark in _CLOSING)


def symbols_in(text: str) -> list[tuple[str, str]]:
    return [
        (m["symbol"], m["meaning"].strip()) for m in sign("symbol").finditer(text) if m["meaning"].strip()
    ]


def clause_of(text: str, at: int) -> str:
    """The clause that a condition begins, to its end."""
    low = max(text.rfind(mark, 0, at) for mark in "，,；;。（(") + 1
    match = re.search(r"[；;。）)]|\.(?:\s|$)", text[at:])
    return text[low : at + match.start() if match else len(text)].strip(" ，,")


def begins(row: str, before: str = "") -> bool:
    """Whether a row says something of its own: it does not go on with the one before it."""
    if display(row) or any(sign(kind).match(row) for kind in _APART):
        return True
    if _HANGS.search(before):
        return False
    # A term or a formula in the middle of a row may be the end of a sentence.
    defined = term_of(row) or law_of(row)
    if defined and _ARTICLE.sub("", row).startswith(defined) and not sign("joint").match(defined):
        return True
    if sign("joint").match(row):
        return False
    found = formulas_in(row)
    if found and row.startswith(found[0]) and (not sign("math").match(row) or row.strip(" .,;") == found[0]):
        return True
    return bool(sign("cost").fullmatch(row))


def display(row: str) -> bool:
    """Whether a row begins with a formula that stands by itself."""
    return row.startswith(("$$", "\\["))
