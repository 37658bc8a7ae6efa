"""A small book in memory, as the tools see one."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import pytest

from inkwright.domain.cards import Card, Fact, MadeCard, NewCard
from inkwright.domain.errors import InkwrightError, StorageError
from inkwright.domain.facts import TakenFact
from inkwright.domain.manuscript import Book, Chapter, Counts, Hit, Mention, Summary
from inkwright.domain.text import Snapshot
from inkwright.tools.toolbox import Tools

FERRY = """---
title: 渡口
private: 船夫是凶手
---
# 渡口

　　林夏到的**时候**，[船](http://example.com)已经走了。<!-- 草稿 -->

***

“再等等。”周衡说。
%% 待改 %%
"""


@dataclass
class MemoryBook:
    texts: Mapping[str, str]
    listed: tuple[Chapter, ...]
    people: tuple[Card, ...] = ()
    info: Book = field(default_factory=lambda: Book("/book", "渡口旧事", "novel"))
    asked: list[str] = field(default_factory=list)

    @property
    def book(self) -> Book:
        return self.info

    def chapters(self) -> tuple[Chapter, ...]:
        return self.listed

    def cards(self) -> tuple[Card, ...]:
        return self.people

    def mentions(self, path: str) -> tuple[Mention, ...]:
        return ()

    async def text(self, path: str) -> str:
        self.asked.append(path)
        if path not in self.texts:
            raise InkwrightError("file_missing", path=path)
        return self.texts[path]

    def digest(self, path: str) -> str:
        return hashlib.sha256(self.texts[path].encode()).hexdigest() if path in self.texts else ""

    async def search(self, query: str, *, limit: int = 0) -> tuple[Hit, ...]:
        return ()


@dataclass
class Cards:
    """Takes cards as the book's files would be, or as candidates."""

    files: bool = True
    made: list[NewCard] = field(default_factory=list)

    async def make(self, card: NewCard) -> MadeCard:
        known = card in self.made
        if not known:
            self.made.append(card)
        number = self.made.index(card)
        if self.files:
            return MadeCard(path=f"cards/{number}.md", made=not known)
        return MadeCard(candidate=f"c{number}", made=not known)


@dataclass
class Taken:
    """Takes facts of the people it knows."""

    known: tuple[str, ...] = ("林夏",)
    taken: list[tuple[str, str, str, str, bool]] = field(default_factory=list)
    dropped: list[tuple[str, str, str]] = field(default_factory=list)

    async def take(self, name: str, key: str, value: str, quote: str, *, ends: bool) -> TakenFact:
        if name not in self.known:
            return TakenFact("unknown")
        fact = (name, key, value, quote, ends)
        if fact in self.taken:
            return TakenFact("there")
        self.taken.append(fact)
        return TakenFact("kept", f"f{len(self.taken)}")

    def drop(self, name: str, key: str, value: str) -> None:
        self.dropped.append((name, key, value))


@dataclass
class Sums:
    """Stored summaries by path; `broken` is a database that cannot be read."""

    stored: dict[str, Summary] = field(default_factory=dict)
    broken: bool = False

    async def summary(self, path: str) -> Summary | None:
        if self.broken:
            raise StorageError("storage_unreadable")
        return self.stored.get(path)


def chapter(path: str, title: str, number: int | None, **meta: object) -> Chapter:
    return Chapter(path, title, "第一卷", number, "main", Counts(100, 90, 110, 120), meta)


@pytest.fixture
def chapters() -> tuple[Chapter, ...]:
    return (
        chapter("卷一/第001章.md", "渡口", 1, synopsis="林夏错过了船。", status="draft"),
        chapter("卷一/第002章.md", "雨夜", 2),
        chapter("卷一/第003章.md", "归人", 3),
    )


@pytest.fixture
def book(chapters: tuple[Chapter, ...]) -> MemoryBook:
    return MemoryBook(
        {
            "卷一/第001章.md": FERRY,
            "卷一/第002章.md": "# 雨夜\n\n" + "雨下了一整夜。" * 100 + "\n",
            "卷一/第003章.md": "# 归人\n\n他回来了。\n",
        },
        chapters,
        (
            Card(
                "cards/林夏.md",
                "林夏",
                "character",
                "character",
                ("小夏",),
                "旧渡口的船家女。",
                ("主角",),
                facts=(Fact("住处", "渡口"), Fact("住处", "京城", since="归人")),
                private="其实是公主",
                fields={"secret": "会飞", "appearance": "高个子"},
                body="<!-- 备忘 -->她**不怕**水。",
            ),
            Card("cards/旧渡口.md", "旧渡口", "地点", "location", summary="江边的老码头。"),
            Card("cards/黑船.md", "黑船", "item", "item", summary="林夏要等的船。"),
            Card("cards/凶手.md", "凶手", "character", "character", ai="never", summary="林夏的仇人"),
        ),
    )


@pytest.fixture
def cards() -> Cards:
    return Cards()


@pytest.fixture
def facts() -> Taken:
    return Taken()


@pytest.fixture
def sums() -> Sums:
    return Sums()


@pytest.fixture
def bind(book: MemoryBook) -> Callable[..., Tools]:
    """The tools of a run on one chapter; `text` is what the editor holds of it."""

    def make(
        path: str = "卷一/第002章.md",
        text: str | None = None,
        locale: str = "zh",
        cards: Cards | None = None,
        summaries: Sums | None = None,
        facts: Taken | None = None,
    ) -> Tools:
        held = book.texts.get(path, "") if text is None else text
        snapshot = Snapshot(f"file:///book/{path}", path, 1, held)
        return Tools(book, snapshot, locale, cards=cards, summaries=summaries, facts=facts)

    return make
