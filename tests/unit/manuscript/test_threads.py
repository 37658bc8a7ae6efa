"""Threads in front matter."""

from __future__ import annotations

import pytest

from inkwright.domain.manuscript import Chapter, Counts
from inkwright.manuscript import threads


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (["船夫"], [("船夫", "")]),
        ("船夫, 信（回收）", [("船夫", ""), ("信", "paid")]),
        (["信：埋设", "the letter (Payoff)"], [("信", "planted"), ("the letter", "paid")]),
        ([{"信": "推进"}], [("信", "progress")]),
        ([{"name": "信", "state": "planted"}], [("信", "planted")]),
        ({"信": "回收", "船": None}, [("信", "paid"), ("船", "")]),
        (["门（左）", "a: b"], [("门（左）", ""), ("a: b", "")]),
        ([1, True, None, "信", "信（回收）"], [("1", ""), ("信", "paid")]),
        (None, []),
    ],
)
def test_entries(value, found):
    """Names alone, with what happens to them, as mappings; each name once, with all that is said of it; other brackets belong to the name."""
    assert [(touch.name, touch.state) for touch in threads.read(value)] == found


GAP = " " * 200_000


@pytest.mark.parametrize("value", [f"a{GAP}b", f"a:{GAP}(", f"a{GAP}:", f"a ({GAP}"])
def test_a_stranger_s_entry_costs_its_length(value):
    """A front matter from the internet: it is read like any other, and nobody waits for it."""
    assert threads.read(value) == (threads.Touch(value.strip()),)


def test_a_course():
    """In reading order; the first without a word sets it up, the others go on with it."""
    rows = [["信"], [], ["信"], [{"信": "回收"}]]
    chapters = [
        Chapter(f"{n}", f"{n}", "", n, "main", Counts(), {"threads": row}) for n, row in enumerate(rows)
    ]
    assert [(chapter.path, state) for chapter, state in threads.course(chapters, "信")] == [
        ("0", "planted"),
        ("2", "progress"),
        ("3", "paid"),
    ]
    assert threads.names(chapters) == ["信"]


def test_places():
    """Where each name stands, in lists of every form."""
    text = '---\n伏笔:\n  - 船夫: 回收\n  - "信"\n  - 雪（埋设）\nstatus: 雪\n---\n雪\n'
    assert [(name, span.of(text)) for name, span in threads.places(text)] == [
        ("船夫", "船夫"),
        ("信", "信"),
        ("雪", "雪"),
    ]
