"""Leaves as bytes in `index.db`, and back. Records of another version are no records."""

from __future__ import annotations

import json
import sys
from array import array
from dataclasses import asdict, fields
from functools import lru_cache
from typing import Any

import inkwright
from inkwright.domain.cards import Card, Fact, Match
from inkwright.domain.manuscript import Counts, Problem
from inkwright.manuscript.layouts import Place, Role
from inkwright.manuscript.leaf import Found, Leaf
from inkwright.manuscript.walk import Seen
from inkwright.store.index_store import FileRecord

VERSION = f"{inkwright.__version__}/6/{sys.byteorder}{array('I').itemsize}"
"""To be raised when anything that is worked out of a text comes out differently than before."""


_JSON = json.JSONDecoder()
_PLACE = tuple(field.name for field in fields(Place))


def record(leaf: Leaf, seen: Seen, racy: bool) -> FileRecord:
    """`racy`: the file may have changed again since without looking so."""
    place, counts, found = leaf.place, leaf.counts, leaf.found
    said: object = None
    if leaf.card is not None:
        said = asdict(leaf.card)
    elif leaf.within:
        said = [asdict(card) for card in leaf.within]
    elif leaf.role == "chapter":
        numbers = (counts.mixed, counts.han, counts.word, counts.nonspace)
        said = (leaf.heading, numbers, leaf.meta, found.version, found.cards, found.tallies, leaf.marks)
    problems = [(p.line, p.code, dict(p.params)) for p in leaf.problems]
    where = [getattr(place, name) for name in _PLACE]
    head = (racy, leaf.role, where, leaf.readonly, problems, said)
    line = json.dumps(head, default=str, ensure_ascii=False, separators=(",", ":"))
    payload = line.encode("utf-8", "surrogatepass") + b"\n" + found.places.tobytes()
    return FileRecord(leaf.path, seen.mtime_ns, seen.size, leaf.digest, VERSION, payload)


def leaf(kept: FileRecord) -> Leaf | None:
    """The leaf of a record; None for an unusable one, and where the file must be read again to be sure."""
    if kept.version != VERSION:
        return None
    try:
        line, _, packed = kept.payload.partition(b"\n")
        racy, role, where, readonly, problems, said = _JSON.decode(line.decode("utf-8", "surrogatepass"))
        if racy:
            return None
        told = tuple([Problem(kept.path, *row) for row in problems])
        *plain, order, meta_, locked = where
        place = _place(*plain, tuple(order), tuple([(key, value) for key, value in meta_]), locked)
        if role != "chapter":
            within = tuple([_card(row) for row in said]) if isinstance(said, list) else ()
            card = None if said is None or isinstance(said, list) else _card(said)
            return Leaf(
                kept.path, role, place, kept.digest, readonly, card=card, problems=told, within=within
            )
        heading, counts, meta, version, cards, tallies, marks = said
        places = array("I")
        places.frombytes(packed)
        found = Found(sys.intern(version), tuple(map(sys.intern, cards)), tuple(tallies), places)
        return Leaf(
            kept.path,
            role,
            place,
            kept.digest,
            readonly,
            heading,
            Counts(*counts),
            meta,
            found,
            problems=told,
            marks=tuple([(line, level, title) for line, level, title in marks]),
        )
    except (ValueError, KeyError, TypeError, IndexError):
        return None


@lru_cache(maxsize=1024)
def _place(
    role: Role,
    type_: str,
    volume: str,
    fixed: bool,
    reader: str,
    title: str,
    order: tuple[float, ...],
    meta: tuple[tuple[str, str], ...],
    readonly: str,
) -> Place:
    """One for all files of a folder."""
    return Place(role, type_, volume, fixed, reader, title, order, meta, readonly)


def _card(row: dict[str, Any]) -> Card:
    row["match"] = Match(row["match"]["case"], tuple(row["match"]["exclude"]))
    row["facts"] = tuple(Fact(**fact) for fact in row["facts"])
    row["aliases"], row["tags"] = tuple(row["aliases"]), tuple(row["tags"])
    return Card(**row)
