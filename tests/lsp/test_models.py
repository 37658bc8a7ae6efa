"""Models and keys over LSP: lists, trials, hand-over, folders' settings; a key and a sentence that leak nowhere."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

KEY = "canary-key-0123456789abcdef"
SENTENCE = "金丝雀在渡口的芦苇里轻轻叫了整整一百零三声，谁也没有听见。"


class Upstream:
    """A model that answers as `mode` says and keeps what it was sent."""

    def __init__(self) -> None:
        self.mode = "answer"
        self.heads: list[str] = []
        self.bodies: list[str] = []
        self.held = asyncio.Event()
        self.port = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            size = next(int(h[15:]) for h in head.lower().split("\r\n") if h.startswith("content-length:"))
            body = (await reader.readexactly(size)).decode()
            self.heads.append(head)
            self.bodies.append(body)
            if self.mode == "hold":
                self.held.set()
                await reader.read()
            elif self.mode != "drop":
                writer.write(self._said(body))
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    def _said(self, body: str) -> bytes:
        echo = f"key {KEY} was sent with {body} and {base64.b64encode(KEY.encode()).decode()}"
        status, text = {
            "answer": (
                "200 OK",
                'data: {"choices":[{"delta":{"content":"好。"},"finish_reason":"stop"}]}\n\n',
            ),
            "auth": ("401 Unauthorized", json.dumps({"error": {"message": echo}})),
            "server": ("500 Oops", json.dumps({"error": {"message": echo, "code": SENTENCE}})),
            "page": ("200 OK", f"<html>{echo}</html>"),
            "broken": ("200 OK", f"data: {{{echo}\n\n"),
            "inside": ("200 OK", f"data: {json.dumps({'error': {'message': SENTENCE + echo}})}\n\n"),
            "redirect": (f"302 Found\r\nlocation: http://127.0.0.1:{self.port}/{KEY}", ""),
        }[self.mode]
        kind = "text/html" if self.mode == "page" else "text/event-stream"
        return f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nConnection: close\r\n\r\n{text}".encode()


@pytest.fixture
async def upstream() -> AsyncIterator[Upstream]:
    found = Upstream()
    listening = await asyncio.start_server(found.serve, "127.0.0.1", 0)
    found.port = listening.sockets[0].getsockname()[1]
    yield found
    listening.close()


def own(upstream: Upstream, **more: str) -> dict[str, str]:
    return {
        "INKWRIGHT_ENDPOINT": f"http://127.0.0.1:{upstream.port}/v1",
        "INKWRIGHT_MODEL": "m",
        "INKWRIGHT_API_KEY": KEY,
        **more,
    }


async def listed(editor) -> dict[str, dict]:
    return {one["id"]: one for one in await editor.client.command("inkwright.listModels", {})}


async def test_models_and_their_trial(start, upstream):
    """What is configured, its key's place; a trial with the final address and none of the manuscript."""
    editor = await start(env=own(upstream))
    uri = editor.open("第一章.md")
    models = await listed(editor)
    assert models["m"]["default"]
    assert (models["m"]["wire"], models["m"]["keyConfigured"], models["m"]["local"]) == ("openai", True, True)
    assert set(models["m"]) >= {"endpoint", "model", "provider", "kind", "contextWindow"}
    found = await editor.client.command("inkwright.testModel", {"model": "m"})
    assert found["works"]
    assert found["url"] == f"http://127.0.0.1:{upstream.port}/v1/chat/completions"
    assert found["tools"] == "not_called"
    assert not any("林夏" in body for body in upstream.bodies)
    assert uri
    upstream.mode = "auth"
    found = await editor.client.command("inkwright.testModel", {})
    assert (found["works"], found["reachable"], found["error"]["kind"]) == (False, True, "auth")
    assert KEY not in json.dumps(found)
    response = await editor.client.request(
        "workspace/executeCommand", {"command": "inkwright.testModel", "arguments": [{"model": "nobody"}]}
    )
    assert response["error"]["data"]["code"] == "model_unknown"


async def test_a_key_from_the_editor_lives_in_memory(start, upstream, tmp_path, book):
    """It makes its vendor's model, survives other settings, is forgotten when told, and stands in no file."""
    editor = await start()
    assert set(await listed(editor)) == {"offline"}
    assert await editor.client.command("inkwright.setSecret", {"name": "deepseek", "value": f" {KEY}\n"}) == {
        "name": "deepseek"
    }
    models = await listed(editor)
    assert (models["deepseek"]["key"], models["deepseek"]["default"]) == ("editor:deepseek", True)
    editor.settings = {
        "model": "own",
        "models": {
            "own": {
                "endpoint": f"http://127.0.0.1:{upstream.port}/v1",
                "model": "m",
                "key": "editor:mine",
            }
        },
    }
    await editor.client.command("inkwright.setSecret", {"name": "mine", "value": KEY})
    assert (await listed(editor))["own"]["keyConfigured"]
    result = await editor.run("analysis", "第一章.md")
    assert result["status"] == "completed"
    assert f"Bearer {KEY}" in upstream.heads[-1]
    assert await editor.client.command("inkwright.forgetSecret", {"name": "mine"}) == {"forgotten": True}
    assert await editor.client.command("inkwright.forgetSecret", {"name": "mine"}) == {"forgotten": False}
    result = await editor.run("analysis", "第二章.md")
    assert (result["status"], result["error"]["code"]) == ("failed", "key_missing_editor")
    for value in ("two words", "某某某", "a\nb"):
        response = await editor.client.request(
            "workspace/executeCommand",
            {"command": "inkwright.setSecret", "arguments": [{"name": "x", "value": value}]},
        )
        assert response["error"]["data"]["code"] == "key_malformed"
        assert value not in response["error"]["message"]
    response = await editor.client.request(
        "workspace/executeCommand",
        {"command": "inkwright.setSecret", "arguments": [{"name": "sk-canary-0123456789ab", "value": KEY}]},
    )
    assert response["error"]["data"]["code"] == "secret_name_invalid"
    assert await editor.client.quit() == 0
    assert KEY.encode() not in editor.client.raw + editor.client.log
    assert holders(KEY, tmp_path, book) == []


@pytest.mark.parametrize("trusted", [None, False, True])
async def test_a_folders_endpoint_gets_something_only_where_the_folder_is_trusted(start, upstream, trusted):
    """Untrusted: told once, the offline engine works on, and not one connection is made."""
    settings = {
        "workspace": {
            "model": "theirs",
            "models": {"theirs": {"endpoint": f"http://127.0.0.1:{upstream.port}/v1", "model": "m"}},
        }
    }
    options = {} if trusted is None else {"initializationOptions": {"trusted": trusted}}
    editor = await start(settings=settings, **options)
    result = await editor.run("analysis", "第一章.md")
    assert result["status"] == "completed"

    def told() -> list[str]:
        shown = editor.client.got("window/showMessage")
        return [p["message"] for p in shown if "workspace" in str(p) or "信任" in str(p)]

    if trusted:
        assert (result["model"], len(upstream.heads)) == ("theirs", 1)
    else:
        assert (result["model"], upstream.heads) == ("offline", [])
        await editor.client.until(told)
        editor.client.notify("workspace/didChangeConfiguration", {"settings": None})
        assert "theirs" not in await listed(editor)
        assert len(told()) == 1


@pytest.mark.parametrize("trusted", [False, True])
async def test_a_book_chooses_among_models_only_where_it_is_trusted(start, upstream, book, trusted):
    """An endpoint in `book.toml` is never read; a model's name counts where the folder is trusted."""
    (book / "book.toml").write_text(
        f'model = "mine"\nendpoint = "http://127.0.0.1:{upstream.port}/v1"\n'
        f'[models.mine]\nendpoint = "http://127.0.0.1:{upstream.port}/v1"\nmodel = "m"\n',
        "utf-8",
    )
    mine = {"endpoint": f"http://127.0.0.1:{upstream.port}/own/v1", "model": "m"}
    editor = await start(
        settings={"model": "offline", "models": {"mine": mine}},
        initializationOptions={"trusted": trusted},
    )
    result = await editor.run("analysis", "第一章.md")
    assert result["model"] == ("mine" if trusted else "offline")
    assert ["/own/v1/" in head for head in upstream.heads] == ([True] if trusted else [])


async def test_a_key_in_book_toml_is_an_error_with_a_fix(start, book):
    """Where it stands; the fix takes the line out; nothing that is sent has the key."""
    (book / "book.toml").write_bytes(f'title = "书"\r\napi_key = "{KEY}"\r\ntype = "novel"\r\n'.encode())
    editor = await start()
    uri = editor.open("book.toml")
    (found,) = await editor.diagnostics(uri)
    assert (found["severity"], found["code"], found["range"]["start"]["line"]) == (1, "key_in_book_file", 1)
    actions = await editor.client.call(
        "textDocument/codeAction",
        {"textDocument": {"uri": uri}, "range": found["range"], "context": {"diagnostics": [found]}},
    )
    assert [action["kind"] for action in actions] == ["quickfix"]
    assert "inkwright secrets set" in actions[0]["title"]
    editor.apply(actions[0]["edit"])
    assert editor.texts[uri] == 'title = "书"\r\ntype = "novel"\r\n'
    assert await editor.diagnostics(uri) == []
    assert KEY.encode() not in bytes(editor.client.raw)


def holders(what: str, *folders: Path) -> list[str]:
    """The files below some folders that hold a text, as it is or in base64."""
    forms = [what.encode(), base64.b64encode(what.encode()).rstrip(b"=")]
    return [
        str(path)
        for folder in folders
        for path in folder.rglob("*")
        if path.is_file() and any(form in path.read_bytes() for form in forms)
    ]


def command_lines() -> str:
    """What the process list shows of every process of this machine."""
    out = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            out.append(path.read_bytes())
        except OSError:  # it has ended
            continue
    return b"\n".join(out).decode("utf-8", "replace")


@pytest.mark.parametrize("debug", [False, True])
async def test_the_canaries(spawn, upstream, tmp_path, book, debug):
    """Through good answers, every kind of fault that echoes, a cancel and a crash of the client's end."""
    (book / "第三章.md").write_text(f"# 第三章\n\n{SENTENCE}\n", "utf-8")
    client = await spawn("", *(["--debug"] if debug else []), env=own(upstream))
    await client.initialize(
        {"window": {}}, workspaceFolders=[{"uri": book.as_uri(), "name": "书"}], locale="zh-cn"
    )
    uri = (book / "第三章.md").as_uri()
    client.open(uri, (book / "第三章.md").read_text("utf-8"))
    errors = []
    faults = ["auth", "server", "page", "broken", "inside", "redirect", "drop"]
    # A good answer after each, so that the model needs no rest.
    for number, mode in enumerate([mode for fault in faults for mode in ("answer", fault)] + ["answer"]):
        upstream.mode = mode
        _, pending = client.start(
            "workspace/executeCommand",
            {
                "command": "inkwright.runAbility",
                "arguments": [{"ability": "analysis", "uri": uri, "requestId": f"r{number}"}],
            },
        )
        result = (await asyncio.wait_for(pending, 60))["result"]  # what is fleeting has been tried again
        errors.append(json.dumps(result["error"], ensure_ascii=False))
    upstream.mode = "hold"
    _, pending = client.start(
        "workspace/executeCommand",
        {
            "command": "inkwright.runAbility",
            "arguments": [{"ability": "analysis", "uri": uri, "requestId": "held"}],
        },
    )
    held = asyncio.ensure_future(upstream.held.wait())
    await asyncio.wait([held, pending], timeout=60, return_when=asyncio.FIRST_COMPLETED)
    assert held.done(), json.dumps([errors, pending.done() and pending.result()], ensure_ascii=False)
    if Path("/proc").is_dir():
        shown = command_lines()
        assert KEY not in shown
        assert SENTENCE not in shown
    await client.command("inkwright.cancelRun", {"requestId": "held"})
    await pending
    assert any(SENTENCE in body for body in upstream.bodies)
    client.eof()
    await client.ended()
    assert KEY not in "".join(errors)
    assert SENTENCE not in "".join(errors)
    assert KEY.encode() not in bytes(client.raw)
    log = client.log.decode("utf-8", "replace")
    assert KEY not in log
    assert SENTENCE[:12] not in log
    assert str(book) not in log
    assert holders(KEY, tmp_path / "home", book) == []


async def test_vendors_are_named_for_one_who_has_no_model_yet(start):
    """With a key under a vendor's id the list has that vendor's model; the vendors say which key that is."""
    editor = await start()
    found = await editor.client.command("inkwright.listModels", {"vendors": True})
    assert [one["id"] for one in found if not one.get("vendor")] == ["offline"]
    deepseek = next(one for one in found if one["id"] == "deepseek")
    assert deepseek["variable"] == "DEEPSEEK_API_KEY"
    assert deepseek["label"] == "DeepSeek"
    assert deepseek["endpoint"].startswith("https://")
    await editor.client.command("inkwright.setSecret", {"name": "deepseek", "value": KEY})
    mine = (await listed(editor))["deepseek"]
    assert (mine["model"], mine["keyConfigured"]) == (deepseek["model"], True)
