"""`book.toml`, and where a book is."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.domain.errors import InkwrightError
from inkwright.manuscript import bookfile
from inkwright.manuscript.bookfile import BookFields, Root


def test_the_nearest_mark_is_the_root(tmp_path: Path) -> None:
    """`.inkwright/` or `book.toml` in the nearest ancestor, before any workspace folder."""
    inner = tmp_path / "series" / "one" / "正文"
    inner.mkdir(parents=True)
    (tmp_path / "series" / ".inkwright").mkdir()
    assert bookfile.find(inner / "1.md", [tmp_path]) == Root(tmp_path / "series")
    (tmp_path / "series" / "one" / "book.toml").touch()
    assert bookfile.find_root(inner / "1.md", [tmp_path]) == tmp_path / "series" / "one"
    assert bookfile.find_root(inner, []) == tmp_path / "series" / "one"


def test_without_a_mark(tmp_path: Path) -> None:
    """The innermost workspace folder that holds the file, else the folder itself: a file's, without what is below."""
    folder = tmp_path / "a" / "b"
    folder.mkdir(parents=True)
    file = folder / "x.md"
    file.touch()
    assert bookfile.find(file, [tmp_path, tmp_path / "a", tmp_path / "c"]) == Root(tmp_path / "a")
    assert bookfile.find(file) == Root(folder, deep=False)
    assert bookfile.find(folder) == Root(folder)
    assert bookfile.find(folder / "new.md") == Root(folder, deep=False)


def test_fields(tmp_path: Path) -> None:
    """What is written is read; a byte order mark and unknown keys do no harm."""
    text = '\ufefftitle = "渡口"\nlanguage = "zh-CN"\ncount = "han"\nchapters = "正文/**"\ncards = ["a", " "]\nx = 1\n'
    (tmp_path / "book.toml").write_text(text, "utf-8")
    fields, problems = bookfile.read(tmp_path)
    assert problems == ()
    assert fields == BookFields(
        title="渡口",
        language="zh-CN",
        count="han",
        chapters=("正文/**",),
        cards=("a",),
        given=frozenset(("title", "language", "count", "chapters", "cards")),
    )


@pytest.mark.parametrize(
    ("data", "code", "line"),
    [
        (b'title = "a\nb"', "book_file_bad_toml", 0),
        (b'a = 1\ntitle = "x\n', "book_file_bad_toml", 1),
        ("title = '渡'".encode("gb18030"), "book_file_not_utf8", 0),
        (b"title = 3", "book_field_not_text", 0),
        (b'count = "words"', "book_field_count", 0),
        (b'language = "klingon"', "book_field_language", 0),
        ('language = "中文"'.encode(), "book_field_language", 0),
        (b"chapters = [1]", "book_field_not_globs", 0),
        (b"x = " + b"[" * 5000, "book_file_bad_toml", 0),
        (b"#" * 1_000_001, "book_file_too_large", 0),
    ],
)
def test_a_bad_file_is_named(tmp_path: Path, data: bytes, code: str, line: int) -> None:
    """One problem that says which; everything else at its default."""
    (tmp_path / "book.toml").write_bytes(data)
    fields, problems = bookfile.read(tmp_path)
    assert fields == BookFields()
    assert [p.code for p in problems] == [code]
    assert problems[0].line == line


def test_no_file_is_no_problem(tmp_path: Path) -> None:
    """A book needs no book.toml."""
    assert bookfile.read(tmp_path) == (BookFields(), ())


def test_editing_keeps_what_the_author_wrote(tmp_path: Path) -> None:
    """Comments, order, line ends, spacing and unknown keys survive; only the value changes."""
    before = '\ufeff# mine\r\ntitle   = "a"  # why\r\nx = [ 1,2 ]\r\n\r\n[extra]\r\ny = 1\r\n'
    (tmp_path / "book.toml").write_bytes(before.encode())
    bookfile.update(tmp_path, {"title": "b"})
    assert (tmp_path / "book.toml").read_bytes() == before.replace('"a"', '"b"').encode()
    bookfile.update(tmp_path, {"title": ""})
    assert bookfile.read(tmp_path)[0].title == ""
    assert b"[extra]" in (tmp_path / "book.toml").read_bytes()


def test_a_new_line_ends_as_the_others(tmp_path: Path) -> None:
    """A key added to a file with CRLF ends in CRLF; the file's mode and a link to it stay."""
    real = tmp_path / "real.toml"
    real.write_bytes(b'title = "a"\r\n')
    real.chmod(0o600)
    (tmp_path / "book.toml").symlink_to(real)
    bookfile.update(tmp_path, {"author": "b"})
    assert real.read_bytes() == b'title = "a"\r\nauthor = "b"\r\n'
    assert real.stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "book.toml").is_symlink()


def test_a_new_key_goes_before_the_tables(tmp_path: Path) -> None:
    """A field set after `[extra]` is the book's, not the table's."""
    (tmp_path / "book.toml").write_text("[extra]\ny = 1\n")
    bookfile.update(tmp_path, {"title": "b"})
    assert bookfile.read(tmp_path)[0].title == "b"


def test_create_and_refuse(tmp_path: Path) -> None:
    """A new file has what was asked for; a bad value or a broken file changes nothing."""
    bookfile.create(tmp_path, {"title": 'Q"uote', "type": "note", "author": None})
    assert bookfile.read(tmp_path)[0] == BookFields(
        title='Q"uote', type="note", given=frozenset(("title", "type"))
    )
    bookfile.update(tmp_path, {"title": "半个\ud83d字"})
    assert bookfile.read(tmp_path)[0].title == "半个\ufffd字"
    before = (tmp_path / "book.toml").read_bytes()
    with pytest.raises(InkwrightError) as error:
        bookfile.update(tmp_path, {"count": "lines"})
    assert error.value.fault.code == "book_field_count"
    assert (tmp_path / "book.toml").read_bytes() == before
    (tmp_path / "book.toml").write_text("title = ")
    with pytest.raises(InkwrightError) as error:
        bookfile.update(tmp_path, {"title": "x"})
    assert error.value.fault.code == "book_file_bad_toml"
    assert (tmp_path / "book.toml").read_text() == "title = "
    assert sorted(p.name for p in tmp_path.iterdir()) == ["book.toml"]


@given(
    st.dictionaries(
        st.sampled_from(["title", "count", "chapters", "type", "x"]),
        st.one_of(st.text(), st.integers(), st.lists(st.text(), max_size=2), st.none()),
    )
)
def test_any_table_is_read(data: dict[str, object]) -> None:
    """Fields of any type give fields and problems, never an exception."""
    fields, problems = bookfile.parse(data)
    assert isinstance(fields, BookFields)
    assert all(p.path == "book.toml" for p in problems)


@pytest.mark.parametrize("there", [True, False])
def test_no_file_outside_is_written_through_a_link(tmp_path: Path, there: bool) -> None:
    """A book.toml that leads out of the book is refused, whether its target exists or not."""
    (root := tmp_path / "书").mkdir()
    target = tmp_path / "外.toml"
    if there:
        target.write_text("x = 1\n")
    (root / "book.toml").symlink_to(target)
    with pytest.raises(InkwrightError) as refused:
        bookfile.update(root, {"title": "渡"})
    assert refused.value.fault.code == "link_outside"
    assert target.exists() == there


@pytest.mark.parametrize(
    "tag", ["zh", "zh-CN", "zh_TW", "zh-Hant-HK", "en", "en-US", "ja", "fr-CA", "yue", ""]
)
def test_language_tags_are_taken(tag: str) -> None:
    """Whatever looks like a tag of two or three letters is the book's language."""
    fields, problems = bookfile.parse({"language": tag})
    assert (fields.language, problems) == (tag, ())


def test_a_change_waits_for_a_file_that_is_being_saved(tmp_path: Path, monkeypatch) -> None:
    """Emptied just now by another program: what that one writes is not lost under the field that is set."""
    file = tmp_path / "book.toml"
    file.write_bytes(b"")
    steps = [lambda: None, lambda: file.write_text('author = "甲"\n', "utf-8")]
    monkeypatch.setattr("inkwright.intake.since", lambda _: 0.0)
    monkeypatch.setattr("inkwright.intake.time.sleep", lambda _: steps and steps.pop(0)())
    bookfile.update(tmp_path, {"title": "渡口"})
    fields, _ = bookfile.read(tmp_path)
    assert (fields.title, fields.author) == ("渡口", "甲")
    file.write_bytes(b"")
    bookfile.update(tmp_path, {"title": "渡口"})
    assert file.read_text("utf-8") == 'title = "渡口"\n'
