"""`inkwright candidates`: cards that runs asked for and that wait for the writer."""

from __future__ import annotations

import argparse
from pathlib import Path

from inkwright.cli.confirm import agreed, somebody
from inkwright.cli.context import EXIT_CANCELLED, EXIT_DONE, EXIT_USAGE, Context, Subparsers, folder_of
from inkwright.domain.errors import Fault


def add_parser(commands: Subparsers) -> None:
    parser = commands.add_parser("candidates", help="cards that wait for you: list, accept, reject")
    actions = parser.add_subparsers(dest="action", required=True, metavar="list|accept|reject")
    for name, text in (
        ("list", "the cards that wait"),
        ("accept", "make them files of the book"),
        ("reject", "put them aside"),
    ):
        action = actions.add_parser(name, help=text)
        action.add_argument("dir", metavar="DIR", type=Path, nargs="?", default=Path())
        if name != "list":
            action.add_argument("--id", metavar="ID", action="append", help="only this one; may be repeated")
            action.add_argument("--yes", action="store_true", help="do not ask")
        action.add_argument("--json", action="store_true", help="one JSON object instead of text")


async def run(args: argparse.Namespace, context: Context) -> int:
    from inkwright.abilities import cards, shapes

    if args.action != "list" and not args.id and not args.dir.exists():
        return context.fail(Fault("option_meant", {"given": str(args.dir), "option": "--id"}), EXIT_USAGE)
    everything = args.action != "list" and not args.id
    if everything and not args.yes and not somebody(context):
        return context.fail(Fault("candidates_confirm"), EXIT_USAGE)
    folder = folder_of(args.dir)
    async with context.studio([folder]) as studio:
        book = await studio.workspace.book(folder)
        await book.ready()
        found = await book.state.candidates.list()
        if everything and found and not args.yes:
            asked = f"candidates_{args.action}_ask"
            if not await agreed(context, context.tr(asked, count=len(found))):
                return context.fail(Fault("candidates_kept"), EXIT_CANCELLED)
        if args.action != "list":
            decide = cards.accept if args.action == "accept" else cards.reject
            found = await decide(book, args.id or [one.id for one in found])
    if context.json:
        context.emit({"candidates": [shapes.candidate(one) for one in found]})
        return EXIT_DONE
    for one in found:
        context.say(f"{one.id}  {one.state:8}  {one.card.type:9}  {one.card.title}  {one.path}".rstrip())
    return EXIT_DONE
