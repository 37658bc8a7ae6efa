"""The wire: a server process, what is sent to it, and that every request is answered exactly once."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

LIMIT = 60.0
FORBIDDEN = frozenset({-32700, -32600, -32601, -32603})
"""Error codes that mean a fault of the server's, whatever the request was."""


class Failed(Exception):  # noqa: N818 - what the session has found
    """The server did what it must not."""


class Client:
    """`failure` is the first thing that went wrong; it is raised by `check` at the next act."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.failure: Failed | None = None
        self.sent = 0
        self.log = bytearray()
        self.tail: deque[Any] = deque(maxlen=400)
        self.on_request: Callable[[str, Any], Any] = lambda _method, _params: None
        self.on_notification: Callable[[str, Any], None] = lambda _method, _params: None
        self.waiting: dict[int, tuple[str, Callable[[dict[str, Any]], None]]] = {}
        self._ids = 0
        self._moved = asyncio.Condition()
        self._tasks = [asyncio.ensure_future(self._read()), asyncio.ensure_future(self._read_log())]

    @staticmethod
    async def start(home: Path, cache: Path) -> Client:
        kept = {
            name: value
            for name, value in os.environ.items()
            if name in {"PATH", "PYTHONPATH", "SYSTEMROOT", "TMPDIR"}
        }
        home.mkdir(parents=True, exist_ok=True)
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "inkwright", "lsp"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env={
                **kept,
                "HOME": str(home),
                "XDG_DATA_HOME": str(home / "data"),
                "XDG_CONFIG_HOME": str(home / "config"),
                "XDG_CACHE_HOME": str(cache),
                "LANG": "C.UTF-8",
                "PYTHONUTF8": "1",
            },
        )
        return Client(process)

    def check(self) -> None:
        if self.failure is not None:
            raise self.failure

    def fail(self, text: str) -> None:
        if self.failure is None:
            self.failure = Failed(text)

    # Out

    def send(self, message: Mapping[str, Any], *, escaped: bool = True) -> None:
        assert self.process.stdin
        body = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=escaped)
        try:
            data = body.encode()
        except UnicodeEncodeError:  # half a pair can only be sent as an escape
            data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(data), data))
        self.sent += 1
        self.tail.append(message)

    def notify(self, method: str, params: Any = None) -> None:
        self.send({"method": method, **({} if params is None else {"params": params})}, escaped=False)

    def request(
        self, method: str, params: Any, done: Callable[[dict[str, Any]], None] = lambda _: None
    ) -> int:
        """`done` gets the whole response as soon as it is there."""
        self._ids += 1
        self.waiting[self._ids] = (method, done)
        self.send({"id": self._ids, "method": method, **({} if params is None else {"params": params})})
        return self._ids

    async def ask(self, method: str, params: Any) -> dict[str, Any]:
        """The whole response."""
        future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self.request(method, params, lambda response: None if future.done() else future.set_result(response))
        try:
            return await asyncio.wait_for(future, LIMIT)
        except TimeoutError:
            self.check()
            raise Failed(f"no answer to {method} in {LIMIT:.0f} s") from None

    async def call(self, method: str, params: Any) -> Any:
        response = await self.ask(method, params)
        if "error" in response:
            raise Failed(f"{method}: {response['error']}")
        return response["result"]

    async def settle(self, most: int = 0) -> None:
        """Waits until no more than `most` requests wait for their answers."""
        assert self.process.stdin
        await self.process.stdin.drain()
        try:
            async with asyncio.timeout(LIMIT), self._moved:
                while len(self.waiting) > most and self.failure is None:
                    await self._moved.wait()
        except TimeoutError:
            raise Failed(f"never answered: {[method for method, _ in self.waiting.values()]}") from None
        self.check()

    # In

    async def _read_log(self) -> None:
        assert self.process.stderr
        while chunk := await self.process.stderr.read(65536):
            self.log += chunk

    async def _read(self) -> None:
        out = self.process.stdout
        assert out
        try:
            while True:
                head = await out.readuntil(b"\r\n\r\n")
                if not head.startswith(b"Content-Length: "):
                    raise Failed(f"no header: {head[:80]!r}")
                self._take(json.loads(await out.readexactly(int(head[16:-4]))))
                async with self._moved:
                    self._moved.notify_all()
        except asyncio.IncompleteReadError as error:
            if error.partial:
                self.fail(f"bytes outside the protocol: {error.partial[:80]!r}")
            elif self.waiting:
                self.fail(f"the server is gone and owes {len(self.waiting)} answers")
        except Failed as failure:
            self.fail(str(failure))
        except Exception as error:
            self.fail(f"{type(error).__name__}: {error}")
            raise
        finally:
            async with self._moved:
                self._moved.notify_all()

    def _take(self, message: dict[str, Any]) -> None:
        if "method" in message and "id" in message:
            result = self.on_request(message["method"], message.get("params"))
            self.send({"id": message["id"], "result": result})
        elif "method" in message:
            self.on_notification(message["method"], message.get("params"))
        else:
            method, done = self.waiting.pop(message.get("id"), ("", lambda _: None))
            if not method:
                raise Failed(f"an answer to nothing, or a second one: {json.dumps(message)[:300]}")
            if ("result" in message) == ("error" in message):
                raise Failed(f"neither a result nor an error: {message}")
            if message.get("error", {}).get("code") in FORBIDDEN:
                raise Failed(f"{method}: {message['error']}")
            done(message)

    # The end

    async def quit(self) -> None:
        """Shutdown and exit in order. Raises `Failed` for a status that is not 0, or for a fault in the log."""
        await self.settle()
        await self.call("shutdown", None)
        self.notify("exit")
        status = await asyncio.wait_for(self.process.wait(), LIMIT)
        await asyncio.gather(*self._tasks)
        self.check()
        if status != 0:
            raise Failed(f"exit status {status}")
        self.check_log()

    def check_log(self) -> None:
        """A traceback, a failed notification, an answer that could not be written: each is a fault."""
        text = self.log.decode("utf-8", "replace")
        for sign in (
            "Traceback",
            "Error",
            "failed",
            "could not be written",
            "ERROR",
            "CRITICAL",
            "never retrieved",
        ):
            if sign in text:
                at = text.index(sign)
                raise Failed(f"in the log: …{text[max(0, at - 300) : at + 1500]}")

    async def kill(self) -> None:
        if self.process.returncode is None:
            self.process.kill()
            await self.process.wait()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def resident(self) -> int:
        """Resident memory in KB; 0 where the system does not tell."""
        status = Path(f"/proc/{self.process.pid}/status")
        rows = status.read_text().splitlines() if status.exists() else []
        return next((int(row.split()[1]) for row in rows if row.startswith("VmRSS")), 0)
