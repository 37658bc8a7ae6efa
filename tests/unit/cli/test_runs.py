"""`inkwright runs`: what was run, and the same once more."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from typing import get_args

import pytest

from inkwright.domain.conversation import Finish
from inkwright.domain.errors import ErrorKind
from inkwright.domain.run import State, StepStatus, StopReason
from inkwright.i18n import tr


@pytest.fixture
def ran(call, book) -> str:
    """A run of the offline engine in a book that owns its data."""
    assert call("book", "create", book, "--title", "渡口", "--type", "novel")[0] == 0
    status, out, _ = call("run", "analysis", book / "第001章.md", "--message", "看节奏", "--json")
    assert status == 0
    return str(json.loads(out)["requestId"])


def test_a_run_is_shown_as_text(call, book, ran) -> None:
    """What was asked, its requests, its answer, its end; with --json the same as an object."""
    status, out, _ = call("runs", "show", ran, book)
    assert status == 0
    assert out.startswith(f"{ran}  ")
    value = json.loads(call("runs", "show", ran, book, "--json")[1])
    assert value["text"].rstrip("\n") in out
    assert "留言：看节奏" in out
    assert "第 1 次请求" in out
    assert "结束：完成（做完了）" in out
    assert "说完了" in out
    assert value["steps"][0]["finish"] == "stop"


def test_no_state_is_said_in_a_language_of_the_code(call, book, ran, monkeypatch) -> None:
    """A list, a run and its replay, in Chinese and in English; every state, reason and kind has its words in both."""
    for command in (("list", book), ("show", ran, book), ("replay", ran, book)):
        status, out, _ = call("runs", *command)
        assert status == 0
        assert not re.search("completed|finished|stop(?!_)", out), out
    assert "  完成         " in call("runs", "list", book)[1]
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    assert "  completed    " in call("runs", "list", book)[1]
    names = [
        *(f"state_{name}" for name in {*get_args(State), *get_args(StepStatus)}),
        *(f"reason_{name}" for name in get_args(StopReason)),
        *(f"finish_{name}" for name in get_args(Finish)),
        *(f"kind_{name}" for name in get_args(ErrorKind)),
    ]
    for locale in ("zh", "en"):
        assert [name for name in names if tr(name, locale) == name] == []


@pytest.mark.parametrize("limit", [1, 10**30])
def test_a_list_is_as_long_as_there_are_runs(call, book, ran, limit) -> None:
    """However many are asked for."""
    status, out, _ = call("runs", "list", book, "--limit", limit, "--json")
    assert status == 0
    assert [one["requestId"] for one in json.loads(out)["runs"]] == [ran]


def test_a_replay_comes_to_the_same_and_writes_nothing(call, book, ran) -> None:
    """Exit 0, the text once more, no row more or other in the journal."""
    text = json.loads(call("runs", "show", ran, book, "--json")[1])["text"]
    before = rows(book)
    status, out, _ = call("runs", "replay", ran, book)
    assert status == 0
    assert out.startswith(text.rstrip("\n"))
    assert "重放得到了与记录相同的文字" in out
    value = json.loads(call("runs", "replay", ran, book, "--json")[1])
    assert (value["same"], value["text"], value["stopReason"]) == (True, text, "finished")
    assert value["recorded"] == {"text": text, "stopReason": "finished"}
    assert [one["code"] for one in value["differences"]] == []
    assert rows(book) == before


def test_a_replay_that_differs_says_so(call, book, ran) -> None:
    """Exit 4, with the place from which on they part."""
    with closing(sqlite3.connect(book / ".inkwright" / "inkwright.db")) as conn:
        conn.execute("UPDATE runs SET text = substr(text, 1, 5) || '？', stop_reason = 'length'")
        conn.commit()
    status, out, _ = call("runs", "replay", ran, book, "--json")
    assert status == 4
    value = json.loads(out)
    assert value["same"] is False
    assert {"replay_text", "replay_reason"} <= {one["code"] for one in value["differences"]}
    status, out, _ = call("runs", "replay", ran, book)
    assert status == 4
    assert "重放与记录不一致" in out


def test_a_replay_of_nothing_is_a_fault(call, book, ran) -> None:
    """An unknown run: one line, exit 3; a command that is none: exit 2."""
    status, out, err = call("runs", "replay", "nothing", book)
    assert (status, out) == (3, "")
    assert "没有编号为 nothing 的运行" in err
    assert call("runs", "rewind", ran, book)[0] == 2


def rows(book) -> list[str]:
    """All that the journal holds; which processes came by is no part of it."""
    with closing(sqlite3.connect(book / ".inkwright" / "inkwright.db")) as conn:
        conn.text_factory = bytes
        return [
            repr(conn.execute(f"SELECT * FROM {table}").fetchall())
            for table in (
                "runs",
                "run_steps",
                "tool_calls",
                "products",
                "made_cards",
                "candidates",
                "memories",
            )
        ]
