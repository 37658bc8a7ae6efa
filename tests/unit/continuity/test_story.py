"""A chapter put together: memories and dreams over paragraphs, scenes that are marked, edits that cost their paragraph."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inkwright.checks.book.engine import BookCache, find
from inkwright.checks.book.strips import Kept
from inkwright.checks.continuity import reading

CARDS = {
    "角色/周衡.md": "---\ntype: 角色\nname: 周衡\nfacts:\n  - {key: 生死, value: 死, from: 第一章}\n---\n",
    "角色/林夏.md": "---\ntype: 角色\nname: 林夏\n眼睛: 黑\nfacts:\n  - {key: 左手, value: 断, from: 第一章}\n---\n",
    "characters/Tobin.md": "---\ntype: character\nname: Tobin\nfacts:\n  - {key: status, value: dead, from: 第一章}\n---\n",
    "物品/断水刀.md": "---\ntype: 物品\nname: 断水刀\nfacts:\n  - {key: 持有者, value: 林夏, until: 第一章}\n  - {key: 持有者, value: 周衡, from: 第二章}\n---\n",
    "正文/第一章.md": "# 一\n\n雨。\n",
    "正文/第二章.md": "# 二\n\n雨。\n",
    "正文/第三章.md": "# 三\n\n雨。\n",
}
HERE = "正文/第三章.md"
ACT = "周衡推开门，走了进来。"


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    import asyncio

    from inkwright.manuscript.index import BookIndex

    root = tmp_path_factory.mktemp("book")
    for name, text in CARDS.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text, "utf-8")

    async def overview():
        index = await BookIndex.open(root)
        await index.build()
        view = index.overview()
        await index.close()
        return view

    return asyncio.run(overview())


def codes(book, text, cache=None):
    return [
        (one.code, one.span)
        for one in find(book, HERE, text, cache=cache)
        if one.code.startswith("continuity_")
    ]


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (f"{ACT}", True),
        (f"三年前，雨下了一夜。\n\n{ACT}", False),
        (f"三年前，雨下了一夜。\n\n林夏回过神来。\n\n{ACT}", True),
        (f"三年前，雨下了一夜。\n\n***\n\n{ACT}", True),
        (f"夜深了，林夏睡着了。\n\n{ACT}", False),
        (f"夜深了，林夏睡着了。\n\n{ACT}\n\n林夏惊醒过来。\n\n{ACT}", True),
        (f"林夏想起了那个晚上……\n\n{ACT}", False),
        (f"林夏想起那晚的雨。{ACT}", False),
        (f"## 三年前\n\n{ACT}", False),
        (f"## 三年前\n\n雨。\n\n## 今夜\n\n{ACT}", True),
        (f"<!-- 倒叙 -->\n\n{ACT}", False),
        (f"<!-- mode: dream -->\n\n雨。\n\n***\n\n{ACT}", True),
        (f"%% flashback %%\n\n{ACT}", False),
        (f"<!-- 改一改 -->\n\n{ACT}", True),
        (f"> {ACT}", False),
        (f"```\n{ACT}\n```", False),
        (f"“{ACT}", False),
        (f"“他说：‘{ACT}’”", False),
        ("Years ago, it rained.\n\nTobin opened the door.", False),
        ("It rained.\n\nTobin opened the door.", True),
        ("Mara fell asleep.\n\nTobin opened the door.", False),
        ("Mara fell asleep.\n\nTobin opened the door.\n\nMara woke.\n\nTobin opened the door.", True),
    ],
)
def test_another_time_over_paragraphs(book, body, told):
    """What a paragraph opens holds until somebody comes back, or the scene ends; marks and headings hold for theirs."""
    assert bool(codes(book, f"# 三\n\n{body}\n")) == told


@pytest.mark.parametrize("mode", ["mode: flashback", "叙事: 倒叙", "timeline_mode: dream"])
def test_a_chapter_of_another_time(tmp_path, read_book, write, continuity, mode):
    """Nothing of what cards say of now is held against a chapter that says it is told of another time."""
    root = write(tmp_path, {**CARDS, HERE: f"---\n{mode}\n---\n# 三\n\n{ACT}林夏双手拔出断水刀。\n"})
    assert continuity(read_book(root), root, HERE) == []
    plain = write(tmp_path / "b", {**CARDS, HERE: f"# 三\n\n{ACT}林夏双手拔出断水刀。\n"})
    assert {one.code for one in continuity(read_book(plain), plain, HERE)} == {
        "continuity_dead",
        "continuity_limb",
        "continuity_not_owner",
    }


def test_an_edit_costs_its_paragraph(book, monkeypatch):
    """After one sentence was changed in a long chapter the paragraphs round it are read, and no others; what is found
    is what a fresh look finds."""
    body = "\n\n".join(f"林夏走进第{n}间屋子，点亮了灯。{ACT if n == 700 else ''}" for n in range(1000))
    text = f"# 三\n\n{body}\n"
    cache = BookCache()
    first = codes(book, text, cache)
    assert [code for code, _ in first] == ["continuity_dead"]
    seen = []
    real = reading.read
    monkeypatch.setattr(reading, "read", lambda *given: seen.append(given[0].text) or real(*given))
    text = text.replace("第500间屋子，点亮", "第500间小屋，又点亮")
    again = codes(book, text, cache)
    assert 0 < len(seen) < 40
    assert again == codes(book, text)


def test_memories_that_nobody_comes_back_from_cost_their_stretches(book, monkeypatch):
    """In a chapter full of them each stretch is put together once for each of the two times that it may begin in."""
    cache = BookCache()
    part = f"三年前，雨下了一夜。{ACT}\n\n" + "他走过渡口，天黑了，雨停了，谁也没有说话。\n\n" * 200
    asked = []
    real = Kept.once
    monkeypatch.setattr(Kept, "once", lambda *given: asked.append(given[1]) or real(*given))
    codes(book, f"# 三\n\n{part * 40}", cache)
    assert len(cache.strips.row) > 40
    assert 40 < asked.count("told True") <= len(cache.strips.row)


PIECES = st.sampled_from(
    [
        ACT,
        "林夏双手捧着碗。",
        "“",
        "”",
        "三年前，",
        "\n\n",
        "\n\n***\n\n",
        "林夏",
        "周衡",
        "断水刀",
        "说：",
        "的",
        "。",
        "，",
        "林夏拔出断水刀",
        "Tobin said, ",
        '"',
        "Tobin opened the door. ",
        "黑色的眼睛",
        "二十岁",
        "\r\n",
        "<!-- 倒叙 -->",
    ]
)


@settings(max_examples=150)
@given(st.lists(PIECES, max_size=30).map("".join), st.integers(0, 200), PIECES)
def test_anything_can_be_checked_and_edited(book, text, at, piece):
    """No text raises, spans stand in it, and after an edit the remembered answer is the fresh one."""
    cache = BookCache()
    for now in (text, text[:at] + piece + text[at:], text):
        found = codes(book, now, cache)
        assert found == codes(book, now)
        assert all(0 <= span.start < span.end <= len(now) for _, span in found)


TURNS = st.sampled_from(
    [
        ACT,
        "林夏双手捧着碗。",
        "Tobin opened the door.",
        "三年前，雨下了一夜。",
        "林夏回过神来。",
        "夜深了，林夏睡着了。",
        "林夏惊醒过来。",
        "***",
    ]
)
RAIN = "雨还在下，屋檐下的水连成了线。" * 10


@settings(max_examples=60)
@given(st.lists(TURNS, min_size=2, max_size=9), st.data())
def test_another_time_goes_on_however_far_it_is_told(book, turns, data):
    """Where pages of rain lie between what opens another time, what happens in it and what closes it, the same is
    found as without them; and after a turn was taken out or put in, too."""
    cache = BookCache()
    for _ in range(3):
        far = [data.draw(st.sampled_from([0, 12, 30])) for _ in turns]
        pages = "\n\n".join(
            text for turn, rain in zip(turns, far, strict=True) for text in (turn, *[RAIN] * rain)
        )
        near = "\n\n".join(
            text for turn, rain in zip(turns, far, strict=True) for text in (turn, *[RAIN] * (rain > 0))
        )
        found = [code for code, _ in codes(book, f"# 三\n\n{pages}\n", cache)]
        assert found == [code for code, _ in codes(book, f"# 三\n\n{near}\n")]
        at = data.draw(st.integers(0, len(turns) - 1))
        turns = [*turns[:at], data.draw(TURNS), *turns[at + data.draw(st.integers(0, 1)) :]]


def test_what_hangs_on_the_book_is_worked_out_once_for_all_its_documents(book, monkeypatch):
    """Each file has its own memory, the book's dates, statements and names are shared: no cost per file and chapter."""
    from dataclasses import replace

    from inkwright.checks.continuity import known, when

    made = []
    for module, name in ((known, "of"), (when, "_slots")):
        real = getattr(module, name)
        monkeypatch.setattr(
            module, name, lambda *args, real=real, name=name: made.append(name) or real(*args)
        )
    fresh = replace(book, _kept={})
    for path in ("正文/第一章.md", "正文/第二章.md", HERE):
        find(fresh, path, CARDS[path])
    assert sorted(made) == ["_slots", "of"]


def test_a_paragraph_without_an_end_costs_what_it_holds(book):
    """Four times as many sentences in one paragraph are four times the work, counted in calls, not sixteen."""
    import sys

    def calls(times):
        made = 0

        def count(_frame, event, _argument):
            nonlocal made
            made += event in ("call", "c_call")

        text = "# 三\n\n" + "林夏走了，他回来了。" * times + "\n"
        sys.setprofile(count)
        try:
            find(book, HERE, text, frozenset())
        finally:
            sys.setprofile(None)
        return made

    calls(1)
    assert calls(400) < 5 * calls(100)
