"""The client's settings are what it said last, whenever it says so, and whoever asks after them gets those."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from inkwright.app import build
from inkwright.lsp import client
from inkwright.lsp.session import Session

CONFIGURATION = "workspace/configuration"
LIMIT = 60.0


class Editor:
    """A client in the same process. `answer` gets each question for its settings, with a function that answers it."""

    def __init__(self, session: Session, answer: Callable[[Callable[[Any], None]], None]) -> None:
        self.session = session
        self.answer = answer
        self._data = b""
        session.protocol.attach(self)  # type: ignore[arg-type]
        can = {"workspace": {"configuration": True}}
        self.send(id=1, method="initialize", params={"processId": None, "rootUri": None, "capabilities": can})
        self.send(method="initialized", params={})

    def send(self, **message: Any) -> None:
        self.session.protocol.receive(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def change(self) -> None:
        self.send(method="workspace/didChangeConfiguration", params={"settings": None})

    def write(self, data: bytes) -> None:
        self._data += data
        while (end := self._data.find(b"\r\n\r\n")) >= 0:
            size = int(self._data[:end].rpartition(b": ")[2])
            if len(self._data) < end + 4 + size:
                return
            body, self._data = self._data[end + 4 : end + 4 + size], self._data[end + 4 + size :]
            message = json.loads(body)
            if message.get("method") == CONFIGURATION:
                number = message["id"]
                self.answer(lambda result, number=number: self.send(id=number, result=result))

    async def rule(self) -> str:
        return (await self.session.current()).settings.count


@pytest.fixture
async def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    session = Session(build)
    yield session
    await session.close_session()


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(LIMIT):
        while not true():
            await asyncio.sleep(0.005)


async def test_who_asks_after_a_change_gets_what_the_client_says_then(session: Session) -> None:
    """However late it answers; the settings as they were before are used for nothing that is begun behind it."""
    waiting: list[Callable[[Any], None]] = []
    editor = Editor(session, lambda answer: answer([{"count": "word"}]))
    assert await editor.rule() == "word"
    editor.answer = waiting.append
    editor.change()
    begun = asyncio.ensure_future(editor.rule())
    await until(lambda: bool(waiting))
    assert not begun.done()
    waiting.pop()([{"count": "han"}])
    assert await begun == "han"


async def test_of_changes_in_the_midst_of_an_answer_the_last_counts(session: Session) -> None:
    """Each is read after the one before it, and who asks waits for those that were told before."""
    waiting: list[Callable[[Any], None]] = []
    editor = Editor(session, lambda answer: answer([{}]))
    assert await editor.rule() == "mixed"
    editor.answer = waiting.append
    editor.change()
    await until(lambda: bool(waiting))
    editor.change()
    begun = asyncio.ensure_future(editor.rule())
    waiting.pop()([{"count": "word"}])
    await until(lambda: bool(waiting))
    assert not begun.done()
    waiting.pop()([{"count": "han"}])
    assert await begun == "han"


async def test_while_the_client_says_nothing_what_it_said_last_holds(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Silence is no word that there are no settings; what it says too late counts from then on, once."""
    asked: list[Callable[[Any], None]] = []
    editor = Editor(session, lambda answer: answer([{"count": "word"}]))
    assert await editor.rule() == "word"
    monkeypatch.setattr(client, "ANSWER_SECONDS", 0.01)
    editor.answer = asked.append
    editor.change()
    assert await editor.rule() == "word"
    (late,) = asked
    editor.answer = lambda answer: asked.append(answer) or answer([{"count": "han"}])
    late([{"count": "han"}])
    assert await editor.rule() == "han"
    assert len(asked) == 2
    editor.answer = asked.append
    editor.change()
    assert await editor.rule() == "han"
    asked[-1]([{"count": "han"}])
    assert await editor.rule() == "han"
    assert len(asked) == 3


async def test_a_client_that_is_silent_from_the_beginning_is_heard_when_it_speaks(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Till then the defaults hold."""
    asked: list[Callable[[Any], None]] = []
    monkeypatch.setattr(client, "ANSWER_SECONDS", 0.01)
    editor = Editor(session, asked.append)
    assert await editor.rule() == "mixed"
    (late,) = asked
    late([{"count": "han"}])
    assert await editor.rule() == "han"
