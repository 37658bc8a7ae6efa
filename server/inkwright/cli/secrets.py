"""`inkwright secrets`: keys in the system's keyring. A key is asked for, never an argument, never shown."""

from __future__ import annotations

import argparse
import asyncio
import getpass
import os
import re
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from inkwright.cli.context import EXIT_DONE, EXIT_USAGE, Context, Subparsers
from inkwright.domain.errors import Fault, InkwrightError

if TYPE_CHECKING:
    from inkwright.secrets import Secrets

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
MAX_INPUT = 65_536


def add_parser(commands: Subparsers) -> None:
    parser = commands.add_parser("secrets", help="keys of models: set, list, delete; never their values")
    actions = parser.add_subparsers(dest="action", required=True, metavar="set|list|delete")
    put = actions.add_parser("set", help="store a key: asked for without echo, or read from stdin")
    listed = actions.add_parser("list", help="the names of the keys there are, and where")
    gone = actions.add_parser("delete", help="delete a stored key")
    for action in (put, gone):
        action.add_argument("name", metavar="NAME", help="a vendor (deepseek), or a name of your own")
    put.add_argument(
        "--insecure-file", action="store_true", help="in a plain file that only your user can read"
    )
    for action in (put, listed, gone):
        action.add_argument("rest", nargs="*", help=argparse.SUPPRESS)
        action.add_argument("--json", action="store_true", help="one JSON object instead of text")


async def run(args: argparse.Namespace, context: Context) -> int:
    from inkwright.domain.keys import looks_like_key

    if args.rest:
        return context.fail(Fault("secret_in_arguments"), EXIT_USAGE)
    name = getattr(args, "name", "")
    if args.action != "list" and (looks_like_key(name) or NAME.fullmatch(name) is None):
        code = "secret_in_arguments" if looks_like_key(name) else "secret_name_invalid"
        return context.fail(Fault(code), EXIT_USAGE)
    async with context.studio() as studio:
        secrets = studio.models.secrets
        if args.action == "list":
            keys = await asyncio.to_thread(lambda: list(_listed(secrets)))
            return _show(keys, context)
        if args.action == "delete":
            await asyncio.to_thread(_delete, secrets, name)
            where, said = None, context.tr("secret_deleted", name=name)
        else:
            value = await asyncio.to_thread(_value, context.tr("secret_asked", name=name))
            where, said = await asyncio.to_thread(
                _set, secrets, name, value, context, insecure=args.insecure_file
            )
    if context.json:
        context.emit({"name": name, "where": where} if where else {"name": name, "deleted": True})
    else:
        context.say(said)
    return EXIT_DONE


def _value(prompt: str) -> str:
    """The key, from the terminal without echo, else all of stdin. Raises `InkwrightError`: key_malformed."""
    from inkwright.secrets import sound, trimmed

    if sys.stdin is not None and sys.stdin.isatty():
        given = getpass.getpass(prompt, stream=sys.stderr)
    else:
        given = "" if sys.stdin is None else sys.stdin.read(MAX_INPUT)
    value = trimmed(given)
    if not sound(value):
        raise InkwrightError("key_malformed", name="stdin")
    return value


def _set(secrets: Secrets, name: str, value: str, context: Context, *, insecure: bool) -> tuple[str, str]:
    """Where the key is now, and what to say of it."""
    if insecure:
        path = secrets.files.write(name, value)
        return "file", context.tr("secret_stored_file", name=name, path=path)
    secrets.keyring.set(name, value)
    secrets.files.note_keyring(name, there=True)
    return "keyring", context.tr("secret_stored_keyring", name=name)


def _delete(secrets: Secrets, name: str) -> None:
    gone = secrets.files.delete(name)
    if name in secrets.files.in_keyring():
        secrets.keyring.delete(name)
        secrets.files.note_keyring(name, there=False)
        gone = True
    if not gone:
        raise InkwrightError("secret_unknown", name=name)


def _listed(secrets: Secrets) -> Iterator[dict[str, str]]:
    from inkwright.config import KEY
    from inkwright.providers.catalog import providers

    usual = [name for row in providers() for name in row.env]
    for name in dict.fromkeys([KEY, *usual, *(f"INKWRIGHT_{name}" for name in usual)]):
        if os.environ.get(name, "").strip():
            yield {"name": name, "where": "env"}
        elif os.environ.get(f"{name}_FILE", "").strip():
            yield {"name": f"{name}_FILE", "where": "env"}
    for name in secrets.files.in_keyring():
        yield {"name": name, "where": "keyring"}
    for name in secrets.files.names():
        yield {"name": name, "where": "file"}


def _show(keys: list[dict[str, str]], context: Context) -> int:
    if context.json:
        context.emit({"secrets": keys})
    elif not keys:
        context.say(context.tr("secrets_none"))
    else:
        for key in keys:
            where = context.tr(f"secret_where_{key['where']}")
            context.say(f"{key['name']:24} {where}")
    return EXIT_DONE
