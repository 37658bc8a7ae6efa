"""Real processes that are stopped while a real server is talking to them."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")

SECONDS = 30


@dataclass
class Talker:
    """An OpenAI-compatible server that says one piece and then nothing more. `left`: clients that went."""

    url: str = ""
    left: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(0))

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(
            int(h.split(b":")[1]) for h in head.lower().split(b"\r\n") if h.startswith(b"content-l")
        )
        await reader.readexactly(length)
        piece = json.dumps({"choices": [{"delta": {"content": "林夏"}}]})
        writer.write(f"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\ndata: {piece}\n\n".encode())
        await writer.drain()
        await reader.read()
        self.left.release()
        writer.close()


@pytest.fixture
async def talker() -> AsyncIterator[Talker]:
    talker = Talker()
    server = await asyncio.start_server(talker.talk, "127.0.0.1", 0)
    talker.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    yield talker
    server.close()


async def begun(talker: Talker, *argv: object) -> asyncio.subprocess.Process:
    """The command as a process."""
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "inkwright",
        *map(str, argv),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "INKWRIGHT_ENDPOINT": talker.url, "INKWRIGHT_MODEL": "m", "LC_ALL": "C.UTF-8"},
    )


async def started(talker: Talker, *argv: object) -> asyncio.subprocess.Process:
    """The same, once the first piece of the answer has come out of it."""
    process = await begun(talker, *argv)
    assert process.stderr is not None
    async with asyncio.timeout(SECONDS):
        assert await process.stderr.readexactly(6) == "林夏".encode()
    return process


async def ended(process: asyncio.subprocess.Process) -> tuple[int | None, str, str]:
    async with asyncio.timeout(SECONDS):
        out, err = await process.communicate()
    return process.returncode, out.decode(), err.decode()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_stopped_run_gives_its_result(talker, book, chapter, number) -> None:
    """Status cancelled, the text so far, exit 130; the model's side sees the close, the file is as it was."""
    path = book / "第001章.md"
    process = await started(talker, "run", "polish", path, "--apply-all", "--json")
    process.send_signal(number)
    status, out, err = await ended(process)
    async with asyncio.timeout(SECONDS):
        await talker.left.acquire()
    result = json.loads(out)
    assert (status, result["status"], result["stopReason"]) == (130, "cancelled", "cancelled")
    assert (result["text"], result["proposal"], result["error"]) == ("林夏", None, None)
    assert result["usage"]["input"] > 0
    assert err == "\ninkwright: Cancelled.\n"
    assert path.read_text("utf-8") == chapter


async def test_a_killed_run_is_known_as_interrupted(talker, book) -> None:
    """kill -9 in the middle: the next look says so, and the book's data is sound."""
    process = await started(talker, "run", "polish", book / "第001章.md")
    process.kill()
    assert (await ended(process))[0] == -signal.SIGKILL
    _, out, err = await ended(await begun(talker, "runs", "list", book, "--json"))
    (run,) = json.loads(out)["runs"]
    assert (run["status"], run["stopReason"], run["error"]["code"]) == (
        "interrupted",
        "interrupted",
        "run_interrupted",
    )
    assert "1" in err
    assert (await ended(await begun(talker, "doctor", book)))[0] == 0
