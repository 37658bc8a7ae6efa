"""A server with the real protocol and process, with `--real` the engine too: its commands poke at the machinery."""

from __future__ import annotations

import asyncio
import gc
import os
import sys
import threading
from types import SimpleNamespace
from typing import Any

from lsprotocol import types as t

from inkwright import app
from inkwright.domain.errors import InkwrightError
from inkwright.lsp import features
from inkwright.lsp.server import serve


async def nothing(*_: Any) -> None:
    """Does nothing."""


class Nothing:
    """A studio that has a language and folders and can be closed, no more."""

    def __init__(self) -> None:
        self.locale = "en"
        self.workspace = SimpleNamespace(folders=[], refolder=nothing)

    async def close(self) -> None:
        sys.stderr.write("studio closed\n")
        sys.stderr.flush()


async def build(**_: Any) -> Any:
    return Nothing()


def register(ls: Any) -> None:
    @ls.command("probe.slow")
    async def slow(ls: Any, argument: dict[str, Any], token: Any) -> str:
        await ls.studio()
        ls.client.notify("probe/started", {})
        try:
            await asyncio.sleep(argument.get("seconds", 60))
        except asyncio.CancelledError:
            ls.client.notify("probe/cancelled", {})
            raise
        return "slept"

    @ls.command("probe.state")
    def state(ls: Any, argument: dict[str, Any], token: Any) -> dict[str, int]:
        gc.collect()
        return {
            "requests": ls.protocol.open_requests,
            "progress": len(ls.progress_bars),
            "threads": threading.active_count(),
            "tasks": len(asyncio.all_tasks()),
            "documents": len(ls.documents),
            "running": len(ls.running),
            "objects": len(gc.get_objects()),
            "frozen": gc.get_freeze_count(),
        }

    @ls.command("probe.kept")
    def kept(ls: Any, argument: dict[str, Any], token: Any) -> dict[str, int]:
        """How much there is in every table of those who follow documents."""
        owners = [getattr(listener, "__self__", None) for listener in ls.documents._listeners]
        tables = [(owner, name, value) for owner in owners if owner for name, value in vars(owner).items()]
        work = [
            (value, inner, held)
            for _, name, value in tables
            if type(value).__name__ == "Latest"
            for inner, held in vars(value).items()
        ]
        return {
            f"{type(owner).__name__}.{name}": len(value)
            for owner, name, value in (*tables, *work)
            if isinstance(value, dict | set | list)
        }

    @ls.command("probe.print")
    def noise(ls: Any, argument: dict[str, Any], token: Any) -> int:
        print("noise")
        os.write(1, b"noise below Python\n")
        return len(sys.stdin.read())

    @ls.command("probe.fail")
    def fail(ls: Any, argument: dict[str, Any], token: Any) -> None:
        raise KeyError("/secret/path and 手稿")

    @ls.command("probe.echo")
    def echo(ls: Any, argument: dict[str, Any], token: Any) -> Any:
        return argument

    @ls.command("probe.unspeakable")
    def unspeakable(ls: Any, argument: dict[str, Any], token: Any) -> Any:
        return {1, 2}

    @ls.command("probe.flood")
    def flood(ls: Any, argument: dict[str, Any], token: Any) -> int:
        for _ in range(argument["messages"]):
            ls.client.notify("probe/flood", {"text": "字" * argument["size"]})
        return argument["messages"]

    @ls.command("probe.ask")
    async def ask(ls: Any, argument: dict[str, Any], token: Any) -> Any:
        return await ls.client.ask("probe/question", {}, argument.get("seconds", 30))

    @ls.command("probe.work")
    async def work(ls: Any, argument: dict[str, Any], token: Any) -> str:
        me = asyncio.current_task()
        assert me
        stopped = []
        bar = ls.progress_bars.begin(
            "Work", token=token, cancel=lambda: stopped.append(1) or me.cancel(), measured=True
        )
        try:
            for percentage in argument["percentages"]:
                bar.report(f"at {percentage}", percentage)
                await asyncio.sleep(0)
            if argument.get("wait"):
                await asyncio.sleep(60)
        except asyncio.CancelledError:
            if not stopped:
                raise
            return "stopped"
        finally:
            bar.end()
        return "worked"

    @ls.command("probe.text")
    def text(ls: Any, argument: dict[str, Any], token: Any) -> Any:
        document = ls.documents.get(argument["uri"])
        return None if document is None else {"text": document.text(), "version": document.version}

    @ls.feature("probe/failing")
    async def failing(ls: Any, params: Any) -> None:
        raise InkwrightError("document_not_open", uri="x.md") if params["expected"] else KeyError("/secret")

    @ls.feature("probe/custom")
    def custom(ls: Any, params: Any) -> Any:
        return params

    if t.TEXT_DOCUMENT_HOVER not in ls.protocol.fm.features:

        @ls.feature(t.TEXT_DOCUMENT_HOVER)
        async def hover(ls: Any, params: t.HoverParams) -> t.Hover:
            await asyncio.sleep(0.05)
            return t.Hover(contents="hover")


def main() -> None:
    real = features.register

    def with_probe(ls: Any) -> None:
        if "--real" in sys.argv:
            real(ls)
        register(ls)

    features.register = with_probe
    port = next((int(a.split("=")[1]) for a in sys.argv if a.startswith("--tcp=")), None)
    serve(app.build if "--real" in sys.argv else build, port)


if __name__ == "__main__":
    main()
