"""`inkwright runs`: the journal of a book's runs."""

from __future__ import annotations

import argparse
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING
from unicodedata import east_asian_width

from inkwright.cli.context import EXIT_DONE, EXIT_PARTIAL, Context, Subparsers, folder_of
from inkwright.domain.errors import InkwrightError

if TYPE_CHECKING:
    from inkwright.abilities.studio import Studio
    from inkwright.store.journal_rows import StoredRun
    from inkwright.workspace import OpenBook

MOST = 1_000_000
"""Runs in a list."""


def add_parser(commands: Subparsers) -> None:
    parser = commands.add_parser("runs", help="list runs, show one, play one again")
    actions = parser.add_subparsers(dest="action", required=True, metavar="list|show|replay")
    listing = actions.add_parser("list", help="the newest runs of a book")
    listing.add_argument("--limit", type=int, default=50)
    showing = actions.add_parser("show", help="one run with its steps, tool calls and usage")
    playing = actions.add_parser("replay", help="play a run again from the journal, without a model")
    for action in (showing, playing):
        action.add_argument("run", metavar="RUN")
    for action in (listing, showing, playing):
        action.add_argument("dir", metavar="DIR", type=Path, nargs="?", default=Path())
        action.add_argument("--json", action="store_true", help="one JSON object instead of text")


async def run(args: argparse.Namespace, context: Context) -> int:
    folder = folder_of(args.dir)
    async with context.studio([folder]) as studio:
        book = await studio.workspace.book(folder)
        if args.action == "list":
            return await _list(book, min(max(1, args.limit), MOST), context)
        stored = await book.state.runs.get(args.run)
        if stored is None:
            raise InkwrightError("run_unknown", run=args.run)
        if args.action == "show":
            return await _show(stored, book, context)
        return await _replay(stored, book, studio, context)


async def _list(book: OpenBook, limit: int, context: Context) -> int:
    from inkwright.abilities import run_shapes
    from inkwright.cli.journal import state

    found = await book.state.runs.list(limit=limit)
    if context.json:
        context.emit({"runs": [run_shapes.stored_run(one, context.locale) for one in found]})
        return EXIT_DONE
    for one in found:
        when = datetime.fromtimestamp(one.created_at).strftime("%Y-%m-%d %H:%M")
        became = _padded(state(one.state, context), 11)
        context.row(f"{one.id}  {when}  {became}  {one.pipeline or one.ability:9}  {one.path}")
    return EXIT_DONE


def _padded(text: str, width: int) -> str:
    """To so many columns of a terminal, where a wide character takes two."""
    taken = sum(1 + (east_asian_width(char) in "WF") for char in text)
    return text + " " * (width - taken)


async def _show(stored: StoredRun, book: OpenBook, context: Context) -> int:
    from inkwright.abilities import run_shapes
    from inkwright.cli.journal import pages
    from inkwright.store.products import every

    runs = book.state.runs
    steps, products = await runs.steps(stored.id), every(stored.steps, await runs.products(stored.id))
    if context.json:
        context.emit(run_shapes.stored_run(stored, context.locale, steps, products))
        return EXIT_DONE
    for line in pages(stored, steps, products, context):
        context.say(line)
    return EXIT_DONE


async def _replay(stored: StoredRun, book: OpenBook, studio: Studio, context: Context) -> int:
    """Exit 0 when text, products and stop reason are the recorded ones, 4 when one of them is not."""
    from inkwright.abilities.recall import replayed
    from inkwright.cli.journal import Replayed

    with suppress(InkwrightError):
        await book.ready()  # the journal has all that counts; of the book only its tools' names are asked
    player = Replayed(stored, context)
    async for event in await replayed(stored, book, await studio.library(book)):
        player(event)
    same = player.conclude()
    return EXIT_DONE if same else EXIT_PARTIAL
