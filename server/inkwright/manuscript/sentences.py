"""Where sentences end, in Chinese and in Latin text, by hand-written rules."""

from __future__ import annotations

import re

from inkwright.domain.text import Span
from inkwright.manuscript.script import BEYOND_LATIN

_CLOSERS = "”’」』）)】》〉〕\\]\"'*_"
_END = re.compile(
    rf"(?P<full>[。！？!?．｡]+[。！？!?．｡…—]*|…+)(?P<close>[{_CLOSERS}]*)"
    rf"|(?P<dot>(?<!\.)\.++)(?P<dotclose>[{_CLOSERS}]*)(?=\s|\Z)"
    r"|(?P<blank>(?>\r\n|\n|\r)(?:[ \t\u3000]*(?>\r\n|\n|\r))+)"
    r"|(?P<indent>(?:\r\n|\n|\r)(?=\u3000|  ))",
)
_ABBREVIATION = re.compile(
    r"(?<![^\W_])(?:Mr|Mrs|Ms|Dr|Prof|St|Sr|Jr|Rev|Gen|Col|Capt|Lt|Sgt|Hon|Mt|Messrs|Mme|Mlle|No|Nos|Vol|vol|pp?|ch"
    r"|vs|cf|etc|viz|e\.g|i\.e|a\.m|p\.m|[A-Z])\Z"
)
# After a closing quote these say who spoke: the sentence goes on.
_SPEECH = re.compile(
    rf"[ \t]*(?:{BEYOND_LATIN}{{0,8}}?(?:说|道|问|答|曰|喊|叫|嚷|吼|骂|回应|说着|问着|說|問|罵|叫道)(?=[，。：；！？、…—,.:]|\s|\Z)|[a-z])"
)
_QUOTE_CLOSE = re.compile("[”’」』\"']")
_QUOTE_OPEN = re.compile(r"\s*[“‘「『\"']")
_SPACE = re.compile(r"\s*")


def split(text: str) -> list[Span]:
    """The sentences of `text`. The spans tile it: each takes the white space that follows it."""
    out: list[Span] = []
    start = 0
    for match in _END.finditer(text):
        at = match.end()
        if at <= start or (match.lastgroup not in ("blank", "indent") and not _ends(text, match)):
            continue
        end = _SPACE.match(text, at).end()  # type: ignore[union-attr]
        if text[start:at].isspace() and out:
            out[-1] = Span(out[-1].start, end)
        elif not text[start:at].isspace():
            out.append(Span(start, end))
        else:
            continue
        start = end
    if start < len(text):
        if text[start:].isspace() and out:
            out[-1] = Span(out[-1].start, len(text))
        else:
            out.append(Span(start, len(text)))
    return out


def _ends(text: str, match: re.Match[str]) -> bool:
    at = match.end()
    close = match.group("close") or match.group("dotclose") or ""
    after = text[at : at + 1]
    if match.group("dot") is not None:
        if (
            match.group("dot") == "."
            and not close
            and _ABBREVIATION.search(text, max(0, match.start() - 8), match.start())
        ):
            return False
        following = _SPACE.match(text, at).end()  # type: ignore[union-attr]
        if text[following : following + 1].islower():
            return False
    elif match.group("full")[0] == "…" and not close:
        return after == "" or after.isspace() or _QUOTE_OPEN.match(text, at) is not None
    if _QUOTE_CLOSE.search(close):
        return _SPEECH.match(text, at) is None
    return not (match.group("full") or "").isascii() or after == "" or after.isspace() or bool(close)
