"""Requests to the client that still wait for its answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from pygls.exceptions import JsonRpcException


class Asked:
    """`send` writes one message. An answer that nobody waits for any more is dropped; whoever said so hears of it."""

    def __init__(self, send: Callable[[Mapping[str, Any]], None]) -> None:
        self._send = send
        self._waiting: dict[str, asyncio.Future[Any]] = {}
        self._late: dict[str, tuple[str, Callable[[Any], None]]] = {}
        self._next_id = 0

    def __len__(self) -> int:
        return len(self._waiting)

    async def ask(
        self, method: str, params: Any, seconds: float, late: Callable[[Any], None] | None = None
    ) -> Any:
        """A request to the client; its raw JSON result. `late` gets one that comes after `seconds`, unless the same has
        been asked again meanwhile.

        Raises `TimeoutError`, or `JsonRpcException` for an error answer. The caller may be
        cancelled at any time.
        """
        self._next_id += 1
        msg_id = f"ink-{self._next_id}"
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting[msg_id] = future
        self._late.pop(method, None)
        try:
            self._send({"jsonrpc": "2.0", "id": msg_id, "method": method, "params": params})
            async with asyncio.timeout(seconds):
                return await future
        except TimeoutError:
            if late is not None:
                self._late[method] = (msg_id, late)
            raise
        finally:
            self._waiting.pop(msg_id, None)

    def take(self, message: Mapping[str, Any]) -> None:
        """An answer of the client, of whatever shape."""
        msg_id = message.get("id")
        future = self._waiting.pop(msg_id, None) if isinstance(msg_id, str) else None
        if future is None or future.done():
            self._heard(msg_id, message)
            return
        error = message.get("error")
        if error is None:
            future.set_result(message.get("result"))
        else:
            code = error.get("code") if isinstance(error, dict) else None
            future.set_exception(JsonRpcException(str(code), code if isinstance(code, int) else None))

    def _heard(self, msg_id: Any, message: Mapping[str, Any]) -> None:
        """An answer that nobody waits for any more."""
        for method, (asked, late) in self._late.items():
            if asked == msg_id:
                del self._late[method]
                if message.get("error") is None:
                    late(message.get("result"))
                return
