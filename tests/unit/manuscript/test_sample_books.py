"""Two small books of the repository, one Chinese and one English, read whole and left as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from inkwright.manuscript.index import BookIndex

BOOKS = Path(__file__).parents[2] / "workspaces"


async def test_dukou(opened) -> None:
    """Volumes whose numbers begin anew, a prologue, an extra, an epilogue; Chinese folders, keys and numerals."""
    index: BookIndex = await opened(BOOKS / "dukou")
    assert (index.book.title, index.book.author, index.book.language) == ("渡口", "佚名", "zh-CN")
    assert [(c.number, c.kind, c.title, c.volume, c.counts.mixed) for c in index.chapters()] == [
        (None, "prologue", "序章", "", 17),
        (1, "main", "渡口", "第一卷 雨夜", 26),
        (2, "main", "第二章 白天", "第一卷 雨夜", 28),
        (10, "main", "第十章 旧信", "第一卷 雨夜", 18),
        (1, "main", "归人", "第二卷 归人", 16),
        (2, "main", "对质", "第二卷 归人", 19),
        (1, "extra", "番外一", "", 8),
        (None, "epilogue", "尾声", "", 6),
    ]
    assert dict(index.chapters()[1].meta) == {
        "title": "渡口",
        "pov": "林夏",
        "characters": ["林夏", "周衡"],
        "location": "旧渡口",
        "date": "第三日",
        "threads": ["失信的船夫"],
        "status": "draft",
    }
    mentioned = {card.name: list(index.card_counts(card.path).values()) for card in index.cards()}
    assert mentioned == {
        "世界": [],
        "渡口会": [1],
        "旧渡口": [1, 1, 1],
        "周衡": [1, 1, 1, 1],
        "林夏": [2, 2, 1, 1],
        "白": [1],
    }
    kinds = {card.name: (card.kind, card.type) for card in index.cards()}
    assert kinds["白"] == ("character", "人物")
    assert kinds["渡口会"] == ("faction", "组织")
    assert kinds["旧渡口"] == ("location", "location")
    lin = index.card("设定/角色/林夏.md")
    assert lin is not None
    assert (lin.aliases, lin.private, lin.fields["age"]) == (("小夏", "林姑娘"), "真实身世见另一本", "十九")
    assert [fact.key for fact in lin.facts] == ["左臂", "知情"]
    assert index.problems == ()


async def test_ferry(opened) -> None:
    """Roman and spelled-out numbers, globs, case rules, plurals, a name over a line end."""
    index: BookIndex = await opened(BOOKS / "ferry")
    assert [(c.number, c.kind, c.title, c.volume) for c in index.chapters()] == [
        (None, "prologue", "Prologue", ""),
        (2, "main", "Two: A Start", "Part I - The River"),
        (4, "main", "The Steps", "Part I - The River"),
        (9, "main", "Rope", "Part I - The River"),
        (1, "main", "The Chase", "Part II - The Bank"),
        (2, "main", "The Inn", "Part II - The Bank"),
        (None, "epilogue", "Epilogue", ""),
    ]
    mentioned = {card.name: list(index.card_counts(card.path).values()) for card in index.cards()}
    assert mentioned == {
        "Art": [1, 1],
        "Mara Venn": [1, 2],
        "Tobin": [3, 1],
        "Will": [2],
        "Goblin": [2],
        "Old Landing": [1],
    }
    assert index.problems == ()


@pytest.mark.parametrize("name", ["dukou", "ferry"])
async def test_mentions_are_where_they_say(opened, name: str) -> None:
    """Every mention's span holds a spelling of a name of its card, and the counts are their sums."""
    index: BookIndex = await opened(BOOKS / name)
    sums: dict[tuple[str, str], int] = {}
    for chapter in index.chapters():
        text = await index.text(chapter.path)
        for mention in index.mentions(chapter.path):
            card = index.card(mention.card)
            assert card is not None
            spelled = " ".join(mention.span.of(text).split()).casefold()
            assert spelled in {known.casefold() for known in card.names}
            key = (card.path, chapter.path)
            sums[key] = sums.get(key, 0) + 1
    assert sums == {(c.path, p): n for c in index.cards() for p, n in index.card_counts(c.path).items()}


async def test_an_independent_count_agrees(opened) -> None:
    """Ten lines that know nothing of the index count the same in every chapter."""
    index: BookIndex = await opened(BOOKS / "dukou")
    names = ["周衡"]
    for chapter in index.chapters():
        text = (BOOKS / "dukou" / chapter.path).read_text("utf-8").split("---\n")[-1]
        expected = sum(text.count(name) for name in names)
        assert index.card_counts("设定/角色/周衡.md").get(chapter.path, 0) == expected


async def test_reading_a_book_changes_nothing(opened) -> None:
    """After indexing, the folders are as version control knows them."""
    for name in ("dukou", "ferry"):
        before = {p: p.read_bytes() for p in (BOOKS / name).rglob("*") if p.is_file()}
        await opened(BOOKS / name)
        assert {p: p.read_bytes() for p in (BOOKS / name).rglob("*") if p.is_file()} == before
