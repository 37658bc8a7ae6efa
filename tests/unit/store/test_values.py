"""Strings at SQLite's border."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from hypothesis import given
from hypothesis import strategies as st

from inkwright.store import texts
from inkwright.store.values import pack, pack_json, unpack, unpack_json

ANY = st.text(alphabet=st.characters(codec=None, exclude_categories=()))


@given(ANY)
def test_every_string_passes_the_border(text: str) -> None:
    """Lone surrogates, adjacent ones, NUL and U+2028 come back as they went in."""
    with closing(sqlite3.connect(":memory:")) as conn:
        conn.execute("CREATE TABLE t (v TEXT, j TEXT)")
        conn.execute("INSERT INTO t VALUES (?, ?)", (pack(text), pack_json({"text": text})))
        value, data = conn.execute("SELECT v, j FROM t").fetchone()
    assert unpack(value) == text
    assert unpack_json(data) == {"text": text}


@given(ANY)
def test_long_texts_pass_it_too(text: str) -> None:
    """A text under its digest is the text that was kept."""
    with closing(sqlite3.connect(":memory:")) as conn:
        conn.execute("CREATE TABLE texts (digest TEXT PRIMARY KEY, chars INTEGER, body BLOB)")
        name = texts.put(conn, text)
        assert texts.put(conn, text) == name == texts.digest(text)
        assert texts.get(conn, name) == text
        assert conn.execute("SELECT count(*) FROM texts").fetchone() == (1,)


def test_adjacent_lone_surrogates_do_not_become_a_character() -> None:
    """JSON escapes would have made one emoji of these two code points."""
    assert unpack_json(pack_json("\ud83d\ude00")) == "\ud83d\ude00"
    assert len(unpack_json(pack_json("\ud83d\ude00"))) == 2
