"""`inkwright models`: the configured models, whether one works, and what runs on this machine."""

from __future__ import annotations

import argparse
import asyncio
from typing import TYPE_CHECKING

from inkwright.cli.context import EXIT_DONE, EXIT_FAILED, Context, Subparsers

if TYPE_CHECKING:
    from inkwright.abilities.studio import Studio
    from inkwright.providers.discovery import Found
    from inkwright.providers.health import Health


TOOLS = {
    "works": "models_tools_yes",
    "refused": "models_tools_no",
    "not_called": "models_tools_unused",
    "untested": "models_tools_untested",
}


def add_parser(commands: Subparsers) -> None:
    parser = commands.add_parser("models", help="the models you have, and whether one works")
    actions = parser.add_subparsers(dest="action", required=True, metavar="list|test")
    listed = actions.add_parser("list", help="what is configured")
    listed.add_argument("--discover", action="store_true", help="also ask for model servers on this machine")
    tested = actions.add_parser("test", help="two short questions to a model; none of your text")
    tested.add_argument("name", metavar="NAME", nargs="?", default="", help="the default one when missing")
    for action in (listed, tested):
        action.add_argument("--json", action="store_true", help="one JSON object instead of text")


async def run(args: argparse.Namespace, context: Context) -> int:
    async with context.studio() as studio:
        if args.action == "test":
            return await _test(studio, args.name, context)
        return await _list(studio, context, discover=args.discover)


async def _list(studio: Studio, context: Context, *, discover: bool) -> int:
    from inkwright.abilities import models

    def shapes() -> list[models.JSON]:
        settings = studio.settings
        return [
            models.model(one, settings, configured=studio.models.configured(one)) for one in settings.models
        ]

    listed = await asyncio.to_thread(shapes)
    found = await studio.models.discover() if discover else ()
    if context.json:
        extra = {"found": [models.discovered(one) for one in found]} if discover else {}
        context.emit({"models": listed, **extra})
        return EXIT_DONE
    for one in listed:
        context.say(_line(one, context))
    if discover:
        _offer(found, context)
    return EXIT_DONE


def _line(one: dict[str, object], context: Context) -> str:
    if one["endpoint"] is None:
        place = context.tr("model_offline")
    else:
        place = f"{one['model']} @ {one['endpoint']} ({one['wire']})"
    marks = [
        *([context.tr("models_local")] if one["local"] and one["endpoint"] else []),
        *([] if one["keyConfigured"] else [context.tr("models_key_missing")]),
    ]
    star = "*" if one["default"] else " "
    return f"{star} {one['id']!s:14} {place}" + (f" [{', '.join(marks)}]" if marks else "")


def _offer(found: tuple[Found, ...], context: Context) -> None:
    from inkwright.providers.catalog import providers

    if not found:
        asked = ", ".join(f"{row.label} {row.port}" for row in providers() if row.port)
        context.say(context.tr("models_none_found", asked=asked))
    for one in found:
        context.say("")
        context.say(context.tr("models_found", label=one.provider.label, endpoint=one.provider.endpoint))
        context.say(one.lines(), end="")
        for name in one.models[1:]:
            context.say(f"# model = {name!r}")


async def _test(studio: Studio, name: str, context: Context) -> int:
    from inkwright.abilities import choose, models

    profile = choose.of_name(studio.settings, name)
    health = await studio.models.examine(profile)
    if context.json:
        context.emit(models.health(health, context.locale))
    else:
        _tell(health, context)
    if health.fault is not None:
        context.notice(health.fault)
    return EXIT_DONE if health.works else EXIT_FAILED


def _tell(health: Health, context: Context) -> None:
    tools = context.tr(TOOLS[health.tools])
    if health.works and not health.url:
        context.say(context.tr("models_offline_works", name=health.model))
    elif health.works:
        seconds = "?" if health.latency is None else f"{health.latency:.2f}"
        context.say(
            context.tr("models_works", name=health.model, url=health.url, seconds=seconds, tools=tools)
        )
    else:
        context.say(f"{health.model}: {health.url}")
