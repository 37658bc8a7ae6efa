"""The parser, the dispatch and the exit status. Nothing heavy is imported before a command runs."""

from __future__ import annotations

import argparse
import asyncio
import importlib
import os
import signal
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

from inkwright import __version__
from inkwright.cli.context import EXIT_CANCELLED, EXIT_FAILED, EXIT_USAGE, Build, Context
from inkwright.domain.errors import Fault, InkwrightError
from inkwright.i18n import pick

COMMANDS = ("demo", "run", "check", "index", "ask", "profiles", "book", "runs", "doctor")
"""Each is a module of this package with `add_parser(subparsers)` and `async run(args, context)`."""


class _UsageError(Exception):
    pass


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise _UsageError(f"{self.prog}: {message}")


def parser() -> argparse.ArgumentParser:
    root = _Parser(prog="inkwright", description="A writer's studio for any editor (墨匠).")
    root.add_argument("--version", action="version", version=f"inkwright {__version__}")
    root.add_argument("--debug", action="store_true", help="show tracebacks")
    commands = root.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=_Parser)
    lsp = commands.add_parser("lsp", help="speak the Language Server Protocol over stdio")
    lsp.add_argument("--tcp", type=int, metavar="PORT", help="listen on 127.0.0.1:PORT instead")
    lsp.add_argument("--stdio", action="store_true", help="the default; accepted because clients send it")
    for name in COMMANDS:
        importlib.import_module(f"inkwright.cli.{name}").add_parser(commands)
    return root


def main(argv: Sequence[str], build: Build, serve: Callable[[int | None, bool], int]) -> int:
    """Runs one command and returns the exit status: 0 done, 1 findings, 2 usage, 3 failed, 4 partial, 130."""
    locale = pick(next((v for k in ("LC_ALL", "LC_MESSAGES", "LANG") if (v := os.environ.get(k))), ""))
    context = Context(build=build, locale=locale, json="--json" in argv, debug="--debug" in argv)
    try:
        args = parser().parse_args([a for a in argv if a != "--debug"])
    except _UsageError as wrong:
        return context.fail(Fault("usage", {"message": str(wrong)}), EXIT_USAGE)
    if args.command == "lsp":
        return serve(args.tcp, context.debug)
    command = importlib.import_module(f"inkwright.cli.{args.command}")
    try:
        return asyncio.run(_supervised(command.run(args, context)))
    except InkwrightError as error:
        if context.debug:
            raise
        return context.fail(error.fault, EXIT_FAILED)
    except (KeyboardInterrupt, asyncio.CancelledError):
        return EXIT_CANCELLED
    except BrokenPipeError:
        # The reader of our output has gone; closing stdout again must not raise at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_FAILED
    except Exception as error:  # the last door: one line, never a traceback
        if context.debug:
            raise
        return context.fail(Fault("internal", {"error": type(error).__name__}), EXIT_FAILED)


async def _supervised(command: object) -> int:
    """SIGTERM ends a command the way Ctrl-C does: cancelled, with everything closed."""
    task = asyncio.ensure_future(command)  # type: ignore[call-overload]
    if os.name == "posix":
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, task.cancel)
    return int(await task)
