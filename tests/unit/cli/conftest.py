"""A small real book, the command line through its front door, and as a process that talks to a server."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from inkwright.app import main

CHAPTER = "---\ntitle: 渡口\n---\n# 渡口\n\n林夏到的时候,船已经走了．\n\n她数了数铜钱:十七枚。一但天黑，就没有船了...\n"


@pytest.fixture
def chapter() -> str:
    """The text of the book's first chapter."""
    return CHAPTER


@pytest.fixture
def book(tmp_path: Path) -> Path:
    root = tmp_path / "书"
    (root / "角色").mkdir(parents=True)
    (root / "第001章.md").write_text(CHAPTER, "utf-8")
    (root / "第002章.md").write_text("# 旧信\n\n信烘了半个时辰。\n", "utf-8")
    (root / "角色" / "林夏.md").write_text("# 林夏\n\n药铺学徒。\n", "utf-8")
    return root


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")

    def call(*argv: object) -> tuple[int, str, str]:
        status = main([str(a) for a in argv])
        out, err = capsys.readouterr()
        return status, out, err

    return call


SECONDS = 100.0
PIECE = "林夏"


@dataclass
class Talker:
    """An OpenAI-compatible server, and processes that talk to it.

    It says one piece and then nothing more; with `answer` that is sent instead, and the connection closed.
    """

    url: str = ""
    answer: bytes | None = None
    more: dict[str, str] = field(default_factory=dict)
    """Further variables of the processes."""
    _left: asyncio.Event = field(default_factory=asyncio.Event)

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(
            int(h.split(b":")[1]) for h in head.lower().split(b"\r\n") if h.startswith(b"content-l")
        )
        await reader.readexactly(length)
        writer.write(self.answer if self.answer is not None else self.stream(PIECE))
        await writer.drain()
        if self.answer is None:
            await reader.read()
            self._left.set()
        writer.close()

    @staticmethod
    def stream(*pieces: str) -> bytes:
        """A response that says these pieces and no end."""
        said = [json.dumps({"choices": [{"delta": {"content": piece}}]}) for piece in pieces]
        body = "".join(f"data: {one}\n\n" for one in said)
        return f"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n{body}".encode()

    async def launch(self, *argv: object) -> asyncio.subprocess.Process:
        """The command as a process."""
        own = {"INKWRIGHT_ENDPOINT": self.url, "INKWRIGHT_MODEL": "m", "LC_ALL": "C.UTF-8"}
        return await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "inkwright",
            *map(str, argv),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env={**os.environ, **own, **self.more},
        )

    async def heard(self, process: asyncio.subprocess.Process) -> None:
        """Waits until the first piece of the answer has come out of it."""
        assert process.stderr is not None
        async with asyncio.timeout(SECONDS):
            assert await process.stderr.readexactly(len(PIECE.encode())) == PIECE.encode()

    async def ended(self, process: asyncio.subprocess.Process) -> tuple[int | None, str, str]:
        async with asyncio.timeout(SECONDS):
            out, err = await process.communicate()
        return process.returncode, out.decode(), err.decode()

    async def run(self, *argv: object) -> tuple[int | None, str, str]:
        return await self.ended(await self.launch(*argv))

    async def left(self) -> None:
        """Waits until a client has closed its connection."""
        async with asyncio.timeout(SECONDS):
            await self._left.wait()


@pytest.fixture
async def talker() -> AsyncIterator[Talker]:
    talker = Talker()
    server = await asyncio.start_server(talker.talk, "127.0.0.1", 0)
    talker.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    yield talker
    server.close()
