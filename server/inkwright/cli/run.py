"""`inkwright run`: one run on a file. The file changes only with `--apply` or `--apply-all`."""

from __future__ import annotations

import argparse
import asyncio
import difflib
import re
import uuid
from pathlib import Path
from typing import TYPE_CHECKING

from inkwright.cli.context import (
    EXIT_CANCELLED,
    EXIT_DONE,
    EXIT_FAILED,
    EXIT_PARTIAL,
    Context,
    Subparsers,
    flat,
)
from inkwright.domain.conversation import Waiting
from inkwright.domain.errors import Fault, InkwrightError
from inkwright.domain.proposal import Proposal
from inkwright.domain.run import RunEvent, RunWaiting, StepStarted, TextDelta, ToolStarted
from inkwright.domain.text import EOL, Lines, Span, TextEdit, apply
from inkwright.i18n import tr

if TYPE_CHECKING:
    from inkwright.abilities.asks import Ask, RunResult, Verdict
    from inkwright.abilities.studio import Studio

STATUS = {
    "completed": EXIT_DONE,
    "partial": EXIT_PARTIAL,
    "failed": EXIT_FAILED,
    "cancelled": EXIT_CANCELLED,
}


def add_parser(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "run", help="run an ability on a chapter: polish, analysis, research, writing"
    )
    parser.add_argument("ability", metavar="ABILITY")
    parser.add_argument("file", metavar="FILE", type=Path)
    parser.add_argument("--message", metavar="M", default="", help="what you want, in your words")
    parser.add_argument("--lines", metavar="A-B", type=_lines, help="only these lines, counted from 1")
    parser.add_argument("--model", metavar="NAME", default="")
    parser.add_argument("--follow", metavar="RUN", default="", help="go on from an earlier run")
    apply = parser.add_mutually_exclusive_group()
    apply.add_argument("--apply", action="store_true", help="write the hunks without findings")
    apply.add_argument("--apply-all", action="store_true", help="write every hunk")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of text")


async def run(args: argparse.Namespace, context: Context) -> int:
    from inkwright.abilities import run_shapes, shapes
    from inkwright.abilities.asks import Ask
    from inkwright.workspace import absolute

    path = absolute(args.file)
    async with context.studio() as studio:
        _, snapshot = await studio.workspace.snapshot(path)
        span = None if args.lines is None else _span(snapshot.text, *args.lines)
        id_ = uuid.uuid4().hex
        ask = Ask(args.ability, snapshot, path, span, args.message, args.model, args.follow, id_)
        result, cancelled = await played(studio, ask, Stream(context))
        context.end_line()
        verdict: Verdict | None = None
        failed: Fault | None = None
        if result.proposal is not None and (args.apply or args.apply_all) and not cancelled:
            chosen = [h.index for h in result.proposal.hunks] if args.apply_all else None
            verdict, failed = await _applied(studio, ask, result.proposal, chosen, context)
        if context.json:
            value = run_shapes.run_result(result, "utf-16", context.locale)
            if verdict is not None:
                value["applied"] = run_shapes.verdict(verdict)
            if failed is not None:
                value["error"] = shapes.error(failed, context.locale)
            context.emit(value)
        else:
            # On a screen the answer has just been seen; in a file or a pipe it is the output.
            if result.text and not context.on_screen:
                context.say(result.text, end="" if result.text.endswith("\n") else "\n")
            if result.proposal is not None:
                show_diff(context, result.proposal, args.file)
                for line in held(context, result.proposal, verdict):
                    context.line(line)
                context.note(_written(result.proposal, verdict, args.file, context))
        for notice in result.notices:
            context.notice(notice)
        for fault in (result.fault, failed):
            if fault is not None:
                context.notice(fault)
        if cancelled and (result.status == "cancelled" or args.apply or args.apply_all):
            context.notice(Fault("command_cancelled"))
            return EXIT_CANCELLED
        return EXIT_FAILED if failed is not None else STATUS[result.status]


def _written(proposal: Proposal, verdict: Verdict | None, file: Path, context: Context) -> str:
    """What stands in the file now, and what does not."""
    count = len(proposal.hunks)
    if verdict is None:
        return context.tr("run_unwritten", count=count)
    kept = count - len(verdict.applied)
    return context.tr("run_written", count=len(verdict.applied), file=file, kept=kept)


async def played(studio: Studio, ask: Ask, stream: Stream) -> tuple[RunResult, bool]:
    """The result of a run, and whether the user cancelled it. A second Ctrl-C does not wait for it."""
    running = asyncio.ensure_future(studio.run(ask, stream))
    try:
        return await asyncio.shield(running), False
    except asyncio.CancelledError:
        studio.cancel(ask.request_id)
        return await running, True


async def _applied(
    studio: Studio, ask: Ask, proposal: Proposal, chosen: list[int] | None, context: Context
) -> tuple[Verdict | None, Fault | None]:
    """Writes hunks into the file: what became of them, or what kept them all out of it.

    Once begun it is finished: a Ctrl-C in these moments comes too late.
    """
    work = asyncio.ensure_future(_write(studio, ask, proposal, chosen, context))
    while not work.done():
        try:
            await asyncio.wait({work})
        except asyncio.CancelledError:
            continue
    return work.result()


async def _write(
    studio: Studio, ask: Ask, proposal: Proposal, chosen: list[int] | None, context: Context
) -> tuple[Verdict | None, Fault | None]:
    from inkwright.abilities.asks import Verdict
    from inkwright.workspace import write_text

    text = ask.snapshot.text
    try:
        decision = await studio.review.accept(proposal, chosen, text)
        if decision.edits and ask.path is not None:
            await write_text(ask.path, text, apply(text, list(decision.edits)))
    except InkwrightError as error:
        return None, error.fault
    try:
        return await studio.review.record(decision), None
    except InkwrightError as error:
        # The file is written; that it could not be noted is no reason to say that it was not.
        context.notice(error.fault)
        return Verdict(decision.applied, decision.stale, decision.rejected), None


class Stream:
    """Shows a run on stderr as it happens."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def __call__(self, event: RunEvent) -> None:
        match event:
            case TextDelta(text):
                self._context.note(text, end="")
            case ToolStarted(_, name):
                self._context.line(f"[{self._context.tr(f'tool_{name}')}]")
            case StepStarted(index, count, _, label):
                self._context.line(f"[{index + 1}/{count} {label}".rstrip() + "]")
            case RunWaiting(waiting=Waiting(why=why, seconds=seconds, ahead=ahead)):
                seconds = max(1, round(seconds or 0))
                told = self._context.tr(f"progress_{why}", seconds=seconds, ahead=ahead)
                self._context.line(f"[{told}]")


def show_diff(context: Context, proposal: Proposal, name: Path) -> None:
    """The unified diff of all hunks."""
    new = apply(proposal.base, [TextEdit(hunk.span, hunk.after) for hunk in proposal.hunks])
    lines = difflib.unified_diff(
        _keep(proposal.base), _keep(new), flat(f"a/{name.name}"), flat(f"b/{name.name}"), lineterm=""
    )
    for line in lines:
        context.say(EOL.sub("", line))


def held(context: Context, proposal: Proposal, verdict: Verdict | None) -> list[str]:
    """A line for each hunk that waits because of its findings, and how many there are of them."""
    taken = () if verdict is None else verdict.applied
    waiting = [hunk for hunk in proposal.hunks if hunk.findings and hunk.index not in taken]
    lines = Lines(proposal.base)
    out: list[str] = []
    for hunk in waiting:
        why = " ".join(tr(found.code, context.locale, found.params) for found in hunk.findings)
        out.append(context.tr("run_held", line=lines.position(hunk.span.start).line + 1, why=why))
    return [*out, context.tr("run_held_count", count=len(waiting))] if waiting else []


def _keep(text: str) -> list[str]:
    return [line + "\n" for line in EOL.split(text)]


def _lines(value: str) -> tuple[int, int]:
    found = re.fullmatch(r"([0-9]{1,9})(?:-([0-9]{1,9}))?", value)
    first = int(found[1]) if found else 0
    last = int(found[2] or found[1]) if found else 0
    if not 0 < first <= last:
        raise argparse.ArgumentTypeError(f"{value!r} is no range of lines such as 3-7")
    return first, last


def _span(text: str, first: int, last: int) -> Span:
    lines = Lines(text)
    if first > len(lines):
        raise InkwrightError("lines_out_of_range", first=first, count=len(lines))
    end = min(last, len(lines)) - 1
    return Span(lines.starts[first - 1], lines.starts[end] + len(lines.line(end)))
