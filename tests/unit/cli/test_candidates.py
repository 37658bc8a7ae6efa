"""`inkwright candidates`: nothing is decided for all cards unasked."""

from __future__ import annotations

import asyncio
import json

import pytest

from inkwright.domain.cards import Candidate, NewCard
from inkwright.store.state import State


class Terminal:
    """Somebody who types one line, whatever is asked."""

    def __init__(self, line: str) -> None:
        self.line = line

    def isatty(self) -> bool:
        return True

    def readline(self) -> str:
        return self.line


@pytest.fixture(autouse=True)
def data(tmp_path, monkeypatch):
    monkeypatch.setenv("INKWRIGHT_DATA_DIR", str(tmp_path / "data"))


@pytest.fixture
def waiting(call, book):
    """Three cards wait; gives those that still do."""
    assert call("run", "polish", book / "第001章.md")[0] == 0

    async def put() -> None:
        state = await State.open(book)
        try:
            (run,) = await state.runs.list()
            for n in range(1, 4):
                card = NewCard("item", f"铜钱{n}", "十七枚。", (), "铜钱")
                await state.candidates.add(Candidate(f"c{n}", run.id, card), f"digest{n}")
        finally:
            await state.close()

    asyncio.run(put())

    def waiting() -> list[str]:
        status, out, _ = call("candidates", "list", book, "--json")
        assert status == 0
        return [one["id"] for one in json.loads(out)["candidates"]]

    assert waiting() == ["c1", "c2", "c3"]
    return waiting


@pytest.mark.parametrize("action", ["accept", "reject"])
def test_without_anybody_to_ask_all_is_wrong_use(call, book, waiting, action):
    """The sentence names --id and --yes; every card still waits."""
    status, out, err = call("candidates", action, book)
    assert (status, out) == (2, "")
    assert "--id" in err
    assert "--yes" in err
    assert waiting() == ["c1", "c2", "c3"]


@pytest.mark.parametrize("action", ["accept", "reject"])
def test_at_a_terminal_all_is_asked_for(call, book, waiting, monkeypatch, action):
    """No is no, and nothing is decided; yes is yes; the question has the number of cards."""
    monkeypatch.setattr("sys.stdin", Terminal("\n"))
    status, out, err = call("candidates", action, book)
    assert (status, out) == (130, "")
    assert "3 个" in err
    assert waiting() == ["c1", "c2", "c3"]
    monkeypatch.setattr("sys.stdin", Terminal("y\n"))
    assert call("candidates", action, book)[0] == 0
    assert waiting() == []


def test_one_card_or_yes_asks_nobody(call, book, waiting):
    """A card that is named is decided, and --yes decides the rest."""
    assert call("candidates", "accept", book, "--id", "c2")[0] == 0
    assert waiting() == ["c1", "c3"]
    status, out, _ = call("candidates", "reject", book, "--yes", "--json")
    assert status == 0
    assert [one["state"] for one in json.loads(out)["candidates"]] == ["rejected", "rejected"]
    assert waiting() == []


def test_facts_of_a_chapter_from_the_run_to_the_card(call, book):
    """The run's report counts; the list names the line; all but what the card contradicts is accepted, one by its id."""
    (book / "book.toml").write_text('language = "zh"\n', "utf-8")
    chapter = book / "第001章.md"
    chapter.write_bytes("# 第一章\r\n\r\n周衡终于死了。\r\n\r\n周衡今年三十岁，\r\n".encode())
    card = book / "cards" / "周衡.md"
    card.parent.mkdir(exist_ok=True)
    card.write_bytes("---\r\nname: 周衡\r\ntype: character\r\n年龄: 二十\r\n---\r\n".encode())
    status, _, err = call("run", "facts", chapter)
    assert status == 0
    assert "2 条等你接受" in err
    assert call("run", "facts", chapter)[0] == 0
    status, out, _ = call("candidates", "list", book)
    death, age = out.splitlines()
    assert "周衡 · 生死: 死  第001章.md:3" in death
    assert "卡片上写的是：二十" in age
    assert call("candidates", "accept", book, "--yes")[0] == 0
    written = card.read_bytes().decode()
    added = "facts:\r\n  - key: 生死\r\n    value: 死\r\n    from: 第一章\r\n    quote: 周衡终于死了。\r\n"
    assert written == "---\r\nname: 周衡\r\ntype: character\r\n年龄: 二十\r\n" + added + "---\r\n"
    status, out, _ = call("candidates", "list", book, "--json")
    (one,) = json.loads(out)["candidates"]
    assert (one["kind"], one["value"], one["against"]) == ("fact", "三十岁", "二十")
    assert call("candidates", "accept", book, "--id", one["id"])[0] == 0
    assert "年龄: 二十\r\n" in card.read_bytes().decode()
    assert "value: 三十岁" in card.read_bytes().decode()
    chapter.write_bytes("# 第一章\r\n\r\n周衡没有死。\r\n".encode())
    status, out, _ = call("check", card, "--format", "json")
    codes = [d["code"] for file in json.loads(out)["files"] for d in file["diagnostics"]]
    assert codes.count("fact_source_gone") == 2
