"""A new chapter: its number, its place, its file."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.domain.errors import InkwrightError
from inkwright.domain.manuscript import Chapter, Counts
from inkwright.manuscript import chapterfile, naming, ordering


def chapter(path, title="", order=None):
    stem = Path(path).stem
    said = ordering.read(stem, title)
    number = None if said.number is None else int(said.number)
    meta = {} if order is None else {"order": order}
    return Chapter(path, title or stem, "", number, said.kind, Counts(), meta)


def book(*paths):
    return [chapter(path) for path in paths]


@pytest.mark.parametrize(
    ("paths", "language", "title"),
    [
        ((), "zh-CN", "第一章"),
        ((), "", "Chapter 1"),
        (("第一章 雨夜.md",), "en", "第二章"),
        (("第九章.md",), "", "第十章"),
        (("第009章 七十二变.md",), "", "第010章"),
        (("第三回 托内兄如海荐西宾.md",), "", "第四回"),
        (("第一卷第三章.md",), "", "第一卷第四章"),
        (("Chapter 1.md", "Chapter 2 - The Ferry.md"), "zh", "Chapter 3"),
        (("03-harbour.md",), "en", "04"),
        (("9.md",), "en", "10"),
        (("楔子.md", "第一章.md", "后记.md"), "", "第二章"),
        (("卷一/第一章.md", "卷一/第二章.md", "卷二/第一章.md"), "zh", "第二章"),
        (("Chapter II.md",), "", "Chapter 3"),
        (("Chapter Two.md",), "", "Chapter 3"),
        (("The Ferry.md", "Nowhere.md"), "en", ""),
    ],
)
def test_the_next_title(paths, language, title):
    """It is numbered as the last chapter is; where chapters have no numbers nothing is proposed."""
    assert chapterfile.following(book(*paths), language) == title


def test_a_number_that_is_taken_is_not_proposed():
    """The last chapter need not have the largest number: an order of its own may put another one there."""
    chapters = [chapter("第三章.md", order=1), chapter("第二章.md", order=2)]
    assert chapterfile.following(chapters, "zh") == "第四章"


@given(
    st.integers(min_value=1, max_value=3000), st.sampled_from(["第{}章", "Chapter {}", "{:04d}", "第{}回 x"])
)
def test_the_title_is_read_as_the_next_number(number, shape):
    """What is proposed has the number after the last one, in any notation."""
    title = chapterfile.following(book(f"{shape.format(number)}.md"), "")
    assert naming.read(title).number == number + 1


@pytest.mark.parametrize(
    ("paths", "globs", "folder"),
    [
        ((), (), ""),
        ((), ("manuscript/**/*.md",), "manuscript"),
        ((), ("manuscript/part-*.md", "text"), "text"),
        (("卷一/第一章.md", "卷二/第二章.md", "附录/后记.md"), (), "卷二"),
        (("a.md",), ("manuscript",), ""),
    ],
)
def test_the_folder(paths, globs, folder):
    """That of the last chapter; before there is one, what the author's patterns name."""
    assert chapterfile.folder_for(book(*paths), globs) == folder


def test_where_the_order_is_the_writers_own(tmp_path):
    """The chapter goes behind those of its folder; where names make the order it gets none."""
    chapters = [chapter("a.md", order=1), chapter("b.md", order="2.5"), chapter("x/c.md")]
    assert chapterfile.order_for(chapters, "") == "3"
    assert chapterfile.order_for(chapters, "x") == ""
    assert chapterfile.order_for([*chapters, chapter("d.md")], "") == ""
    assert chapterfile.create(tmp_path, "", "C", "3").read_text("utf-8") == "---\norder: 3\n---\n# C\n\n"


@pytest.mark.parametrize(
    ("title", "name", "heading"),
    [
        ("第一章 雨夜", "第一章 雨夜.md", "# 第一章 雨夜\n\n"),
        ("  Chapter 1:\tWhat/Now?  ", "Chapter 1 What Now.md", "# Chapter 1: What/Now?\n\n"),
        ("../../outside 1", "outside 1.md", "# ../../outside 1\n\n"),
        ("CON", "CON_.md", "# CON\n\n"),
        ("二\u202e章\x00\ufeff", "二章.md", "# 二章\n\n"),
        ("第一章\n# 第二章", "第一章 # 第二章.md", "# 第一章 # 第二章\n\n"),
        ("👩‍👩‍👧 一", "👩‍👩‍👧 一.md", "# 👩‍👩‍👧 一\n\n"),
    ],
)
def test_the_file(tmp_path, title, name, heading):
    """The whole title is the heading; the file's name is safe on every system and in the folder that was named."""
    path = chapterfile.create(tmp_path, "卷一", title)
    assert path == tmp_path / "卷一" / name
    assert path.read_bytes() == heading.encode()


@pytest.mark.parametrize(
    ("title", "code"),
    [("", "chapter_title_empty"), (" … ", "chapter_title_empty"), ("章" * 201, "chapter_title_long")],
)
def test_titles_that_are_none(tmp_path, title, code):
    """The writer is told, and nothing is made."""
    with pytest.raises(InkwrightError) as caught:
        chapterfile.create(tmp_path, "卷一", title)
    assert caught.value.fault.code == code
    assert not list(tmp_path.iterdir())


def test_nothing_is_written_over(tmp_path):
    """Not even a file whose name differs in case or normal form alone."""
    for there, title in (("Chapter 1.md", "chapter 1"), ("E\u0301t\u00e9.md", "\u00c9te\u0301")):
        (tmp_path / there).write_text("years of work")
        with pytest.raises(InkwrightError) as caught:
            chapterfile.create(tmp_path, "", title)
        assert caught.value.fault.code == "chapter_exists"
        assert (tmp_path / there).read_text() == "years of work"
    assert len(list(tmp_path.iterdir())) == 2


def test_a_folder_that_leads_out_of_the_book(tmp_path):
    """A link is not followed; a file in the place of the folder is told."""
    book, outside = tmp_path / "book", tmp_path / "outside"
    book.mkdir()
    outside.mkdir()
    (book / "卷一").symlink_to(outside)
    (book / "卷二").write_text("a file")
    for folder, code in (("卷一", "chapter_folder_outside"), ("卷二", "chapter_unwritable")):
        with pytest.raises(InkwrightError) as caught:
            chapterfile.create(book, folder, "第一章")
        assert caught.value.fault.code == code
    assert not list(outside.iterdir())
