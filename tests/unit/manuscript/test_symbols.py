"""Finding by name in a whole book."""

from __future__ import annotations

from inkwright.domain.cards import Card
from inkwright.domain.manuscript import Chapter, Counts
from inkwright.manuscript.symbols import Symbols

CARDS = [
    Card("cards/zgl.md", "诸葛亮", "character", "character", ("孔明", "Kong  Ming")),
    Card("cards/zx.md", "曾先生", ""),
]


def book(count=2):
    chapters = [Chapter(f"{n}.md", f"第{n}章 空城", "卷一", n, "main", Counts()) for n in range(1, count + 1)]
    marks = {"2.md": ((4, 2, "借东风"), (9, 7, "孔明上了城楼。"))}
    return Symbols(CARDS, chapters, lambda path: marks.get(path, ()))


def names(query, limit=10):
    return [(match.symbol.name, match.said) for match in book().find(query, limit)]


def test_parts_of_names():
    """Whole names before beginnings before parts; an alias says whose it is; case makes no difference."""
    assert names("孔明") == [("孔明", ""), ("孔明上了城楼。", "")]
    assert names("KONG")[0] == ("Kong Ming", "")
    alias, scene = book().find("孔明", 10)
    assert (alias.symbol.within, alias.symbol.type) == ("诸葛亮", "character")
    assert (scene.symbol.kind, scene.symbol.within, scene.symbol.line) == ("scene", "第2章 空城", 9)


def test_several_words():
    """The first in the name, the others there or in what it is within."""
    assert names("东风 空城") == [("借东风", "")]
    assert names("东风 西风") == []


def test_numbers():
    """A chapter by its number, in every notation."""
    for query in ("2", "第二章", "Chapter 2", "２"):
        assert names(query) == [("第2章 空城", "" if query in "2２" else query)], query
    for query in ("第二", "第 二", "第贰"):  # not typed to its end yet
        assert names(query) == [("第2章 空城", query)], query
    assert names("第九") == []


def test_pinyin():
    """Initials and syllables from any character on; polyphones in both readings."""
    assert names("zgl") == [("诸葛亮", "zhugeliang")]
    assert names("jdf") == [("借东风", "jiedongfeng")]
    assert names("dongf") == [("借东风", "dongfeng")]
    assert names("zengxs") == names("zeng xs") == [("曾先生", "zengxiansheng")]


def test_limits():
    """Never more than the limit; of nothing, the first names; nonsense finds nothing."""
    assert len(book(3000).find("空城", 200)) == 200
    assert names("", 3) == [("诸葛亮", ""), ("孔明", ""), ("Kong Ming", "")]
    assert names("\ud800") == names("zzzz" * 30) == []
    assert Symbols((), (), lambda _: ()).find("x", 10) == []
