"""`inkwright search`: the lines of chapters and cards that hold words, and what is remembered with them."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from inkwright.cli.context import EXIT_DONE, EXIT_USAGE, Context, Subparsers, folder_of
from inkwright.domain.errors import Fault

BOOKS = 5
"""Books within the folder that are named."""
_BEFORE = 40
_AFTER = 80
"""Characters that are shown of a line before its first word that was found, and from it on."""


def add_parser(commands: Subparsers) -> None:
    parser = commands.add_parser("search", help="find words in chapters, cards and memories")
    parser.add_argument(
        "query", metavar="QUERY", help='words that a line must hold; "…" keeps words together'
    )
    parser.add_argument("dir", metavar="DIR", type=Path, nargs="*", help="the book; default: this folder")
    parser.add_argument("--limit", type=count, default=0, metavar="N", help="the best N only")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of text")


async def run(args: argparse.Namespace, context: Context) -> int:
    from inkwright.abilities import finding

    absent = [given for given in args.dir if len(given.parts) == 1 and not given.exists()]
    if absent:
        words = " ".join([args.query, *map(str, absent)])
        return context.fail(Fault("search_words", {"given": absent[0], "query": words}), EXIT_USAGE)
    if len(args.dir) > 1:
        return context.fail(Fault("search_folders"), EXIT_USAGE)
    folder = folder_of(args.dir[0] if args.dir else Path())
    async with context.studio([folder]) as studio:
        book = await studio.workspace.book(folder)
        await book.ready()
        value = await finding.search([book], args.query, limit=args.limit)
        if context.json:
            context.emit(value)
        else:
            _lines(context, value)
            if not value["hits"] and (inner := book.files.inner):
                comma = context.tr("list_comma")
                context.line(
                    context.tr("search_inner", count=len(inner), books=comma.join(sorted(inner)[:BOOKS]))
                )
    return EXIT_DONE


def _lines(context: Context, value: dict[str, Any]) -> None:
    hits = value["hits"]
    if hits and not value["exact"]:
        context.line(context.tr("search_nearest"))
    for hit in hits:
        where = hit["id"] if hit["kind"] == "memory" else f"{hit['path']}:{hit['line'] + 1}"
        context.row(f"{where}: {_snippet(hit)}")
    if not hits:
        context.line(context.tr("search_nothing"))
    elif len(hits) < value["total"]:
        context.line(context.tr("search_more", shown=len(hits), total=value["total"]))


def _snippet(hit: dict[str, Any]) -> str:
    """The line round its first word that was found; of a memory, whose text has lines of its own, all of it."""
    text: str = hit["text"]
    if hit["kind"] == "memory":
        return " ".join(text.split())
    from inkwright.domain.text import from_units

    at = from_units(text, hit["range"]["start"]["character"], "utf-16")
    start, end = max(0, at - _BEFORE), at + _AFTER
    shown = text[start:end].strip()
    return f"{'…' if start else ''}{shown}{'…' if end < len(text) else ''}"


def count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number
