"""Leaves as bytes in `index.db`, and back. Records of another version are no records."""

from __future__ import annotations

import json
import struct
import sys
from array import array
from dataclasses import asdict, fields
from functools import lru_cache
from typing import Any

import inkwright
from inkwright.domain.cards import Card, Fact, Match
from inkwright.domain.manuscript import Counts, Problem
from inkwright.manuscript.layouts import Place
from inkwright.manuscript.leaf import Found, Leaf
from inkwright.manuscript.naming import Reading
from inkwright.manuscript.walk import Seen
from inkwright.store.index_store import FileRecord

VERSION = f"{inkwright.__version__}/8/{sys.byteorder}{array('I').itemsize}"
"""To be raised when anything that is worked out of a text comes out differently than before."""

_HEAD = struct.Struct("=?7I")
"""Whether the file may have changed unseen; the four counts; bytes of the place, of the rest, and of the tallies."""
_READ = json.JSONDecoder()
_WRITE = json.JSONEncoder(default=str, ensure_ascii=False, separators=(",", ":"))
_PLACE = tuple(field.name for field in fields(Place))


def record(leaf: Leaf, seen: Seen, racy: bool) -> FileRecord:
    """`racy`: the file may have changed again since without looking so."""
    found, counts = leaf.found, leaf.counts
    said: object = None
    if leaf.card is not None:
        said = asdict(leaf.card)
    elif leaf.within:
        said = [asdict(card) for card in leaf.within]
    elif leaf.role == "chapter":
        name = leaf.reading
        read = (name.number, name.title, name.kind, name.prefix, name.outer, name.rank, name.sure)
        said = (leaf.heading, leaf.meta, leaf.marks, read, found.version)
    problems = [(p.line, p.code, dict(p.params)) for p in leaf.problems]
    place = _packed(leaf.place)
    rest = _json((leaf.role, leaf.readonly, problems, said))
    tallies = found.tallies.tobytes()
    numbers = (counts.mixed, counts.han, counts.word, counts.nonspace)
    head = _HEAD.pack(racy, *numbers, len(place), len(rest), len(tallies))
    payload = b"".join((head, place, rest, tallies, found.places.tobytes()))
    return FileRecord(
        leaf.path, seen.mtime_ns, seen.size, leaf.digest, VERSION, payload, found.cards, seen.ctime_ns
    )


def leaf(kept: FileRecord) -> Leaf | None:
    """The leaf of a record; None for an unusable one, and where the file must be read again to be sure."""
    if kept.version != VERSION:
        return None
    payload = kept.payload
    try:
        racy, mixed, han, word, nonspace, place_size, rest_size, tallies_size = _HEAD.unpack_from(payload)
        if racy:
            return None
        rest_at = _HEAD.size + place_size
        tallies_at = rest_at + rest_size
        places_at = tallies_at + tallies_size
        place = _place(payload[_HEAD.size : rest_at])
        text = payload[rest_at:tallies_at].decode("utf-8", "surrogatepass")
        (role, readonly, problems, said), _ = _READ.raw_decode(text)
        told = tuple([Problem(kept.path, *row) for row in problems]) if problems else ()
        if role != "chapter":
            within = tuple([_card(row) for row in said]) if isinstance(said, list) else ()
            card = None if said is None or isinstance(said, list) else _card(said)
            return Leaf(
                kept.path, role, place, kept.digest, readonly, card=card, problems=told, within=within
            )
        heading, meta, marks, read, version = said
        tallies = array("I", payload[tallies_at:places_at])
        if len(tallies) != len(kept.names):
            return None
        return Leaf(
            kept.path,
            role,
            place,
            kept.digest,
            readonly,
            heading,
            Counts(mixed, han, word, nonspace),
            meta,
            Found(sys.intern(version), kept.names, tallies, array("I", payload[places_at:])),
            None,
            told,
            tuple([(line, level, title) for line, level, title in marks]) if marks else (),
            (),
            Reading(*read),
        )
    except (ValueError, KeyError, TypeError, IndexError, StopIteration, struct.error):
        return None


def _json(value: object) -> bytes:
    return _WRITE.encode(value).encode("utf-8", "surrogatepass")


@lru_cache(maxsize=1024)
def _packed(place: Place) -> bytes:
    return _json([getattr(place, name) for name in _PLACE])


@lru_cache(maxsize=1024)
def _place(data: bytes) -> Place:
    """One for all files of a folder."""
    role, type_, volume, fixed, reader, title, order, meta, locked = json.loads(
        data.decode("utf-8", "surrogatepass")
    )
    told = tuple([(key, value) for key, value in meta])
    return Place(role, type_, volume, fixed, reader, title, tuple(order), told, locked)


def _card(row: dict[str, Any]) -> Card:
    row["match"] = Match(row["match"]["case"], tuple(row["match"]["exclude"]))
    row["facts"] = tuple(Fact(**fact) for fact in row["facts"])
    row["aliases"], row["tags"] = tuple(row["aliases"]), tuple(row["tags"])
    return Card(**row)
