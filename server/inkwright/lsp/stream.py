"""A run as the caller of `runAbility` sees it: `$/progress` values `{event, data, requestId}`."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from inkwright.abilities import shapes
from inkwright.domain.run import (
    ReasoningDelta,
    RunEvent,
    StepEnded,
    StepStarted,
    TextDelta,
    ToolEnded,
    ToolStarted,
    UsageSoFar,
)
from inkwright.i18n import render, tr

if TYPE_CHECKING:
    from inkwright.abilities.asks import RunResult
    from inkwright.domain.conversation import Locale
    from inkwright.lsp.client import Client
    from inkwright.lsp.protocol import StreamEvent

log = logging.getLogger(__name__)


class Stream:
    """Sends the events of one run under the caller's token; without a token it sends nothing.

    Exactly one of done, error and cancelled ends it, nothing follows, and the chunks put together are
    the result's text.
    """

    def __init__(self, client: Client, token: str | int | None, request_id: str, locale: Locale) -> None:
        self._client = client
        self._token = token
        self._request_id = request_id
        self._locale = locale
        self._sent: list[str] = []
        self._ended = False

    def event(self, event: RunEvent) -> None:
        match event:
            case TextDelta(text):
                self._sent.append(text)
                self._send("chunk", text)
            case ReasoningDelta(text):
                self._send("reasoning", text)
            case ToolStarted(id=call, name=name):
                label = tr(f"tool_{name}", self._locale)
                said = {} if label == f"tool_{name}" else {"label": label}
                self._send("tool", {"id": call, "name": name, "phase": "start", **said})
            case ToolEnded(id=call, name=name, ok=ok):
                self._send("tool", {"id": call, "name": name, "phase": "end", "ok": ok})
            case StepStarted(index=index, count=count, name=name, label=label, steps=steps):
                more: dict[str, Any] = {"label": label} if label else {}
                if steps:
                    more["steps"] = [{"name": step.name, "label": step.label} for step in steps]
                self._send("step", {"index": index, "count": count, "name": name, "phase": "start", **more})
            case StepEnded(index=index, count=count, name=name, ok=ok):
                self._send("step", {"index": index, "count": count, "name": name, "phase": "end", "ok": ok})
            case UsageSoFar(usage):
                self._send("usage", shapes.usage(usage))
            case _:
                pass

    def end(self, result: RunResult, wire: dict[str, Any]) -> None:
        """The terminal event. `wire` is the result as JSON.

        Text that was not streamed to this caller (it joined a run that had ended) goes out before it.
        """
        if result.status == "cancelled":
            self.cancelled()
            return
        sent = "".join(self._sent)
        if result.text.startswith(sent):
            if rest := result.text[len(sent) :]:
                self._send("chunk", rest)
        else:
            log.error("the chunks of a run are not its text")
        if result.status == "completed":
            self._end("done", {name: value for name, value in wire.items() if name != "text"})
            return
        fault = result.fault
        code = fault.code if fault is not None else f"run_{result.stop_reason}"
        message = render(fault, self._locale) if fault is not None else tr(code, self._locale)
        self._end(
            "error",
            {"status": result.status, "stopReason": result.stop_reason, "code": code, "message": message},
        )

    def cancelled(self) -> None:
        self._end("cancelled", {})

    def failed(self, code: str, message: str) -> None:
        """The end of a run that could not even be asked for."""
        self._end("error", {"status": "failed", "stopReason": "error", "code": code, "message": message})

    def _end(self, event: StreamEvent, data: Any) -> None:
        self._send(event, data)
        self._ended = True

    def _send(self, event: StreamEvent, data: Any) -> None:
        if self._token is None or self._ended:
            return
        self._client.progress(self._token, {"event": event, "data": data, "requestId": self._request_id})
