"""`inkwright pipeline`: the pipeline of a book's domain on one chapter. The chapter itself never changes."""

from __future__ import annotations

import argparse
import uuid
from pathlib import Path

from inkwright.cli.context import EXIT_CANCELLED, Context, Subparsers
from inkwright.cli.run import STATUS, Stream, played
from inkwright.domain.errors import Fault


def add_parser(commands: Subparsers) -> None:
    parser = commands.add_parser("pipeline", help="run the book's pipeline on a chapter: breakdown, note")
    parser.add_argument("file", metavar="FILE", type=Path)
    parser.add_argument("--pipeline", metavar="ID", default="", help="another pipeline than the book's own")
    parser.add_argument("--message", metavar="M", default="", help="what you want, in your words")
    parser.add_argument("--model", metavar="NAME", default="")
    parser.add_argument("--resume", metavar="RUN", default="", help="go on where this run stopped")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of text")


async def run(args: argparse.Namespace, context: Context) -> int:
    from inkwright.abilities import run_shapes
    from inkwright.abilities.asks import Ask
    from inkwright.workspace import absolute

    path = absolute(args.file)
    async with context.studio() as studio:
        _, snapshot = await studio.workspace.snapshot(path)
        ask = Ask(
            "",
            snapshot,
            path,
            message=args.message,
            model=args.model,
            request_id=uuid.uuid4().hex,
            pipeline=args.pipeline,
            resume=args.resume,
        )
        result, cancelled = await played(studio, ask, Stream(context))
        context.end_line()
        if context.json:
            context.emit(run_shapes.run_result(result, "utf-16", context.locale))
        else:
            if result.text and not context.on_screen:
                context.say(result.text, end="" if result.text.endswith("\n") else "\n")
            for card in result.cards:
                context.row(card)
            if result.candidates:
                context.note(context.tr("pipeline_candidates", count=len(result.candidates)))
        for notice in result.notices:
            context.notice(notice)
        if result.fault is not None:
            context.notice(result.fault)
        if result.status != "completed" and any(step.status == "completed" for step in result.steps):
            context.note(context.tr("pipeline_resume", run=result.request_id))
        if cancelled and result.status == "cancelled":
            context.notice(Fault("command_cancelled"))
            return EXIT_CANCELLED
        return STATUS[result.status]
