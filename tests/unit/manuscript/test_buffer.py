"""The buffer of an open document against a model that knows nothing but strings."""

from __future__ import annotations

import re
import sys
import tracemalloc
from collections.abc import Iterator
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inkwright.domain.text import ENCODINGS, Encoding, Position, Range, Span, TextEdit
from inkwright.manuscript import borders, markdown
from inkwright.manuscript import buffer as module
from inkwright.manuscript.buffer import Buffer

PIECES = [
    "a",
    "b ",
    "\r",
    "\n",
    "\r\n",
    "\n\r",
    "\u2028",
    "\x85",
    "\x0c",
    "\x1c",
    "林",
    "夏",
    "𠮷",
    "😋",
    "e\u0301",
]
HALVES = ["\ud83d", "\ude0b"]
texts = st.lists(st.sampled_from(PIECES + HALVES), max_size=24).map("".join)
positions = st.builds(Position, st.integers(-1, 12), st.integers(-1, 14) | st.just(2**31 - 1))
changes = st.tuples(st.none() | st.builds(Range, positions, positions), texts, st.sampled_from(ENCODINGS))


def whole(text: str) -> str:
    """The same text as JavaScript would hold it: code units."""
    return re.sub(
        "[\ud800-\udbff][\udc00-\udfff]",
        lambda m: m[0].encode("utf-16", "surrogatepass").decode("utf-16"),
        text,
    )


def width(char: str, encoding: Encoding) -> int:
    if encoding == "utf-32":
        return 1
    if encoding == "utf-16":
        return 2 if ord(char) > 0xFFFF else 1
    return next(
        size for size, limit in ((1, 0x80), (2, 0x800), (3, 0x10000), (4, 0x110000)) if ord(char) < limit
    )


def model_lines(text: str) -> list[tuple[int, int]]:
    """Start and content end of each line, walked character by character."""
    out, start, i = [], 0, 0
    while i < len(text):
        if text[i] in "\r\n":
            end = i
            i += 2 if text[i : i + 2] == "\r\n" else 1
            out.append((start, end))
            start = i
        else:
            i += 1
    return [*out, (start, len(text))]


def model_offset(text: str, position: Position, encoding: Encoding) -> int:
    lines = model_lines(text)
    if position.line < 0:
        return 0
    if position.line >= len(lines):
        return len(text)
    at, end = lines[position.line]
    left = position.character
    while at < end and left >= width(text[at], encoding):
        left -= width(text[at], encoding)
        at += 1
    return at


def model_position(text: str, offset: int, encoding: Encoding) -> Position:
    offset = max(0, min(offset, len(text)))
    lines = model_lines(text)
    number = max(i for i, (start, _) in enumerate(lines) if start <= offset)
    start, end = lines[number]
    return Position(number, sum(width(c, encoding) for c in text[start : min(offset, end)]))


def model_apply(text: str, where: Range | None, new: str, encoding: Encoding) -> str:
    if where is None:
        return whole(new)
    a, b = sorted((model_offset(text, where.start, encoding), model_offset(text, where.end, encoding)))
    return whole(text[:a] + new + text[b:])


@pytest.fixture(params=[1, 2, 256], scope="module")
def small(request: pytest.FixtureRequest) -> Iterator[None]:
    """Every claim holds whatever the size of a block: with 1 and 2 the borders are everywhere."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BLOCK", request.param)
        yield


def check(buffer: Buffer, text: str) -> None:
    assert buffer.text() == text
    assert buffer.size == len(text)
    lines = model_lines(text)
    assert buffer.line_count == len(lines)
    assert [buffer.line(i) for i in range(len(lines))] == [text[a:b] for a, b in lines]


@pytest.mark.usefixtures("small")
@settings(max_examples=150, deadline=None)
@given(texts, st.lists(changes, max_size=12))
def test_any_edits_give_the_text_of_the_model(
    start: str, script: list[tuple[Range | None, str, Encoding]]
) -> None:
    """After any script of edits the buffer holds what the model holds, and says truly what each edit was."""
    buffer, text = Buffer(start), whole(start)
    check(buffer, text)
    for where, new, encoding in script:
        edit = buffer.apply(where, new, encoding)
        spliced = text[: edit.span.start] + edit.new + text[edit.span.end :]
        text = model_apply(text, where, new, encoding)
        assert whole(spliced) == text
        check(buffer, text)


@pytest.mark.usefixtures("small")
@settings(max_examples=150, deadline=None)
@given(
    texts,
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40), texts), max_size=10),
    st.integers(-2, 60),
)
def test_edits_by_code_points(start: str, script: list[tuple[int, int, str]], probe: int) -> None:
    """Edits by span, also inside a CRLF, give the text of the model and keep positions right."""
    buffer, text = Buffer(start), whole(start)
    for a, b, new in script:
        span = Span(*sorted((min(a, len(text)), min(b, len(text)))))
        buffer.edit(TextEdit(span, new))
        text = whole(text[: span.start] + new + text[span.end :])
        for encoding in ENCODINGS:
            assert buffer.position(probe, encoding) == model_position(text, probe, encoding)
    check(buffer, text)


@pytest.mark.usefixtures("small")
@settings(max_examples=150, deadline=None)
@given(texts, positions, st.integers(-3, 60), st.sampled_from(ENCODINGS))
def test_conversions_are_those_of_the_model(
    text: str, position: Position, offset: int, encoding: Encoding
) -> None:
    """Both directions agree with walking the units one by one; they are inverse at every boundary."""
    text, buffer = whole(text), Buffer(text)
    assert buffer.offset(position, encoding) == model_offset(text, position, encoding)
    found = buffer.position(offset, encoding)
    assert found == model_position(text, offset, encoding)
    assert buffer.position(buffer.offset(found, encoding), encoding) == found


def at(line: int, start: int, end: int, last: int | None = None) -> Range:
    return Range(Position(line, start), Position(line if last is None else last, end))


@pytest.mark.parametrize(
    ("text", "where", "new", "after"),
    [
        ("a\u2028b\nc\n", at(1, 0, 1), "X", "a\u2028b\nX\n"),
        ("abc", at(0, 99, 99), "Y", "abcY"),
        ("abc\n", at(0, 4, 4), "X", "abcX\n"),
        ("abc\r\n", at(0, 4, 4), "X", "abcX\r\n"),
        ("abc", at(0, 2, 1), "Q", "aQc"),
        ("", at(5, 0, 9, 9), "x", "x"),
        ("😋", at(0, 1, 1), "x", "x😋"),
        ('x="😋"', at(0, 5, 5), "x", 'x="😋x"'),
        ("a\rb\r\nc\nd", at(2, 0, 0, 3), "", "a\rb\r\nd"),
        ("a\rb\n", at(1, 0, 1), "", "a\r\n"),
        ("a\r", at(1, 0, 0), "\n", "a\r\n"),
        ("a\n", at(0, 1, 1), "\r", "a\r\n"),
        ("\ud83d", at(0, 1, 1), "\ude0b", "😋"),
        ("a\r\nb", at(0, 1, 0, 1), "", "ab"),
    ],
)
def test_edits_that_other_servers_got_wrong(text: str, where: Range, new: str, after: str) -> None:
    """Line ends of LSP only, clamping to the line's end, reversed ranges, cut characters, joined halves."""
    buffer = Buffer(text)
    buffer.apply(where, new)
    check(buffer, after)


def test_changes_of_one_notification_build_on_each_other() -> None:
    """The second change is placed in the text that the first one left."""
    buffer = Buffer("测试\n")
    buffer.apply(at(0, 2, 2), "\n甲")
    buffer.apply(at(1, 1, 1), "乙")
    check(buffer, "测试\n甲乙\n")


def test_a_line_that_is_not_there() -> None:
    """Asking for a line past the last, or before the first, is an IndexError."""
    buffer = Buffer("a\nb")
    for number in (2, -1):
        with pytest.raises(IndexError):
            buffer.line(number)


class Steps:
    """Counts the Python steps and the peak of new memory inside the text room: work, not time."""

    def __enter__(self) -> Steps:
        self.opcodes = 0
        tracemalloc.start()
        sys.settrace(self._call)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)
        self.peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()

    def _call(self, frame: FrameType, _event: str, _arg: Any) -> Any:
        frame.f_trace_opcodes = True
        frame.f_trace_lines = False
        return self._step

    def _step(self, _frame: FrameType, event: str, _arg: Any) -> Any:
        self.opcodes += event == "opcode"
        return self._step


@pytest.mark.parametrize("where", [0.0, 0.5, 1.0])
def test_work_does_not_grow_with_the_document(where: float) -> None:
    """A key typed and a position asked for cost the same steps and memory in a document 64 times as long."""
    costs = []
    for lines in (2_000, 128_000):
        buffer = Buffer("他说：“走吧。”\n" * lines)
        line = int(where * (lines - 1))
        buffer.apply(at(line, 1, 1), "好")
        buffer.position(buffer.offset(Position(line, 3)))
        with Steps() as steps:
            buffer.apply(at(line, 2, 2), "好")
            buffer.apply(at(line, 0, 0), "新\n")
            edit = buffer.apply(at(line, 0, 0, line + 1), "")
            buffer.position(edit.span.start + 3)
            buffer.line(line)
        costs.append((steps.opcodes, steps.peak))
    (few, small), (many, large) = costs
    assert many <= few * 1.5 + 64
    assert large <= small * 1.5 + 4_096


def test_a_line_of_ten_million_characters() -> None:
    """One huge line is edited and measured like any other, in every encoding."""
    buffer = Buffer("林夏😋走。" * 2_000_000)
    buffer.apply(at(0, 3, 3), "x")
    assert buffer.line_count == 1
    assert buffer.text().startswith("林夏x😋走。")
    for encoding in ENCODINGS:
        place = buffer.position(9_999_999, encoding)
        assert buffer.offset(place, encoding) == 9_999_999


MARKS = [
    "<!--",
    "-->",
    "%%",
    "```",
    "~~~",
    "]:",
    "[x]: y\n",
    "[^1]: y\n",
    "[^",
    "[",
    "<",
    "!",
    "--",
    ">",
    "%",
    "`",
    "~",
    "]",
    ":",
    "字",
    "\n",
    "\r",
    " ",
]


def _reaches(text: str) -> bool:
    """A comment, a fence, or a line that defines what a link is called; a footnote's does not."""
    defined = any(re.match(r" {0,3}\[[^\[\]^][^\[\]]*\]:", line) for line in re.split(r"[\r\n]", text))
    return defined or any(mark in text for mark in MARKS[:5])


@given(st.data())
def test_what_may_reach_beyond_its_paragraph_is_known_after_any_edit(data: st.DataObject) -> None:
    """As if the whole text had been looked through; and where nothing does, a look near a place says the same."""
    marked = st.lists(st.sampled_from(MARKS), max_size=12).map("".join)
    text = data.draw(marked)
    buffer = Buffer(text)
    for _ in range(5):
        assert buffer.reaches == borders.reaching(buffer.text()) == _reaches(buffer.text())
        if not buffer.reaches:
            at = data.draw(st.integers(0, buffer.size))
            assert markdown.near(buffer.text(), at, plain=True) == markdown.near(buffer.text(), at)
        start = data.draw(st.integers(0, buffer.size))
        end = data.draw(st.integers(start, buffer.size))
        buffer.edit(TextEdit(Span(start, end), data.draw(marked)))


@given(texts, st.data())
def test_what_stands_since_an_earlier_text_is_known_without_a_look(start: str, data: st.DataObject) -> None:
    """Of each text that was asked for it is told what of its beginning and end stands in the newest; after one edit
    all but a character on either side of it."""
    buffer = Buffer(start)
    seen = [(buffer.text(), buffer.ends.mark(buffer.text()))]
    for _ in range(data.draw(st.integers(1, 6))):
        old, length = buffer.text(), buffer.size
        if data.draw(st.integers(0, 9)) == 0:
            buffer.apply(None, data.draw(texts))
            least = 0
        else:
            a, b = sorted(data.draw(st.tuples(st.integers(0, length), st.integers(0, length))))
            buffer.edit(TextEdit(Span(a, b), data.draw(texts)))
            least = a + length - b - 2
        if data.draw(st.booleans()):
            continue
        new = buffer.text()
        if seen[-1][0] is old:
            head, tail = buffer.ends.common(*seen[-1], new)
            assert head + tail >= min(least, len(new) - 2)
        seen.append((new, buffer.ends.mark(new)))
    new = buffer.text()
    for old, mark in seen:
        assert mark
        head, tail = buffer.ends.common(old, mark, new)
        assert old[:head] == new[:head]
        assert old[len(old) - tail :] == new[len(new) - tail :]
        assert head + tail <= min(len(old), len(new))


def test_a_text_that_nobody_typed_is_compared() -> None:
    """What is no text of the document, or stood too long ago, is compared with."""
    buffer = Buffer("他走过渡口。")
    first, mark = buffer.text(), buffer.ends.mark(buffer.text())
    for _ in range(100):
        buffer.edit(TextEdit(Span(2, 2), "慢"))
        buffer.text()
    assert buffer.ends.common(first, mark, buffer.text()) == (2, 4)
    assert buffer.ends.mark("他") == 0
    assert buffer.ends.common("他来了。", 0, buffer.text()) == (1, 1)
