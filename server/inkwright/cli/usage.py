"""`inkwright usage`: what models used for a book, and what it cost."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from inkwright.cli.context import EXIT_DONE, Context, Subparsers, folder_of


def add_parser(commands: Subparsers) -> None:
    parser = commands.add_parser("usage", help="tokens and money that models used for a book")
    parser.add_argument("dir", metavar="DIR", type=Path, nargs="?", default=Path())
    parser.add_argument("--days", metavar="N", type=days, default=30, help="the last N days; 0: all of them")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of text")


async def run(args: argparse.Namespace, context: Context) -> int:
    from inkwright.abilities import spent

    folder = folder_of(args.dir)
    async with context.studio([folder]) as studio:
        report = await spent.report([await studio.workspace.book(folder)], args.days)
    if context.json:
        context.emit(report)
        return EXIT_DONE
    if not report["rows"]:
        context.note(context.tr("usage_none"))
    for row in report["rows"]:
        context.say(f"{row['day']}  {row['model']:20}  {row['ability']:12}  {_line(row, context)}")
    for total in report["totals"]:
        context.say(f"{context.tr('usage_total')}  {_line(total, context)}")
    return EXIT_DONE


def _line(sums: dict[str, Any], context: Context) -> str:
    """Requests, tokens, cost; what is an estimate and what has no price is said."""
    from inkwright.domain.money import amount

    words = [
        context.tr("usage_counts", requests=sums["requests"], input=sums["input"], output=sums["output"])
    ]
    if sums["cacheRead"] or sums["cacheWrite"]:
        words.append(context.tr("usage_cache", read=sums["cacheRead"], written=sums["cacheWrite"]))
    if sums["cost"] is not None:
        words.append(amount(sums["cost"], sums["currency"] or ""))
    if sums["unpriced"]:
        words.append(context.tr("usage_unpriced", count=sums["unpriced"]))
    if sums["estimated"]:
        words.append(context.tr("usage_estimated", count=sums["estimated"]))
    return "  ".join(words)


def days(text: str) -> int:
    number = int(text)
    if number < 0:
        raise ValueError(text)
    return number
