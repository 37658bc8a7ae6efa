"""Manuskript: numbered folders of texts with headers, characters, a world, plots."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from inkwright.domain.manuscript import Problem
from inkwright.manuscript.layouts.base import OTHER, Place, Project, below, join
from inkwright.manuscript.layouts.ground import Ground, read_xml
from inkwright.manuscript.layouts.records import MAX_RECORDS, Read, Record, lines

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

ID = "manuskript"

_NUMBERED = re.compile(r"(\d{1,6})-(.*)")
_PAIR = re.compile(r"([^\s:][^:]*):(?:[ \t]+(.*))?")
_MAX_DEPTH = 40
_TOO_MANY = 2_000
_SUMMARY = ("Phrase Summary", "Paragraph Summary", "Full Summary")


def find(ground: Ground) -> Iterator[Project]:
    """One for each folder with a `MANUSKRIPT` file; a project in a single archive is named, not read."""
    for base in ground.bases("MANUSKRIPT"):
        outline = join(base, "outline/")
        if any(path.startswith(outline) for path in (*ground.texts, *ground.others)):
            yield _Survey(ground, base).project()
    for path in sorted(ground.others):
        if path.endswith(".msk") and ground.head(path).startswith("PK"):
            ground.told(path, "project_archive")


def header(text: str) -> dict[str, str]:
    """The lines `key: value` that a text begins with, up to its first empty line; indented ones go on."""
    out: dict[str, str] = {}
    key = ""
    for row in lines(text.lstrip("\ufeff")):
        if not row.strip():
            break
        pair = None if row[0] in " \t" else _PAIR.fullmatch(row)
        if pair is not None:
            key = pair[1].strip()
            out[key] = (pair[2] or "").strip()
        elif key and row[0] in " \t":
            out[key] = f"{out[key]}\n{row.strip()}".strip()
        else:
            break
    return out


def records(reader: str, path: str, text: str) -> Read:
    """The cards of `characters/*.txt`, `world.opml` and `plots.xml`."""
    if reader == "manuskript-character":
        return _character(text), []
    problems: list[Problem] = []
    root = read_xml(path, text, problems)
    if root is None:
        return [], problems
    if reader == "manuskript-world":
        body = root.find("body")
        found = _world(root if body is None else body, "world", 0)
    else:
        found = [_plot(element) for element in root.iter("plot")]
    return [record for record in found if record.name][:MAX_RECORDS], problems


def _character(text: str) -> list[Record]:
    """All fields of one character; they may have empty lines between them."""
    meta: dict[str, str] = {}
    key = ""
    for row in lines(text.lstrip("\ufeff")):
        pair = _PAIR.fullmatch(row) if row.strip() and row[0] not in " \t" else None
        if pair is not None:
            key = pair[1].strip()
            meta[key] = (pair[2] or "").strip()
        elif key and row.strip():
            meta[key] = f"{meta[key]}\n{row.strip()}".strip()
    first = meta.pop("Name", "")
    for name in ("ID", "Color", "POV"):
        meta.pop(name, None)
    summary = next((meta.pop(name) for name in _SUMMARY if meta.get(name)), "")
    if summary:
        meta["summary"] = " ".join(summary.split())
    return [Record(first, meta, "character")] if first else []


def _world(element: Element, kind: str, depth: int) -> Iterable[Record]:
    """The leaves and the branches that say something; a branch's name tells the type of what is below it."""
    if depth > _MAX_DEPTH:
        return
    for child in element.findall("outline"):
        name = (child.get("name") or child.get("text") or "").strip()
        said = {key: value for key, value in child.attrib.items() if value and key in _WORLD_KEYS}
        if said or child.find("outline") is None:
            yield Record(name, said, kind)
        yield from _world(child, name or kind, depth + 1)


_WORLD_KEYS = ("description", "passion", "conflict")


def _plot(element: Element) -> Record:
    keys = ("description", "result", "summary", "importance")
    return Record((element.get("name") or "").strip(), {k: v for k in keys if (v := element.get(k))}, "plot")


class _Survey:
    """Reads the headers of folders and the names that characters go by."""

    def __init__(self, ground: Ground, base: str) -> None:
        self.ground = ground
        self.base = base
        self.outline = join(base, "outline/")
        self.titles = self._titles()
        self.povs = self._povs()

    def project(self) -> Project:
        infos = header(self.ground.text(join(self.base, "infos.txt"), wanted=False))
        return Project(
            ID,
            self.base,
            self.place,
            rest="other",
            title=infos.get("Title", ""),
            author=infos.get("Author", ""),
        )

    def place(self, path: str) -> Place | None:
        name = below(self.base, path)
        if path.startswith(self.outline) and path.lower().endswith((".md", ".txt", ".html")):
            return self._chapter(path)
        if name.startswith("characters/") and name.endswith(".txt"):
            return Place("card", "character", fixed=True, reader="manuskript-character")
        if name == "world.opml":
            return Place("card", fixed=True, reader="manuskript-world")
        if name == "plots.xml":
            return Place("card", fixed=True, reader="manuskript-plots")
        return None

    def _chapter(self, path: str) -> Place:
        parts = path[len(self.outline) :].split("/")
        if parts[-1] == "folder.txt" or parts[-1].endswith(".html"):
            return OTHER
        found = [_NUMBERED.fullmatch(part) for part in parts]
        order = tuple(float(match[1]) if match else float("inf") for match in found)
        stem = parts[-1].rpartition(".")[0]
        title = _plain(stem)
        folders = [self.outline + "/".join(parts[: n + 1]) for n in range(len(parts) - 1)]
        volume = "/".join(self.titles.get(f) or _plain(f.rpartition("/")[2]) for f in folders)
        pov = self.povs.get(path)
        meta = (("pov", pov),) if pov else ()
        return Place("chapter", "", volume, True, "manuskript", title, order, meta)

    def _titles(self) -> Mapping[str, str]:
        """The titles of folders, which their names have lost to ASCII."""
        paths = [p for p in self.ground.others if p.startswith(self.outline) and p.endswith("/folder.txt")]
        out: dict[str, str] = {}
        for path in sorted(paths)[:_TOO_MANY]:
            title = header(self.ground.text(path)).get("title", "")
            out[path.rpartition("/")[0]] = title.replace("/", "／")
        return out

    def _povs(self) -> Mapping[str, str]:
        """Who tells each text, by path: the texts know them by number alone."""
        folder = join(self.base, "characters/")
        paths = [p for p in self.ground.others if p.startswith(folder) and p.endswith(".txt")]
        found = [header(self.ground.text(path)) for path in sorted(paths)[:_TOO_MANY]]
        names = {one["ID"]: one["Name"] for one in found if one.get("ID") and one.get("Name")}
        if not names:
            return {}
        texts = [path for path in self.ground.texts if path.startswith(self.outline)]
        told = {path: header(self.ground.head(path)).get("POV", "") for path in texts}
        return {path: names[number] for path, number in told.items() if number in names}


def _plain(name: str) -> str:
    """A file name without its number; '' where its letters were all lost."""
    found = _NUMBERED.fullmatch(name)
    said = (found[2] if found else name).replace("_", " ").strip()
    return said if said.strip("- ") else ""
