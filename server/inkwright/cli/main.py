"""The parser, the dispatch and the exit status. Nothing heavy is imported before a command runs."""

from __future__ import annotations

import argparse
import asyncio
import importlib
import logging
import os
import signal
import sys
import traceback
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any, NoReturn

from inkwright import __version__
from inkwright.cli.context import EXIT_CANCELLED, EXIT_FAILED, EXIT_USAGE, Build, Context, OutputError
from inkwright.cli.speaking import speaking, told
from inkwright.domain.errors import Fault, InkwrightError
from inkwright.i18n import pick

COMMANDS = (
    "demo",
    "run",
    "pipeline",
    "candidates",
    "check",
    "index",
    "search",
    "threads",
    "report",
    "ask",
    "profiles",
    "book",
    "memories",
    "runs",
    "models",
    "secrets",
    "usage",
    "settings",
    "doctor",
)
"""Each is a module of this package with `add_parser(subparsers)` and `async run(args, context)`."""

Serve = Callable[[int | None, bool], int]


class _UsageError(Exception):
    pass


class _Parser(argparse.ArgumentParser):
    """Options are given in full: what is short for one today may be short for two tomorrow."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **{**more, "allow_abbrev": False})

    def error(self, message: str) -> NoReturn:
        raise _UsageError(f"{self.prog}: {message}")


def parser() -> argparse.ArgumentParser:
    root = _Parser(prog="inkwright", description="A writer's studio for any editor (墨匠).")
    version = f"inkwright {__version__}"
    root.add_argument("--version", action="version", version=version, help="show the version")
    root.add_argument("--debug", action="store_true", help="show tracebacks")
    commands = root.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=_Parser)
    lsp = commands.add_parser("lsp", help="speak the Language Server Protocol over stdio")
    lsp.add_argument("--tcp", type=_port, metavar="PORT", help="listen on 127.0.0.1:PORT instead")
    lsp.add_argument("--stdio", action="store_true", help="the default; accepted because clients send it")
    for name in COMMANDS:
        importlib.import_module(f"inkwright.cli.{name}").add_parser(commands)
    return root


def _port(text: str) -> int:
    number = int(text)
    if number not in range(1 << 16):
        raise argparse.ArgumentTypeError(f"{text!r} is no port: 0 to 65535, 0 for any that is free")
    return number


def main(argv: Sequence[str], build: Build, serve: Serve) -> int:
    """Runs one command and returns the exit status: 0 done, 1 findings, 2 usage, 3 failed, 4 partial, 130."""
    locale = pick(next((v for k in ("LC_ALL", "LC_MESSAGES", "LANG") if (v := os.environ.get(k))), ""))
    # What stands behind `--` is no option.
    own = argv[: argv.index("--")] if "--" in argv else argv
    context = Context(build=build, locale=locale, json="--json" in own, debug="--debug" in own)
    given = [*(a for a in own if a != "--debug"), *argv[len(own) :]]
    try:
        status = _outcome(given, context, serve)
        context.flush()
    except OutputError as lost:
        return _mute(context, lost)
    return status


def _outcome(argv: Sequence[str], context: Context, serve: Serve) -> int:
    """The exit status of a command, whatever becomes of it. Raises `OutputError`."""
    try:
        with speaking(context.locale):
            helped = "-h" in argv or "--help" in argv
            args = (told(parser(), context.locale) if helped else parser()).parse_args(argv)
        if args.command == "lsp":
            return serve(args.tcp, context.debug)
        context.json = args.json or getattr(args, "format", "") == "json"
        _configure_logging(debug=context.debug)
        command = importlib.import_module(f"inkwright.cli.{args.command}")
        return asyncio.run(_supervised(command.run(args, context)))
    except SystemExit as done:  # argparse has said the version, or the help
        return int(done.code or 0)
    except _UsageError as wrong:
        return context.fail(Fault("usage", {"message": _redacted(str(wrong))}), EXIT_USAGE)
    except (KeyboardInterrupt, asyncio.CancelledError):
        return context.fail(Fault("command_cancelled"), EXIT_CANCELLED)
    except OutputError:
        raise
    except InkwrightError as error:
        if context.debug:
            raise
        return context.fail(error.fault, EXIT_FAILED)
    except Exception as error:  # the last door: one line, never a traceback
        if context.debug:
            raise
        return context.fail(Fault("internal", {"error": type(error).__name__}), EXIT_FAILED)


def _redacted(text: str) -> str:
    """What somebody typed by mistake may be a key."""
    from inkwright.secrets import redacted

    return redacted(logging.getLogger("inkwright"), text)


def _traceback(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """What `--debug` shows of an error of ours: everything but keys."""
    text = "".join(traceback.format_exception(kind, error, trace))
    if sys.stderr is not None:
        sys.stderr.write(_redacted(text))


def _mute(context: Context, lost: OutputError) -> int:
    """The answer did not get out: said, unless its reader went away; the exit must not try again."""
    if not lost.gone:
        context.notice(Fault("output_unwritable", {"error": lost.said}))
    if sys.stdout is not None:
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return EXIT_FAILED


def _configure_logging(*, debug: bool) -> None:
    """Logs are for `--debug`: without it the writer is told in sentences, and of nothing twice."""
    root, own = logging.getLogger(), logging.getLogger("inkwright")
    if debug:
        sys.excepthook = _traceback
    if debug and not own.handlers:
        own.addHandler(logging.StreamHandler())
    elif not root.handlers:
        root.addHandler(logging.NullHandler())


async def _supervised(command: Coroutine[Any, Any, int]) -> int:
    """SIGTERM ends a command the way Ctrl-C does: cancelled, with everything closed."""
    task = asyncio.ensure_future(command)
    if os.name == "posix":
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, task.cancel)
    return await task
