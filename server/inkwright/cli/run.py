"""`inkwright run`: one run on a file. The file changes only with `--apply` or `--apply-all`."""

from __future__ import annotations

import argparse
import difflib
import re
from pathlib import Path

from inkwright.cli.context import (
    EXIT_CANCELLED,
    EXIT_DONE,
    EXIT_FAILED,
    EXIT_PARTIAL,
    Context,
    Subparsers,
)
from inkwright.domain.errors import InkwrightError
from inkwright.domain.proposal import Proposal
from inkwright.domain.run import RunEvent, StepStarted, TextDelta, ToolStarted
from inkwright.domain.text import EOL, Lines, Span, TextEdit, apply

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
    from inkwright.abilities import shapes
    from inkwright.abilities.asks import Ask
    from inkwright.workspace import absolute, write_text

    path = absolute(args.file)
    async with context.studio() as studio:
        _, snapshot = await studio.workspace.snapshot(path)
        span = None if args.lines is None else _span(snapshot.text, *args.lines)
        ask = Ask(args.ability, snapshot, path, span, args.message, args.model, args.follow)
        result = await studio.run(ask, Stream(context))
        verdict = None
        if result.proposal is not None and (args.apply or args.apply_all):
            chosen = [h.index for h in result.proposal.hunks] if args.apply_all else None
            decision = await studio.review.accept(result.proposal, chosen, snapshot.text)
            await write_text(path, snapshot.text, apply(snapshot.text, list(decision.edits)))
            verdict = await studio.review.record(decision)
        if context.json:
            value = shapes.run_result(result, "utf-16", context.locale)
            if verdict is not None:
                value["applied"] = shapes.verdict(verdict)
            context.emit(value)
        else:
            context.say(result.text)
            if result.proposal is not None:
                show_diff(context, result.proposal, args.file)
        for notice in result.notices:
            context.notice(notice)
        if result.fault is not None:
            context.notice(result.fault)
        elif result.status in ("partial", "failed"):
            context.note(context.tr("run_stopped", reason=context.tr(f"stop_{result.stop_reason}")))
        return STATUS[result.status]


class Stream:
    """Shows a run on stderr as it happens."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def __call__(self, event: RunEvent) -> None:
        match event:
            case TextDelta(text):
                self._context.note(text, end="")
            case ToolStarted(_, name):
                self._context.note(f"[{name}]")
            case StepStarted(index, count, _):
                self._context.note(f"[{index + 1}/{count}]")


def show_diff(context: Context, proposal: Proposal, name: Path) -> None:
    """The unified diff of all hunks."""
    new = apply(proposal.base, [TextEdit(hunk.span, hunk.after) for hunk in proposal.hunks])
    lines = difflib.unified_diff(
        _keep(proposal.base), _keep(new), f"a/{name.name}", f"b/{name.name}", lineterm=""
    )
    for line in lines:
        context.say(EOL.sub("", line))


def _keep(text: str) -> list[str]:
    return [line + "\n" for line in EOL.split(text)]


def _lines(value: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d+)(?:-(\d+))?", value)
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
