"""`inkwright index`: chapters in reading order, cards, mentions."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from inkwright.cli.context import EXIT_DONE, Context, Subparsers, folder_of
from inkwright.domain.errors import Fault
from inkwright.domain.manuscript import CountRule


def add_parser(commands: Subparsers) -> None:
    parser = commands.add_parser("index", help="list chapters in order, cards and mentions")
    parser.add_argument("dir", metavar="DIR", type=Path, nargs="?", default=Path())
    parser.add_argument("--json", action="store_true", help="one JSON object instead of text")


async def run(args: argparse.Namespace, context: Context) -> int:
    from inkwright import workspace
    from inkwright.abilities import shapes

    folder = folder_of(args.dir)

    def tell(fault: Fault) -> None:
        if fault.code not in workspace.REMARKS:  # they stand in the list
            context.notice(fault)

    async with context.studio([folder], tell) as studio:
        book = await studio.workspace.book(folder)
        await book.ready()
        rule = book.book.count
        value = shapes.index(book.files, context.locale)
    if context.json:
        context.emit(value)
    else:
        _table(context, value, rule, book.files.layout)
    return EXIT_DONE


def _table(context: Context, value: dict[str, Any], rule: CountRule, layout: str) -> None:
    context.row(f"{value['book']['title']}  ({value['book']['root']})  [{layout}]")
    volume = None
    for place, chapter in enumerate(value["chapters"], 1):
        if chapter["volume"] != volume:
            volume = chapter["volume"]
            if volume:
                context.say("")
                context.row(volume)
        context.row(f"{place:5}  {chapter['counts'][rule]:8}  {chapter['title']}  {chapter['path']}")
    context.say("")
    for card in value["cards"]:
        names = ", ".join([card["name"], *card["aliases"]])
        context.row(f"{card['mentions']:8}  {names}  ({card['type']})  {card['path']}")
    context.say("")
    context.say(context.tr("index_totals", chapters=len(value["chapters"]), cards=len(value["cards"])))
    if not value["chapters"]:
        context.notice(Fault("no_chapter", {"path": value["book"]["root"]}))
    for problem in value["problems"]:
        context.line(f"{problem['path']}:{problem['line'] + 1}: {problem['message']} [{problem['code']}]")
