"""A small LSP client that adds as little as it can to what it measures."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import process

CAPABILITIES: dict[str, Any] = {
    "general": {"positionEncodings": ["utf-16"]},
    "workspace": {"applyEdit": True, "configuration": True, "workspaceEdit": {"documentChanges": True}},
    "window": {"workDoneProgress": True},
    "textDocument": {
        "hover": {"contentFormat": ["markdown"]},
        "completion": {"completionItem": {}},
        "publishDiagnostics": {"versionSupport": True},
    },
}
LIMIT = 120.0


class Client:
    """One server process. Requests of the server are answered with null, settings with one null each."""

    def __init__(self, child: asyncio.subprocess.Process) -> None:
        self.child = child
        self.listeners: list[Callable[[str, Any, float], None]] = []
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._last = 0
        self._reader = asyncio.create_task(self._read())

    @classmethod
    async def start(cls, command: Sequence[str], env: Mapping[str, str], cwd: Path) -> Client:
        child = await asyncio.create_subprocess_exec(
            *command,
            env=env,
            cwd=cwd,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=1 << 26,
        )
        return cls(child)

    @property
    def cpu(self) -> float:
        return process.cpu(self.child.pid)

    @property
    def peak(self) -> float:
        return process.peak(self.child.pid)

    async def initialize(self, root: Path, capabilities: Mapping[str, Any] = CAPABILITIES) -> None:
        """Send `initialize` and wait for the answer; `initialized` is the caller's."""
        folder = {"uri": root.as_uri(), "name": root.name}
        await self.request(
            "initialize",
            {
                "processId": None,
                "rootUri": root.as_uri(),
                "workspaceFolders": [folder],
                "capabilities": capabilities,
            },
        )

    async def request(self, method: str, params: Any) -> Any:
        """The result; an error answer raises RuntimeError."""
        self._last += 1
        future = self._waiting[self._last] = asyncio.get_running_loop().create_future()
        self._send({"id": self._last, "method": method, "params": params})
        return await asyncio.wait_for(future, LIMIT)

    def notify(self, method: str, params: Any) -> None:
        self._send({"method": method, "params": params})

    async def command(self, name: str, argument: Any) -> Any:
        return await self.request("workspace/executeCommand", {"command": name, "arguments": [argument]})

    def open(self, path: Path, text: str) -> str:
        uri = path.as_uri()
        item = {"uri": uri, "languageId": "markdown", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})
        return uri

    def change(self, uri: str, version: int, line: int, character: int, text: str) -> None:
        place = {"line": line, "character": character}
        self.notify(
            "textDocument/didChange",
            {
                "textDocument": {"uri": uri, "version": version},
                "contentChanges": [{"range": {"start": place, "end": place}, "text": text}],
            },
        )

    async def close(self) -> None:
        try:
            await self.request("shutdown", None)
            self.notify("exit", None)
            assert self.child.stdin
            self.child.stdin.close()
            await asyncio.wait_for(self.child.wait(), 10)
        except (TimeoutError, ConnectionError, RuntimeError):
            with suppress(ProcessLookupError):  # gone meanwhile
                self.child.kill()
            await self.child.wait()
        self._reader.cancel()

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode()
        assert self.child.stdin
        self.child.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    async def _read(self) -> None:
        out = self.child.stdout
        assert out
        while True:
            size = 0
            while (line := await out.readline()) not in (b"\r\n", b""):
                if line.lower().startswith(b"content-length:"):
                    size = int(line.split(b":")[1])
            if line == b"":
                for future in self._waiting.values():
                    if not future.done():
                        future.set_exception(ConnectionError("the server is gone"))
                return
            try:
                body = await out.readexactly(size)
            except asyncio.IncompleteReadError:  # a peer that ends in the middle of a message
                continue
            now = time.perf_counter()
            self._take(json.loads(body), now)

    def _take(self, message: dict[str, Any], now: float) -> None:
        if "method" not in message:
            future = self._waiting.pop(message["id"], None)
            if future and not future.done():
                if "error" in message:
                    future.set_exception(RuntimeError(str(message["error"])))
                else:
                    future.set_result(message.get("result"))
        elif "id" in message:
            self._send({"id": message["id"], "result": _answer(message["method"], message.get("params"))})
        else:
            for listener in self.listeners:
                listener(message["method"], message.get("params"), now)


def _answer(method: str, params: Any) -> Any:
    """What a server may ask. VS Code's Markdown server has its client read the disk and parse: to us, nothing is there."""
    if method == "workspace/configuration":
        return [None] * len(params["items"])
    return [] if method.startswith("markdown/") else None
