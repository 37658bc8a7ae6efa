"""Work-done progress: begin, report, end, whatever the client can do; never decreasing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from inkwright.lsp.client import Client

Token = str | int


class Progress:
    """The open progress tokens. A token is forgotten when its work ends."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._open: dict[Token, WorkDone] = {}
        self._next = 0
        self._creating: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        return len(self._open)

    def begin(
        self,
        title: str,
        *,
        token: Token | None = None,
        cancel: Callable[[], object] | None = None,
        measured: bool = False,
    ) -> WorkDone:
        """Starts showing work, under the client's token or one of our own.

        `cancel` is called when the user cancels; without it the work is not cancellable. `measured`
        work reports percentages. Nothing waits for the client: what happens before it has taken our
        token is shown once it has.
        """
        work = WorkDone(self, title, cancel, measured=measured)
        if token is None and self._client.can.work_done:
            self._next += 1
            own = f"inkwright-{self._next}"
            task = asyncio.ensure_future(self._create(own, work))
            self._creating.add(task)
            task.add_done_callback(self._creating.discard)
            self._open[own] = work
            work.token = own
        elif token is not None:
            self._open[token] = work
            work.token = token
            work.ready()
        return work

    async def _create(self, token: str, work: WorkDone) -> None:
        if await self._client.create_progress(token) and not work.ended:
            work.ready()

    def cancelled(self, token: Token) -> None:
        """The user cancelled the work under `token`."""
        work = self._open.get(token)
        if work is not None and work.cancel is not None and not work.ended:
            work.cancel()

    def close(self) -> None:
        for task in self._creating:
            task.cancel()
        for work in list(self._open.values()):
            work.end()

    def forget(self, token: Token | None) -> None:
        if token is not None:
            self._open.pop(token, None)

    def send(self, token: Token, value: dict[str, Any]) -> None:
        self._client.progress(token, value)


class WorkDone:
    """One piece of work as the client shows it."""

    def __init__(
        self, owner: Progress, title: str, cancel: Callable[[], object] | None, *, measured: bool
    ) -> None:
        self.token: Token | None = None
        self.cancel = cancel
        self.ended = False
        self._owner = owner
        self._title = title
        self._shown = False
        self._measured = measured
        self._percentage = 0
        self._message = ""

    def ready(self) -> None:
        if self.token is None:
            return
        self._shown = True
        value: dict[str, Any] = {
            "kind": "begin",
            "title": self._title,
            "cancellable": self.cancel is not None,
        }
        if self._measured:
            value["percentage"] = self._percentage
        if self._message:
            value["message"] = self._message
        self._owner.send(self.token, value)

    def report(self, message: str = "", percentage: float | None = None) -> None:
        """`percentage` of 0 to 100; one lower than before changes nothing."""
        rounded = self._percentage
        if percentage is not None:
            rounded = max(self._percentage, min(100, int(percentage)))
        if self.ended or (message == self._message and rounded == self._percentage):
            return
        self._message, self._percentage = message, rounded
        if self._shown and self.token is not None:
            value: dict[str, Any] = {"kind": "report", "message": message}
            if self._measured:
                value["percentage"] = rounded
            self._owner.send(self.token, value)

    def end(self, message: str = "") -> None:
        if self.ended:
            return
        self.ended = True
        self._owner.forget(self.token)
        if self._shown and self.token is not None:
            self._owner.send(self.token, {"kind": "end", "message": message} if message else {"kind": "end"})
