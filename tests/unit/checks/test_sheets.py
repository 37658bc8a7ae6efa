"""Stretches of a document: an edit costs the one that it touched, and changes nothing else."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inkwright.checks import checking
from inkwright.checks.checking import CheckCache
from inkwright.checks.engine import Engine

relaxed = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None
)
PIECES = [
    "他走了。",
    "一但下雨，",
    "“走吧。",
    "好。”",
    "他说：「走吧。」",
    "\n",
    "\n\n",
    "\r\n\r\n",
    "　　她没动．\n",
    "<!-- ",
    " -->",
    "%%",
    "```\n",
    "[a]: b\n",
    "[a]",
    "---\n",
    "title: x\n",
    "- 一\n",
    "    缩进\n",
    "> 引\n",
    "# 题\n",
    "***\n",
    "He was was there.\n",
    "“I was there, he said.\n",
    "账目。\n",
    "帐目。\n",
    "3公里，",
    "三公里，",
    "沒有",
    "没有",
    "%%~",
]


@relaxed
@given(data=st.data())
def test_whatever_is_edited_the_stretches_say_what_the_whole_says(data: st.DataObject) -> None:
    """Over any sequence of edits, in stretches of a few characters, the diagnostics are those of a fresh look."""
    text = "".join(data.draw(st.lists(st.sampled_from(PIECES), max_size=30)))
    cache = CheckCache(size=1)
    for _ in range(4):
        fresh = checking.check(text, language="zh", names=("林夏",))
        assert checking.check(text, language="zh", names=("林夏",), cache=cache) == fresh
        a = data.draw(st.integers(0, len(text)))
        b = min(len(text), a + data.draw(st.integers(0, 12)))
        text = text[:a] + "".join(data.draw(st.lists(st.sampled_from(PIECES), max_size=2))) + text[b:]


@relaxed
@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_stretches_of_any_size_say_the_same(text: str) -> None:
    """Where a document is cut is nobody's business."""
    whole = checking.check(text, language="zh", names=(), cache=CheckCache(size=10_000))
    assert checking.check(text, language="zh", names=(), cache=CheckCache(size=1)) == whole


def test_a_text_that_is_gone_leaves_no_sums() -> None:
    """The sums of a chapter hold what stands in it, not what has ever stood."""
    cache = CheckCache(size=1)
    checking.check("".join(PIECES) + "\n\n" + "".join(reversed(PIECES)), language="zh", names=(), cache=cache)
    sheets = cache._sheets
    assert sheets._forms
    assert sheets._amounts
    checking.check("", language="zh", names=(), cache=cache)
    assert (sheets._forms, sheets._amounts, sheets._holders) == ({}, {}, {})


@pytest.mark.parametrize("head", ["", "---\ntitle: 一\n---\n\n", "<!-- 注 -->\n\n"])
def test_an_edit_looks_at_one_stretch(monkeypatch: pytest.MonkeyPatch, head: str) -> None:
    """In a chapter of a thousand paragraphs a key costs a look at one of them, whatever stands at its head."""
    looked: list[str] = []
    scanned: list[int] = []
    real = Engine.hits

    def hits(engine: Engine, masked: str) -> object:
        looked.append(masked)
        return real(engine, masked)

    from inkwright.checks import sheets

    scan = sheets.scan
    monkeypatch.setattr(Engine, "hits", hits)
    monkeypatch.setattr(sheets, "scan", lambda text: scanned.append(len(text)) or scan(text))
    paragraphs = [f"第{i}段，他走了，一句话也没有说，天黑以后才回来。" for i in range(1000)]
    cache = CheckCache()
    checking.check(head + "\n\n".join(paragraphs), language="zh", names=(), cache=cache)
    looked.clear()
    scanned.clear()
    paragraphs[500] += "她没动．"
    checking.check(head + "\n\n".join(paragraphs), language="zh", names=(), cache=cache)
    assert looked == [paragraphs[500]]
    assert sum(scanned) < 8_000
