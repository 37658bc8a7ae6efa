"""`inkwright profiles`: the abilities and domains there are, and what two of them make together."""

from __future__ import annotations

import argparse

from inkwright.cli.context import EXIT_DONE, EXIT_USAGE, Context, Subparsers
from inkwright.domain.errors import Fault


def add_parser(commands: Subparsers) -> None:
    parser = commands.add_parser("profiles", help="list abilities and domains")
    parser.add_argument("--explain", metavar="ABILITY", help="the effective profile, with origins")
    parser.add_argument("--domain", metavar="D", help="with --explain: in this kind of book")
    parser.add_argument("--message", metavar="M", default="", help="with --explain: match hints with it")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of text")


async def run(args: argparse.Namespace, context: Context) -> int:
    from inkwright.abilities import shapes
    from inkwright.library import merge

    if args.explain is None and (args.domain is not None or args.message):
        return context.fail(Fault("explain_needed"), EXIT_USAGE)
    async with context.studio() as studio:
        library = await studio.library()
    if args.explain is not None:
        profile = merge(library, args.explain, args.domain or "", args.message, context.locale)
        value = shapes.effective_profile(profile)
        if context.json:
            context.emit(value)
        else:
            for name, item in value.items():
                if name != "origins":
                    origin = value["origins"].get(name, "")
                    context.say(f"{name:16} {item}" + (f"    <- {origin}" if origin else ""))
        return EXIT_DONE
    profiles = [shapes.profile(p, context.locale) for p in (*library.abilities(), *library.domains())]
    if context.json:
        context.emit({"profiles": profiles})
    else:
        for item in profiles:
            context.say(f"{item['kind']:8} {item['id']:12} {item['label']}  {item['description']}")
    return EXIT_DONE
