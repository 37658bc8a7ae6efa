"""The ledger of threads, and threads that are marked in the text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.domain.manuscript import Chapter, Counts
from inkwright.manuscript import facts, markdown, naming, threads
from inkwright.manuscript.index import BookIndex
from inkwright.manuscript.layouts import Place
from inkwright.manuscript.leaf import from_text
from inkwright.manuscript.ledger import finished, ledger
from inkwright.manuscript.mentions import Dictionary
from inkwright.manuscript.places import Order


def _chapters(*rows, **more):
    return [
        Chapter(f"第{n}章.md", f"第{n}章", "", n, "main", Counts(), {"threads": row, **more})
        for n, row in enumerate(rows, 1)
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("雨。<!-- 伏笔: 玉佩 埋设 -->", [("玉佩", "planted", "")]),
        ("雨。<!-- 伏笔：玉佩（回收） -->", [("玉佩", "paid", "")]),
        ("<!-- thread: the jade ring planted -->", [("the jade ring", "planted", "")]),
        (
            "<!-- Thread: the jade ring: planted, due Chapter 9 -->",
            [("the jade ring", "planted", "Chapter 9")],
        ),
        ("<!-- 伏笔: 信 埋设；期限 第十章；船 回收 -->", [("信", "planted", "第十章"), ("船", "paid", "")]),
        ("%% 线索: 旧信 %%", [("旧信", "", "")]),
        ("<!-- TODO: 玉佩 埋设 -->", []),
        ("<!-- 伏笔 -->", []),
        ("他说：伏笔: 玉佩 埋设", []),
    ],
)
def test_marks(text, found):
    """A comment that begins with a word for threads names them; other comments and prose do not."""
    marks = threads.marks(text, markdown.scan(text).comments)
    assert [tuple(mark.touch) for mark in marks] == found
    assert all(mark.span.of(text) == mark.touch.name for mark in marks)


def test_marks_are_in_the_index():
    """What is marked in the text stands beside what front matter says, and is found where it stands."""
    text = "---\nthreads: [船]\n---\n# 一\n\n她把信收好。<!-- 伏笔: 信 埋设 -->\n"
    leaf = from_text("一.md", text, Place("chapter"), Dictionary([]))
    assert [tuple(t)[:2] for t in threads.read(leaf.meta["threads"])] == [("船", ""), ("信", "planted")]
    assert [(name, span.of(text)) for name, span in threads.places(text)] == [("船", "船"), ("信", "信")]
    assert threads.place(text, "信").start > text.index("# 一")


def test_the_ledger():
    """What is set up and paid is paid; what is due and was passed is overdue; what waits is open; what is paid out of nothing is said."""
    chapters = _chapters(
        [{"name": "信", "state": "planted", "due": "第3章"}, "船", {"name": "刀", "due": "第9章"}],
        ["船：推进", "剑：回收"],
        ["灯（待回收）"],
        ["船：回收"],
    )
    rows = {row.name: row for row in ledger(chapters)}
    assert {name: row.standing for name, row in rows.items()} == {
        "信": "overdue",
        "船": "paid",
        "刀": "open",
        "剑": "unplanted",
        "灯": "overdue",
    }
    assert (rows["船"].planted, rows["船"].progress, rows["船"].paid) == ((0,), (1,), (3,))
    assert (rows["信"].due, rows["信"].due_said, rows["灯"].due) == (2, "第3章", 2)
    assert rows["刀"].due is None


def test_a_finished_book_owes_nothing():
    """When the last chapter says that the book ends, or all are final, what is not paid is unpaid."""
    assert ledger(_chapters(["信"], []))[0].standing == "open"
    assert ledger(_chapters(["信"], [], status="final"))[0].standing == "unpaid"
    assert ledger(_chapters(["信"], ["信：回收"], status="定稿"))[0].standing == "paid"
    assert not finished([])
    ended = [
        *_chapters(["信"]),
        Chapter("尾声.md", "尾声", "", None, "epilogue", Counts(), {"status": "全书完"}),
    ]
    assert ledger(ended)[0].standing == "unpaid"


def test_set_up_and_paid_in_one_chapter():
    """A thread that a single chapter opens and closes is paid."""
    chapters = _chapters([{"name": "灯", "state": "planted"}, {"name": "灯", "state": "paid"}])
    assert ledger(chapters)[0].standing == "paid"
    assert [state for _, state in threads.course(chapters, "灯")] == ["paid"]


_REFERENCES = st.one_of(
    st.sampled_from(["第3章", "Chapter 2", "第九章", "", "nowhere", "一", "v/2", "第2章.md"]),
    st.text(max_size=6),
)


def _looked_for(reference, chapters):
    """What `place` means, chapter by chapter."""
    for at, chapter in enumerate(chapters):
        if reference.strip() in (chapter.title, chapter.path, chapter.path.rpartition("/")[2][:-3]):
            return at
    number = naming.parse(reference.strip()).number
    if number is None:
        return float("inf")
    numbered = [(at, c.number) for at, c in enumerate(chapters) if c.number is not None]
    exact = [at for at, n in numbered if n == number]
    after = [at - 0.5 for at, n in numbered if n > number]
    return (exact or after or [float("inf")])[0]


@given(st.lists(st.integers(1, 6) | st.none(), max_size=6), _REFERENCES)
def test_an_order_finds_what_a_search_finds(numbers, reference):
    """A reference is placed, again and again, where a look at one chapter after the other finds it; and a chapter
    is called so that it is found."""
    chapters = [
        Chapter(f"v/{at}.md", f"第{n}章" if n else "一", "", n, "main", Counts())
        for at, n in enumerate(numbers)
    ]
    order = Order(chapters)
    assert order.place(reference) == order.place(reference) == _looked_for(reference, chapters)
    for at in range(len(chapters)):
        assert order.place(order.reference(at, chinese=True)) == at
        assert order.place(facts.reference(order, at)) == at


async def test_the_ledger_of_a_book_is_worked_out_once(tmp_path):
    """Prose that is typed leaves it as it is, for every document and lens; a thread that is paid does not."""
    head = "---\nthreads:\n  - 铜牌\n---\n"
    (tmp_path / "一.md").write_text(f"{head}江上起雾。\n", "utf-8")
    (tmp_path / "二.md").write_text("船走了。\n", "utf-8")
    index = await BookIndex.open(tmp_path)
    try:
        await index.build()
        (row,) = rows = index.overview().ledger()
        assert (row.name, row.standing) == ("铜牌", "open")
        index.set_buffer("二.md", "船走了，又回来了。\n")
        await index.settled()
        assert index.overview().ledger() is rows
        index.set_buffer("二.md", "---\nthreads:\n  - name: 铜牌\n    state: paid\n---\n")
        await index.settled()
        assert [row.standing for row in index.overview().ledger()] == ["paid"]
    finally:
        await index.close()
