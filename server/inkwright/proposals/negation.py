"""The guard's judgement of negations: a word that stays and is denied no longer, or is denied now.

Both texts are read as words without their negators. A negation is lost when the words it was about stand
in the new text and no negation stands in their clause there. Fixed phrases that only look like a denial
(不由得, could not help) and double ones are none, and a clause that says no in another way (推辞, too late,
怎么会) has lost nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from rapidfuzz.distance import LCSseq

from inkwright.domain.proposal import Finding
from inkwright.manuscript.script import BEYOND_LATIN
from inkwright.proposals.change import Change
from inkwright.proposals.tables import table

_CLAUSE = re.compile(r"[，。！？；：、,.;:!?…—\r\n“”「」『』\"()（）]+|--+")
_TOKEN = re.compile(rf"\ue001|[A-Za-z]+|{BEYOND_LATIN}|\d+")
_NO = "\ue001"
_UNTIL = frozenset({"until", "till"})
_LOOK = 4
"""Words behind a negation that say what it is about."""


@dataclass(slots=True)
class _Clause:
    """`words` are those of the clause, `nos` for each negation which of them it stands before."""

    text: str
    start: int
    words: list[str] = field(default_factory=list)
    nos: list[int] = field(default_factory=list)


def judged(change: Change) -> Iterator[Finding]:
    """Negations that went from what stays, or came to it."""
    old, new = _parted(change.old, change.new), _parted(change.new, change.old)
    before, after = _words(old), _words(new)
    if not any(c.nos for c in (*old, *new)) or not before or not after:
        return
    pairs = [
        (block.src_start + k, block.dest_start + k)
        for block in LCSseq.opcodes(before, after)
        if block.tag == "equal"
        for k in range(block.src_end - block.src_start)
    ]
    forth, back = dict(pairs), {b: a for a, b in pairs}
    if gone := _bare(old, new, forth):
        yield Finding("negation_lost", {"before": gone[0], "after": gone[1]})
    if came := _bare(new, old, back):
        yield Finding("negation_added", {"before": came[1], "after": came[0]})


def clauses(text: str) -> list[str]:
    """The clauses of a text, without what parts them."""
    return [part for part in _CLAUSE.split(text) if part.strip()]


def read(text: str, other: str) -> tuple[list[str], int]:
    """The words of `text` that say something, and how often it denies, beside `other`."""
    parts = _parted(text, other)
    return [word for word in _words(parts) if not _light(word)], sum(len(part.nos) for part in parts)


def _bare(here: list[_Clause], there: list[_Clause], met: dict[int, int]) -> tuple[str, str] | None:
    """The first clause with a negation whose words stand over there without one, and the clause there."""
    claimed: dict[int, int] = {}
    for clause in here:
        for no in clause.nos:
            heads = _heads(clause, no)
            if not heads or heads[0] not in met or sum(h in met for h in heads) * 2 < len(heads):
                continue
            number = _at(there, met[heads[0]])
            other = there[number]
            claimed[number] = claimed.get(number, 0) + 1
            if claimed[number] > len(other.nos) and not excused(other.text, clause.text):
                return clause.text.strip(), other.text.strip()
    return None


def _heads(clause: _Clause, no: int) -> list[int]:
    """The places of the words that a negation is about, the nearest first."""
    follow = [k for k in range(no, len(clause.words)) if not _light(clause.words[k])][:_LOOK]
    if not follow:  # "it surprised nobody", 他说的不是
        follow = [k for k in range(no - 1, -1, -1) if not _light(clause.words[k])][:1]
    if not follow:
        follow = [no] if no < len(clause.words) else []
    return [clause.start + k for k in follow]


def _at(clauses: Sequence[_Clause], word: int) -> int:
    return max(n for n, clause in enumerate(clauses) if clause.start <= word and clause.words)


def _words(clauses: Sequence[_Clause]) -> list[str]:
    return [word for clause in clauses for word in clause.words]


def _parted(text: str, other: str) -> list[_Clause]:
    known = frozenset(re.findall("[a-z]+", other.lower()))
    out: list[_Clause] = []
    count = 0
    for part in _CLAUSE.split(_marked(text)):
        clause = _Clause(part.replace(_NO, ""), count)
        for token in _TOKEN.findall(part):
            if token == _NO:
                clause.nos.append(len(clause.words))
                continue
            word = token.lower()
            if (bare := _unprefixed(word, known)) and bare != word:
                clause.nos.append(len(clause.words))
                word = bare
            clause.words.append(_lemma(word))
        if clause.nos and not _UNTIL.isdisjoint(clause.words):  # not until noon: at noon
            clause.nos.pop()
        out.append(clause)
        count += len(clause.words)
    return _with_text(out, text)


def _with_text(clauses: list[_Clause], text: str) -> list[_Clause]:
    """The clauses with their words as the text has them."""
    for clause, part in zip(clauses, _CLAUSE.split(text), strict=False):
        clause.text = part
    return clauses


def _marked(text: str) -> str:
    """`text` with a sign before what is denied, in place of each negator. It keeps its clauses."""
    if re.search(r"[A-Za-z]", text):
        text = _english().sub(lambda m: _of_english(m), text.replace("’", "'"))
    silent, patterns, negators, result = _chinese()
    for pattern in patterns:
        text = pattern.sub(lambda m: m.group(1) if m.lastindex else "", text)
    text = silent.sub("", text)
    text = re.sub(r"(?<!一)(\w)[不没沒]\1", r"\1", text)
    text = result.sub(rf"{_NO}\1\2", text)
    return negators.sub(_NO, text)


def _of_english(match: re.Match[str]) -> str:
    if match["silent"]:
        return " "
    if match["word"]:
        return _NO
    base = {"ca": "can", "wo": "will", "sha": "shall", "ai": "is"}.get(match["base"].lower(), match["base"])
    return f"{base} {_NO}"


def excused(text: str, other: str) -> bool:
    """Whether a clause denies without a negator, in words that the other has not."""
    zh, en, excuses = _excuses()
    if any(m.group() not in other for m in zh.finditer(text)) or (en.search(text) and not en.search(other)):
        return True
    known = {_lemma(word) for word in re.findall("[a-z]+", other.lower())}
    words = {_lemma(word) for word in re.findall("[a-z]+", text.lower())}
    return bool((words - known) & excuses)


def _unprefixed(word: str, known: frozenset[str]) -> str:
    for prefix in table("negation")["en_prefixes"]:
        bare = word.removeprefix(prefix)
        if bare != word and len(bare) >= 4 and bare in known and word not in known:
            return bare
    return ""


def _light(word: str) -> bool:
    rows = table("negation")
    return word in rows["en_light"] if word.isascii() else word in rows["zh_light"]


def _lemma(word: str) -> str:
    if not word.isascii():
        return word
    if (base := _irregular().get(word)) is not None:
        return base
    for ending, more in (("ies", "y"), ("ied", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", "")):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word.removesuffix(ending) + more
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word


@cache
def _irregular() -> dict[str, str]:
    rows = table("negation")["en_irregular"]
    return {
        form: base.removesuffix("e") if len(base) > 3 else base
        for base, forms in rows.items()
        for form in (base, *forms)
    }


@cache
def _excuses() -> tuple[re.Pattern[str], re.Pattern[str], frozenset[str]]:
    rows = table("negation")
    return (
        re.compile(rows["zh_excuses"]),
        re.compile(rows["en_excuse_patterns"], re.I),
        frozenset(map(_lemma, rows["en_excuses"])),
    )


@cache
def _english() -> re.Pattern[str]:
    rows = table("negation")
    silent = "|".join(
        (*sorted(map(re.escape, rows["en_silent"]), key=len, reverse=True), *rows["en_silent_patterns"])
    )
    words = "|".join(rows["en_negators"])
    return re.compile(
        rf"\b(?:(?P<silent>{silent})\b|(?P<base>[A-Za-z]+?)n't(?: hardly| scarcely| barely)?\b|(?P<word>no one|{words})\b)",
        re.I,
    )


@cache
def _chinese() -> tuple[re.Pattern[str], list[re.Pattern[str]], re.Pattern[str], re.Pattern[str]]:
    rows = table("negation")
    silent = "|".join(sorted(rows["zh_silent"], key=len, reverse=True))
    patterns = [re.compile(pattern) for pattern in rows["zh_patterns"]]
    result = re.compile(
        rf"(?![{rows['zh_light']}{rows['zh_no_verbs']}])({BEYOND_LATIN})不([{rows['zh_results']}])"
    )
    return re.compile(silent), patterns, re.compile(rows["zh_negators"]), result
