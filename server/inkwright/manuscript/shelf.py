"""Leaves as bytes in `index.db`, and back. Records of another version are no records."""

from __future__ import annotations

import json
import sys
from array import array
from dataclasses import asdict
from typing import Any

import inkwright
from inkwright.domain.cards import Card, Fact, Match
from inkwright.domain.manuscript import Counts, Problem
from inkwright.manuscript.layouts import Place
from inkwright.manuscript.leaf import Found, Leaf
from inkwright.manuscript.walk import Seen
from inkwright.store.index_store import FileRecord

VERSION = f"{inkwright.__version__}/1/{sys.byteorder}{array('I').itemsize}"
"""To be raised when anything that is worked out of a text comes out differently than before."""


def record(leaf: Leaf, seen: Seen, racy: bool) -> FileRecord:
    """`racy`: the file may have changed again since without looking so."""
    head: dict[str, Any] = {
        "role": leaf.role,
        "place": [leaf.place.role, leaf.place.type, leaf.place.volume, leaf.place.fixed],
        "problems": [[p.line, p.code, dict(p.params)] for p in leaf.problems],
        "racy": racy,
    }
    if leaf.readonly:
        head["readonly"] = leaf.readonly
    if leaf.card is not None:
        head["card"] = asdict(leaf.card)
    elif leaf.role == "chapter":
        counts = leaf.counts
        head["heading"] = leaf.heading
        head["counts"] = [counts.mixed, counts.han, counts.word, counts.nonspace]
        head["meta"] = leaf.meta
        head["found"] = [leaf.found.version, leaf.found.cards, leaf.found.tallies]
    line = json.dumps(head, default=str, separators=(",", ":")).encode()
    payload = line + b"\n" + leaf.found.places.tobytes()
    return FileRecord(leaf.path, seen.mtime_ns, seen.size, leaf.digest, VERSION, payload)


def leaf(kept: FileRecord) -> Leaf | None:
    """The leaf of a record; None for an unusable one, and where the file must be read again to be sure."""
    if kept.version != VERSION:
        return None
    try:
        line, _, packed = bytes(kept.payload).partition(b"\n")
        head = json.loads(line)
        if head["racy"]:
            return None
        places = array("I")
        places.frombytes(packed)
        found = head.get("found")
        return Leaf(
            path=kept.path,
            role=head["role"],
            place=Place(*head["place"]),
            digest=kept.digest,
            readonly=head.get("readonly", ""),
            heading=head.get("heading", ""),
            counts=Counts(*head.get("counts", ())),
            meta=head.get("meta", {}),
            found=Found(found[0], tuple(map(sys.intern, found[1])), tuple(found[2]), places)
            if found
            else Found(),
            card=_card(head["card"]) if "card" in head else None,
            problems=tuple(Problem(kept.path, *row) for row in head["problems"]),
        )
    except (ValueError, KeyError, TypeError, IndexError):
        return None


def _card(row: dict[str, Any]) -> Card:
    row["match"] = Match(row["match"]["case"], tuple(row["match"]["exclude"]))
    row["facts"] = tuple(Fact(**fact) for fact in row["facts"])
    row["aliases"], row["tags"] = tuple(row["aliases"]), tuple(row["tags"])
    return Card(**row)
