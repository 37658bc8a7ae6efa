"""`inkwright candidates`: cards and facts that runs found and that wait for the writer."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from inkwright.cli.confirm import agreed, somebody
from inkwright.cli.context import EXIT_CANCELLED, EXIT_DONE, EXIT_USAGE, Context, Subparsers, folder_of
from inkwright.domain.errors import Fault


def add_parser(commands: Subparsers) -> None:
    parser = commands.add_parser("candidates", help="cards and facts that wait for you: list, accept, reject")
    actions = parser.add_subparsers(dest="action", required=True, metavar="list|accept|reject")
    for name, text in (
        ("list", "the cards and facts that wait"),
        ("accept", "make files of the cards, write the facts into theirs"),
        ("reject", "put them aside"),
    ):
        action = actions.add_parser(name, help=text)
        action.add_argument("dir", metavar="DIR", type=Path, nargs="?", default=Path())
        if name != "list":
            action.add_argument("--id", metavar="ID", action="append", help="only this one; may be repeated")
            action.add_argument("--yes", action="store_true", help="do not ask")
        action.add_argument("--json", action="store_true", help="one JSON object instead of text")


async def run(args: argparse.Namespace, context: Context) -> int:
    from inkwright.abilities import candidates, shapes
    from inkwright.abilities.pens import FilePen

    if args.action != "list" and not args.id and not args.dir.exists():
        return context.fail(Fault("option_meant", {"given": str(args.dir), "option": "--id"}), EXIT_USAGE)
    everything = args.action != "list" and not args.id
    if everything and not args.yes and not somebody(context):
        return context.fail(Fault("candidates_confirm"), EXIT_USAGE)
    folder = folder_of(args.dir)
    async with context.studio([folder]) as studio:
        book = await studio.workspace.book(folder)
        await book.ready()
        found = await candidates.waiting(book)
        if book.index is not None:
            for problem in (await studio.findings.intentions.of(book.root))[1]:
                context.notice(Fault(problem.code, dict(problem.params)))
        every = candidates.sound if args.action == "accept" else candidates.ids
        wanted = every(found) if everything or args.action == "list" else args.id
        if everything and wanted and not args.yes:
            asked = f"candidates_{args.action}_ask"
            if not await agreed(context, context.tr(asked, count=len(wanted))):
                return context.fail(Fault("candidates_kept"), EXIT_CANCELLED)
        if args.action == "list":
            shown = [*map(shapes.candidate, found[0]), *map(candidates.shape, found[1])]
        else:
            done = (
                await candidates.accept(book, wanted, FilePen(book))
                if args.action == "accept"
                else await candidates.reject(book, wanted)
            )
            shown = [*map(shapes.candidate, done[0]), *(shapes.fact(one, "") for one in done[1])]
    if context.json:
        context.emit({"candidates": shown})
        return EXIT_DONE
    for one in shown:
        context.row(_line(one, context))
    return EXIT_DONE


def _line(one: Mapping[str, Any], context: Context) -> str:
    head = f"{one['id']}  {one['state']:8}  {one['type']:9}  {one['title']}"
    if one["kind"] == "card":
        return f"{head}  {one['path'] or ''}".rstrip()
    place = f"{one['source']}:{one['range']['start']['line'] + 1}" if "range" in one else one["path"]
    against = f"  ({context.tr('fact_against', value=one['against'])})" if one["against"] else ""
    return f"{head}: {one['value']}  {place}{against}"
