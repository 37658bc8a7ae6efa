"""The list `facts` of a card's front matter: where its entries stand, one more, one less. Pure.

Every other character of the card stays as it is: comments, quotes, the order of keys, line ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import yaml

from inkwright.domain.cards import Fact
from inkwright.domain.errors import InkwrightError
from inkwright.domain.text import Span, TextEdit, apply
from inkwright.manuscript import fields, frontmatter
from inkwright.manuscript.frontmatter_edits import plain

_KEY = "facts"
_ROW = ("key", "value", "from", "until", "quote")
_LINE_END = re.compile(r"\r\n|\n|\r|\Z")


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the list. `span` is all that is written of it, `value` where its value stands."""

    fact: Fact
    span: Span
    value: Span


@dataclass(frozen=True, slots=True)
class Field:
    """One pair of an entry, number `row` of the list: `key` and `said` as written, and where they stand."""

    row: int
    key: str
    said: str
    place: Span
    value: Span


def pairs(text: str) -> list[Field]:
    """The pairs of all entries whose value is one word or line, by place."""
    found = _list(text)
    out: list[Field] = []
    for row, item in enumerate(found.items if found is not None else ()):
        for key, value in item.value if isinstance(item, yaml.MappingNode) else ():
            if found is not None and isinstance(key, yaml.ScalarNode) and isinstance(value, yaml.ScalarNode):
                place = Span(key.start_mark.index, key.end_mark.index).shift(found.at)
                inner = Span(value.start_mark.index, value.end_mark.index).shift(found.at)
                out.append(Field(row, key.value, fields.text(value.value), place, inner))
    return out


def entries(text: str) -> list[Entry]:
    """The entries that say anything, in their order; none where the list cannot be read."""
    found = _list(text)
    if found is None:
        return []
    return [entry for item in found.items if (entry := _entry(item, found.at)) is not None]


def add(text: str, facts: Sequence[Fact]) -> list[TextEdit]:
    """The edits that put `facts` at the end of the list, which is made where there is none.

    Raises `InkwrightError`: frontmatter_by_hand where nobody can be sure what an edit would do.
    """
    found = frontmatter.read(text)
    block = frontmatter.fenced(text)
    if found.problem is not None or (found and block is None):
        raise _by_hand()
    if not facts:
        return []
    if block is None or not found:
        eol = _eol(text)
        rows = "".join(_block_row(fact, "  ", eol) for fact in facts)
        edits = [TextEdit(Span(found.body_start, found.body_start), f"---{eol}{_KEY}:{eol}{rows}---{eol}")]
    else:
        edits = [_added(text, block, facts)]
    _sure(text, edits, [_meta(fact) for fact in facts])
    return edits


def remove(text: str, fact: Fact) -> list[TextEdit]:
    """The edits that take the entry of exactly this fact out; none when it is not there, or cannot be taken
    out surely. The last one leaves an empty list."""
    found = _list(text)
    if found is None:
        return []
    rows = [_entry(item, found.at) for item in found.items]
    index = next((i for i, row in enumerate(rows) if row is not None and row.fact == fact), None)
    if index is None:
        return []
    edits = [_removed(text, found, index)]
    before, after = frontmatter.read(text), frontmatter.read(apply(text, edits))
    rest = [row for i, row in enumerate(before.meta[found.key]) if i != index]
    expected = {**before.meta, found.key: rest}
    return edits if after.meta == expected else []


@dataclass(frozen=True, slots=True)
class _List:
    """`at` is where the front matter's content begins in the text: marks of nodes count from there."""

    key: str
    node: yaml.SequenceNode
    at: int
    eol: str

    @property
    def items(self) -> list[yaml.Node]:
        return list(self.node.value)


def _list(text: str) -> _List | None:
    block = frontmatter.fenced(text)
    if block is None or not frontmatter.read(text):
        return None
    for key, value in _pairs(block.content.of(text)):
        if fields.word(key.value, "card.keys") == _KEY:
            return (
                _List(key.value, value, block.content.start, block.eol)
                if isinstance(value, yaml.SequenceNode)
                else None
            )
    return None


def _pairs(source: str) -> list[tuple[yaml.ScalarNode, yaml.Node]]:
    return frontmatter.compose(source).value if source.strip() else []


def _entry(item: yaml.Node, at: int) -> Entry | None:
    if not isinstance(item, yaml.MappingNode):
        return None
    said: dict[str, str] = {}
    value = None
    for key, inner in item.value:
        name = fields.word(getattr(key, "value", ""), "card.fact")
        if name is None or not isinstance(inner, yaml.ScalarNode):
            continue
        said[name] = fields.text(inner.value)
        if name == "value":
            value = Span(inner.start_mark.index + at, _end(inner) + at)
    if not said.get("key") and not said.get("value"):
        return None
    span = Span(item.start_mark.index + at, _end(item) + at)
    fact = Fact(*(said.get(name, "") for name in _ROW))
    return Entry(fact, span, value or span)


def _end(node: yaml.Node) -> int:
    """Where the last thing of a node ends: the mark of a block collection lies behind the comments after it."""
    while isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        node = last[1] if isinstance(last, tuple) else last
    return int(node.end_mark.index)


def _added(text: str, block: frontmatter.Block, facts: Sequence[Fact]) -> TextEdit:
    source, at, eol = block.content.of(text), block.content.start, block.eol
    pair = next((p for p in _pairs(source) if fields.word(p[0].value, "card.keys") == _KEY), None)
    if pair is None:
        gap = "" if not source or source[-1] in "\r\n" else eol
        rows = "".join(_block_row(fact, "  ", eol) for fact in facts)
        end = block.content.end
        return TextEdit(Span(end, end), f"{gap}{_KEY}:{eol}{rows}")
    key, node = pair
    if isinstance(node, yaml.SequenceNode) and node.value:
        if node.flow_style:
            end = _end(node.value[-1]) + at
            return TextEdit(Span(end, end), "".join(", " + _flow_row(fact) for fact in facts))
        return _behind(text, node, at, eol, facts)
    nothing = isinstance(node, yaml.ScalarNode) and not node.style and node.value in ("", "~", "null")
    if not nothing and not isinstance(node, yaml.SequenceNode):
        raise _by_hand()
    indent = " " * (key.start_mark.column + 2)
    rows = eol + "".join(_block_row(fact, indent, eol) for fact in facts)
    # The mark of a value that is not there lies anywhere behind its colon.
    colon = source.index(":", key.end_mark.index) + 1
    end = node.end_mark.index if isinstance(node, yaml.SequenceNode) or node.value else colon
    line = _LINE_END.search(source, end)
    assert line is not None
    rest = source[end : line.start()]
    if rest.strip() and not rest.lstrip().startswith("#"):
        raise _by_hand()
    return TextEdit(Span(colon, line.end()).shift(at), rest.rstrip() + rows)


def _behind(text: str, node: yaml.SequenceNode, at: int, eol: str, facts: Sequence[Fact]) -> TextEdit:
    """Behind the last entry of a block list, written as that one is."""
    last = node.value[-1]
    end = _end(last) + at
    start = last.start_mark.index + at
    lead = text[_line_start(text, start) : start]
    dash = lead.rstrip(" ")
    if not dash.endswith("-") or dash[:-1].strip():
        raise _by_hand()
    indent = dash[:-1]
    if isinstance(last, yaml.MappingNode) and last.flow_style:
        rows = "".join(f"{indent}- {_flow_row(fact)}{eol}" for fact in facts)
    else:
        rows = "".join(_block_row(fact, indent, eol, len(lead) - len(dash)) for fact in facts)
    if end > 0 and text[end - 1] in "\r\n":  # a text over several lines ends with its line
        return TextEdit(Span(end, end), rows)
    line = _LINE_END.search(text, end)
    assert line is not None
    gap = "" if line[0] else eol
    return TextEdit(Span(line.end(), line.end()), gap + rows)


def _removed(text: str, found: _List, index: int) -> TextEdit:
    at, items = found.at, found.items
    item = items[index]
    start, end = item.start_mark.index + at, _end(item) + at
    if len(items) == 1:
        if found.node.flow_style:
            return TextEdit(Span(start, end), "")
        before = text.rfind(":", 0, text.rfind("-", 0, start))
        line = _LINE_END.search(text, end)
        assert line is not None
        tail = end if text[end - 1] in "\r\n" else line.start()
        return TextEdit(Span(before + 1, tail), " []" + (found.eol if text[end - 1] in "\r\n" else ""))
    if found.node.flow_style:
        if index + 1 < len(items):
            return TextEdit(Span(start, items[index + 1].start_mark.index + at), "")
        return TextEdit(Span(_end(items[index - 1]) + at, end), "")
    dash = text.rfind("-", 0, start)
    line_start = _line_start(text, dash)
    if text[end - 1] in "\r\n":
        return TextEdit(Span(line_start, end), "")
    line = _LINE_END.search(text, end)
    assert line is not None
    return TextEdit(Span(line_start, line.end()), "")


def _row(fact: Fact) -> Iterator[tuple[str, str]]:
    for name, value in _meta(fact).items():
        yield name, plain(value)


def _meta(fact: Fact) -> dict[str, str]:
    said = zip(_ROW, (fact.key, fact.value, fact.since, fact.until, fact.quote), strict=True)
    return {name: value for name, value in said if value or name in ("key", "value")}


def _block_row(fact: Fact, indent: str, eol: str, gap: int = 1) -> str:
    pad = indent + " " * (1 + gap)
    lines = [f"{name}: {value}" for name, value in _row(fact)]
    return f"{indent}-{' ' * gap}" + f"{eol}{pad}".join(lines) + eol


def _flow_row(fact: Fact) -> str:
    return "{" + ", ".join(f"{name}: {value}" for name, value in _row(fact)) + "}"


def _sure(text: str, edits: Sequence[TextEdit], rows: Sequence[Mapping[str, str]]) -> None:
    """Reads the outcome again: everything is as it was, and the rows are there."""
    before = frontmatter.read(text)
    out = apply(text, list(edits))
    after = frontmatter.read(out)
    key = next((k for k in after.meta if fields.word(k, "card.keys") == _KEY), _KEY)
    had = before.meta.get(key) or []
    expected = {**before.meta, key: [*(had if isinstance(had, list) else [had]), *rows]}
    if after.meta != expected or out[after.body_start :] != text[before.body_start :]:
        raise _by_hand()


def _line_start(text: str, at: int) -> int:
    return max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1


def _eol(text: str) -> str:
    first = re.search(r"\r\n|\n|\r", text)
    return first.group() if first else "\n"


def _by_hand() -> InkwrightError:
    return InkwrightError("frontmatter_by_hand", key=_KEY)
