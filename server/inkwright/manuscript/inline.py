"""The Markdown marks inside a paragraph: what a reader does not see and no rule may touch."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache

from inkwright.domain.text import Span
from inkwright.manuscript.script import BEYOND_LATIN, CJK_PUNCTUATION, TYPOGRAPHIC

Hole = tuple[int, int]


@dataclass(frozen=True, slots=True)
class WikiLink:
    """`[[target|shown]]`: a mention of `target`, whose visible text is `shown`."""

    span: Span
    target: Span
    shown: Span


_TARGET = r"\([^()\r\n]*(?:\([^()\r\n]*\)[^()\r\n]*)*\)"
# Matched at the places of `triggers` only. No alternative can look past the next mark of its own kind,
# so the whole stays linear.
_TOKEN = re.compile(
    r"(?P<escape>\\[!-/:-@\[-`{-~])"
    r"|(?P<code>`+)"
    r"|(?P<wiki>!?\[\[[^\[\]\r\n]+\]\])"
    rf"|(?P<image>!\[[^\[\]]*\](?:{_TARGET}|\[[^\[\]]*\]))"
    r"|(?P<note>\[\^[^\[\]\s]+\]:?)"
    rf"|(?P<close>\](?:{_TARGET}|\[[^\[\]\r\n]*\])?)"
    r"|(?P<open>\[)"
    r"|(?P<tag><(?:[a-z/!?][^<>]*|[\w.+-]+@[\w.-]+)>)"
    r"|(?P<url>(?:https?://|ftp://|file://|www\.)[\w\-.~:/?#@!$&'*+,;=%()]+)"
    r"|(?P<mail>[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+)"
    r"|(?P<entity>&(?:\#[0-9]{1,7}|\#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});)"
    r"|(?P<run>\*+|_+|~~+|==+)"
    r"|(?P<ruby>[|｜](?=[^《》|｜\r\n]{1,30}《)|《[^《》\r\n]{1,40}》|［＃[^［］\r\n]*］)",
    re.IGNORECASE | re.ASCII,
)
_SINGLE = "`*_\\[]<&@|｜"
_LONGER = (
    ("~~", re.compile("~~+")),
    ("==", re.compile("==+")),
    ("://", re.compile(r"(?:https?|ftp|file)://", re.IGNORECASE)),
    ("www.", re.compile(r"www\.")),
    ("［＃", re.compile("［＃")),
    ("《", re.compile("(?<=[^\\s])《[\u3041-\u309f]")),
)
_LOCAL_PART = re.compile(r"[\w.+-]{1,64}\Z", re.ASCII)
_READING = re.compile(r"《[\u3041-\u309f\u30fb\u30fc]+》")
_LETTER = re.compile(BEYOND_LATIN)
_TAIL = re.compile(r"[.,;:!?'*_~]+\Z")
# Old texts quote `like this', and two such quotes are no code: clauses of Han with hardly a Latin letter
# among them. (In some copies a hyphen is what is left of the closing mark.)
_FEW = 20
_CLAUSE = re.compile(rf"{BEYOND_LATIN}-?[{CJK_PUNCTUATION}{TYPOGRAPHIC}]")
_LATIN = re.compile("[0-9A-Za-z]")
_SPACE = re.compile(r"\s+")


def label(text: str) -> str:
    """A link label as CommonMark compares them."""
    return _SPACE.sub(" ", text.strip()).casefold()


def triggers(text: str, start: int, end: int) -> list[int]:
    """The places in `text[start:end]` where a mark may begin, sorted."""
    piece = text[start:end]
    present = "".join([char for char in _SINGLE if char in piece])
    out = [m.start() + start for m in _any_of(present).finditer(piece)] if present else []
    sources = bool(out)
    for word, pattern in _LONGER:
        if word in piece and (more := [m.start() + start for m in pattern.finditer(piece)]):
            out += more
            if sources:
                out.sort()
            sources = True
    return out


@cache
def _any_of(chars: str) -> re.Pattern[str]:
    return re.compile(f"[{re.escape(chars)}]")


def marks(
    text: str,
    start: int,
    end: int,
    places: Sequence[int],
    labels: Collection[str],
    comments: Sequence[Span],
    links: list[WikiLink],
) -> list[Hole]:
    """The holes in `text[start:end]`, sorted, possibly touching; wiki links found are added to `links`.

    `places` are the triggers inside, `comments` the comments that overlap it.
    """
    scanner = Inline(text, start, end, labels, links)
    scanner.holes.extend((max(c.start, start), min(c.end, end)) for c in comments)
    scanner.run(places, comments)
    scanner.holes.sort()
    return scanner.holes


class Inline:
    """Reads one paragraph, mark by mark."""

    def __init__(
        self, text: str, start: int, end: int, labels: Collection[str], links: list[WikiLink]
    ) -> None:
        self.text, self.start, self.end = text, start, end
        self.labels = labels
        self.links = links
        self.holes: list[Hole] = []
        self.brackets: list[int] = []
        self.runs: dict[str, list[list[int]]] = {}
        self.ticks: dict[int, list[int]] | None = None

    def run(self, places: Sequence[int], comments: Sequence[Span]) -> None:
        text = self.text
        skip = self.start
        waiting = list(reversed(comments))
        for place in places:
            while waiting and waiting[-1].start <= place:
                skip = max(skip, waiting.pop().end)
            if place < skip:
                continue
            at = self._begin(place, skip)
            token = _TOKEN.match(text, at, self.end)
            if token is None:
                continue
            skip = token.end()
            kind = token.lastgroup
            if kind == "escape":
                self.holes.append((at, at + 1))
            elif kind == "code":
                skip = self._code(at, skip)
            elif kind == "wiki":
                self._wiki(at, skip)
            elif kind in ("image", "note", "tag", "mail", "entity"):
                self.holes.append((at, skip))
            elif kind == "url":
                skip = self._url(token.group(), at)
            elif kind == "open":
                self.brackets.append(at)
            elif kind == "close":
                self._close(token.group(), at)
            elif kind == "run":
                self._run(token.group(), at)
            else:
                self._ruby(token.group(), at)

    def _begin(self, place: int, floor: int) -> int:
        """A mark may begin before the character that gives it away."""
        char = self.text[place]
        if char == "[" and place > floor and self.text[place - 1] == "!":
            return place - 1
        if char == "@" and (local := _LOCAL_PART.search(self.text, max(floor, place - 64), place)):
            return local.start()
        return place

    def _code(self, start: int, end: int) -> int:
        if self.ticks is None:
            self.ticks = {}
            for found in re.compile("`+").finditer(self.text, self.start, self.end):
                self.ticks.setdefault(found.end() - found.start(), []).append(found.start())
            for places in self.ticks.values():
                places.reverse()
        places = self.ticks.get(end - start, [])
        while places and places[-1] <= start:
            places.pop()
        if not places:
            return end
        inner = places.pop()
        latin = sum(1 for _ in _LATIN.finditer(self.text, end, inner))
        if latin * _FEW <= inner - end and _CLAUSE.search(self.text, end, inner):
            return end
        close = inner + end - start
        self.holes.append((start, close))
        return close

    def _wiki(self, start: int, end: int) -> None:
        if self.text[start] == "!":
            self.holes.append((start, end))
            return
        inner = Span(start + 2, end - 2)
        bar = self.text.find("|", inner.start, inner.end)
        anchor = self.text.find("#", inner.start, inner.end if bar < 0 else bar)
        stop = min(x for x in (bar, anchor, inner.end) if x >= 0)
        target = Span(inner.start, stop)
        shown = Span(bar + 1, inner.end) if bar >= 0 else target
        self.holes += ((start, shown.start), (shown.end, end))
        self.links.append(WikiLink(Span(start, end), target, shown))

    def _url(self, url: str, at: int) -> int:
        url = _TAIL.sub("", url)
        while url.endswith(")") and url.count(")") > url.count("("):
            url = _TAIL.sub("", url[:-1])
        self.holes.append((at, at + len(url)))
        return at + len(url)

    def _close(self, mark: str, at: int) -> None:
        if not self.brackets:
            return
        opened = self.brackets.pop()
        if mark == "]":
            if self.labels and label(self.text[opened + 1 : at]) in self.labels:
                self.holes += ((opened, opened + 1), (at, at + 1))
        elif mark[1] == "(" or label(mark[2:-1] or self.text[opened + 1 : at]) in self.labels:
            self.holes += ((opened, opened + 1), (at, at + len(mark)))

    def _run(self, run: str, at: int) -> None:
        text, char, size = self.text, run[0], len(run)
        after, before = text[at + size : at + size + 1], text[at - 1 : at] if at > self.start else ""
        opens = at + size < self.end and not after.isspace()
        closes = before != "" and not before.isspace()
        if char == "_":
            opens = opens and not before.isalnum()
            closes = closes and not (at + size < self.end and after.isalnum())
        if char in "~=" and size != 2:
            return
        stack = self.runs.setdefault(char, [])
        left = size
        while closes and left and stack:
            opener = stack[-1]
            used = min(left, opener[1] - opener[0])
            self.holes += ((opener[1] - used, opener[1]), (at + size - left, at + size - left + used))
            opener[1] -= used
            left -= used
            if opener[0] == opener[1]:
                stack.pop()
        if opens and left:
            stack.append([at + size - left, at + size])

    def _ruby(self, mark: str, at: int) -> None:
        if mark[0] in "|｜":
            close = self.text.find("》", at, self.end)
            reading = self.text.find("《", at, self.end)
            if close > reading:
                self.holes += ((at, at + 1), (reading, close + 1))
        elif mark[0] == "［" or (
            _READING.fullmatch(mark) and at > self.start and _LETTER.match(self.text[at - 1])
        ):
            self.holes.append((at, at + len(mark)))
