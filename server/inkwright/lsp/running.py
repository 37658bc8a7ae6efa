"""One run from a command's argument to its result, with stream, progress and every way to cancel it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

from inkwright.abilities import run_shapes
from inkwright.abilities.asks import OUTCOMES, Ask, RunResult
from inkwright.domain.conversation import Usage, Waiting
from inkwright.domain.errors import Fault, InkwrightError
from inkwright.domain.run import RunEvent, RunSettling, RunWaiting, StepStarted, TextDelta, ToolStarted
from inkwright.i18n import render
from inkwright.lsp import uris
from inkwright.lsp.stream import Stream

if TYPE_CHECKING:
    from inkwright.lsp.session import Session
    from inkwright.lsp.still import Still

REPORT_EVERY = 100
"""Characters between two reports of progress."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a client asks for. `still` is the document when it is open; `where` an LSP range or None.

    `pipeline` is None for an ability, '' for the pipeline of the book's domain; `image` None for anything
    but a picture. `body` is what makes
    two wishes under one id the same.
    """

    ability: str
    uri: str
    still: Still | None
    where: tuple[int, int, int, int] | None
    message: str
    model: str
    follow: str
    request_id: str
    body: str
    pipeline: str | None = None
    resume: str = ""
    image: str | None = None
    show: bool = False
    """The editor has no place for the outcome: the server tells of it."""


async def ask_of(ls: Session, wish: Wish) -> Ask:
    """The wish as the studio takes it; a document that is not open is read from the disk.

    Raises `InkwrightError`: document_not_open, document_unnamed, file_missing, file_unreadable.
    """
    path = uris.path(wish.uri)
    readonly = ""
    still = wish.still
    if still is None:
        from inkwright.lsp.still import Still

        if path is None:
            raise uris.closed(wish.uri)
        _, found = await (await ls.studio()).workspace.snapshot(path, wish.uri)
        still, readonly = Still(wish.uri, path, None, found.text), found.readonly
    if not ls.client.can.can_edit(still.text):
        readonly = readonly or "lone_cr"
    span = None if wish.where is None else still.span(wish.where, ls.encoding)
    return Ask(
        ability=wish.ability,
        snapshot=await ls.books.snapshot(still, readonly),
        path=path,
        span=span if span else None,  # a bare cursor selects nothing
        cursor=span.start if span is not None and not span else None,
        message=wish.message,
        model=wish.model,
        follow=wish.follow,
        request_id=wish.request_id,
        body=wish.body,
        pipeline=wish.pipeline,
        resume=wish.resume,
        image=wish.image,
    )


class Running:
    """Ends exactly once: the stream with its terminal event, the progress with its end, the caller with
    a result, or with -32800 when the caller itself cancelled the request."""

    def __init__(self, ls: Session, wish: Wish, stream: str | int | None, token: str | int | None) -> None:
        self._ls = ls
        self._wish = wish
        self._stream = Stream(ls.client, stream, wish.request_id, ls.locale)
        self._begun = False
        self._stopped = False
        self._task: asyncio.Task[Any] | None = None
        self._notices: tuple[Fault, ...] = ()
        self._chars = self._told = 0
        self._step = ""
        self.shown = wish.show and stream is None
        self._same = ls.running.setdefault(wish.request_id, [])
        self._bar = ls.progress_bars.begin(self.title, token=token, cancel=self.cancel)

    def start(self) -> asyncio.Task[dict[str, Any]]:
        """The run as a task. A cancel that stands right behind the request finds it already."""
        self._same.append(self)
        task = self._ls.spawn(self._outcome(), told=True)
        # Not in the task itself: one that is cancelled before its first step never takes any.
        task.add_done_callback(self._ended)
        return task

    def cancel(self) -> bool:
        """The user's cancel: the caller still gets a result. False when it came too late."""
        if self._begun:
            studio = self._ls.ready_studio
            return studio is not None and studio.cancel(self._wish.request_id)
        if not self._stopped:
            self._stopped = True
            if self._task is not None:
                self._task.cancel()
        return True

    async def _outcome(self) -> dict[str, Any]:
        self._task = asyncio.current_task()
        try:
            result = await self._result()
            wire = run_shapes.run_result(result, self._ls.encoding, self._ls.locale)
            self._stream.end(result, wire)
        except Exception as error:
            raise self._ls.explain(error) from error
        self._notices = result.notices
        if result.proposal is not None:
            self._ls.pending.changed()
        if result.candidates:
            self._ls.spawn(self._ls.client.refresh_aids())
        if self.shown:
            from inkwright.lsp import telling

            self._ls.spawn(telling.tell(self._ls, result, self.title))
        return wire

    def _ended(self, task: asyncio.Task[dict[str, Any]]) -> None:
        if task.cancelled():
            self._stream.cancelled()
        elif (error := task.exception()) is not None:
            self._stream.failed("internal", getattr(error, "message", ""))
        self._bar.end()
        self._same.remove(self)
        if self._same:
            return
        # The last of those who asked for the same run: what the writer should know is said once.
        self._ls.running.pop(self._wish.request_id, None)
        for notice in self._notices:
            kind = t.MessageType.Info if notice.code in OUTCOMES else t.MessageType.Warning
            self._ls.client.show(render(notice, self._ls.locale), kind)

    async def _result(self) -> RunResult:
        if self._stopped:
            return self._nothing(None)
        try:
            studio = await self._ls.current()
            ask = await ask_of(self._ls, self._wish)
            self._begun = True
            return await studio.run(ask, self._sink)
        except InkwrightError as error:
            return self._nothing(error)
        except asyncio.CancelledError:
            if self._stopped and not self._begun and self._task is not None:
                self._task.uncancel()
                return self._nothing(None)
            raise

    def _nothing(self, error: InkwrightError | None) -> RunResult:
        wish, fault = self._wish, None if error is None else error.fault
        return RunResult(
            wish.request_id,
            wish.ability,
            "cancelled" if fault is None else "failed",
            "cancelled" if fault is None else "error",
            wish.model,
            "",
            None,
            Usage(),
            fault,
            pipeline=wish.pipeline,
        )

    @property
    def uri(self) -> str:
        return self._wish.uri

    @property
    def title(self) -> str:
        if self._wish.image is not None:
            return self._ls.tr("progress_image")
        if self._wish.pipeline is not None:
            return self._ls.tr("progress_pipeline")
        studio = self._ls.ready_studio
        profile = None if studio is None else studio.known(self._wish.ability)
        label = self._wish.ability if profile is None else profile.label[self._ls.locale]
        return self._ls.tr("progress_run", label=label)

    def _sink(self, event: RunEvent) -> None:
        self._stream.event(event)
        match event:
            case TextDelta(text):
                self._chars += len(text)
                if self._chars - self._told >= REPORT_EVERY:
                    self._told = self._chars
                    self._report(self._ls.tr("progress_chars", count=f"{self._chars:,}"))
            case ToolStarted(name=name):
                said = self._ls.tr(f"tool_{name}")
                self._report(name if said == f"tool_{name}" else said)
            case StepStarted(index=index, count=count, label=label) if count > 1:
                self._step = f"{index + 1}/{count} {label}".strip() + " "
                self._report("")
            case RunWaiting(waiting=None):
                self._report("")
            case RunSettling():
                self._report(self._ls.tr("progress_settling"))
            case RunWaiting(waiting=Waiting(why=why, seconds=seconds, ahead=ahead)):
                self._report(self._ls.tr(f"progress_{why}", seconds=max(1, round(seconds or 0)), ahead=ahead))
            case _:
                pass

    def _report(self, message: str) -> None:
        self._bar.report(f"{self._step}{message}".strip())
