"""`inkwright threads`: what the book sets up, and what has come of it."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from inkwright.cli.context import EXIT_DONE, Context, Subparsers, folder_of


def add_parser(commands: Subparsers) -> None:
    parser = commands.add_parser("threads", help="list what the book sets up and what has come of it")
    parser.add_argument("dir", metavar="DIR", type=Path, nargs="?", default=Path())
    parser.add_argument("--json", action="store_true", help="one JSON object instead of text")


async def run(args: argparse.Namespace, context: Context) -> int:
    from inkwright.abilities.ledger import threads

    folder = folder_of(args.dir)
    async with context.studio([folder]) as studio:
        book = await studio.workspace.book(folder)
        await book.ready()
        chapters = book.files.chapters()
    rows = threads(chapters)
    if context.json:
        context.emit({"threads": rows})
        return EXIT_DONE
    if not rows:
        context.say(context.tr("threads_none"))
        return EXIT_DONE
    titles = {chapter.path: chapter.title for chapter in chapters}
    counts = Counter(row["state"] for row in rows)
    states = ("open", "overdue", "unpaid", "unplanted", "paid")
    context.say(context.tr("threads_count", count=len(rows), **{state: counts[state] for state in states}))
    for row in rows:
        standing = context.tr(f"standing_{row['state']}")
        context.say(f"\n{row['name']}  [{standing}]")
        due = row["dueSaid"] or (titles[row["due"]] if row["due"] else "")
        for key in ("planted", "progress", "paid"):
            named = context.tr("list_comma").join(titles[path] for path in row[key])
            if named:
                context.say("  " + context.tr(f"threads_{key}", chapters=named))
        if due:
            context.say("  " + context.tr("threads_due", chapters=due))
    return EXIT_DONE
