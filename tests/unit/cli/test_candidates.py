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
