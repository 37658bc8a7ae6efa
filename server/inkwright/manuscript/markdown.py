"""The blocks of a manuscript in one pass over its lines: headings, paragraphs, scene breaks, prose.

Markdown as writers mean it, where that and CommonMark part: an indented paragraph is prose unless it
looks like code; a line that ends in CJK sentence punctuation ends its paragraph; `---` below a sentence
is a scene break, not a heading; `#` alone is a scene break. No state outlives a call.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from typing import Literal

from inkwright.domain.manuscript import Heading
from inkwright.domain.text import Span
from inkwright.manuscript import frontmatter
from inkwright.manuscript.frontmatter import FrontMatter
from inkwright.manuscript.inline import TRIGGER, Hole, WikiLink, label, marks
from inkwright.manuscript.script import CJK, CJK_PUNCTUATION

Kind = Literal["text", "heading", "quote", "list", "table", "code", "comment", "meta"]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph without its last line end.

    `prose` are the pieces that count and that mentions and checks may touch, in order; empty for code,
    comments and definitions. `level` is a heading's, else 0.
    """

    span: Span
    kind: Kind
    level: int
    prose: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """The parts of one text in order. Scene breaks are whole lines without their line end."""

    frontmatter: FrontMatter
    headings: tuple[Heading, ...]
    paragraphs: tuple[Paragraph, ...]
    scene_breaks: tuple[Span, ...]
    wikilinks: tuple[WikiLink, ...]

    @property
    def prose(self) -> tuple[Span, ...]:
        """All pieces of prose, in order."""
        return tuple([span for paragraph in self.paragraphs for span in paragraph.prose])

    def inside(self, span: Span) -> tuple[Paragraph, ...]:
        """The paragraphs that begin inside `span`."""
        first = bisect_left(self.paragraphs, span.start, key=_start)
        return self.paragraphs[first : bisect_left(self.paragraphs, span.end, first, key=_start)]


def _start(paragraph: Paragraph) -> int:
    return paragraph.span.start


_SPECIAL = r"#>\-*+_=`~<\[%@|0-9⁂※＊◇◆☆★"
# Plain lines are most lines: told apart in C, without a group. Group 1: blank; group 2: anything else.
_LINE = re.compile(
    rf"[ \t\u3000]*[^{_SPECIAL}\s][^\r\n]*(?:\r\n|[\r\n]|\Z)"
    r"|([ \t\u3000]*(?:\r\n|[\r\n]|\Z))"
    r"|([^\r\n]+(?:\r\n|[\r\n]|\Z))"
)
_BREAK = re.compile(
    r"[ \t\u3000]*(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|(?:[⁂※＊◇◆☆★][ \t\u3000]*)+|#[ \t\u3000]*)"
)
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t\u3000]+|\Z)")
_SETEXT = re.compile(r" {0,3}(?:(=+)|-+)[ \t]*")
_FENCE = re.compile(r"(`{3,})[^`\r\n]*|(~{3,})[^\r\n]*")
_QUOTE = re.compile(r" {0,3}>")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|([0-9]{1,9})[.)])(?:[ \t]+|\Z)")
_DEFINITION = re.compile(r" {0,3}\[(?!\^)([^\[\]\r\n]+)\]:[ \t]*\S.*")
_META = re.compile(r"@[a-z][a-z_]*:.*|%%~.*|%(?:Synopsis|Short|Story\.\w+|Note\.\w+):.*", re.IGNORECASE)
_INDENTED = re.compile(r" {4}| {0,3}\t")
_CODE_LOOK = re.compile(
    r"[{}=<>\\$]|\(\)|;[ \t]*(?:[\r\n]|\Z)|^[ \t]*(?:def|import|class|return|#)\b|^[ \t]*#", re.MULTILINE
)
_CJK_TEXT = re.compile(f"[{CJK}]")
_END_OF_PARAGRAPH = re.compile(
    rf"(?:[。！？；：．｡]|[{CJK}{CJK_PUNCTUATION}][…—～~]+)[”’」』）)】》〉〕…—]*[ \t\u3000]*\Z"
)
_SENTENCE = re.compile(r"[。！？!?．｡….,，、；;：:][”’」』）)】》\"']*\Z|[”’」』\"]\Z")
_ENDERS = frozenset("。！？；：．｡…—～~”’」』）)】》〉〕 \t\u3000")
_COMMENT = re.compile(r"<!--|%%(?!~)")
_QUOTE_MARKS = re.compile(r"((?: {0,3}>[ ]?)*)[^\r\n]*[\r\n]*")
_TABLE_RULE = re.compile(r"[ \t]*\|[ \t|:\-]*")
_BAR = re.compile(r"(?<!\\)\|")
MAX_SETEXT = 100


def scan(text: str) -> Document:
    """The parts of a document. Linear in the text; never raises for anything in it."""
    found = frontmatter.read(text)
    return _Scanner(text, found).run()


class _Scanner:
    def __init__(self, text: str, found: FrontMatter) -> None:
        self.text = text
        self.found = found
        self.blocks: list[tuple[int, int, Kind, int]] = []
        self.breaks: list[Span] = []
        self.comments: list[Span] = []
        self.labels: set[str] = set()
        self.links: list[WikiLink] = []
        self.titles: dict[int, int] = {}
        self.start = -1
        self.end = -1
        self.kind: Kind = "text"
        self.lines = 0
        self.in_list = False
        self.skip = found.body_start
        # A first `---` that opened no front matter is a scene break, and so is the one that answers it.
        self.answer = not found and text.startswith("---", found.body_start)

    def run(self) -> Document:
        text = self.text
        commented = "<!--" in text or "%%" in text
        for match in _LINE.finditer(text, self.found.body_start):
            start, end = match.span()
            resumed = start < self.skip
            if resumed:
                if end <= self.skip:
                    continue
                start = self.skip
            end = _content_end(text, start, end)
            group = match.lastindex
            if commented and group != 1:
                resumed |= self._comment(start, end)
            if group is None or resumed:
                if text[start : start + 1] in (" ", "\t") and _INDENTED.match(text, start):
                    self._indented(start, end)
                elif start < end:
                    self._plain(start, end)
            elif group == 1:
                self._flush()
            else:
                self._special(start, end)
        self._flush()
        return self._document()

    def _plain(self, start: int, end: int) -> None:
        if self.start < 0 or self.kind in ("code", "table"):
            self._open(start, end, "text")
            return
        text = self.text
        border = text[self.end - 1] in _ENDERS and _END_OF_PARAGRAPH.search(
            text, max(self.start, self.end - 12), self.end
        )
        if border or (self.kind == "text" and (text[start] == "\u3000" or text.startswith("  ", start))):
            self._open(start, end, "quote" if self.kind == "quote" else "text")
        else:
            self.end = end
            self.lines += 1

    def _open(self, start: int, end: int, kind: Kind) -> None:
        self._flush()
        self.start, self.end, self.kind, self.lines = start, end, kind, 1

    def _flush(self) -> None:
        if self.start >= 0:
            self.blocks.append((self.start, self.end, self.kind, 0))
            self.start = -1

    def _special(self, start: int, end: int) -> None:
        line = self.text[start:end]
        bare = line.lstrip(" \t\u3000")
        first = bare[:1]
        indented = _INDENTED.match(line) is not None
        if first in "-*_⁂※＊◇◆☆★#" and _BREAK.fullmatch(line):
            self._break(start, end, line)
        elif first == "=" and self._underlined(line):
            self._setext(end, 1)
        elif first in "`~" and (not indented or self.in_list) and (fence := _FENCE.fullmatch(bare)):
            self._fence(start, end, fence.group(1) or fence.group(2))
        elif first in "-*+0123456789" and (item := _ITEM.match(line)) and self._begins_item(item, indented):
            self._open(start, end, "list")
            self.in_list = True
        elif indented:
            self._indented(start, end)
        elif first == "#" and (heading := _HEADING.match(line)):
            self._flush()
            self.blocks.append((start, end, "heading", len(heading.group(1))))
        elif first == ">" and _QUOTE.match(line):
            self._quote(start, end)
        elif first == "[" and (definition := _DEFINITION.fullmatch(line)) and self.start < 0:
            self.labels.add(label(definition.group(1)))
            comment = definition.group(1) in ("//", "comment")
            self.blocks.append((start, end, "comment" if comment else "meta", 0))
        elif first in "@%" and _META.fullmatch(line):
            self._flush()
            self.blocks.append((start, end, "comment" if line.startswith("%") else "meta", 0))
        elif first == "|" and line.rstrip()[1:].endswith("|"):
            self._open(start, end, "table")
        else:
            self._plain(start, end)

    def _break(self, start: int, end: int, line: str) -> None:
        if not self.answer and self._underlined(line) and self._is_title():
            self._setext(end, 2)
            return
        if self.answer and start > self.found.body_start and line == "---":
            self.answer = False
        self._flush()
        self.in_list = False
        self.breaks.append(Span(start, end))

    def _underlined(self, line: str) -> bool:
        if self.start < 0 or self.kind != "text" or _SETEXT.fullmatch(line) is None:
            return False
        return not self.comments or self.comments[-1].end <= self.start

    def _is_title(self) -> bool:
        if self.lines > 1 or self.end - self.start > MAX_SETEXT:
            return False
        return not _SENTENCE.search(self.text[self.start : self.end].rstrip())

    def _setext(self, end: int, level: int) -> None:
        if level == 1 and not self._is_title():
            self.end = end
            return
        self.titles[self.start] = self.end
        self.blocks.append((self.start, end, "heading", level))
        self.start = -1

    def _fence(self, start: int, end: int, mark: str) -> None:
        self._flush()
        close = re.compile(rf"(?:(?<=\n)|(?<=\r))[ \t]*{mark[0]}{{{len(mark)},}}[ \t]*(?=[\r\n]|\Z)").search(
            self.text, end
        )
        self.skip = close.end() if close else len(self.text)
        self.blocks.append((start, self.skip, "code", 0))
        if close:
            # The rest of the closing line is its line end.
            self.skip = _line_end(self.text, self.skip)

    def _begins_item(self, item: re.Match[str], indented: bool) -> bool:
        if indented and not self.in_list:
            return False
        interrupts = self.start >= 0 and self.kind == "text"
        return not interrupts or (item.group(1) in (None, "1") and item.end() < len(item.string))

    def _indented(self, start: int, end: int) -> None:
        if self.start >= 0 and self.kind == "code":
            self.end = end
        elif self.start >= 0 or self.in_list or _CJK_TEXT.search(self.text, start, end):
            self._plain(start, end)
        elif _CODE_LOOK.search(self.text[start:end]):
            self._open(start, end, "code")
        else:
            self._open(start, end, "text")

    def _quote(self, start: int, end: int) -> None:
        if not self.text[start:end].strip("> \t\u3000"):
            self._flush()
        elif self.start >= 0 and self.kind == "quote":
            self._plain(start, end)
        else:
            self._open(start, end, "quote")

    def _comment(self, start: int, end: int) -> bool:
        """Note the comments that open on this line; True when the line is inside one or opens with one."""
        text = self.text
        at = max(start, self.skip)
        opened = False
        while found := _COMMENT.search(text, at, end):
            if text.count("`", start, found.start()) % 2:
                at = found.end()
                continue
            mark = "-->" if found.group() == "<!--" else "%%"
            close = text.find(mark, found.end())
            if close < 0:
                return opened
            opened |= not text[start : found.start()].strip()
            at = close + len(mark)
            self.comments.append(Span(found.start(), at))
            self.skip = max(self.skip, at)
        return opened

    def _document(self) -> Document:
        text, blocks = self.text, self.blocks
        headings: list[Heading] = []
        paragraphs: list[Paragraph] = []
        marked = bool(self.comments) or TRIGGER.search(text, self.found.body_start) is not None
        for start, end, kind, level in blocks:
            span = Span(start, end)
            if kind == "text" and not marked:
                paragraphs.append(Paragraph(span, kind, 0, (span,)))
            elif kind == "heading":
                title = self._title(start, end)
                prose = self._prose(title.start, title.end, [])
                paragraphs.append(Paragraph(span, kind, level, prose))
                shown = "".join([piece.of(text) for piece in prose]).strip()
                if shown:
                    headings.append(Heading(level, shown, span, title))
            elif kind in ("code", "comment", "meta"):
                paragraphs.append(Paragraph(span, kind, 0, ()))
            else:
                prose = self._prose(start, end, self._prefixes(start, end, kind))
                hidden = not prose and bool(self._comments_in(start, end))
                paragraphs.append(Paragraph(span, "comment" if hidden else kind, 0, prose))
        return Document(self.found, tuple(headings), tuple(paragraphs), tuple(self.breaks), tuple(self.links))

    def _title(self, start: int, end: int) -> Span:
        text = self.text
        if start in self.titles:
            raw = text[start : self.titles[start]]
            begin = start + len(raw) - len(raw.lstrip())
        else:
            match = _HEADING.match(text, start, end)
            begin = match.end() if match else start
            raw = text[begin:end].rstrip()
            bare = raw.rstrip("#")
            if not bare or bare[-1] in " \t":
                raw = bare
            return Span(begin, begin + len(raw.rstrip()))
        return Span(begin, start + len(raw.rstrip()))

    def _prefixes(self, start: int, end: int, kind: Kind) -> list[Hole]:
        """The marks of the block itself."""
        text = self.text
        if kind == "quote":
            return [m.span(1) for m in _QUOTE_MARKS.finditer(text, start, end) if m.end(1) > m.start(1)]
        if kind == "list":
            item = _ITEM.match(text, start, end)
            return [item.span()] if item else []
        if kind == "table":
            if _TABLE_RULE.fullmatch(text, start, end):
                return [(start, end)]
            return [m.span() for m in _BAR.finditer(text, start, end)]
        return []

    def _prose(self, start: int, end: int, holes: list[Hole]) -> tuple[Span, ...]:
        text = self.text
        comments = self._comments_in(start, end)
        if comments or TRIGGER.search(text, start, end):
            holes = holes + marks(text, start, end, self.labels, comments, self.links)
            holes.sort()
        out = []
        at = start
        for hole_start, hole_end in holes:
            if hole_start > at:
                out.append(Span(at, hole_start))
            at = max(at, hole_end)
        if at < end:
            out.append(Span(at, end))
        if len(out) > 1 or holes:
            out = [piece for piece in out if not text[piece.start : piece.end].isspace() or len(out) > 1]
        return tuple(out)

    def _comments_in(self, start: int, end: int) -> list[Span]:
        if not self.comments:
            return []
        first = bisect_left(self.comments, start, key=_end)
        out = []
        for comment in self.comments[first:]:
            if comment.start >= end:
                break
            if comment.end > start:
                out.append(comment)
        return out


def _end(span: Span) -> int:
    return span.end


def _content_end(text: str, start: int, end: int) -> int:
    if end > start and text[end - 1] == "\n":
        end -= 1
    if end > start and text[end - 1] == "\r":
        end -= 1
    return end


def _line_end(text: str, at: int) -> int:
    if text.startswith("\r\n", at):
        return at + 2
    return min(len(text), at + 1)
