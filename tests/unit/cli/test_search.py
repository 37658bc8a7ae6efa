"""`inkwright search` through the front door: lines of chapters and cards, and memories."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

LONG = "　　" + "山路很长，" * 60 + "𠮷野家的灯还亮着。" + "他走过去。" * 60


@pytest.fixture
def found(call, book):
    def found(query: str, *more: object):
        status, out, _ = call("search", "--json", *more, "--", query, book)
        assert status == 0
        value = json.loads(out)
        assert set(value) == {"query", "total", "exact", "hits"}
        assert value["query"] == query.replace("\ud800", "?")
        return value

    return found


def test_the_lines_of_chapters_and_cards(found, book) -> None:
    """Kind, path, title, line from 0 and ranges in UTF-16, which hold what was searched for."""
    value = found("林夏")
    assert value["exact"]
    assert value["total"] == len(value["hits"]) == 2
    card, chapter = value["hits"]
    assert (card["kind"], card["path"], card["line"]) == ("card", "角色/林夏.md", 0)
    assert (chapter["kind"], chapter["path"], chapter["title"]) == ("chapter", "第001章.md", "渡口")
    assert chapter["text"] == "林夏到的时候,船已经走了．"
    assert chapter["line"] == 5
    assert chapter["range"] == {"start": {"line": 5, "character": 0}, "end": {"line": 5, "character": 2}}
    assert chapter["ranges"] == [chapter["range"]]
    assert chapter["score"] >= 1


def test_any_number_of_lines_may_be_asked_for(found) -> None:
    """However many: there are not more."""
    assert found("林夏", "--limit", 10**30)["hits"] == found("林夏")["hits"]
    assert len(found("林夏", "--limit", 1)["hits"]) == 1


def test_ranges_count_utf16(found, book) -> None:
    """Characters beyond the BMP count two, before the words and in them."""
    (book / "第003章.md").write_text(f"# 路\r\n{LONG}\r\n", "utf-8", newline="")
    (hit,) = found('"𠮷野家的灯"')["hits"]
    at = LONG.index("𠮷")
    assert hit["range"] == {"start": {"line": 1, "character": at}, "end": {"line": 1, "character": at + 6}}
    assert hit["text"] == LONG
    (hit,) = found("灯还亮")["hits"]
    assert hit["range"]["start"]["character"] == at + 5


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("I prefer ÉTÉ and Zürich.", "été ZÜRICH"),
        ("我喜欢ＡＢＣ的写法。", "abc"),
        ("I like cafe\u0301s.", "CAFÉS"),
    ],
)
def test_a_memory_is_found_as_a_line_is(found, call, book, said, asked) -> None:
    """In either case, in full width, with its accents apart; what does not hold every word is not found."""
    assert call("memories", "add", said, book)[0] == 0
    (memory,) = found(asked)["hits"]
    assert (memory["kind"], memory["text"]) == ("memory", said)
    assert memory["ranges"]
    assert not any(hit["kind"] == "memory" for hit in found(f"{asked} 无此字")["hits"])


def test_memories_are_found_too(found, call, book) -> None:
    """What is remembered stands behind the book's own lines."""
    status, _, _ = call("memories", "add", "林夏总说短句，\n不用形容词。", book)
    assert status == 0
    value = found("林夏")
    assert value["total"] == 3
    memory = value["hits"][-1]
    assert (memory["kind"], memory["type"], memory["text"]) == (
        "memory",
        "preference",
        "林夏总说短句，\n不用形容词。",
    )
    assert memory["id"]
    assert memory["range"] == {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 2}}
    assert [h["kind"] for h in found("短句 形容词")["hits"]] == ["memory"]


def test_for_people_it_reads_like_grep(call, book) -> None:
    """Path and line from 1, the line round the words; what else there is to say goes to stderr."""
    (book / "第003章.md").write_text(LONG + "\n", "utf-8")
    status, out, err = call("search", "𠮷野家", book)
    assert status == 0
    assert out.startswith("第003章.md:1: …")
    assert "𠮷野家的灯" in out
    assert len(out) < 200
    assert err == ""
    status, out, err = call("search", "他走", book, "--limit", 1)
    assert out.count("\n") == 1
    status, out, err = call("search", "林夏", book, "--limit", 1)
    assert out == "角色/林夏.md:1: # 林夏\n"
    assert "共 2 行" in err


def test_nothing_found_is_no_failure(call, found, book) -> None:
    """An empty list, a sentence, status 0."""
    assert found("魑魅魍魉") == {"query": "魑魅魍魉", "total": 0, "exact": True, "hits": []}
    status, out, err = call("search", "魑魅魍魉", book)
    assert (status, out) == (0, "")
    assert "没有找到" in err


def test_lines_that_come_near_are_said_to_be_that(call, found) -> None:
    """No line holds it all: the nearest ones, each worth less than 1."""
    value = found("船为什么已经走了")
    assert not value["exact"]
    assert value["hits"][0]["text"] == "林夏到的时候,船已经走了．"
    assert all(0 < hit["score"] < 1 for hit in value["hits"])


@pytest.mark.parametrize("query", ['"', "a OR b*", "NEAR(", "-(", "%", "\\", "😀", "", " ", "\ud800"])
def test_no_query_is_wrong(found, query: str) -> None:
    """Operators, quotes, half a character, nothing at all."""
    assert found(query)["hits"] == [] or query in ("%", "\\", '"')


def test_what_is_wrong_is_said(call, book, tmp_path: Path) -> None:
    """Too long, no such folder, no number."""
    status, out, err = call("search", "林" * 100_000, book, "--json")
    assert status == 3
    assert json.loads(out)["error"]["code"] == "query_too_long"
    assert "100000" in err
    assert call("search", "x", tmp_path / "nowhere")[0] == 3
    assert call("search", "x", book, "--limit", "0")[0] == 2
    assert call("search")[0] == 2


def test_nothing_in_the_book_is_touched(call, book) -> None:
    """A search leaves no file behind."""
    before = {path: path.read_bytes() for path in book.rglob("*") if path.is_file()}
    call("search", "林夏", book)
    assert {path: path.read_bytes() for path in book.rglob("*") if path.is_file()} == before


def test_words_that_are_no_folder_are_told_how_to_be_searched(call, book, monkeypatch) -> None:
    """Several words without quotes, which a search engine would take."""
    monkeypatch.chdir(book)
    for words in (("孔明", "草船"), ("孔明", "草船", "借箭")):
        status, _, err = call("search", *words)
        assert status == 2
        assert f'"{" ".join(words)}"' in err
    assert call("search", "孔明", book, book)[0] == 2


def test_a_folder_above_books_says_that_they_were_not_searched(call, tmp_path, monkeypatch) -> None:
    """At most five by name; not where something was found."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "第001章.md").write_text("# 渡口\n\n渡口。\n", "utf-8")
    for number in range(6):
        (tmp_path / f"book{number}").mkdir()
        (tmp_path / f"book{number}" / "book.toml").write_text('title = "书"\n', "utf-8")
    err = call("search", "孔明")[2]
    assert sum(f"book{number}" in err for number in range(6)) == 5
    assert "book0" not in call("search", "渡口")[2]
