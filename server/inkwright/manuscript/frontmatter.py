"""YAML front matter by the strict rule: a mapping between a first line `---` and a line `---` or `...`.

Values keep what was written: only `true`, `false`, the null forms and numbers whose digits come back
unchanged become Python values; dates, `on`, `001` and `1.10` stay strings. Tags are ignored, so
nothing in a file can name a Python object.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml
from yaml import CSafeLoader

from inkwright.domain.errors import Fault
from inkwright.domain.text import SURROGATE, Span
from inkwright.manuscript import headers

MAX_LENGTH = 262_144
MAX_DEPTH = 40
MAX_NODES = 20_000

_OPEN = re.compile(r"\ufeff?---(\r\n|\n|\r)")
_CLOSE = re.compile(r"(?:(?<=\n)|(?<=\r))(?:---|\.\.\.)(?:\r\n|\n|\r|\Z)")
_LOOKS_MEANT = re.compile(r"\s*[^\s:#\-][^:\r\n]{0,40}:(?:\s|\Z)")
# Line ends to YAML, plain characters to us and to LSP; and what libyaml refuses to read.
FOREIGN = re.compile("[\u0085\u2028\u2029\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]")
_NULL = frozenset(("", "~", "null", "Null", "NULL"))
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,15})")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What stands before the body. `span` covers both fences with their line ends; empty when there is none.

    `keys` says where each top-level key stands. `problem` is set when a front matter seems meant but
    cannot be read (then it is text), or when a key stands twice (the last counts); `line` and, as an offset of
    the text, `at` are where.
    """

    meta: Mapping[str, Any] = field(default_factory=dict)
    span: Span = field(default_factory=lambda: Span(0, 0))
    body_start: int = 0
    keys: Mapping[str, Span] = field(default_factory=dict)
    problem: Fault | None = None
    line: int = 0
    at: int = 0

    def __bool__(self) -> bool:
        return self.span.end > self.span.start


@dataclass(frozen=True, slots=True)
class Scalar:
    """One value of the front matter, or a key of a mapping in it. `key` is the top-level key that it stands
    under, as written; `span` the value as written, without its quotes.
    """

    key: str
    value: str
    span: Span


@dataclass(frozen=True, slots=True)
class Block:
    eol: str
    content: Span
    end: int


class _NoMappingError(Exception):
    """The text between the fences is no mapping that we take."""


def read(text: str) -> FrontMatter:
    """The front matter of a document; offsets are code points of `text`, a BOM character included."""
    body = 1 if text.startswith("\ufeff") else 0
    block = fenced(text)
    if block is None:
        return _foreign(text) or FrontMatter(body_start=body)
    source = block.content.of(text)
    if not source.strip():
        return FrontMatter(span=Span(body, block.end), body_start=block.end)
    try:
        root = compose(source)
        meta = _mapping(root)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        at = block.content.start + (min(mark.index, len(source)) if mark else 0)
        return _refused(body, source, 1 + (mark.line if mark else 0), error.problem or "", at)
    except (yaml.YAMLError, RecursionError) as error:
        return _refused(body, source, 0, str(error).splitlines()[0], block.content.start)
    except _NoMappingError as error:
        if not error.args:
            return FrontMatter(body_start=body)
        return _refused(body, source, 0, str(error), block.content.start)
    at = block.content.start
    keys: dict[str, Span] = {}
    problem: Fault | None = None
    line = place = 0
    for key, _ in root.value:
        if key.value in keys and problem is None:
            problem, line = Fault("frontmatter_duplicate", {"key": key.value}), 1 + key.start_mark.line
            place = at + key.start_mark.index
        keys[key.value] = Span(at + key.start_mark.index, at + key.end_mark.index)
    return FrontMatter(meta, Span(body, block.end), block.end, keys, problem, line, place)


def _foreign(text: str) -> FrontMatter | None:
    """The header of another program, which is read and never written."""
    if (found := headers.read(text)) is None:
        return None
    meta, keys, end = found
    return FrontMatter(meta, Span(int(text.startswith("\ufeff")), end), end, keys)


def scalars(text: str) -> list[Scalar]:
    """The values of the front matter that are one word or line, in lists and mappings too, by place."""
    block = fenced(text)
    if block is None or not read(text):
        return []
    source = block.content.of(text)
    out: list[Scalar] = []
    waiting: list[tuple[str, yaml.Node, int]] = []
    if source.strip():
        waiting = [(key.value, value, 0) for key, value in reversed(compose(source).value)]
    while waiting:
        key, node, depth = waiting.pop()
        if isinstance(node, yaml.ScalarNode):
            quoted = int(node.style in ("'", '"'))
            start, end = node.start_mark.index + quoted, node.end_mark.index - quoted
            if node.style not in ("|", ">") and start < end:
                out.append(Scalar(key, node.value, Span(start, end).shift(block.content.start)))
        elif depth < MAX_DEPTH:
            inner = [
                part for child in node.value for part in (child if isinstance(child, tuple) else (child,))
            ]
            waiting += [(key, part, depth + 1) for part in reversed(inner)]
    return out


def value_node(text: str, key: str) -> tuple[yaml.Node, int] | None:
    """The value of a top-level key as YAML has it, the last one of several, and what its marks count from."""
    block = fenced(text)
    found = read(text)
    if block is None or key not in found.keys:
        return None
    node = next(v for k, v in reversed(compose(block.content.of(text)).value) if k.value == key)
    return node, block.content.start


def folded(text: str) -> list[Scalar]:
    """The values that stand over several lines after `|` or `>`; `span` is all that is written of one."""
    block = fenced(text)
    if block is None or not read(text):
        return []
    source = block.content.of(text)
    out: list[Scalar] = []
    waiting: list[tuple[str, yaml.Node]] = []
    if re.search(r"[|>][+\-0-9]*[ \t]*(?:#[^\r\n]*)?[\r\n]", source):
        waiting = [(key.value, value) for key, value in reversed(compose(source).value)]
    while waiting:
        key, node = waiting.pop()
        if isinstance(node, yaml.ScalarNode):
            if node.style in ("|", ">"):
                span = Span(node.start_mark.index, node.end_mark.index).shift(block.content.start)
                out.append(Scalar(key, node.value, span))
        else:
            parts = [
                part for child in node.value for part in (child if isinstance(child, tuple) else (child,))
            ]
            waiting += [(key, part) for part in reversed(parts)]
    return out


def fenced(text: str) -> Block | None:
    first = _OPEN.match(text)
    if first is None:
        return None
    last = _CLOSE.search(text, first.end(), first.end() + MAX_LENGTH)
    if last is None:
        return None
    return Block(first.group(1), Span(first.end(), last.start()), last.end())


def compose(source: str) -> yaml.MappingNode:
    safe = FOREIGN.sub("\u00a4", SURROGATE.sub("\ufffd", source))
    node = yaml.compose(safe, CSafeLoader)
    if not isinstance(node, yaml.MappingNode):
        raise _NoMappingError
    if safe != source:
        _restore(node, source, 0)
    return node


def _restore(node: yaml.Node, source: str, depth: int) -> None:
    """Give values on one line back the characters that were hidden from YAML."""
    if isinstance(node, yaml.ScalarNode):
        start, end = node.start_mark.index, node.end_mark.index
        if node.style in ("'", '"'):
            start, end = start + 1, end - 1
        if end - start == len(node.value):
            node.value = source[start:end]
    elif depth < MAX_DEPTH:
        for child in node.value:
            for part in child if isinstance(child, tuple) else (child,):
                _restore(part, source, depth + 1)


def _mapping(node: yaml.MappingNode) -> dict[str, Any]:
    return dict(_pairs(node, 0, [MAX_NODES]))


def _pairs(node: yaml.MappingNode, depth: int, budget: list[int]) -> list[tuple[str, Any]]:
    out = []
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode):
            raise _NoMappingError("a key is not a plain word")
        out.append((key.value, _value(value, depth + 1, budget)))
    return out


def _value(node: yaml.Node, depth: int, budget: list[int]) -> Any:
    budget[0] -= 1
    if depth > MAX_DEPTH or budget[0] < 0:
        raise _NoMappingError("nested too deep or too large")
    if isinstance(node, yaml.MappingNode):
        return dict(_pairs(node, depth, budget))
    if isinstance(node, yaml.SequenceNode):
        return [_value(item, depth + 1, budget) for item in node.value]
    return node.value if getattr(node, "style", "") else scalar(node.value)


def scalar(word: str) -> Any:
    """What a plain word of YAML stands for."""
    if word in _NULL:
        return None
    if word == "true" or word == "false":
        return word == "true"
    if _INTEGER.fullmatch(word):
        return int(word) if word != "-0" else word
    if "." in word and word[-1].isdecimal() and word.isascii():
        try:
            number = float(word)
        except ValueError:
            return word
        return number if repr(number) == word else word
    return word


def _refused(body: int, source: str, line: int, reason: str, at: int) -> FrontMatter:
    """No front matter. Prose between two scene breaks is no mistake; `key:` at the top is one."""
    if not _LOOKS_MEANT.match(source):
        return FrontMatter(body_start=body)
    problem = Fault("frontmatter_unreadable", {"line": line + 1, "reason": reason})
    return FrontMatter(body_start=body, problem=problem, line=line, at=at)
