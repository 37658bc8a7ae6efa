"""`inkwright profiles`: the abilities, domains and pipelines there are, and what two of them make together."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inkwright.cli.context import EXIT_DONE, EXIT_USAGE, Context, Subparsers, folder_of
from inkwright.domain.errors import Fault

if TYPE_CHECKING:
    from inkwright.domain.conversation import Locale
    from inkwright.domain.profile import EffectiveProfile, Pipeline
    from inkwright.library.registry import Library


def add_parser(commands: Subparsers) -> None:
    parser = commands.add_parser("profiles", help="list abilities, domains and pipelines")
    parser.add_argument("dir", metavar="DIR", type=Path, nargs="?", help="a book: its own, if it is trusted")
    parser.add_argument("--explain", metavar="ABILITY", help="the effective profile, with origins")
    parser.add_argument("--domain", metavar="D", help="with --explain: in this kind of book")
    parser.add_argument("--message", metavar="M", default="", help="with --explain: match hints with it")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of text")


async def run(args: argparse.Namespace, context: Context) -> int:
    from inkwright.library.merge import merge

    if args.explain is None and (args.domain is not None or args.message):
        return context.fail(Fault("explain_needed"), EXIT_USAGE)
    folder = None if args.dir is None else folder_of(args.dir)
    async with context.studio([] if folder is None else [folder]) as studio:
        book = None if folder is None else await studio.workspace.book(folder)
        library = await studio.library(book)
    if args.explain is None:
        _list(library, context)
    else:
        domain = args.domain if args.domain is not None else book.book.type if book is not None else ""
        _explain(merge(library, args.explain, domain, args.message, context.locale), library, context)
    return EXIT_DONE


def _list(library: Library, context: Context) -> None:
    from inkwright.abilities import shapes

    profiles = [
        {**shapes.profile(one, context.locale), "origin": one.origin}
        for one in (*library.abilities(), *library.domains())
    ]
    pipelines = [_pipeline(one, context.locale) for one in library.pipelines()]
    if context.json:
        context.emit({"profiles": profiles, "pipelines": pipelines})
        return
    for item in [*profiles, *({"kind": "pipeline", **one} for one in pipelines)]:
        context.say(f"{item['kind']:8} {item['id']:17} {item['label']}  {item['description']}")


def _explain(profile: EffectiveProfile, library: Library, context: Context) -> None:
    from inkwright.abilities import run_shapes

    value = run_shapes.effective_profile(profile)
    pipeline = library.pipeline(profile.pipeline)
    if pipeline is not None:
        value["steps"] = _pipeline(pipeline, context.locale, whole=True)["steps"]
        value["origins"]["steps"] = f"pipeline {pipeline.id} ({pipeline.origin})"
    if context.json:
        context.emit(value)
        return
    for name, item in value.items():
        if name == "origins":
            continue
        origin = value["origins"].get(name, "")
        if name == "steps":
            context.say(f"{name:16}    <- {origin}")
            for step in item:
                context.say(f"- {', '.join(f'{key}: {text}' for key, text in step.items())}")
        else:
            context.say(f"{name:16} {item}" + (f"    <- {origin}" if origin else ""))


def _pipeline(value: Pipeline, locale: Locale, *, whole: bool = False) -> dict[str, Any]:
    """`whole` with the instructions: for the owner of the machine, as the prompts."""
    steps = [
        {
            "name": step.name,
            "label": step.label[locale],
            "tools": list(step.tools),
            "rounds": step.rounds,
            "each": step.each,
            "passage": step.passage,
            **({"instruction": step.instruction[locale]} if whole else {}),
        }
        for step in value.steps
    ]
    return {
        "id": value.id,
        "label": value.label[locale],
        "description": value.description[locale],
        "origin": value.origin,
        "steps": steps,
    }
