"""`inkwright book`: show a book's metadata, make a folder a book of its own, change a field."""

from __future__ import annotations

import argparse
from pathlib import Path

from inkwright.cli.context import EXIT_DONE, EXIT_USAGE, Context, Subparsers, folder_of
from inkwright.domain.errors import Fault
from inkwright.domain.manuscript import BOOK_FIELDS


def add_parser(commands: Subparsers) -> None:
    parser = commands.add_parser("book", help="show, create or edit a book's metadata")
    actions = parser.add_subparsers(dest="action", required=True, metavar="show|create|edit")
    for name, text in (
        ("show", "title, type, language and counts"),
        ("create", "make .inkwright/ and book.toml in the folder"),
        ("edit", "change fields; comments in book.toml stay"),
    ):
        action = actions.add_parser(name, help=text)
        action.add_argument("dir", metavar="DIR", type=Path, nargs="?", default=Path())
        action.add_argument("--json", action="store_true", help="one JSON object instead of text")
        if name != "show":
            for field in BOOK_FIELDS:
                action.add_argument(f"--{field}", metavar=field.upper())


async def run(args: argparse.Namespace, context: Context) -> int:
    from inkwright.abilities import shapes
    from inkwright.domain.manuscript import Counts

    folder = folder_of(args.dir)
    changes = {name: value for name in BOOK_FIELDS if (value := getattr(args, name, None)) is not None}
    if args.action == "edit" and not changes:
        return context.fail(Fault("nothing_to_edit", {"fields": ", ".join(BOOK_FIELDS)}), EXIT_USAGE)
    async with context.studio([folder]) as studio:
        book = await studio.workspace.book(folder)
        await book.ready()
        if args.action == "create":
            book = await studio.workspace.adopt(folder, changes)
        elif args.action == "edit":
            await studio.workspace.update(book, changes)
        value = {**shapes.book(book.book), "revision": book.book.revision}
        chapters = book.files.chapters()
        value["chapters"] = len(chapters)
        value["cards"] = len(book.files.cards())
        value["counts"] = shapes.counts(sum((c.counts for c in chapters), Counts()))
    if context.json:
        context.emit(value)
    else:
        for name, item in value.items():
            text = ", ".join(f"{k} {v}" for k, v in item.items()) if isinstance(item, dict) else item
            context.say(f"{name:10} {text}")
    return EXIT_DONE
