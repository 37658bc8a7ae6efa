"""Small edits of front matter, as text edits: a key set, an entry put into a list or taken out. Pure.

Every function gives no edit where it cannot be sure to change that and nothing else.
"""

from __future__ import annotations

import re

import yaml

from inkwright.domain.errors import InkwrightError
from inkwright.domain.text import Span, TextEdit
from inkwright.manuscript import fields, frontmatter, frontmatter_edits
from inkwright.manuscript.frontmatter_edits import Value

_DASH = re.compile(r"[ \t]*-[ \t]+\Z")
_LISTED = re.compile(r"[、,，;；|/]")


def put(text: str, key: str, value: Value) -> tuple[TextEdit, ...]:
    """Sets a top-level key."""
    try:
        after = frontmatter_edits.set_key(text, key, value)
    except InkwrightError:
        return ()
    return _difference(text, after)


def add(text: str, key: str, value: str, table: str = "") -> tuple[TextEdit, ...]:
    """Puts an entry at the end of a list; a key of that meaning in `table` (as in fields.toml) is used."""
    key = _key(text, key, table)
    found = frontmatter.value_node(text, key)
    if found is None or (isinstance(found[0], yaml.ScalarNode) and not found[0].value.strip()):
        return put(text, key, [value])
    node, at = found
    before = fields.texts(frontmatter.read(text).meta[key])
    edit = _added(text, node, at, value)
    if edit is None or value in before:
        return ()
    return _sure(text, edit, key, (*before, value))


def drop(text: str, key: str, value: str, table: str = "") -> tuple[TextEdit, ...]:
    """Takes an entry out of a list."""
    key = _key(text, key, table)
    found = frontmatter.value_node(text, key)
    if found is None:
        return ()
    node, at = found
    before = fields.texts(frontmatter.read(text).meta[key])
    edit = _dropped(text, node, at, value)
    if edit is None or value not in before:
        return ()
    return _sure(text, edit, key, tuple(one for one in before if one != value))


def _key(text: str, key: str, table: str) -> str:
    """The key as the text has it."""
    if table:
        for written in frontmatter.read(text).keys:
            if fields.word(written, table) == key:
                return written
    return key


def _added(text: str, node: yaml.Node, at: int, value: str) -> TextEdit | None:
    if isinstance(node, yaml.ScalarNode):
        end = node.end_mark.index + at
        if node.style or "\n" in node.value or _LISTED.search(value):
            return None
        gap = "、" if "、" in node.value else ", "
        return TextEdit(Span(end, end), gap + value)
    if not isinstance(node, yaml.SequenceNode):
        return None
    word = frontmatter_edits.plain(value)
    if not node.value:
        start, end = node.start_mark.index + at, node.end_mark.index + at
        return TextEdit(Span(start, end), f"[{word}]") if node.flow_style else None
    last = node.value[-1]
    end = last.end_mark.index + at
    if node.flow_style:
        return TextEdit(Span(end, end), f", {word}")
    begin = last.start_mark.index + at
    line = max(text.rfind("\n", 0, begin), text.rfind("\r", 0, begin)) + 1
    dash = text[line:begin]
    if not isinstance(last, yaml.ScalarNode) or not _DASH.match(dash):
        return None
    eol = re.search(r"\r\n|\n|\r", text)
    return TextEdit(Span(end, end), f"{eol.group() if eol else chr(10)}{dash}{word}")


def _dropped(text: str, node: yaml.Node, at: int, value: str) -> TextEdit | None:
    if not isinstance(node, yaml.SequenceNode):
        return None
    number = next((i for i, item in enumerate(node.value) if fields.text(item.value) == value), None)
    if number is None or not isinstance(node.value[number], yaml.ScalarNode):
        return None
    item = node.value[number]
    start, end = item.start_mark.index + at, item.end_mark.index + at
    if node.flow_style:
        if number:
            start = node.value[number - 1].end_mark.index + at
        elif len(node.value) > 1:
            end = node.value[1].start_mark.index + at
        return TextEdit(Span(start, end), "")
    line = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    stop = re.compile(r"[ \t]*(?:\r\n|\n|\r)").match(text, end)
    if not _DASH.match(text[line:start]) or stop is None:
        return None
    return TextEdit(Span(line, stop.end()), "")


def _sure(text: str, edit: TextEdit, key: str, expected: tuple[str, ...]) -> tuple[TextEdit, ...]:
    """The edit, if it makes the list that it should and leaves all else."""
    before = frontmatter.read(text)
    out = text[: edit.span.start] + edit.new + text[edit.span.end :]
    after = frontmatter.read(out)
    others = {k: v for k, v in after.meta.items() if k != key}
    same = others == {k: v for k, v in before.meta.items() if k != key}
    listed = fields.texts(after.meta.get(key)) == expected
    body = out[after.body_start :] == text[before.body_start :]
    return (edit,) if same and listed and body and after.problem is None else ()


def _difference(old: str, new: str) -> tuple[TextEdit, ...]:
    """One edit that makes `new` of `old`."""
    most = min(len(old), len(new))
    start = next((i for i in range(most) if old[i] != new[i]), most)
    end = next((i for i in range(most - start) if old[-1 - i] != new[-1 - i]), most - start)
    if start == len(old) == len(new):
        return ()
    return (TextEdit(Span(start, len(old) - end), new[start : len(new) - end]),)
