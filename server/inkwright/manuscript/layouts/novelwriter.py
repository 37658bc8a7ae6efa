"""novelWriter: documents with names that say nothing, put in order by the tree in `nwProject.nwx`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from inkwright.manuscript.layouts.base import OTHER, Place, Project, below, join
from inkwright.manuscript.layouts.ground import Ground
from inkwright.manuscript.layouts.records import MAX_RECORDS, Record, lines

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

ID = "novelwriter"

_HANDLE = re.compile(r"[0-9a-f]{13}")
_HEADING = re.compile(r"(#{1,4})!?[ \t]+(.*)")
_TAG = re.compile(r"@([A-Za-z]+)[ \t]*:[ \t]*(.*)")
_COMMENT = re.compile(r"%[ \t]*([A-Za-z]+)(?:\.[^:]*)?[ \t]*:[ \t]*(.*)")
_TYPES = {
    "CHARACTER": "character",
    "WORLD": "location",
    "TIMELINE": "timeline",
    "OBJECT": "item",
    "ENTITY": "faction",
    "PLOT": "plot",
    "CUSTOM": "misc",
}
_KEYS = {
    "pov": "pov",
    "focus": "characters",
    "char": "characters",
    "mention": "mentions",
    "location": "location",
    "time": "time",
    "plot": "threads",
    "object": "items",
    "entity": "factions",
    "custom": "custom",
}
_MAX_DEPTH = 60


@dataclass(slots=True)
class _Item:
    """One node of the tree. `position` is its place among all, `kind` ROOT, FOLDER or FILE."""

    handle: str
    parent: str
    order: float
    position: int
    kind: str
    cls: str
    layout: str
    name: str
    status: str
    active: bool


def find(ground: Ground) -> Iterator[Project]:
    """One for each project file that can be read; without it the order is not known, which is said."""
    for base in ground.bases("nwProject.nwx"):
        before = len(ground.problems)
        path = join(base, "nwProject.nwx")
        root = ground.xml(path)
        if root is None and len(ground.problems) == before:
            ground.told(path, "project_file_bad", error="empty")
        items = {} if root is None else _items(root)
        known = _places(base, items)
        for item in items.values():
            if item.kind == "FILE" and not ground.has(_file(base, item.handle)):
                ground.told(path, "project_names_missing", name=item.name or item.handle)
        title, author = _said(root)
        yield Project(ID, base, partial(_place, base, known), rest="other", title=title, author=author)


def records(text: str) -> list[Record]:
    """A card for each heading with an `@tag:` below it: the tag, or the name after its bar, and the heading."""
    out: list[Record] = []
    heading, first = "", 0
    tag, meta = "", dict[str, Any]()
    body: list[str] = []

    def close() -> None:
        if tag:
            short, _, shown = (part.strip() for part in tag.partition("|"))
            name = shown or heading or short
            others = tuple(dict.fromkeys(n for n in (short, shown, heading) if n and n != name))
            out.append(Record(name, meta, aliases=others, body="\n".join(body).strip(), line=first))

    for number, row in enumerate(lines(text)):
        found = _HEADING.fullmatch(row)
        if found is not None:
            close()
            heading, first, tag, meta, body = found[2].strip(), number, "", {}, []
        elif (said := _TAG.fullmatch(row)) is not None:
            if said[1].lower() == "tag":
                tag = tag or said[2].strip()
            else:
                _put(meta, said[1].lower(), said[2])
        elif (told := _COMMENT.fullmatch(row)) is not None and told[1].lower() in ("synopsis", "short"):
            meta.setdefault("summary", told[2].strip())
        elif not row.startswith("%"):
            body.append(row)
    close()
    return out[:MAX_RECORDS]


def meta(text: str) -> dict[str, Any]:
    """What the `@` lines and the labelled comments of a document say, under our field names."""
    out: dict[str, Any] = {}
    for row in lines(text):
        if (said := _TAG.fullmatch(row)) is not None:
            key = _KEYS.get(said[1].lower())
            if key is not None:
                _put(out, key, said[2])
        elif (told := _COMMENT.fullmatch(row)) is not None and told[1].lower() in ("synopsis", "short"):
            out.setdefault("synopsis", told[2].strip())
    for key in ("pov", "location", "time"):
        if key in out:
            out[key] = ", ".join(out[key])
    return out


def _put(meta: dict[str, Any], key: str, written: str) -> None:
    values = [part.strip() for part in written.split(",") if part.strip()]
    meta[key] = list(dict.fromkeys([*meta.get(key, ()), *values]))


def _items(root: Element) -> dict[str, _Item]:
    """The nodes by handle, of the newer form with attributes and the older one with elements."""
    labels = {entry.get("key", ""): (entry.text or "") for entry in root.iter("entry")}
    out: dict[str, _Item] = {}
    for position, node in enumerate(root.iter("item")):

        def said(key: str, node: Element = node) -> str:
            return (node.get(key) or node.findtext(key) or "").strip()

        handle = said("handle")
        name = node.find("name")
        attributes = {} if name is None else name.attrib
        if not _HANDLE.fullmatch(handle) or handle in out:
            continue
        status = attributes.get("status", "") or said("status")
        out[handle] = _Item(
            handle,
            said("parent"),
            float(said("order")) if said("order").isdecimal() else float(position),
            position,
            said("type").upper(),
            said("class").upper(),
            (said("layout") or "DOCUMENT").upper(),
            "" if name is None else (name.text or "").strip(),
            labels.get(status, status),
            (attributes.get("active") or said("exported") or "yes").lower() not in ("no", "false"),
        )
    return out


def _places(base: str, items: Mapping[str, _Item]) -> dict[str, Place]:
    out: dict[str, Place] = {}
    for item in items.values():
        if item.kind != "FILE":
            continue
        above = _above(item, items)
        root = above[0].cls if above else item.cls
        path = _file(base, item.handle)
        if item.layout == "NOTE" and root in _TYPES:
            out[path] = Place("card", _TYPES[root], fixed=True, reader="novelwriter-note")
        elif item.layout != "NOTE" and root == "NOVEL":
            order = tuple([x for node in (*above, item) for x in (node.order, float(node.position))])
            if not above:  # it hangs in the air: no word is lost, and the others keep their places
                order = (float("inf"), *order)
            volume = "/".join(node.name.replace("/", "／") for node in above[1:] if node.name)
            meta = [("status", item.status)] if item.status else []
            meta += [] if item.active else [("compile", "false")]
            out[path] = Place("chapter", "", volume, True, "novelwriter", item.name, order, tuple(meta))
    return out


def _above(item: _Item, items: Mapping[str, _Item]) -> list[_Item]:
    """The nodes above one, the root first; none for one that hangs in the air or in a ring."""
    out: list[_Item] = []
    at = item
    while at.parent in items:
        at = items[at.parent]
        out.append(at)
        if len(out) > _MAX_DEPTH:
            return []
    return out[::-1] if out and out[-1].kind == "ROOT" else []


def _place(base: str, known: Mapping[str, Place], path: str) -> Place | None:
    found = known.get(path)
    return OTHER if found is None and below(base, path).startswith("content/") else found


def _file(base: str, handle: str) -> str:
    return join(base, f"content/{handle}.nwd")


def _said(root: Element | None) -> tuple[str, str]:
    """The title and the authors of a project."""
    project = None if root is None else root.find("project")
    if project is None:
        return "", ""
    title = project.findtext("title") or project.findtext("name") or ""
    authors = [(author.text or "").strip() for author in project.iter("author")]
    return title.strip(), ", ".join(filter(None, authors))
