"""A raw client over a real process: it sees every byte, sends what no library would, and waits for nothing else."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
LIMIT = 30.0

Handler = Callable[[Any], Any]


class RawClient:
    """Speaks the base protocol by hand. `answers` maps methods the server may ask to functions."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.raw = bytearray()
        self.notifications: list[tuple[str, Any]] = []
        self.requests: list[tuple[str, Any]] = []
        self.answers: dict[str, Handler] = {}
        self.errors: list[Any] = []
        self._pending: dict[Any, asyncio.Future[Any]] = {}
        self._changed = asyncio.Condition()
        self._id = 0
        self._later: list[asyncio.Task[None]] = []
        self.reading = asyncio.Event()
        self.reading.set()
        self._reader = asyncio.ensure_future(self._read())
        self.log = bytearray()
        self._logger = asyncio.ensure_future(self._read_log())

    async def _read_log(self) -> None:
        assert self.process.stderr
        while chunk := await self.process.stderr.read(65536):
            self.log += chunk

    async def _read(self) -> None:
        out = self.process.stdout
        assert out
        data = bytearray()
        while True:
            await self.reading.wait()
            chunk = await out.read(65536)
            if not chunk:
                break
            self.raw += chunk
            data += chunk
            while (end := data.find(b"\r\n\r\n")) >= 0:
                header = bytes(data[:end]).decode("ascii")
                assert header.startswith("Content-Length: "), header
                size = int(header.split(": ")[1])
                if len(data) < end + 4 + size:
                    break
                body = bytes(data[end + 4 : end + 4 + size])
                del data[: end + 4 + size]
                await self._take(json.loads(body))
        assert not data, f"bytes outside the protocol: {bytes(data[:200])!r}"
        for future in self._pending.values():
            if not future.done():
                future.set_exception(EOFError("the server is gone"))

    async def _take(self, message: dict[str, Any]) -> None:
        assert message.get("jsonrpc") == "2.0"
        if "method" not in message:
            future = self._pending.pop(message["id"], None)
            if future is None:
                self.errors.append(message)
            elif not future.done():
                future.set_result(message)
        elif "id" in message:
            self.requests.append((message["method"], message.get("params")))
            handler = self.answers.get(message["method"])
            if handler is not None:
                answer = handler(message.get("params"))
                if asyncio.iscoroutine(answer):
                    self._later.append(asyncio.ensure_future(self._answer_later(message["id"], answer)))
                else:
                    self.answer(message["id"], answer)
            else:
                self.send({"id": message["id"], "error": {"code": -32601, "message": "no"}})
        else:
            self.notifications.append((message["method"], message.get("params")))
        async with self._changed:
            self._changed.notify_all()

    async def _answer_later(self, msg_id: Any, answer: Awaitable[Any]) -> None:
        self.answer(msg_id, await answer)

    def answer(self, msg_id: Any, result: Any) -> None:
        self.send({"id": msg_id, "result": result})

    def write(self, data: bytes) -> None:
        assert self.process.stdin
        self.process.stdin.write(data)

    def send(self, message: dict[str, Any], header: str = "Content-Length") -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.write(f"{header}: {len(body)}\r\n\r\n".encode() + body)

    def notify(self, method: str, params: Any = None) -> None:
        self.send({"method": method, "params": params} if params is not None else {"method": method})

    def start(self, method: str, params: Any = None, msg_id: Any = None) -> tuple[Any, asyncio.Future[Any]]:
        """Sends a request; its id and the future of the whole response message."""
        if msg_id is None:
            self._id += 1
            msg_id = self._id
        future = asyncio.get_running_loop().create_future()
        self._pending[msg_id] = future
        message = {"id": msg_id, "method": method}
        if params is not None:
            message["params"] = params
        self.send(message)
        return msg_id, future

    async def request(self, method: str, params: Any = None) -> dict[str, Any]:
        """The whole response message."""
        return await asyncio.wait_for(self.start(method, params)[1], LIMIT)

    async def call(self, method: str, params: Any = None) -> Any:
        """The result; an error response fails the test."""
        response = await self.request(method, params)
        assert "error" not in response, response["error"]
        return response["result"]

    async def command(self, name: str, argument: Any = None, **more: Any) -> Any:
        arguments = [] if argument is None else [argument]
        return await self.call("workspace/executeCommand", {"command": name, "arguments": arguments, **more})

    def cancel(self, msg_id: Any) -> None:
        self.notify("$/cancelRequest", {"id": msg_id})

    def got(self, method: str) -> list[Any]:
        return [params for name, params in self.notifications if name == method]

    async def until(self, true: Callable[[], Any]) -> Any:
        """Waits until `true()` is true after some message."""
        async with asyncio.timeout(LIMIT), self._changed:
            while not (found := true()):
                await self._changed.wait()
            return found

    async def initialize(self, capabilities: Mapping[str, Any] | None = None, **params: Any) -> Any:
        result = await self.call(
            "initialize",
            {"processId": os.getpid(), "rootUri": None, "capabilities": capabilities or {}, **params},
        )
        self.notify("initialized", {})
        return result

    def open(self, uri: str, text: str, version: int = 1) -> None:
        self.notify(
            "textDocument/didOpen",
            {"textDocument": {"uri": uri, "languageId": "markdown", "version": version, "text": text}},
        )

    def change(self, uri: str, version: int, *changes: dict[str, Any]) -> None:
        self.notify(
            "textDocument/didChange",
            {"textDocument": {"uri": uri, "version": version}, "contentChanges": list(changes)},
        )

    async def quit(self) -> int:
        await self.call("shutdown")
        self.notify("exit")
        return await self.ended()

    def eof(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()

    async def ended(self) -> int:
        code = await asyncio.wait_for(self.process.wait(), LIMIT)
        await self._reader
        await self._logger
        return code

    async def close(self) -> None:
        if self.process.returncode is None:
            self.process.kill()
            await self.process.wait()
        await asyncio.wait({self._reader, self._logger})
        if not self._reader.cancelled() and (error := self._reader.exception()):
            raise error


def environment(home: Path, **more: str) -> dict[str, str]:
    """An environment without the user's own settings, data or keys."""
    kept = {name: value for name, value in os.environ.items() if name in {"PATH", "SYSTEMROOT", "TMPDIR"}}
    return {
        **kept,
        "HOME": str(home),
        "XDG_DATA_HOME": str(home / "data"),
        "XDG_CACHE_HOME": str(home / "cache"),
        "XDG_CONFIG_HOME": str(home / "config"),
        "LANG": "C.UTF-8",
        "PYTHONUTF8": "1",
        **more,
    }


Spawn = Callable[..., Awaitable[RawClient]]


@pytest.fixture
async def spawn(tmp_path: Path) -> AsyncIterator[Spawn]:
    """Starts a server process: `await spawn()` the real one, `await spawn("probe.py")` one of the scripts here."""
    clients: list[RawClient] = []

    async def start(
        script: str = "", *args: str, env: Mapping[str, str] | None = None, python: tuple[str, ...] = ()
    ) -> RawClient:
        home = tmp_path / "home"
        home.mkdir(exist_ok=True)
        command = [str(HERE / script)] if script else ["-m", "inkwright", "lsp"]
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *python,
            *command,
            *args,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=environment(home, **(env or {})),
        )
        client = RawClient(process)
        clients.append(client)
        return client

    yield start
    for client in clients:
        await client.close()


@pytest.fixture
async def probe(spawn: Spawn) -> RawClient:
    """The probe server (protocol and process, no engine), initialized."""
    client = await spawn("probe.py")
    await client.initialize()
    return client
