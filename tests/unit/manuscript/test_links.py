"""Links as they are written, and what a book offers to link to."""

from __future__ import annotations

import pytest

from inkwright.domain.cards import Card
from inkwright.domain.manuscript import Chapter, Counts
from inkwright.manuscript import links, markdown


def chapter(path, number=None, title="", volume=""):
    return Chapter(path, title or path, volume, number, "main", Counts())


CHAPTERS = [
    chapter("卷一/第1章.md", 1, "渡口", "卷一"),
    chapter("卷一/第12章.md", 12, "雪", "卷一"),
    chapter("卷二/第1章.md", 1, "归人", "卷二"),
    chapter("ch03.md", 3, "The Inn"),
]
CARDS = [
    Card("cards/林夏.md", "林夏", "character", aliases=("小夏", "雪")),
    Card("cards/šumnik je.md", "Šumnik", "character"),
]


def find(text):
    return [
        (link.kind, link.target, link.anchor, link.span.of(text))
        for link in links.find(text, markdown.scan(text))
    ]


def test_what_is_a_link():
    """Card links, inline links of every spelling, images, definitions, pages; never in code or comments."""
    text = (
        '[[林夏]] [[林夏#外貌|她]] ![[图.png]] [甲](a.md) [乙](<b c.md#h>) ![丙](d(1).png "题") [丁](#尾)\n\n'
        "[戊]: e.md\n\n`[[码]] [x](y.md)` <!-- [[注]] --> [己](https://x.y/z) [庚](javascript:alert(1)) [辛](//host/x)\n"
    )
    assert find(text) == [
        ("wiki", "林夏", "", "[[林夏]]"),
        ("wiki", "林夏", "外貌", "[[林夏#外貌|她]]"),
        ("wiki", "图.png", "", "[[图.png]]"),
        ("path", "a.md", "", "a.md"),
        ("path", "b c.md", "h", "b c.md#h"),
        ("path", "d(1).png", "", "d(1).png"),
        ("path", "", "尾", "#尾"),
        ("path", "e.md", "", "e.md"),
        ("url", "https://x.y/z", "", "https://x.y/z"),
    ]


def test_chapters_by_number():
    """In prose, not in headings; Chinese, full-width, Roman, in words; longer words are none."""
    text = "# 第一章 甲\n\n见第12章、第十二章、第１２章和第三回。\n\nSee Chapter 3, chapter XII and Chapter Three; chapters 4.\n"
    assert [row[1] for row in find(text)] == [
        "第12章", "第十二章", "第１２章", "第三回", "Chapter 3", "chapter XII", "Chapter Three",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("here", "written", "path"),
    [
        ("卷一/第12章.md", "第一章", "卷一/第1章.md"),
        ("卷二/第1章.md", "第一章", "卷二/第1章.md"),
        ("ch03.md", "第十二章", "卷一/第12章.md"),
        ("ch03.md", "Chapter 3", "ch03.md"),
        ("ch03.md", "第13章", ""),
        ("ch03.md", "第一回", ""),
    ],
)
def test_which_chapter(here, written, path):
    """The one of this volume first; 第一回 is a chapter only where chapters are called so."""
    (link,) = links.find(written, markdown.scan(written))
    assert links.Targets(CARDS, CHAPTERS, here).chapter(link) == path


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("林夏", "cards/林夏.md"),
        ("小夏", "cards/林夏.md"),
        ("雪", "cards/林夏.md"),
        ("šumnik JE", "cards/šumnik je.md"),
        ("s\u030cumnik", "cards/šumnik je.md"),
        ("渡口", "卷一/第1章.md"),
        ("ch03.md", "ch03.md"),
        ("卷二/第1章", "卷二/第1章.md"),
        ("无", ""),
    ],
)
def test_which_card(name, path):
    """Names before aliases before titles before files; case and normal form make no difference."""
    text = f"[[{name}]]"
    (link,) = links.find(text, markdown.scan(text))
    assert links.Targets(CARDS, CHAPTERS, "ch03.md").wiki(link) == path


@pytest.mark.parametrize(
    ("written", "path"),
    [
        ("../cards/林夏.md", "cards/林夏.md"),
        ("../cards/%E6%9E%97%E5%A4%8F.md", "cards/林夏.md"),
        ("<../cards/šumnik je.md>", "cards/šumnik je.md"),
        ("../cards/%C5%A1umnik%20je.md", "cards/šumnik je.md"),
        ("../cards/s\u030cumnik%20je.md", "cards/šumnik je.md"),
        ("/ch03.md", "ch03.md"),
        ("../../out.md", None),
        ("../%2e%2e/out.md", None),
        ("a%00.md", None),
    ],
)
def test_paths(written, path):
    """Raw, percent-encoded, in angle brackets, composed and not; nothing outside of the book."""
    text = f"[x]({written})"
    (link,) = links.find(text, markdown.scan(text))
    found = links.Targets(CARDS, CHAPTERS, "卷一/第1章.md").path(link)
    assert (path in found) if path else not [p for p in found if "%" not in p]


@pytest.mark.parametrize(
    ("anchor", "line"),
    [("testtest", 0), ("skills-目录", 2), ("Skills%20目录", 2), ("skills-目录-1", 4), ("none", None)],
)
def test_anchors(anchor, line):
    """Slugs without punctuation of any script, over CRLF; the second of two equal headings by its number."""
    text = "## test，test\r\n\r\n## Skills 目录\r\n\r\n## Skills 目录\r\n"
    found = links.anchor(markdown.scan(text).headings, anchor)
    assert (None if found is None else text[: found.span.start].count("\n")) == line


def test_a_long_line():
    """A line without end is no more work than its length."""
    text = "[[" * 20_000 + "第" * 20_000 + "](" * 20_000 + "`" * 20_001
    links.find(text, markdown.scan(text))


def test_an_endless_paragraph_gives_so_many_links_and_no_more() -> None:
    """By place; what stands in code, in another link or in a comment is none there either."""
    text = "[[甲]] `[[乙]]` [x](a.md) <!-- [[丙]] --> 第3章 [[第4章]]。" * 3_000
    found = links.find(text, markdown.scan(text))
    assert len(found) == links.LIMIT
    assert found == sorted(found)
    assert {link.target for link in found} == {"甲", "a.md", "第3章", "第4章"}
    short = text[: len(text) // 3_000 * 5]
    assert [one.span for one in links.find(short, markdown.scan(short))] == [one.span for one in found[:20]]
