"""The user's config.toml is edited while a server runs: what it says holds for the next run, without a restart."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

CHANGED = "$/inkwright/modelsChanged"


@pytest.fixture
def file(tmp_path) -> Path:
    """The user's file; it is not there yet."""
    return tmp_path / "home" / "config" / "inkwright" / "config.toml"


def put(file: Path, text: str) -> None:
    """There as a whole or not at all, whenever it is looked at."""
    file.parent.mkdir(parents=True, exist_ok=True)
    aside = file.with_suffix(".part")
    aside.write_text(text, "utf-8")
    aside.replace(file)


@pytest.fixture
async def upstream() -> AsyncIterator[tuple[int, list[str]]]:
    """A real endpoint on 127.0.0.1, and the names of the models that it was asked as."""
    asked: list[str] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
            size = next(int(line[15:]) for line in head.split("\r\n") if line.startswith("content-length:"))
            asked.append(json.loads(await reader.readexactly(size))["model"])
            body = 'data: {"choices":[{"delta":{"content":"好。"},"finish_reason":"stop"}]}\n\n'
            start = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n"
            writer.write((start + body).encode())
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    yield server.sockets[0].getsockname()[1], asked
    server.close()


def model(port: int, name: str) -> str:
    return f'model = "mine"\n[models.mine]\nendpoint = "http://127.0.0.1:{port}/v1"\nmodel = "{name}"\n'


def shown(editor) -> list[str]:
    return [p["message"] for p in editor.client.got("window/showMessage") if "config.toml" in p["message"]]


async def row(editor) -> dict:
    found = await editor.client.command("inkwright.listModels", {"file": True})
    assert [bool(one.get("file")) for one in found] == [False] * (len(found) - 1) + [True]
    return found[-1]


async def default(editor) -> str:
    models = await editor.client.command("inkwright.listModels", {})
    return next(one["model"] or one["id"] for one in models if one["default"])


async def test_the_next_run_goes_by_what_the_file_says_now(start, file, upstream):
    """Made, changed and taken away; nothing is asked between the edit and the run."""
    port, asked = upstream
    editor = await start()
    assert (await editor.run("analysis", "第一章.md"))["model"] == "offline"
    put(file, model(port, "one"))
    assert (await editor.run("analysis", "第一章.md"))["model"] == "mine"
    put(file, model(port, "two"))
    assert (await editor.run("analysis", "第一章.md"))["model"] == "mine"
    assert asked == ["one", "two"]
    file.unlink()
    assert (await editor.run("analysis", "第一章.md"))["model"] == "offline"
    assert len(editor.client.got(CHANGED)) == 3


async def test_clients_are_told_and_get_the_path(start, file):
    """Once for each change of the models, at a save too; a change of something else is none of these."""
    editor = await start()
    uri = editor.open("第一章.md")
    assert await row(editor) == {
        "file": True,
        "path": str(file),
        "uri": file.as_uri(),
        "exists": False,
        "problem": None,
    }
    put(file, model(9, "one"))
    editor.client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    await editor.client.until(lambda: editor.client.got(CHANGED))
    assert await default(editor) == "one"
    put(file, model(9, "one").replace('model = "mine"\n', 'model = "mine"\nhover = false\n', 1))
    assert (await row(editor))["exists"]
    assert editor.client.got(CHANGED) == [{}]
    put(file, model(9, "two"))
    assert await default(editor) == "two"
    assert editor.client.got(CHANGED) == [{}, {}]


@pytest.mark.parametrize(("locale", "kept"), [("zh-cn", "沿用之前"), ("en", "stays in force")])
async def test_a_file_that_breaks_is_told_of_once_and_changes_nothing(start, file, upstream, locale, kept):
    """The last good one holds; set right and broken once more, it is told of once more."""
    port, asked = upstream
    put(file, model(port, "one"))
    editor = await start(locale=locale)
    assert await default(editor) == "one"
    for number in (1, 2):
        put(file, "model = [")
        for _ in range(2):
            assert (await editor.run("analysis", "第一章.md"))["model"] == "mine"
        assert (await row(editor))["problem"]["code"] == "settings_kept_not_toml"
        await editor.client.until(lambda number=number: len(shown(editor)) >= number)
        assert [kept in message for message in shown(editor)] == [True] * number
        put(file, model(port, "one"))
        assert (await row(editor))["problem"] is None
    assert asked == ["one"] * 4
    assert editor.client.got(CHANGED) == []


async def test_a_watcher_is_heard(start, file):
    """A client that watches outside of folders is asked to watch the file; what it tells of is looked at, and no book
    is sought there."""
    put(file, model(9, "one"))
    capabilities = {
        "workspace": {
            "applyEdit": True,
            "configuration": True,
            "didChangeWatchedFiles": {"dynamicRegistration": True, "relativePatternSupport": True},
        }
    }
    editor = await start(capabilities=capabilities)

    def watched() -> list:
        return [
            watcher["globPattern"]
            for method, params in editor.client.requests
            if method == "client/registerCapability"
            for registration in params["registrations"]
            if registration["method"] == "workspace/didChangeWatchedFiles"
            for watcher in registration["registerOptions"]["watchers"]
        ]

    await editor.client.until(watched)
    assert await default(editor) == "one"
    assert {"baseUri": file.parent.as_uri(), "pattern": "config.toml"} in watched()
    put(file, model(9, "two"))
    editor.client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": file.as_uri(), "type": 2}]})
    await editor.client.until(lambda: editor.client.got(CHANGED))
    assert await default(editor) == "two"


async def test_what_is_chosen_and_wrong_refuses_the_next_run_until_it_is_right(start, file, upstream):
    """A name that a new file chooses in vain is no reason to take another model."""
    port, asked = upstream
    put(file, model(port, "one"))
    editor = await start()
    put(file, model(port, "one").replace('"mine"', '"nobody"', 1))
    result = await editor.run("analysis", "第一章.md")
    assert (result["status"], result["error"]["code"]) == ("failed", "setting_model_unknown")
    given = {"command": "inkwright.testModel", "arguments": [{}]}
    tried = await editor.client.request("workspace/executeCommand", given)
    assert tried["error"]["data"]["code"] == "setting_model_unknown"
    put(file, model(port, "one"))
    assert (await editor.run("analysis", "第一章.md"))["status"] == "completed"
    assert asked == ["one"]


async def test_a_run_waits_for_no_lenses(start, file):
    """A client that does not answer that it asks for its lenses anew holds nothing up."""
    capabilities = {
        "workspace": {"applyEdit": True, "configuration": True, "codeLens": {"refreshSupport": True}}
    }
    editor = await start(capabilities=capabilities)
    ran = asyncio.Event()
    editor.client.answers["workspace/codeLens/refresh"] = lambda _: ran.wait()
    assert await default(editor) == "offline"
    put(file, "hover = false\n")
    assert (await editor.run("analysis", "第一章.md"))["status"] == "completed"
    assert b"did not answer workspace/codeLens/refresh" not in editor.client.log
    ran.set()
