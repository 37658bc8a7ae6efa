"""What is shown of a document after an edit is what would be shown of it by somebody who has never seen it."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inkwright.checks import checking
from inkwright.checks.checking import CheckCache
from inkwright.domain.diagnostic import Said, placed
from inkwright.domain.text import ENCODINGS, Encoding
from inkwright.lsp import diagnosed
from inkwright.lsp.diagnosed import Rows, shown, wire
from inkwright.lsp.session import Session
from inkwright.lsp.still import Still

pytestmark = pytest.mark.asyncio

PIECES = [
    "他走了。",
    "一但下雨，",
    "😀一但𠮷，",
    "“走吧。",
    "好。”",
    "\n",
    "\n\n",
    "\r\n\r\n",
    "\r",
    "　　她没动．\n",
    "<!-- ",
    " -->",
    "```\n",
    "- 一\n",
    "# 题\n",
    "帐目。\n",
    "账目。\n",
]


def session(encoding: Encoding) -> Session:
    """As much of a session as it takes to show something."""

    def tr(code: str, **params: object) -> str:
        return f"{code} {params}"

    can = SimpleNamespace(related_information=True)
    return cast(
        "Session", SimpleNamespace(encoding=encoding, locale="zh", client=SimpleNamespace(can=can), tr=tr)
    )


def still(text: str) -> Still:
    return Still("file:///a.md", None, 1, text)


def said(text: str, cache: CheckCache | None = None) -> list[Said]:
    return checking.said(text, language="zh", names=(), cache=cache)


@pytest.fixture(params=[500, 3])
def limit(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many diagnostics are shown."""
    most: int = request.param
    monkeypatch.setattr(diagnosed, "LIMIT", most)
    return most


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    deadline=None,
    max_examples=60,
)
@given(data=st.data())
async def test_after_any_edits_what_is_shown_is_what_a_fresh_look_shows(
    limit: int, data: st.DataObject
) -> None:
    """In three encodings, over and under the number that is shown, with stretches of a few characters."""
    text = "".join(data.draw(st.lists(st.sampled_from(PIECES), max_size=30)))
    cache, kept = CheckCache(size=1), {encoding: Rows() for encoding in ENCODINGS}
    for _ in range(4):
        now, fresh = said(text, cache), said(text)
        assert placed(now) == placed(fresh)
        for encoding in ENCODINGS:
            ls = session(encoding)
            again = await shown(ls, still(text), now, None, kept[encoding])
            assert again == await shown(ls, still(text), now, None)
            if len(placed(now)) <= limit:
                items = json.loads(again.json)
                assert sorted(items, key=_place) == sorted(
                    await wire(ls, still(text), placed(fresh), None), key=_place
                )
        a = data.draw(st.integers(0, len(text)))
        b = min(len(text), a + data.draw(st.integers(0, 12)))
        text = text[:a] + "".join(data.draw(st.lists(st.sampled_from(PIECES), max_size=2))) + text[b:]


def _place(item: dict[str, Any]) -> str:
    return json.dumps(item, sort_keys=True)


async def test_what_stands_is_not_shown_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a chapter with many diagnostics an edited sentence makes those of its stretch, a new line none but these."""
    paragraphs = [f"第{i}段，一但下雨，他就走了，天黑以后才回来。" for i in range(400)]
    made: list[str] = []
    told = diagnosed._told
    monkeypatch.setattr(diagnosed, "_told", lambda one, locale: made.append(one.code) or told(one, locale))
    cache, rows, ls = CheckCache(), Rows(), session("utf-16")
    for edit in ("", "她没动。", "她没动。\n\n又一段。"):
        paragraphs[200] += edit
        text = "\n\n".join(paragraphs)
        made.clear()
        last = await shown(ls, still(text), said(text, cache), None, rows)
        assert len(made) < 200 or not edit
        assert last == await shown(ls, still(text), said(text), None)
    assert last.count == 400


async def test_a_report_tells_itself_from_another() -> None:
    """The same diagnostics have the same id, one line further down another."""
    text = "一但下雨，他就走了。"
    ls = session("utf-8")
    one, same, down = [
        await shown(ls, still(given), said(given), None) for given in (text, text, "\n\n" + text)
    ]
    assert one.id == same.id != down.id


async def test_what_was_shown_does_not_pile_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever comes and goes, no more is remembered than may be shown a few times over."""
    monkeypatch.setattr(diagnosed, "MOST", 10)
    text, rows, ls = "一但下雨，他就走了。", Rows(), session("utf-8")
    for _ in range(50):
        (part,) = said(text)  # with another list, of other diagnostics, each time
        await shown(ls, still(text), [part], None, rows)
    assert max(len(rows._rows), len(rows._parts)) <= 11
