"""Cards that stand one below the other in a text: under headings, in a table, a word a line. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from inkwright.manuscript.layouts.records import MAX_LINE, MAX_RECORDS, Record, lines

_HEADING = re.compile(r" {0,3}(#{1,6})[ \t\u3000]+(.*?)[ \t]*#*[ \t]*")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,3}[.)、])[ \t]+(.*)")
_ROW = re.compile(r"[ \t]*\|(.*)\|[ \t]*")
_RULE = re.compile(r"[\s|:\-]+")
_SECTION = re.compile(r"#?={3,}[ \t]*(?:\d{1,2}[)）.、][ \t]*)?(.+?)[ \t]*={3,}")
_STATE = re.compile(r"([^\s：:├└│─\-*#][^：:├└│─]{0,19})[：:][ \t]*")
_MARKS = re.compile(r"[*_`]+")
_FIRST_CELLS = frozenset(("角色", "人物", "姓名", "名字", "名称", "character", "name"))
_EMPTY = frozenset(("无", "暂无", "none", "n/a", "-", "—", "……"))


def headings(text: str) -> list[Record]:
    """One card for each heading of level one, what stands below it as its body."""
    return _cut(text, lambda title, body, line: Record(title, {}, body="\n".join(body).strip(), line=line))


def roles(text: str) -> list[Record]:
    """The same, each `##` below being a field; a list in it is a list of values."""
    return _cut(text, _role)


def words(text: str) -> list[Record]:
    """A name a line; empty lines, and those that begin with `#` or `//`, are none."""
    out: list[Record] = []
    for number, row in enumerate(lines(text)):
        name = row.strip(" \t\u3000\ufeff")
        if name and not name.startswith(("#", "//")) and len(name) <= 40:
            out.append(Record(name, line=number))
    return out[:MAX_RECORDS]


def sections(text: str) -> list[Record]:
    """One card for each part below a line `=== title ===`."""
    out: list[Record] = []
    title, first = "", 0
    body: list[str] = []
    for number, row in enumerate([*lines(text), "=== end ==="]):
        found = _SECTION.fullmatch(row.strip()) if len(row) < MAX_LINE else None
        if found is None:
            body.append(row)
            continue
        if title and "".join(body).strip():
            out.append(Record(title, body="\n".join(body).strip(), line=first))
        title, first, body = found[1], number, []
    return out[:MAX_RECORDS]


def states(text: str) -> list[Record]:
    """One card for each `name:` at the beginning of a line, with the indented or drawn tree below it."""
    out: list[Record] = []
    for number, row in enumerate(lines(text)):
        found = _STATE.fullmatch(row)
        if found is not None:
            out.append(Record(found[1].strip(), line=number))
        elif out and row.strip():
            last = out[-1]
            out[-1] = Record(last.name, body=f"{last.body}\n{row}".strip("\n"), line=last.line)
    return [record for record in out if record.body][:MAX_RECORDS]


def matrix(text: str) -> list[Record]:
    """One card for each row of a table whose first column is headed by a word for a name."""
    out: list[Record] = []
    head: list[str] = []
    seen: set[str] = set()
    for number, row in enumerate(lines(text)):
        found = _ROW.fullmatch(row)
        if found is None:
            head = []
            continue
        cells = [_MARKS.sub("", cell).strip() for cell in found[1].split("|")]
        if not head:
            head = cells
        elif head[0].casefold() in _FIRST_CELLS and not _RULE.fullmatch(row):
            name = cells[0]
            if name and name.casefold() not in _EMPTY and name not in seen:
                seen.add(name)
                meta = {k: v for k, v in zip(head[1:], cells[1:], strict=False) if k and v}
                out.append(Record(name, meta, line=number))
    return out[:MAX_RECORDS]


READERS: Mapping[str, Callable[[str], list[Record]]] = {
    "headings": headings,
    "roles": roles,
    "words": words,
    "sections": sections,
    "states": states,
    "matrix": matrix,
}


def _cut(text: str, make: Callable[[str, list[str], int], Record]) -> list[Record]:
    out: list[Record] = []
    title, first = "", 0
    body: list[str] = []
    fenced = False
    for number, row in enumerate(lines(text)):
        fenced ^= row.lstrip().startswith(("```", "~~~"))
        plain = fenced or len(row) >= MAX_LINE
        found = None if plain else _HEADING.fullmatch(row.lstrip("\ufeff"))
        if found is None or len(found[1]) > 1:
            body.append(row)
            continue
        if title:
            out.append(make(title, body, first))
        title, first, body = _MARKS.sub("", found[2]).strip(), number, []
    if title:
        out.append(make(title, body, first))
    return out[:MAX_RECORDS]


def _role(title: str, rows: list[str], line: int) -> Record:
    meta: dict[str, Any] = {}
    key, part = "", list[str]()
    for row in [*rows, "## "]:
        found = _HEADING.fullmatch(row) if len(row) < MAX_LINE else None
        if found is None or len(found[1]) != 2:
            part.append(row)
            continue
        if key:
            meta[key] = _value(part)
        elif said := "\n".join(part).strip():
            meta["description"] = said
        key, part = _MARKS.sub("", found[2]).strip(), []
    return Record(title, meta, line=line)


def _value(rows: list[str]) -> Any:
    """A list where every line is an item, else the text."""
    said = [row for row in rows if row.strip()]
    items = [found[1].strip() for row in said if (found := _ITEM.fullmatch(row))]
    return items if said and len(items) == len(said) else "\n".join(rows).strip()
