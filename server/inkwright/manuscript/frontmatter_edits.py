"""Front matter written: one key set, every other character as it was."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

import yaml
from yaml import CSafeLoader

from inkwright.domain.errors import InkwrightError
from inkwright.domain.text import SURROGATE
from inkwright.manuscript.frontmatter import FOREIGN, FrontMatter, compose, fenced, read, scalar

Value = str | int | float | bool | Sequence[str]

_TEXT = "tag:yaml.org,2002:str"
_ELSEWHERE = re.compile(r"[-+]?\.?\d[\d.]*e[-+]?\d+|0o[0-7]+", re.IGNORECASE)
"""What other readers of YAML take for a number."""


def plain(value: str) -> str:
    """A word as it may stand for a value anywhere, in a list too: as it is, else in double quotes."""
    if value.isalpha() and not value.isascii():
        return value
    return _write_string(value, "[{}]")


def set_key(text: str, key: str, value: Value) -> str:
    """`text` with one top-level key set; every other character stays as it was.

    Raises `InkwrightError("frontmatter_by_hand")` where a splice cannot be sure: anchors, values over
    several lines, front matter that cannot be read.
    """
    found = read(text)
    written = _write(value)
    if found.problem is not None or (found and fenced(text) is None):
        raise InkwrightError("frontmatter_by_hand", key=key)
    if not found:
        eol = _eol(text)
        head = f"---{eol}{_write(key)}: {written}{eol}---{eol}"
        out = text[: found.body_start] + head + text[found.body_start :]
    else:
        out = _spliced(text, found, key, written)
    after = read(out)
    expected = {**found.meta, key: list(value) if isinstance(value, (list, tuple)) else value}
    if after.meta != expected or out[after.body_start :] != text[found.body_start :]:
        raise InkwrightError("frontmatter_by_hand", key=key)
    return out


def _spliced(text: str, found: FrontMatter, key: str, written: str) -> str:
    block = fenced(text)
    assert block is not None
    at = block.content.start
    source = block.content.of(text)
    if key not in found.meta:
        gap = "" if not source or source[-1] in "\r\n" else block.eol
        return (
            text[: block.content.end]
            + f"{gap}{_write(key)}: {written}{block.eol}"
            + text[block.content.end :]
        )
    node = next(v for k, v in reversed(compose(source).value) if k.value == key)
    start, end = node.start_mark.index, node.end_mark.index
    old = source[start:end]
    block_style = isinstance(node, yaml.CollectionNode) and not node.flow_style
    if block_style or "\n" in old or "\r" in old:
        raise InkwrightError("frontmatter_by_hand", key=key)
    space = " " if source[start - 1 : start] == ":" else ""
    return text[: at + start] + space + written + text[at + end :]


def _write(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        return _write_string(value, "{}")
    return "[" + ", ".join(_write_string(item, "[{}]") for item in value) + "]"


def _write_string(value: str, inside: str) -> str:
    """Plain where it reads back as the same string, else in double quotes."""
    if value and value == value.strip() and not FOREIGN.search(value) and not SURROGATE.search(value):
        try:
            node = yaml.compose("k: " + inside.format(value), CSafeLoader)
        except yaml.YAMLError:
            return _quoted(value)
        got = node.value[0][1] if isinstance(node, yaml.MappingNode) and len(node.value) == 1 else None
        if isinstance(got, yaml.SequenceNode) and len(got.value) == 1:
            got = got.value[0]
        if (
            isinstance(got, yaml.ScalarNode)
            and not got.style
            and got.value == value
            and got.tag == _TEXT
            and not _ELSEWHERE.fullmatch(value)
            and scalar(value) == value
        ):
            return value
    return _quoted(value)


def _quoted(value: str) -> str:
    quoted = json.dumps(value, ensure_ascii=False)
    return re.sub(
        "[\u0085\u2028\u2029\x7f-\x9f\ufffe\uffff\ud800-\udfff]", lambda m: f"\\u{ord(m.group()):04x}", quoted
    )


def _eol(text: str) -> str:
    first = re.search(r"\r\n|\n|\r", text)
    return first.group() if first else "\n"
