"""The links of a text: `[[Card]]`, `[text](path.md)`, 第12章. What they lead to is looked up by `Targets`. Pure."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from typing import Literal, NamedTuple
from urllib.parse import unquote

from inkwright.domain.cards import Card
from inkwright.domain.manuscript import Chapter, Heading
from inkwright.domain.text import Span
from inkwright.manuscript import naming, numerals
from inkwright.manuscript.blocks import Kind as Block
from inkwright.manuscript.markdown import Document, Paragraph

Kind = Literal["wiki", "chapter", "path", "url"]
LIMIT = 5_000
_END = 1 << 62

_WIKI = re.compile(r"\[\[([^\[\]\r\n]+)\]\]")
_INLINE = re.compile(
    r"\]\([ \t]*(?P<target><[^<>\r\n]*>|[^\s()<>]+(?:\([^\s()<>]*\)[^\s()<>]*)*)(?:[ \t]+(?:\"[^\"\r\n]*\"|'[^'\r\n]*'))?[ \t]*\)"
)
_DEFINITION = re.compile(r" {0,3}\[(?!\^)[^\[\]\r\n]+\]:[ \t]*(?P<target><[^<>\r\n]*>|\S+)")
_CODE = re.compile(r"(?<!`)(`+)(?!`)[^`]*(?:(?!\1(?!`))`+[^`]+)*\1(?!`)")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]+:")
_SAFE = re.compile(r"(?:https?|mailto):", re.IGNORECASE)
_NOT_IN_SLUG = re.compile(r"[^\w\- ]")
_UNIT = "章"
"""The unit that means a chapter wherever it stands; 回, 节 and the like are other words as well."""


class Link(NamedTuple):
    """A link as it is written. `span` is the part to show as one; `target` without brackets, `anchor` after `#`."""

    span: Span
    kind: Kind
    target: str
    anchor: str = ""


def find(text: str, parsed: Document) -> list[Link]:
    """The links of a text by place, at most LIMIT."""
    out: list[Link] = []
    front = parsed.frontmatter.span
    out += (_wiki(match) for match in _WIKI.finditer(text, front.start, front.end))
    for paragraph in parsed.paragraphs:
        if len(out) >= LIMIT:
            break
        out += _in_paragraph(text, paragraph)
    if parsed.comments:
        hidden = [(comment.start, comment.end) for comment in parsed.comments]
        out = [link for link in out if not _within(hidden, link.span.start)]
    return sorted(out)[:LIMIT]


def at(text: str, parsed: Document, offset: int) -> Link | None:
    """The link that `offset` touches."""
    return next((link for link in find(text, parsed) if link.span.start <= offset <= link.span.end), None)


def anchor(headings: Sequence[Heading], name: str) -> Heading | None:
    """The heading that `#name` means: by its slug, or by its words. Of equal ones the n-th is `name-n`."""
    wanted = _slug(unquote(name))
    counts: dict[str, int] = {}
    for heading in headings:
        slug = _slug(heading.title)
        number = counts[slug] = counts.get(slug, -1) + 1
        if wanted in (slug, f"{slug}-{number}") and (number == 0 or wanted == f"{slug}-{number}"):
            return heading
    return None


class Targets:
    """What a book offers to link to. `here` is the path of the text that links."""

    def __init__(self, cards: Sequence[Card], chapters: Sequence[Chapter], here: str) -> None:
        self._here = here
        self._cards = cards
        self._chapters = chapters

    def wiki(self, link: Link) -> str:
        """The path of the card of that name or alias, else of the chapter of that title or file; '' when none."""
        if not link.target:
            return self._here
        wanted, bare = _plain(link.target), _plain(without_suffix(link.target))
        if found := self._cards_by_name.get(wanted) or self._cards_by_name.get(bare):
            return found
        return self._chapters_by_name.get(wanted) or self._chapters_by_name.get(bare, "")

    def chapter(self, link: Link) -> str:
        """The path of the chapter of that number, in this volume before others; '' when there is none."""
        numbered = self._by_number.get(naming.parse(link.target).number, ())
        volume = next((c.volume for c in self._chapters if c.path == self._here), "")
        same = next((c for c in numbered if c.volume == volume), None)
        found = same or next(iter(numbered), None)
        return found.path if found is not None and _counts_so(found, link) else ""

    def path(self, link: Link) -> tuple[str, ...]:
        """The paths in the book that a written one can mean, the likeliest first; () for one outside of it."""
        if not link.target:
            return (self._here,)
        out: dict[str, None] = {}
        for written in (link.target, unquote(link.target)):
            base = "" if written.startswith("/") else posixpath.dirname(self._here)
            found = posixpath.normpath(posixpath.join(base, written.lstrip("/")))
            if found != "." and not found.startswith("..") and "\0" not in found and "\\" not in found:
                out.update(dict.fromkeys((found, unicodedata.normalize("NFC", found))))
        return tuple(out)

    @cached_property
    def _cards_by_name(self) -> dict[str, str]:
        named = _by_file([card.path for card in self._cards if not card.within])
        aliases = {_plain(alias): card.file for card in reversed(self._cards) for alias in card.aliases}
        return {**named, **aliases, **{_plain(card.name): card.file for card in reversed(self._cards)}}

    @cached_property
    def _chapters_by_name(self) -> dict[str, str]:
        titles = {_plain(chapter.title): chapter.path for chapter in reversed(self._chapters)}
        return {**titles, **_by_file([chapter.path for chapter in self._chapters])}

    @cached_property
    def _by_number(self) -> dict[int | None, list[Chapter]]:
        out: dict[int | None, list[Chapter]] = {}
        for chapter in self._chapters:
            if chapter.kind == "main" and chapter.number is not None:
                out.setdefault(chapter.number, []).append(chapter)
        return out


def likely(text: str) -> bool:
    """Whether a text may have a link: quick, and True too often rather than too seldom."""
    return "[[" in text or "](" in text or "]:" in text or _references().search(text) is not None


def in_paragraph(text: str, kind: Block, prose: tuple[Span, ...]) -> tuple[Link, ...]:
    """The links of one paragraph that stands by itself, by place. `prose` are its pieces that count."""
    return tuple(sorted(_in_paragraph(text, Paragraph(Span(0, len(text)), kind, 0, prose))))


def _in_paragraph(text: str, paragraph: Paragraph) -> Iterator[Link]:
    span = paragraph.span
    if paragraph.kind == "meta":
        if match := _DEFINITION.match(text, span.start, span.end):
            yield from _path(match)
        return
    if paragraph.kind in ("code", "comment"):
        return
    taken: list[tuple[int, int]] = []
    if text.find("[[", span.start, span.end) >= 0 or text.find("](", span.start, span.end) >= 0:
        taken = [match.span() for match in _CODE.finditer(text, span.start, span.end)]
        wiki = [m for m in _WIKI.finditer(text, span.start, span.end) if not _within(taken, m.start())]
        yield from map(_wiki, wiki)
        taken = sorted([*taken, *(match.span() for match in wiki)])
        for match in _INLINE.finditer(text, span.start, span.end):
            if not _within(taken, match.start()):
                yield from _path(match)
    if paragraph.kind != "heading":
        for piece in paragraph.prose:
            for match in _references().finditer(text, piece.start, piece.end):
                if not _within(taken, match.start()):
                    yield Link(Span(*match.span()), "chapter", match[0])


def _within(spans: Sequence[tuple[int, int]], at: int) -> bool:
    """Whether a place lies in one of `spans`, which are in order and apart."""
    number = bisect_right(spans, (at, _END)) - 1
    return number >= 0 and at < spans[number][1]


def _wiki(match: re.Match[str]) -> Link:
    inner = match[1].partition("|")[0]
    target, _, heading = inner.partition("#")
    return Link(Span(*match.span()), "wiki", target.strip(), heading.strip())


def _path(match: re.Match[str]) -> Iterator[Link]:
    written = match["target"]
    start, end = match.span("target")
    if written.startswith("<"):
        written, start, end = written[1:-1], start + 1, end - 1
    if _SCHEME.match(written) and not re.match(r"[A-Za-z]:[\\/]", written):
        if _SAFE.match(written):
            yield Link(Span(start, end), "url", written)
        return
    target, _, heading = written.partition("#")
    if not target.startswith("//") and (target or heading):
        yield Link(Span(start, end), "path", target, heading)


@cache
def _references() -> re.Pattern[str]:
    number = rf"(?:[0-9０-９]{{1,5}}|[{numerals.HAN}]{{1,9}})"
    roman = r"(?=[IVXLC])[IVXLC]{1,9}"
    return re.compile(
        rf"第[ \u3000]?{number}[ \u3000]?[章回节節话話幕集](?![节節目])"
        rf"|(?<![^\W_])(?i:chapter)[ \u00a0](?:[0-9]{{1,5}}|{roman}|(?i:{numerals.WORD}))(?![^\W_])"
    )


def _counts_so(chapter: Chapter, link: Link) -> bool:
    """Whether 第三回 can mean this chapter: any can be a 章, only one that is called so another unit."""
    unit = link.target[-1]
    if unit == _UNIT or unit.isascii():
        return True
    names = (_stem(chapter.path), chapter.title)
    return any(re.match(rf"\s*第[^第]{{1,12}}{unit}", name) for name in names)


def _by_file(paths: Sequence[str]) -> dict[str, str]:
    """Files by their names without suffix, and by their paths without."""
    named = {_plain(_stem(path)): path for path in reversed(paths)}
    return {**named, **{_plain(without_suffix(path)): path for path in paths}}


def _slug(title: str) -> str:
    """As most Markdown tools make it: lower case, blanks as hyphens, no punctuation of any script."""
    return _NOT_IN_SLUG.sub("", unicodedata.normalize("NFC", title).strip().lower()).replace(" ", "-")


def _plain(name: str) -> str:
    return unicodedata.normalize("NFC", name).strip().casefold()


def _stem(path: str) -> str:
    return without_suffix(path.rpartition("/")[2])


def without_suffix(path: str) -> str:
    """A path or name without the suffix of a text."""
    head, dot, suffix = path.rpartition(".")
    return head if dot and suffix.lower() in ("md", "markdown", "txt") else path
