"""`inkwright ask`: one streamed request to a model, to try an endpoint out."""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import aclosing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, get_args

from inkwright import intake
from inkwright.cli.context import EXIT_DONE, EXIT_FAILED, EXIT_PARTIAL, EXIT_USAGE, Context, Subparsers
from inkwright.domain.conversation import (
    Finished,
    Message,
    ModelRequest,
    Reasoning,
    Text,
    ToolCall,
    ToolSpec,
    Waiting,
)
from inkwright.domain.errors import Fault, InkwrightError
from inkwright.domain.model import Wire
from inkwright.domain.run import Clocks
from inkwright.i18n import render

SLACK = 0.25
MAX_TOOLS = 4_000_000
"""Bytes of a file of tools that are read at most."""


def add_parser(commands: Subparsers) -> None:
    parser = commands.add_parser("ask", help="one streamed request to a model")
    parser.add_argument("prompt", metavar="PROMPT", nargs="?", help="read from stdin when it is missing or -")
    parser.add_argument(
        "--wire", choices=get_args(Wire), help="what the endpoint speaks; its vendor's when missing"
    )
    parser.add_argument("--endpoint", metavar="URL", required=True, help="used as typed")
    parser.add_argument("--model", metavar="NAME", required=True)
    parser.add_argument(
        "--key-env", metavar="VAR", default="", help="the environment variable that holds the key"
    )
    parser.add_argument(
        "--tools", metavar="FILE", type=Path, help="JSON: tools to offer; calls are only reported"
    )
    parser.add_argument(
        "--timeout", metavar="S", type=_seconds, help="seconds that bound each silence and the whole"
    )
    parser.add_argument("--no-retry", action="store_true", help="one attempt, whatever happens")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of text")


async def run(args: argparse.Namespace, context: Context) -> int:
    try:
        request = ModelRequest((Message("user", await _prompt(args.prompt)),), _tools(args.tools))
    except InkwrightError as error:
        return context.fail(error.fault, EXIT_USAGE)
    answer = await _ask(args, request, context)
    if answer.end.fault is not None:
        context.notice(answer.end.fault)
    if context.json:
        context.emit(answer.shape(context))
    else:
        answer.show(context)
    return answer.status


@dataclass(frozen=True, slots=True)
class Answer:
    text: str
    reasoning: str
    end: Finished

    @property
    def status(self) -> int:
        if self.end.finish in ("stop", "tool_calls"):
            return EXIT_DONE
        return EXIT_PARTIAL if self.text.strip() or self.end.tool_calls else EXIT_FAILED

    def shape(self, context: Context) -> dict[str, Any]:
        """The object of the contract; an error has its `code`, and `retryAfter` when the server named one."""
        usage, fault = self.end.usage, self.end.fault
        error: dict[str, Any] | None = None
        if fault is not None:
            error = {
                "kind": fault.kind,
                "retryable": fault.retryable,
                "message": render(fault, context.locale),
                "code": fault.code,
            }
            if fault.retry_after is not None:
                error["retryAfter"] = fault.retry_after
        return {
            "text": self.text,
            "reasoning": self.reasoning,
            "toolCalls": [_call(call) for call in self.end.tool_calls],
            "finish": self.end.finish,
            "usage": None if usage is None else {"input": usage.input, "output": usage.output},
            "error": error,
        }

    def show(self, context: Context) -> None:
        """What has not been streamed or said yet."""
        if self.text and not self.text.endswith("\n"):
            context.say("")
        for call in self.end.tool_calls:
            arguments = call.raw if call.arguments is None else json.dumps(call.arguments, ensure_ascii=False)
            context.say(context.tr("ask_tool_call", name=call.name, arguments=arguments))
        if self.end.finish == "length":
            context.note(f"inkwright: {context.tr('ask_length')}")


async def _ask(args: argparse.Namespace, request: ModelRequest, context: Context) -> Answer:
    from inkwright import providers
    from inkwright.config import ModelReader
    from inkwright.providers import catalog
    from inkwright.secrets import Secrets

    reader = ModelReader(catalog.providers(), os.environ, {})
    profile = reader.typed(args.endpoint, args.model, args.wire, args.key_env)
    if args.timeout is not None:
        profile = replace(profile, clocks=_bounded(args.timeout))
    text: list[str] = []
    reasoning: list[str] = []
    end = Finished("error")
    make = providers.build if args.no_retry else providers.shared
    model = make(profile, Secrets(os.environ))
    await asyncio.to_thread(providers.load)
    # The clocks bound one attempt and say best what was overdue; this bounds all of them.
    whole = None if args.timeout is None else args.timeout + SLACK
    try:
        async with asyncio.timeout(whole), aclosing(model.stream(request)) as events:
            async for event in events:
                match event:
                    case Text(piece):
                        text.append(piece)
                        if not context.json:
                            context.say(piece, end="")
                            context.flush()
                    case Reasoning(piece):
                        reasoning.append(piece)
                    case Waiting("retry", seconds):
                        context.note(context.tr("ask_retry", seconds=max(1, round(seconds or 0))))
                    case Finished():
                        end = event
    except TimeoutError:
        params = {"host": profile.host, "model": profile.model, "seconds": args.timeout}
        end = Finished("error", fault=Fault("model_timeout_total", params, kind="timeout", retryable=True))
    finally:
        await model.close()
    return Answer("".join(text), "".join(reasoning), end)


def _bounded(seconds: float) -> Clocks:
    return Clocks(min(Clocks().connect, seconds), seconds, seconds, seconds, seconds)


def _call(call: ToolCall) -> dict[str, Any]:
    """A call of the contract; one whose arguments are no JSON object also has them as they came."""
    out: dict[str, Any] = {"id": call.id, "name": call.name, "arguments": call.arguments}
    return out if call.arguments is not None else {**out, "rawArguments": call.raw}


async def _prompt(given: str | None) -> str:
    if given is not None and given != "-":
        text = given
    elif sys.stdin is None or sys.stdin.isatty():
        text = ""
    else:
        text = await _stdin()
    if not text.strip():
        raise InkwrightError("ask_no_prompt")
    return text


async def _stdin() -> str:
    """All of stdin as UTF-8. Read on a daemon thread, so that Ctrl-C works while nobody writes."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[bytes] = loop.create_future()
    number = sys.stdin.fileno()

    def read() -> None:
        parts: list[bytes] = []
        try:
            while piece := os.read(number, 65_536):
                parts.append(piece)
        except OSError:
            parts.append(b"")
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, b"".join(parts))

    def settle(read: bytes) -> None:
        if not done.done():
            done.set_result(read)

    threading.Thread(target=read, daemon=True).start()
    return (await done).decode("utf-8-sig", "replace")


def _tools(path: Path | None) -> tuple[ToolSpec, ...]:
    """Tools as any vendor's documents write them: bare, under `function`, or in an object's `tools`."""
    if path is None:
        return ()
    try:
        found = json.loads(intake.read(path, MAX_TOOLS).decode("utf-8-sig"))
    except intake.TooLargeError:
        raise InkwrightError("ask_tools_large", name=str(path), limit=MAX_TOOLS // 1_000_000) from None
    except OSError:
        raise InkwrightError("ask_tools_unreadable", name=str(path)) from None
    except (ValueError, RecursionError):
        raise InkwrightError("ask_tools_malformed", name=str(path)) from None
    tools = found.get("tools") if isinstance(found, dict) else found
    if not isinstance(tools, list):
        raise InkwrightError("ask_tools_malformed", name=str(path))
    return tuple(_specs(tools, str(path)))


def _specs(tools: list[Any], name: str) -> Iterator[ToolSpec]:
    for tool in tools:
        spec = tool.get("function", tool) if isinstance(tool, dict) else None
        if not isinstance(spec, dict) or not isinstance(spec.get("name"), str) or not spec["name"]:
            raise InkwrightError("ask_tools_malformed", name=name)
        schema = spec.get("parameters", spec.get("input_schema", {"type": "object", "properties": {}}))
        described = spec.get("description", "")
        if not isinstance(schema, dict) or not isinstance(described, str):
            raise InkwrightError("ask_tools_malformed", name=name)
        yield ToolSpec(spec["name"], described, schema)


def _seconds(text: str) -> float:
    value = float(text)
    if not (math.isfinite(value) and value > 0):
        raise argparse.ArgumentTypeError(text)
    return value
