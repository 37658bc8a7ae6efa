"""A run of the journal as text, and a replay as it goes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Literal, get_args

from inkwright.abilities.past import why
from inkwright.cli.context import Context
from inkwright.domain.conversation import Finish, Usage
from inkwright.domain.errors import ErrorKind, Fault
from inkwright.domain.run import (
    Product,
    RunEnded,
    RunEvent,
    State,
    StepEnded,
    StepRecord,
    StepStarted,
    StepStatus,
    StopReason,
    TextDelta,
    ToolEnded,
    ToolRecord,
    ToolStarted,
)
from inkwright.i18n import render
from inkwright.store.journal_rows import StoredRun

RESULT = 200
"""How many characters of a tool's arguments or result are shown; `--json` has all of them."""

# What the replay says of the prompt, which is today's, makes it no other run.
_ASIDE = "replay_prompt"


def pages(
    run: StoredRun, requests: Sequence[StepRecord], products: Sequence[Product], context: Context
) -> Iterator[str]:
    """The lines of a run: what was asked, its steps, its requests with their tool calls, how it ended."""
    yield from _head(run, context)
    labels = {step.index: step for step in run.steps}
    for product in products:
        step = labels[product.index]
        batch = f" ({product.window + 1}/{step.batches})" if step.batches > 1 else ""
        title = f"{product.index + 1}/{step.count} {step.label or step.name}{batch}"
        yield ""
        yield context.tr(
            "runs_step", title=title, status=state(product.status, context), chars=len(product.text)
        )
        yield from _indented(product.text)
    for record in requests:
        yield ""
        yield _request(record, context)
        yield from _indented(record.text if not products else _start(record.text))
        for call in record.calls:
            yield from _call(call, context)
    if run.text and not products:
        yield ""
        yield context.tr("runs_text")
        yield run.text.rstrip("\n")
    yield ""
    ended = state(run.state, context), _reason(run.stop_reason, context)
    yield context.tr("runs_end", state=ended[0], reason=ended[1], usage=_usage(run.usage))
    for fault in (*run.notices, *filter(None, (why(run),))):
        yield render(fault, context.locale)


def state(name: State | StepStatus, context: Context) -> str:
    """What became of a run or a step, in the writer's language."""
    return context.tr(f"state_{name}")


def _reason(name: StopReason | Literal[""] | None, context: Context) -> str:
    return context.tr(f"reason_{name}") if name else "-"


def _head(run: StoredRun, context: Context) -> Iterator[str]:
    began = datetime.fromtimestamp(run.created_at).strftime("%Y-%m-%d %H:%M:%S")
    yield f"{run.id}  {began}"
    what = run.pipeline if run.pipeline == run.ability else f"{run.ability} × {run.domain}"
    if run.pipeline and run.pipeline != run.ability:
        what = f"{what} · {run.pipeline}"
    yield context.tr("runs_what", what=what, model=run.model, effort=run.effort)
    if run.path:
        yield context.tr("runs_where", path=run.path, start=run.span.start, end=run.span.end)
    if run.message:
        yield context.tr("runs_message", message=run.message)
    if run.resumes:
        yield context.tr("runs_resumes", run=run.resumes)


def _request(record: StepRecord, context: Context) -> str:
    parts = [
        context.tr(f"finish_{record.finish}") if record.finish in get_args(Finish) else record.finish,
        f"{record.seconds:.1f} s",
        _usage(record.usage) if record.usage else "",
        context.tr(f"kind_{record.error_kind}") if record.error_kind in get_args(ErrorKind) else "",
    ]
    how = ", ".join(part for part in parts if part)
    return context.tr(
        "runs_request",
        number=record.index + 1,
        window=record.window + 1,
        round=record.round,
        chars=record.prompt_chars,
        how=how,
    )


def _call(call: ToolRecord, context: Context) -> Iterable[str]:
    arguments = call.raw if call.arguments is None else json.dumps(dict(call.arguments), ensure_ascii=False)
    code = "runs_call" if call.ok else "runs_call_failed"
    yield "    " + context.tr(
        code,
        name=call.name,
        arguments=_start(arguments),
        seconds=f"{call.seconds:.1f}",
        chars=len(call.result),
    )
    yield from _indented(_start(call.result), "      ")


def _indented(text: str, by: str = "    ") -> Iterable[str]:
    return (f"{by}{line}".rstrip() for line in text.rstrip("\n").split("\n")) if text.strip() else ()


def _start(text: str) -> str:
    return text if len(text) <= RESULT else f"{text[:RESULT]}…"


def _usage(usage: Usage) -> str:
    about = "~" if usage.estimated else ""
    return f"{about}{usage.input} → {about}{usage.output}"


class Replayed:
    """Shows a replay as it goes; with `--json` it keeps quiet until the end."""

    def __init__(self, stored: StoredRun, context: Context) -> None:
        self._stored = stored
        self._context = context
        self._events: list[dict[str, object]] = []
        self._ended: RunEnded | None = None
        self._in_line = False

    def __call__(self, event: RunEvent) -> None:
        context = self._context
        match event:
            case StepStarted(index, count, name):
                self._note("step", f"[{index + 1}/{count}] {name}", index=index, count=count, name=name)
            case StepEnded(index, count, name, ok):
                said = context.tr("replay_step_done" if ok else "replay_step_stopped", index=index + 1)
                self._note("stepEnd", said, index=index, count=count, name=name, ok=ok)
            case ToolStarted(_, name):
                self._note("tool", f"[{context.tr(f'tool_{name}')}]", name=name)
            case ToolEnded(_, name, ok):
                said = "" if ok else context.tr("replay_tool_failed", name=name)
                self._note("toolEnd", said, name=name, ok=ok)
            case TextDelta(text):
                if not context.json:
                    context.say(text, end="")
                    self._in_line = bool(text) and not text.endswith("\n")
            case RunEnded():
                self._ended = event
            case _:
                pass

    def conclude(self) -> bool:
        """Says whether it came to what was recorded; True when it did."""
        ended, stored, context = self._ended, self._stored, self._context
        assert ended is not None
        said = [notice for notice in ended.notices if notice.code.startswith("replay_")]
        same = all(notice.code == _ASIDE for notice in said)
        if context.json:
            context.emit(self._value(ended, said, same=same))
            return same
        self._break()
        for notice in said:
            context.say(render(notice, context.locale))
        context.say(
            context.tr(
                "replay_same" if same else "replay_other",
                reason=_reason(ended.stop_reason, context),
                recorded=_reason(stored.stop_reason, context),
                chars=len(ended.text),
            )
        )
        return same

    def _value(self, ended: RunEnded, said: Sequence[Fault], *, same: bool) -> dict[str, object]:
        return {
            "requestId": self._stored.id,
            "same": same,
            "text": ended.text,
            "stopReason": ended.stop_reason,
            "recorded": {"text": self._stored.text, "stopReason": self._stored.stop_reason},
            "differences": [
                {"code": notice.code, "message": render(notice, self._context.locale)} for notice in said
            ],
            "events": self._events,
        }

    def _note(self, kind: str, text: str, **what: object) -> None:
        self._events.append({"kind": kind, **what})
        if text and not self._context.json:
            self._break()
            self._context.say(text)

    def _break(self) -> None:
        if self._in_line:
            self._context.say("")
            self._in_line = False
