"""`inkwright settings`: what can be set, with its default and what it does; as JSON Schema for other programs."""

from __future__ import annotations

import argparse
import json

from inkwright.cli.context import EXIT_DONE, Context, Subparsers


def add_parser(commands: Subparsers) -> None:
    parser = commands.add_parser("settings", help="what can be set, with defaults")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of text")


async def run(args: argparse.Namespace, context: Context) -> int:  # noqa: ARG001
    from inkwright.config import schema

    value = schema.schema()
    for key, row in value["properties"].items():
        row["description"] = context.tr(schema.sentence(key))
    if context.json:
        context.emit(value)
        return EXIT_DONE
    for key, row in value["properties"].items():
        context.say(f"{key:15} {json.dumps(row['default'], ensure_ascii=False)}")
        context.say(f"{'':15} {row['description']}")
    return EXIT_DONE
