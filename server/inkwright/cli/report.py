"""`inkwright report`: a book as a whole on one Markdown page."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from urllib.parse import quote

from inkwright.cli.context import EXIT_DONE, Context, Subparsers, folder_of


def add_parser(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "report", help="a book on one Markdown page: counts, pace, cast, threads, checks"
    )
    parser.add_argument("dir", metavar="DIR", type=Path, nargs="?", default=Path())
    parser.add_argument("--out", metavar="FILE", type=Path, help="write it there, and its picture beside it")
    parser.add_argument("--no-checks", action="store_true", help="leave the proofreading out: faster")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of the page")


STEP = 100
"""Chapters between two lines of progress."""


async def run(args: argparse.Namespace, context: Context) -> int:
    """With `--out` the page goes to a file and nothing to stdout, but for the object of `--json`."""
    from inkwright.abilities.report import files, gather, page, shape
    from inkwright.workspace import absolute

    folder = folder_of(args.dir)
    out = None if args.out is None else absolute(args.out)
    if out is not None:
        await asyncio.to_thread(files.free, out)
    async with context.studio([folder]) as studio:
        book = await studio.workspace.book(folder)
        checked = not args.no_checks
        made = await gather.gather(studio, book, context.locale, checked=checked, progress=_told(context))
    now = datetime.now().astimezone()
    if out is not None:
        await asyncio.to_thread(files.write, made, out, context.locale, now)
        context.line(context.tr("report_written", path=str(args.out)))
    if context.json:
        context.emit(shape.shape(made, context.locale))
    elif out is None:
        context.say(page.page(made, context.locale, now=now, to=quote), end="")
    return EXIT_DONE


def _told(context: Context) -> Callable[[int, int], None]:
    """Progress for whoever waits before a screen."""
    watched = sys.stderr is not None and sys.stderr.isatty()

    def told(done: int, count: int) -> None:
        if watched and done and done % STEP == 0:
            context.line(context.tr("report_reading", done=done, count=count))

    return told
