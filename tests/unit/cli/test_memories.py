"""`inkwright memories`: every action, and what is asked before anything is lost."""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing

import pytest


@pytest.fixture(autouse=True)
def data(tmp_path, monkeypatch):
    """The user's data folder is the test's own."""
    monkeypatch.setenv("INKWRIGHT_DATA_DIR", str(tmp_path / "data"))


@pytest.fixture
def answer(call):
    """A command's exit status and its JSON object."""

    def answer(*argv):
        status, out, _ = call("memories", *argv, "--json")
        return status, json.loads(out)

    return answer


def test_a_memory_from_its_birth_to_its_end(call, answer, book):
    """Added, listed, said again, edited, pinned, let go, deleted; each answers with the memory as it is then."""
    status, first = answer("add", "我喜欢短句，少用形容词", book, "--ability", "polish")
    assert status == 0
    assert set(first) == {
        "id",
        "ability",
        "type",
        "content",
        "keywords",
        "pinned",
        "relevance",
        "revision",
        "createdAt",
        "updatedAt",
        "lastHitAt",
    }
    assert (first["type"], first["ability"], first["revision"]) == ("preference", "polish", 0)
    assert answer("list", book) == (0, {"memories": [first], "next": None})
    status, again = answer("add", "我还是喜欢短句，少用形容词。", book, "--ability", "polish")
    assert (status, again["id"], again["content"]) == (0, first["id"], "我还是喜欢短句，少用形容词。")
    status, edited = answer("edit", first["id"], book, "--content", "只用短句", "--type", "decision")
    assert (edited["content"], edited["type"], edited["keywords"]) == (
        "只用短句",
        "decision",
        ["只用", "用短", "短句"],
    )
    assert answer("pin", first["id"], book)[1]["pinned"]
    assert not answer("unpin", first["id"], book)[1]["pinned"]
    status, out, _ = call("memories", "list", book)
    assert (status, "决定" in out, "只用短句" in out) == (0, True, True)
    assert answer("delete", first["id"], book)[1]["deleted"] is True
    assert call("memories", "list", book)[0] == 0
    assert answer("list", book) == (0, {"memories": [], "next": None})


def test_pages(answer, book):
    """`--limit` and what a page gave as `next`."""
    for word in ("短句", "对话", "留白"):
        answer("add", f"我喜欢{word}", book)
    _, page = answer("list", book, "--limit", 2)
    assert [one["content"] for one in page["memories"]] == ["我喜欢留白", "我喜欢对话"]
    _, rest = answer("list", book, "--limit", 2, "--cursor", page["next"])
    assert ([one["content"] for one in rest["memories"]], rest["next"]) == (["我喜欢短句"], None)
    for cursor in ("nothing", "nan|x", "inf|x", "1e999|x"):
        assert answer("list", book, "--cursor", cursor)[0] == 2
    for limit in (10**6, 10**30):
        assert len(answer("list", book, "--limit", limit)[1]["memories"]) == 3
    assert len(answer("list", book, "--limit", -(10**30))[1]["memories"]) == 1


@pytest.mark.parametrize(
    ("argv", "status", "code"),
    [
        (("add", "。。"), 3, "memory_empty"),
        (("add", "长" * 601), 3, "memory_too_long"),
        (("add", "短句", "--type", "mood"), 3, "memory_type"),
        (("add", "短句", "--ability", "two words"), 3, "memory_ability"),
        (("list", "--type", "mood"), 3, "memory_type"),
        (("edit", "nope", "--content", "短句"), 3, "memory_unknown"),
        (("edit", "nope"), 2, "nothing_to_edit"),
        (("pin", "nope"), 3, "memory_unknown"),
        (("delete", "nope"), 3, "memory_unknown"),
        (("clear",), 2, "memories_confirm"),
        (("import", "nope.db"), 2, "memories_confirm"),
        (("import", "nope.db", "--yes"), 3, "file_missing"),
        (("import", ".", "--yes"), 3, "memories_import_not_file"),
    ],
)
def test_what_is_wrong_is_said(answer, book, monkeypatch, argv, status, code):
    """One line with what happened and what to do, a code, and a status of its own."""
    monkeypatch.chdir(book)
    given, out = answer(*argv)
    assert (given, out["error"]["code"]) == (status, code)


def test_an_old_revision_is_refused(answer, book):
    """Somebody else changed it meanwhile."""
    _, made = answer("add", "我喜欢短句", book)
    answer("pin", made["id"], book)
    status, out = answer("edit", made["id"], book, "--content", "长句", "--revision", 0)
    assert (status, out["error"]["code"]) == (3, "revision_conflict")


class Terminal:
    """Somebody who types one line, whatever is asked."""

    def __init__(self, line):
        self.line = line

    def isatty(self):
        return True

    def readline(self):
        return self.line


def test_clearing_asks(call, answer, book, monkeypatch):
    """At a terminal: no is no, yes is yes; with --yes nobody is asked; without a terminal it is wrong use."""
    answer("add", "我喜欢短句", book)
    answer("add", "我决定用第一人称", book, "--type", "decision")

    monkeypatch.setattr("sys.stdin", Terminal("\n"))
    status, _, err = call("memories", "clear", book)
    assert status == 130
    assert "2" in err
    assert len(answer("list", book)[1]["memories"]) == 2
    monkeypatch.setattr("sys.stdin", Terminal("y\n"))
    assert call("memories", "clear", book, "--type", "decision")[0] == 0
    assert answer("clear", book, "--yes")[1]["cleared"] == 1
    assert answer("list", book)[1]["memories"] == []


def test_an_import_says_what_came_of_it(call, answer, book, tmp_path):
    """How many came, how many did not, and why a second one brings nothing."""
    path = tmp_path / "agent_memory.db"
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("CREATE TABLE memories (memory_type, content)")
        conn.execute("INSERT INTO memories VALUES ('preference', '我喜欢短句'), ('mood', 'x')")
        conn.commit()
    status, out = answer("import", path, book, "--yes")
    assert (status, out["imported"], out["left"], out["skipped"]) == (0, 1, 1, None)
    status, out = answer("import", path, book, "--yes")
    assert (status, out["imported"], out["skipped"]) == (0, 0, "filled")
    assert "已经有记忆" in out["message"]


def test_a_missing_file_is_told_before_anything_else(call, answer, book, tmp_path, monkeypatch):
    """Also where the book has memories, and where somebody could be asked: nobody is."""
    answer("add", "我喜欢短句", book)
    missing = tmp_path / "nope.db"
    status, out = answer("import", missing, book, "--yes")
    assert (status, out["error"]["code"]) == (3, "file_missing")
    assert str(missing) in out["error"]["message"]
    monkeypatch.setattr("sys.stdin", Terminal("y\n"))
    status, out, err = call("memories", "import", missing, book)
    assert (status, out) == (3, "")
    assert str(missing) in err
    assert "[y/N]" not in err


@pytest.mark.parametrize("path", [".", os.devnull])
def test_what_is_no_file_is_no_chapter_either(call, book, monkeypatch, path):
    """A folder, a device: an import needs a database, and says which."""
    monkeypatch.chdir(book)
    status, out, err = call("memories", "import", path, "--yes")
    assert (status, out) == (3, "")
    assert "agent_memory.db" in err
    assert "章节" not in err
    assert "文本" not in err


def test_nothing_is_written_into_the_book(answer, book):
    """What is remembered lies in the user's data folder until the book owns its own."""
    before = {path: path.read_bytes() for path in book.rglob("*") if path.is_file()}
    answer("add", "我喜欢短句", book)
    assert {path: path.read_bytes() for path in book.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    ("argv", "option"),
    [
        (("memories", "edit", "nope", "短句"), "--content"),
        (("candidates", "accept", "31c0b196"), "--id"),
        (("candidates", "reject", "31c0b196"), "--id"),
    ],
)
def test_a_word_where_a_folder_stands_is_told_its_option(call, book, monkeypatch, argv, option):
    """What is no folder is most likely the new text or the card: the answer is the line to type."""
    monkeypatch.chdir(book)
    status, out, err = call(*argv)
    assert (status, out) == (2, "")
    assert f"{option} {argv[-1]}" in err
