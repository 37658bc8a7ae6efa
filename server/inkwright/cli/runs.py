"""`inkwright runs`: the journal of a book's runs."""

from __future__ import annotations

import argparse
from datetime import datetime
from pathlib import Path

from inkwright.cli.context import EXIT_DONE, Context, Subparsers, folder_of
from inkwright.domain.errors import InkwrightError


def add_parser(commands: Subparsers) -> None:
    parser = commands.add_parser("runs", help="list runs, show one")
    actions = parser.add_subparsers(dest="action", required=True, metavar="list|show")
    listing = actions.add_parser("list", help="the newest runs of a book")
    listing.add_argument("dir", metavar="DIR", type=Path, nargs="?", default=Path())
    listing.add_argument("--limit", type=int, default=50)
    listing.add_argument("--json", action="store_true", help="one JSON object instead of text")
    showing = actions.add_parser("show", help="one run with its steps, tool calls and usage")
    showing.add_argument("run", metavar="RUN")
    showing.add_argument("dir", metavar="DIR", type=Path, nargs="?", default=Path())
    showing.add_argument("--json", action="store_true", help="one JSON object instead of text")


async def run(args: argparse.Namespace, context: Context) -> int:
    import json

    from inkwright.abilities import shapes

    folder = folder_of(args.dir)
    async with context.studio([folder]) as studio:
        book = await studio.workspace.book(folder)
        if args.action == "list":
            found = await book.state.runs.list(limit=max(1, args.limit))
            if context.json:
                context.emit({"runs": [shapes.stored_run(r, context.locale) for r in found]})
            for stored in () if context.json else found:
                when = datetime.fromtimestamp(stored.created_at).strftime("%Y-%m-%d %H:%M")
                context.say(f"{stored.id}  {when}  {stored.state:11}  {stored.ability:9}  {stored.path}")
            return EXIT_DONE
        one = await book.state.runs.get(args.run)
        if one is None:
            raise InkwrightError("run_unknown", run=args.run)
        value = shapes.stored_run(one, context.locale, await book.state.runs.steps(one.id))
    if context.json:
        context.emit(value)
    else:
        context.say(json.dumps(value, ensure_ascii=False, indent=2))
    return EXIT_DONE
