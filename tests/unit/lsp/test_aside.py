"""Work over whole texts beside the loop."""

from __future__ import annotations

import asyncio
import threading

import pytest

from inkwright.domain.text import Position, Range, Span
from inkwright.lsp import aside
from inkwright.lsp.documents import Document
from inkwright.lsp.still import Still
from inkwright.manuscript import markdown
from inkwright.manuscript.buffer import Buffer

LINE = "他走过渡口，天黑了，雨停了，谁也没有说话。\n\n"


def opened(text: str) -> Document:
    return Document("file:///a.md", 1, "markdown", Buffer(text))


def typed(document: Document, text: str) -> None:
    at = Position(0, 0)
    document.buffer.apply(Range(at, at), text)
    document.edits += 1


@pytest.mark.parametrize(
    ("length", "beside"), [(aside.LONG - len(LINE), False), (aside.LONG + len(LINE), True)]
)
async def test_a_long_text_is_worked_on_beside_the_loop(length: int, beside: bool) -> None:
    """In another thread; a short one, and one that is no open document, where they cost least."""
    text = LINE * (length // len(LINE) + 1)
    here = threading.get_ident()

    def work(still: Still) -> tuple[bool, str]:
        return threading.get_ident() != here, still.text

    assert await aside.whole(opened(text).still(), work) == (beside, text)
    assert await aside.whole(Still("file:///a.md", None, None, text), work) == (beside, text)


async def test_one_work_of_a_document_at_a_time() -> None:
    """The next one waits; who is cancelled meanwhile costs nothing; of a text that is gone by then the newest is
    taken, if that is asked for."""
    document = opened(LINE * 2_000)
    first = document.still()
    go, begun, seen = threading.Event(), threading.Event(), []

    def slow(still: Still) -> str:
        begun.set()
        assert go.wait(30)
        return still.text

    def note(still: Still) -> str:
        seen.append(still.text)
        return still.text

    tasks = [asyncio.create_task(aside.whole(first, slow))]
    while not begun.is_set():
        await asyncio.sleep(0)
    typed(document, "甲")
    tasks += [
        asyncio.create_task(aside.whole(document.still(), note, newest=new)) for new in (False, True, True)
    ]
    await asyncio.sleep(0)
    tasks[3].cancel()
    typed(document, "乙")
    assert seen == []
    go.set()
    found = await asyncio.gather(*tasks, return_exceptions=True)
    assert isinstance(found.pop(), asyncio.CancelledError)
    assert found == [first.text, f"甲{first.text}", f"乙甲{first.text}"]
    assert sorted(seen) == sorted(found[1:])


async def test_a_thread_is_seen_to_its_end() -> None:
    """Who asked may go; the next work of the document waits all the same."""
    document = opened(LINE * 2_000)
    go, order = threading.Event(), []

    def slow(_still: Still) -> None:
        assert go.wait(30)
        order.append("slow")

    task = asyncio.create_task(aside.whole(document.still(), slow))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    after = asyncio.create_task(aside.whole(document.still(), lambda _: order.append("next")))
    await asyncio.sleep(0)
    go.set()
    await after
    assert order == ["slow", "next"]


@pytest.mark.parametrize("before", ["```\n\n", "%% a %%\n\n", "[x]: y.md\n\n[x] "])
async def test_what_may_reach_anywhere_is_one_look_at_the_text(
    before: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A look near each of many places reads the whole text once, and not on the loop."""
    document = opened(before + (LINE + "[x] 了。\n\n") * 2_000)
    threads: list[int] = []
    real = markdown.scan

    def scan(text: str) -> markdown.Document:
        threads.append(threading.get_ident())
        return real(text)

    monkeypatch.setattr(markdown, "scan", scan)
    still = document.still()
    places = [still.text.index("[x] 了", at) for at in range(1_000, 20_000, 1_000)]
    for at in places:
        await aside.part(still, Span(at, at))
        assert [p for p in still.near(at).paragraphs if p.span.start <= at <= p.span.end]
    assert len(threads) == 1
    assert threads[0] != threading.get_ident()


async def test_what_reaches_nothing_is_looked_at_near_the_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mark that nothing closes, a label where nothing uses one: no look is one at the whole text."""
    monkeypatch.setattr(markdown, "scan", None)
    for before in ("一半 %% 说完。\n\n", "[x]: y.md\n\n", "说]: 好。\n\n", "<!-- 一半\n\n"):
        document = opened(before + LINE * 2_000)
        still = document.still()
        await aside.part(still, Span(5_000, 5_000))
        (paragraph,) = [p for p in still.near(5_000).paragraphs if p.span.start <= 5_000 <= p.span.end]
        assert paragraph.span.of(still.text) == LINE.strip()
