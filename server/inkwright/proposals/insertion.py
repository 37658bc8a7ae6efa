"""An answer that is to be put in at one place → a proposal of one hunk."""

from __future__ import annotations

import re
from itertools import pairwise

from inkwright.domain.errors import Fault
from inkwright.domain.proposal import Hunk, Proposal
from inkwright.domain.text import EOL, Snapshot, Span
from inkwright.proposals.guard import inserted

_FENCED = re.compile(r"\A(`{3,}|~{3,})[^\n`]*\n(?P<body>.*?)\n\1\Z", re.DOTALL)
_TAGGED = re.compile(r"\A<(?P<tag>[A-Za-z_]+)>\n?(?P<body>.*?)\n?</(?P=tag)>\Z", re.DOTALL)
_NO_SPACES = "\u2e80"
"""From here on scripts set no spaces between words."""


def insertion(
    run_id: str, snapshot: Snapshot, at: int, answer: str, *, created_at: float = 0.0
) -> Proposal | Fault:
    """The proposal that puts `answer` in at `at`, set apart as the document sets its paragraphs apart.

    Inside a line of text only words are kept apart; a last line end stays the last. `Fault`: no_rewrite for an answer without a word.
    """
    text = _bare(answer)
    if not text:
        return Fault("no_rewrite", {"reason": "empty"})
    base = snapshot.text
    newline = next((m[0] for m in EOL.finditer(base)), "\n")
    text = newline.join(EOL.split(text))
    before, after = _joints(base, at, newline, text)
    new = f"{before}{text}{after}"
    return Proposal(
        id=run_id,
        run_id=run_id,
        uri=snapshot.uri,
        path=snapshot.path,
        version=snapshot.version,
        base=base,
        span=Span(at, at),
        text=new,
        hunks=(Hunk(0, Span(at, at), "", new, inserted(base, at, new)),),
        created_at=created_at,
    )


def _bare(answer: str) -> str:
    """Without the fence or the tag that some models put around all of it."""
    text = answer.strip()
    for shape in (_FENCED, _TAGGED):
        if (match := shape.match(text)) is not None:
            text = match["body"].strip("\r\n")
    return text if text.strip() else ""


def _joints(base: str, at: int, newline: str, text: str) -> tuple[str, str]:
    """What has to stand before and after `text`, which is put in at `at`."""
    above, below = EOL.split(base[:at]), EOL.split(base[at:])
    apart = newline * (2 if _blank_between(base) else 1)
    left, right = bool(above[-1].strip()), bool(below[0].strip())
    if left and right:
        return _space(base[at - 1], text[0]), _space(text[-1], base[at])
    if left:
        return apart, ""
    close_above = len(above) > 1 and bool(above[-2].strip())
    before = newline if close_above and len(apart) > len(newline) else ""
    if right:
        return before, apart
    if not base[at:] and len(above) > 1 and not above[-1]:
        return before, newline
    close_below = len(below) > 1 and bool(below[1].strip())
    return before, newline if close_below and len(apart) > len(newline) else ""


def _space(left: str, right: str) -> str:
    """What keeps two words apart that are written with spaces."""
    words = right.isalnum() and (left.isalnum() or left in ".,;:!?)")
    return " " if words and max(left, right) < _NO_SPACES else ""


def _blank_between(base: str) -> bool:
    """Whether the document sets its paragraphs apart by blank lines; one without any does by habit."""
    filled = [bool(line.strip()) for line in EOL.split(base)]
    pairs = list(pairwise(filled))
    close = sum(a and b for a, b in pairs)
    spaced = sum(a and not b for a, b in pairs[:-1])
    return spaced >= close
