"""The blocks of a Markdown text in one pass over its lines.

Markdown as writers mean it, where that and CommonMark part: an indented paragraph is prose unless it
looks like code; a line that ends in CJK sentence punctuation ends its paragraph; `---` below a sentence
is a scene break, not a heading; `#` alone is a scene break. No state outlives a call.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from inkwright.domain.text import Span
from inkwright.manuscript.inline import label
from inkwright.manuscript.script import BEYOND_LATIN, CJK_PUNCTUATION

Kind = Literal["text", "heading", "quote", "list", "table", "code", "comment", "meta"]


@dataclass(slots=True)
class Blocks:
    """`blocks` are (start, end, kind, heading level); `titles` the ends of titles that a line underlines.

    `comments` may cross blocks. `labels` are the link labels that the text defines.
    """

    blocks: list[tuple[int, int, Kind, int]] = field(default_factory=list)
    breaks: list[Span] = field(default_factory=list)
    comments: list[Span] = field(default_factory=list)
    labels: set[str] = field(default_factory=set)
    titles: dict[int, int] = field(default_factory=dict)


SPECIAL = r"#>\-*+_=`~<\[%@|0-9⁂※＊◇◆☆★"


_BLANK = r"[ \t\u3000]*"


def _line(char: str, eol: str) -> re.Pattern[str]:
    """Group 1: a line that can only be text, as most are, and group 2 the blank ones after it; group 3: a
    blank line; group 4: one to look at."""
    end = rf"(?:{eol}|\Z)"
    text = rf"({_BLANK}[^{SPECIAL}\s]{char}*)(?:{eol}((?:{_BLANK}{eol})+)?|\Z)"
    return re.compile(rf"{text}|({_BLANK}){end}|({char}+){end}")


LINE = _line(r"[^\r\n]", r"(?:\r\n|[\r\n])")
# The same for texts without a CR, at half the cost.
_LF_LINE = _line(r"[^\n]", r"\n")
_BREAK = re.compile(
    r"[ \t\u3000]*(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|(?:[⁂※＊◇◆☆★][ \t\u3000]*)+|#[ \t\u3000]*)"
)
HEADING_MARK = re.compile(r" {0,3}(#{1,6})(?:![ \t]+(?=\S)|[ \t\u3000]+|\Z)")
_SETEXT = re.compile(r" {0,3}(?:(=+)|-+)[ \t]*")
_FENCE = re.compile(r"(`{3,})[^`\r\n]*|(~{3,})[^\r\n]*")
_QUOTE = re.compile(r" {0,3}>")
ITEM = re.compile(r"[ \t]*(?:[-*+]|([0-9]{1,9})[.)])(?:[ \t]+|\Z)")
_DEFINITION = re.compile(r" {0,3}\[(?!\^)([^\[\]\r\n]+)\]:[ \t]*\S.*")
_META = re.compile(r"@[a-z][a-z_]*:.*|%%~.*|%(?:Synopsis|Short|Story\.\w+|Note\.\w+):.*", re.IGNORECASE)
# Only in files of novelWriter: other comments, and commands for its layout.
_NOVEL = re.compile(r"%.*|\[(?:new ?page|vspace(?::\d+)?)\][ \t]*", re.IGNORECASE)
_INDENTED = re.compile(r" {4}| {0,3}\t")
_CODE_LOOK = re.compile(
    r"[{}=<>\\$]|\(\)|;[ \t]*(?:[\r\n]|\Z)|^[ \t]*(?:def|import|class|return|#)\b|^[ \t]*#", re.MULTILINE
)
CJK_TEXT = re.compile(BEYOND_LATIN)
END_OF_PARAGRAPH = re.compile(
    rf"(?:[。！？；：．｡]|(?:{BEYOND_LATIN}|[{CJK_PUNCTUATION}])[…—～~]+)[”’」』）)】》〉〕…—]*[ \t\u3000]*\Z"
)
_SENTENCE = re.compile(r"[。！？!?．｡….,，、；;：:][”’」』）)】》\"']*\Z|[”’」』\"]\Z")
_ENDERS = frozenset("。！？；：．｡…—～~”’」』）)】》〉〕 \t\u3000")
_COMMENT = re.compile(r"<!--|%%(?!~)")
MAX_SETEXT = 100


def read(text: str, start: int, end: int, broken: bool) -> Blocks:
    """The blocks of a stretch. `broken`: it begins with a `---` that opened no front matter."""
    scanner = _Scanner(text, start, end, broken)
    scanner.run()
    return scanner.out


class _Scanner:
    """The open paragraph is `start`…`end` of `kind`, -1 when there is none; `lines` are its lines so far."""

    def __init__(self, text: str, start: int, end: int, broken: bool) -> None:
        self.text = text
        self.limit = end
        self.out = Blocks()
        self.body = start
        self.broken = broken
        self.novel = text.startswith("%%~")
        self.start = -1
        self.end = -1
        self.kind: Kind = "text"
        self.lines = 0
        self.in_list = False
        self.unclosed: set[str] = set()
        # Up to here the text belongs to a fence or a comment.
        self.skip = start

    def run(self) -> None:
        text, blocks = self.text, self.out.blocks
        begin, limit = self.body, self.limit
        commented = text.find("<!--", begin, limit) >= 0 or text.find("%%", begin, limit) >= 0
        line = _LF_LINE if text.find("\r", begin, limit) < 0 else LINE
        for match in line.finditer(text, begin, limit):
            group = match.lastindex or 3
            followed = group == 2
            start, end = match.span(1 if followed else group)
            inside = False
            if start < self.skip:
                followed = followed and self._goes_on(match)
                inside = end > self.skip
                start = self.skip
                if not inside or text[start:end].isspace():
                    if followed:
                        self._flush()
                    continue
            elif followed and not commented and self.start < 0 and text[start] not in " \t":
                self.in_list = False
                blocks.append((start, end, "text", 0))
                continue
            if group == 3:
                self._flush()
                continue
            if commented:
                inside |= self._comment(start, end)
                followed = followed and self._goes_on(match)
            if group == 4 and not inside:
                self._special(start, end)
            elif text[start] in " \t" and _INDENTED.match(text, start):
                self._indented(start, end)
            else:
                self._plain(start, end)
            if followed:
                self._flush()
        self._flush()

    def _goes_on(self, match: re.Match[str]) -> bool:
        """Whether a blank line of those after a text begins where nothing reaches."""
        end = match.end() - (2 if self.text.endswith("\r\n", 0, match.end()) else 1)
        last = max(self.text.rfind(char, match.start(2) - 1, end) for char in "\r\n")
        return self.skip <= last + 1

    def _plain(self, start: int, end: int) -> None:
        if self.start < 0:
            self.start, self.end, self.kind, self.lines = start, end, "text", 1
            self.in_list = self.in_list and self.text[start] in " \t"
            return
        if self.kind in ("code", "table") or self._border(start):
            quoted = self.kind == "quote" and _QUOTE.match(self.text, start)
            self._open(start, end, "quote" if quoted else "text")
            return
        self.end = end
        self.lines += 1

    def _border(self, start: int) -> bool:
        """True when the line at `start` begins a paragraph of its own, though no blank line says so."""
        text = self.text
        if self.kind == "text" and (text[start] == "\u3000" or text.startswith("  ", start)):
            return True
        if text[self.end - 1] not in _ENDERS:
            return False
        return END_OF_PARAGRAPH.search(text, max(self.start, self.end - 12), self.end) is not None

    def _open(self, start: int, end: int, kind: Kind) -> None:
        self._flush()
        self.start, self.end, self.kind, self.lines = start, end, kind, 1

    def _flush(self) -> None:
        if self.start >= 0:
            self.out.blocks.append((self.start, self.end, self.kind, 0))
            self.start = -1

    def _special(self, start: int, end: int) -> None:
        line = self.text[start:end]
        bare = line.lstrip(" \t\u3000")
        first = bare[:1]
        indented = _INDENTED.match(line) is not None
        if line[0] not in " \t" and not ITEM.match(line):
            self.in_list = False
        if first in "-*_⁂※＊◇◆☆★#" and _BREAK.fullmatch(line):
            self._break(start, end, line)
        elif first == "=" and self._underlined(line):
            self._setext(end, 1)
        elif first in "`~" and (not indented or self.in_list) and (fence := _FENCE.fullmatch(bare)):
            self._fence(start, end, fence.group(1) or fence.group(2))
        elif first in "-*+0123456789" and (item := ITEM.match(line)) and self._begins_item(item, indented):
            self._open(start, end, "list")
            self.in_list = True
        elif indented:
            self._indented(start, end)
        elif first == "#" and (heading := HEADING_MARK.match(line)):
            self._flush()
            self.out.blocks.append((start, end, "heading", len(heading.group(1))))
        elif first == ">" and _QUOTE.match(line):
            self._quote(start, end)
        elif first == "[" and (definition := _DEFINITION.fullmatch(line)) and self.start < 0:
            self.out.labels.add(label(definition.group(1)))
            comment = definition.group(1) in ("//", "comment")
            self.out.blocks.append((start, end, "comment" if comment else "meta", 0))
        elif first in "@%[" and (_META.fullmatch(line) or (self.novel and _NOVEL.fullmatch(line))):
            self._flush()
            self.out.blocks.append((start, end, "comment" if line.startswith("%") else "meta", 0))
        elif first == "|" and line.rstrip()[1:].endswith("|"):
            self._open(start, end, "table")
        else:
            self._plain(start, end)

    def _break(self, start: int, end: int, line: str) -> None:
        if not self.broken and self._underlined(line) and self._is_title():
            self._setext(end, 2)
            return
        if self.broken and start > self.body and line == "---":
            self.broken = False
        self._flush()
        self.in_list = False
        self.out.breaks.append(Span(start, end))

    def _underlined(self, line: str) -> bool:
        if self.start < 0 or self.kind != "text" or _SETEXT.fullmatch(line) is None:
            return False
        return not self.out.comments or self.out.comments[-1].end <= self.start

    def _is_title(self) -> bool:
        if self.lines > 1 or self.end - self.start > MAX_SETEXT:
            return False
        return not _SENTENCE.search(self.text[self.start : self.end].rstrip())

    def _setext(self, end: int, level: int) -> None:
        if level == 1 and not self._is_title():
            self.end = end
            return
        self.out.titles[self.start] = self.end
        self.out.blocks.append((self.start, end, "heading", level))
        self.start = -1

    def _fence(self, start: int, end: int, mark: str) -> None:
        self._flush()
        close = re.compile(rf"(?:(?<=\n)|(?<=\r))[ \t]*{mark[0]}{{{len(mark)},}}[ \t]*(?=[\r\n]|\Z)").search(
            self.text, end
        )
        self.skip = close.end() if close else len(self.text)
        self.out.blocks.append((start, self.skip, "code", 0))

    def _begins_item(self, item: re.Match[str], indented: bool) -> bool:
        if indented and not self.in_list:
            return False
        interrupts = self.start >= 0 and self.kind == "text"
        return not interrupts or (item.group(1) in (None, "1") and item.end() < len(item.string))

    def _indented(self, start: int, end: int) -> None:
        if self.start >= 0 and self.kind == "code":
            self.end = end
        elif self.start >= 0 or self.in_list or CJK_TEXT.search(self.text, start, end):
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
        """Note the comments that open on this line; True when the line is inside one or opens with one.

        A comment that nothing closes is text: no word is lost to a slip of the hand.
        """
        text = self.text
        at = counted = max(start, self.skip)
        ticks = 0
        opened = False
        while found := _COMMENT.search(text, at, end):
            ticks += text.count("`", counted, found.start())
            counted = at = found.end()
            close = self._close(found.group(), at) if ticks % 2 == 0 else -1
            if close >= 0:
                opened |= not text[start : found.start()].strip()
                counted = at = close
                self.out.comments.append(Span(found.start(), close))
                self.skip = max(self.skip, close)
        return opened

    def _close(self, opening: str, at: int) -> int:
        """Where the comment that opened before `at` ends, or -1."""
        mark = "-->" if opening == "<!--" else "%%"
        if mark in self.unclosed:
            return -1
        close = self.text.find(mark, at)
        if close < 0:
            self.unclosed.add(mark)
            return -1
        return close + len(mark)
