"""A chapter gets another place in the reading order: the fewest edits, the right order, or a reason why not."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from inkwright.domain.errors import InkwrightError
from inkwright.domain.manuscript import Chapter, Counts
from inkwright.domain.text import apply
from inkwright.manuscript import frontmatter, moving, naming, ordering


def chapter(path, order=None):
    meta = {} if order is None else {"order": order}
    return Chapter(path, path, "", None, "main", Counts(), meta)


def book(**orders):
    """Chapters in the order that the house gives them."""
    placed = {f"{name}.md": ordering.placed(name, "", order) for name, order in orders.items()}
    return [chapter(path, orders[path[:-3]]) for path in ordering.reading_order(placed)]


def moved(chapters, orders):
    """The reading order once the chapters have their new numbers."""
    placed = {
        c.path: ordering.placed(c.path[:-3], "", orders.get(c.path, c.meta.get("order"))) for c in chapters
    }
    return [path[:-3] for path in ordering.reading_order(placed)]


@pytest.mark.parametrize(
    ("where", "order", "expected"),
    [
        ({"after": "c.md"}, {"a.md": "4"}, "bca"),
        ({"before": "c.md"}, {"a.md": "2.5"}, "bac"),
        ({"index": 2}, {"a.md": "4"}, "bca"),
        ({"index": 1}, {"a.md": "2.5"}, "bac"),
        ({"index": 0}, {}, "abc"),
        ({"before": "b.md"}, {}, "abc"),
    ],
)
def test_one_number_changes(where, order, expected):
    """The chapter's own, between those of its new neighbours; nothing when it stands there already."""
    chapters = book(a=1, b=2, c=3)
    found = moving.orders(chapters, "a.md", moving.target(chapters, "a.md", **where))
    assert found == order
    assert "".join(moved(chapters, found)) == expected


def test_without_room_the_folder_is_numbered_anew():
    """Two of the same number have none between them; only chapters whose number differs are touched."""
    chapters = book(a=1, b=2, c=2, d=4)
    found = moving.orders(chapters, "d.md", moving.target(chapters, "d.md", before="c.md"))
    assert found == {"c.md": "4", "d.md": "3"}
    assert "".join(moved(chapters, found)) == "abdc"


FINE = st.one_of(st.floats(-3, 9), st.floats(-1e-5, 1e-5))
NUMBERS = st.one_of(st.integers(-5, 9).map(str), FINE.map(lambda f: f"{f:.6f}"))


@given(st.lists(NUMBERS, min_size=2, max_size=8), st.data())
def test_the_order_that_is_wanted_comes_out(numbers, data):
    """Whatever the numbers are: the chapter stands where it was sent, and the others as they stood."""
    chapters = book(**{chr(97 + i): number for i, number in enumerate(numbers)})
    before = [c.path for c in chapters]
    path = data.draw(st.sampled_from(before))
    index = data.draw(st.integers(0, len(before) - 1))
    others = [p for p in before if p != path]
    found = moving.orders(chapters, path, moving.target(chapters, path, index=index))
    wanted = [*others[:index], path, *others[index:]]
    assert moved(chapters, found) == [p[:-3] for p in wanted]
    assert all(naming.order_value(value) is not None for value in found.values())


@given(NUMBERS, NUMBERS)
def test_a_number_between(low, high):
    """Between two different numbers, or none; a whole one when there is one."""
    low, high = float(low), float(high)
    assume(low < high)
    value = moving.between(low, high)
    assert value is None or low < float(value) < high
    assert value is not None or high - low <= 2e-6
    assert value is None or naming.order_value(value) == float(value)


@pytest.mark.parametrize(
    ("chapters", "path", "where", "code"),
    [
        ([chapter("a.md", 1), chapter("b.md")], "a.md", {"after": "b.md"}, "move_by_names"),
        ([chapter("第1章.md"), chapter("第2章.md")], "第1章.md", {"after": "第2章.md"}, "move_by_names"),
        ([chapter("a/1.md", 1), chapter("b/2.md", 2)], "a/1.md", {"after": "b/2.md"}, "move_other_folder"),
        ([chapter("a/1.md", 1), chapter("b/2.md", 2)], "a/1.md", {"index": 1}, "move_other_folder"),
        ([chapter("a.md", 1)], "x.md", {"index": 0}, "move_no_chapter"),
        ([chapter("a.md", 1)], "a.md", {"after": "a.md"}, "move_no_chapter"),
        ([chapter("a.md", 1)], "a.md", {}, "move_no_chapter"),
        ([chapter("a.md", 1)], "a.md", {"index": 5}, "move_no_place"),
        ([chapter("a.md", 3), chapter("b.md", 1)], "a.md", {"index": 1}, "move_not_by_order"),
    ],
)
def test_what_is_not_ours_is_refused(chapters, path, where, code):
    """Names that make the order, other folders, chapters that are none: each with its own reason."""
    with pytest.raises(InkwrightError) as caught:
        moving.orders(chapters, path, moving.target(chapters, path, **where))
    assert caught.value.fault.code == code


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\ntitle: 甲\norder: 3 # 三\n---\n文", "---\ntitle: 甲\norder: 2.5 # 三\n---\n文"),
        ("---\r\norder: '3'\r\n---\r\n文", "---\r\norder: '2.5'\r\n---\r\n文"),
        ("\ufeff---\n序号: 十二\n---\n", "\ufeff---\n序号: 2.5\n---\n"),
        ("---\n{order: 3, title: 甲}\n---\n", "---\n{order: 2.5, title: 甲}\n---\n"),
        ("---\nsequence: 3\n---\n", None),
        ("---\norder: 3\norder: 4\n---\n", None),
        ("---\norder: &n 3\nmore: *n\n---\n", None),
        ("order: 3\n", None),
        ("", None),
    ],
)
def test_only_the_number_is_written(text, expected):
    """Quotes, comments, line ends and the rest stay; what cannot be replaced alone is not written."""
    change = moving.edit(text, "2.5")
    assert (None if change is None else apply(text, [change])) == expected
    assert expected is None or frontmatter.read(expected).problem is None
