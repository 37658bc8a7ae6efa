"""A raw client over a real process: it sees every byte, sends what no library would, and waits for nothing else."""

from __future__ import annotations

import asyncio
import json
import os
import runpy
import sys
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
import pytest_asyncio

HERE = Path(__file__).parent
LIMIT = 60.0
CRASHED = b"a check failed"
"""A check that raises looks to an editor like one that found nothing: only the log tells."""

Handler = Callable[[Any], Any]


class RawClient:
    """Speaks the base protocol by hand. `answers` maps methods the server may ask to functions."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.raw = bytearray()
        self.notifications: list[tuple[str, Any]] = []
        self.requests: list[tuple[str, Any]] = []
        self.answers: dict[str, Handler] = {}
        self.errors: list[Any] = []
        self._pending: dict[Any, asyncio.Future[Any]] = {}
        self._changed = asyncio.Condition()
        self._id = 0
        self._later: list[asyncio.Task[None]] = []
        self.reading = asyncio.Event()
        self.reading.set()
        self._reader = asyncio.ensure_future(self._read_all())
        self.log = bytearray()
        self._logger = asyncio.ensure_future(self._read_log())

    async def _read_log(self) -> None:
        assert self.process.stderr
        while chunk := await self.process.stderr.read(65536):
            self.log += chunk

    async def _read_all(self) -> None:
        error: Exception = EOFError("the server is gone")
        try:
            await self._read()
        except Exception as failure:
            error = failure
            raise
        finally:
            for future in self._pending.values():
                if not future.done():
                    future.set_exception(error)

    async def _read(self) -> None:
        out = self.process.stdout
        assert out
        data = bytearray()
        while True:
            await self.reading.wait()
            chunk = await out.read(65536)
            if not chunk:
                break
            self.raw += chunk
            data += chunk
            while (end := data.find(b"\r\n\r\n")) >= 0:
                header = bytes(data[:end]).decode("ascii")
                assert header.startswith("Content-Length: "), header
                size = int(header.split(": ")[1])
                if len(data) < end + 4 + size:
                    break
                body = bytes(data[end + 4 : end + 4 + size])
                del data[: end + 4 + size]
                await self._take(json.loads(body))
        assert not data, f"bytes outside the protocol: {bytes(data[:200])!r}"

    async def _take(self, message: dict[str, Any]) -> None:
        assert message.get("jsonrpc") == "2.0"
        if "method" not in message:
            future = self._pending.pop(message["id"], None)
            if future is None:
                self.errors.append(message)
            elif not future.done():
                future.set_result(message)
        elif "id" in message:
            self.requests.append((message["method"], message.get("params")))
            handler = self.answers.get(message["method"])
            if handler is not None:
                answer = handler(message.get("params"))
                if asyncio.iscoroutine(answer):
                    self._later.append(asyncio.ensure_future(self._answer_later(message["id"], answer)))
                else:
                    self.answer(message["id"], answer)
            else:
                self.send({"id": message["id"], "error": {"code": -32601, "message": "no"}})
        else:
            self.notifications.append((message["method"], message.get("params")))
        async with self._changed:
            self._changed.notify_all()

    async def _answer_later(self, msg_id: Any, answer: Awaitable[Any]) -> None:
        self.answer(msg_id, await answer)

    def answer(self, msg_id: Any, result: Any) -> None:
        self.send({"id": msg_id, "result": result})

    def write(self, data: bytes) -> None:
        assert self.process.stdin
        self.process.stdin.write(data)

    def send(self, *messages: dict[str, Any]) -> None:
        """Several messages go out in one piece."""
        bodies = [json.dumps({"jsonrpc": "2.0", **message}).encode() for message in messages]
        self.write(b"".join(b"Content-Length: %d\r\n\r\n%b" % (len(body), body) for body in bodies))

    def notify(self, method: str, params: Any = None) -> None:
        self.send({"method": method, "params": params} if params is not None else {"method": method})

    def start(
        self, method: str, params: Any = None, msg_id: Any = None, *, then: dict[str, Any] | None = None
    ) -> tuple[Any, asyncio.Future[Any]]:
        """Sends a request; its id and the future of the whole response message.

        The message `then` goes out with it, in one piece.
        """
        if msg_id is None:
            self._id += 1
            msg_id = self._id
        future = asyncio.get_running_loop().create_future()
        self._pending[msg_id] = future
        message = {"id": msg_id, "method": method}
        if params is not None:
            message["params"] = params
        self.send(message, *([then] if then else []))
        return msg_id, future

    async def request(self, method: str, params: Any = None) -> dict[str, Any]:
        """The whole response message."""
        return await asyncio.wait_for(self.start(method, params)[1], LIMIT)

    async def call(self, method: str, params: Any = None) -> Any:
        """The result; an error response fails the test."""
        response = await self.request(method, params)
        assert "error" not in response, response["error"]
        return response["result"]

    async def command(self, name: str, argument: Any = None, **more: Any) -> Any:
        arguments = [] if argument is None else [argument]
        return await self.call("workspace/executeCommand", {"command": name, "arguments": arguments, **more})

    def cancel(self, msg_id: Any) -> None:
        self.notify("$/cancelRequest", {"id": msg_id})

    def got(self, method: str) -> list[Any]:
        return [params for name, params in self.notifications if name == method]

    async def until(self, true: Callable[[], Any]) -> Any:
        """Waits until `true()` is true after some message."""
        async with asyncio.timeout(LIMIT), self._changed:
            while not (found := true()):
                await self._changed.wait()
            return found

    async def initialize(self, capabilities: Mapping[str, Any] | None = None, **params: Any) -> Any:
        result = await self.call(
            "initialize",
            {"processId": os.getpid(), "rootUri": None, "capabilities": capabilities or {}, **params},
        )
        self.notify("initialized", {})
        return result

    def open(self, uri: str, text: str, version: int = 1) -> None:
        self.notify(
            "textDocument/didOpen",
            {"textDocument": {"uri": uri, "languageId": "markdown", "version": version, "text": text}},
        )

    def change(self, uri: str, version: int, *changes: dict[str, Any]) -> None:
        self.notify(
            "textDocument/didChange",
            {"textDocument": {"uri": uri, "version": version}, "contentChanges": list(changes)},
        )

    async def quit(self) -> int:
        await self.call("shutdown")
        self.notify("exit")
        return await self.ended()

    def eof(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()

    async def ended(self) -> int:
        code = await asyncio.wait_for(self.process.wait(), LIMIT)
        await self._reader
        await self._logger
        return code

    async def close(self) -> None:
        if self.process.returncode is None:
            self.process.kill()
            await self.process.wait()
        await asyncio.wait({self._reader, self._logger})
        if not self._reader.cancelled() and (error := self._reader.exception()):
            raise error
        assert CRASHED not in self.log, bytes(self.log[self.log.index(CRASHED) :][:500])


def environment(home: Path, cache: Path, **more: str) -> dict[str, str]:
    """An environment without the user's own settings, data or keys."""
    kept = {name: value for name, value in os.environ.items() if name in {"PATH", "SYSTEMROOT", "TMPDIR"}}
    return {
        **kept,
        "HOME": str(home),
        "XDG_DATA_HOME": str(home / "data"),
        "XDG_CACHE_HOME": str(cache),
        "XDG_CONFIG_HOME": str(home / "config"),
        "LANG": "C.UTF-8",
        "PYTHONUTF8": "1",
        **more,
    }


Spawn = Callable[..., Awaitable[RawClient]]


@asynccontextmanager
async def spawning(home: Path, cache: Path) -> AsyncIterator[Spawn]:
    clients: list[RawClient] = []

    async def start(
        script: str = "", *args: str, env: Mapping[str, str] | None = None, python: tuple[str, ...] = ()
    ) -> RawClient:
        home.mkdir(exist_ok=True)
        command = [str(HERE / script)] if script else ["-m", "inkwright", "lsp"]
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *python,
            *command,
            *args,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=environment(home, cache, **(env or {})),
        )
        client = RawClient(process)
        clients.append(client)
        return client

    try:
        yield start
    finally:
        for client in clients:
            await client.close()


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One cache folder for all servers: a first start compiles what the following ones only read."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
async def spawn(tmp_path: Path, cache: Path) -> AsyncIterator[Spawn]:
    """Starts a server process: `await spawn()` the real one, `await spawn("probe.py")` one of the scripts here."""
    async with spawning(tmp_path / "home", cache) as start:
        yield start


@pytest.fixture
async def probe(spawn: Spawn) -> RawClient:
    """The probe server (protocol and process, no engine), initialized."""
    client = await spawn("probe.py")
    await client.initialize()
    return client


CHAPTER = """---
title: 渡口
---
# 第一章 渡口

林夏走到旧渡口，看见周衡。😀𠮷野也在。

阿夏说：“走吧。”她等了等,没有人。

***

第二场开始了。夏夏没有来。
"""

SECOND = "# 第二章 旧信\r\n\r\n林夏读信。周衡不在。\r\n"

CARDS = {
    "cards/林夏.md": "---\ntype: character\nname: 林夏\naliases: [阿夏, 夏夏]\nsummary: 摆渡人的女儿。\nfacts:\n"
    "  - {key: 所在, value: 旧渡口, from: 第一章}\n  - {key: 所在, value: 省城, from: 第二章}\n---\n左手有疤。\n",
    "cards/周衡.md": "---\ntype: character\n---\n# 周衡\n\n教书先生。\n",
    "cards/旧渡口.md": "---\ntype: location\nname: 旧渡口\n---\n河湾。\n",
}


def write_book(root: Path) -> Path:
    """A small book: two chapters (one of them CRLF), three cards, no `.inkwright/`."""
    for name, text in {"第一章.md": CHAPTER, "第二章.md": SECOND, **CARDS}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(text.encode())
    return root


@pytest.fixture
def book(tmp_path: Path) -> Path:
    return write_book(tmp_path / "书 100%")


FULL = {
    "workspace": {
        "applyEdit": True,
        "configuration": True,
        "workspaceEdit": {"documentChanges": True, "changeAnnotationSupport": {"groupsOnLabel": True}},
        "didChangeWatchedFiles": {"dynamicRegistration": True},
        "didChangeConfiguration": {"dynamicRegistration": True},
        "codeLens": {"refreshSupport": True},
    },
    "window": {"workDoneProgress": True},
    "textDocument": {
        "hover": {"contentFormat": ["markdown", "plaintext"]},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["", "quickfix"]}}},
    },
}

PULL = {
    **FULL,
    "workspace": {**FULL["workspace"], "diagnostics": {"refreshSupport": True}},
    "textDocument": {
        **FULL["textDocument"],
        "diagnostic": {"relatedDocumentSupport": True},
        "publishDiagnostics": {"relatedInformation": True},
    },
}
"""An editor that asks for diagnostics."""


class Editor:
    """A raw client that behaves like an editor with one folder open: it keeps texts and makes edits."""

    def __init__(self, client: RawClient, root: Path, encoding: str) -> None:
        self.client = client
        self.root = root
        self.encoding = encoding
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self.settings: Any = None
        self.refuse_edits = False
        self.edits: list[Any] = []
        client.answers.update(
            {
                "workspace/configuration": lambda _: (
                    self.settings if self.settings == "null" else [self.settings]
                ),
                "client/registerCapability": lambda _: None,
                "window/workDoneProgress/create": lambda _: None,
                "workspace/codeLens/refresh": lambda _: None,
                "workspace/diagnostic/refresh": lambda _: None,
                "workspace/applyEdit": lambda params: self.apply(params["edit"]),
            }
        )

    def uri(self, name: str) -> str:
        return (self.root / name).as_uri() if "://" not in name and not name.startswith("untitled:") else name

    def open(self, name: str, text: str | None = None) -> str:
        uri = self.uri(name)
        self.texts[uri] = (self.root / name).read_bytes().decode() if text is None else text
        self.versions[uri] = 1
        self.client.open(uri, self.texts[uri])
        return uri

    def units(self, text: str) -> int:
        width = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[self.encoding]
        codec = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}[self.encoding]
        return len(text.encode(codec)) // width

    def position(self, uri: str, offset: int) -> dict[str, int]:
        before = self.texts[uri][:offset].replace("\r\n", "\n").replace("\r", "\n")
        line = before.rpartition("\n")[2]
        return {"line": before.count("\n"), "character": self.units(line)}

    def range(self, uri: str, start: int, end: int) -> dict[str, Any]:
        return {"start": self.position(uri, start), "end": self.position(uri, end)}

    def find(self, uri: str, piece: str, nth: int = 0) -> int:
        at = -1
        for _ in range(nth + 1):
            at = self.texts[uri].index(piece, at + 1)
        return at

    def offset(self, uri: str, place: Mapping[str, int]) -> int:
        text = self.texts[uri]
        at = 0
        for _ in range(place["line"]):
            ends = [e for e in (text.find("\r\n", at), text.find("\n", at), text.find("\r", at)) if e >= 0]
            end = min(ends)
            at = end + (2 if text.startswith("\r\n", end) else 1)
        column = 0
        while self.units(text[at : at + column]) < place["character"]:
            column += 1
        return at + column

    def piece(self, uri: str, where: Mapping[str, Any]) -> str:
        """The text that a range of the server's covers."""
        return self.texts[uri][self.offset(uri, where["start"]) : self.offset(uri, where["end"])]

    def type(self, uri: str, at: int, new: str, *, delete: int = 0) -> None:
        where = self.range(uri, at, at + delete)
        self.texts[uri] = self.texts[uri][:at] + new + self.texts[uri][at + delete :]
        self.versions[uri] += 1
        self.client.change(uri, self.versions[uri], {"range": where, "text": new})

    def apply(self, edit: Mapping[str, Any]) -> dict[str, Any]:
        """Makes a WorkspaceEdit the way an editor does: refused when its version is not the document's."""
        self.edits.append(edit)
        if self.refuse_edits:
            return {"applied": False, "failureReason": "no"}
        rows = [
            (c["textDocument"]["uri"], c["textDocument"]["version"], c["edits"])
            for c in edit.get("documentChanges", [])
        ]
        rows += [(uri, None, edits) for uri, edits in edit.get("changes", {}).items()]
        if any(uri in self.versions and v is not None and v != self.versions[uri] for uri, v, _ in rows):
            return {"applied": False, "failureReason": "version"}
        for uri, _, edits in rows:
            if uri not in self.texts:
                self.open(uri, Path(unquote(urlsplit(uri).path)).read_bytes().decode())
            spans = [
                (self.offset(uri, e["range"]["start"]), self.offset(uri, e["range"]["end"]), e["newText"])
                for e in edits
            ]
            for start, end, new in sorted(spans, reverse=True):
                self.type(uri, start, new, delete=end - start)
        return {"applied": True}

    async def run(self, ability: str, name: str, **more: Any) -> Any:
        return await self.client.command(
            "inkwright.runAbility", {"ability": ability, "uri": self.uri(name), **more}
        )

    async def diagnostics(self, uri: str, true: Callable[[Any], Any] = lambda _: True) -> Any:
        """The diagnostics of the document's present version, once what is shown of it is `true`.

        What hangs on the book comes later than the rest where the book takes long to read.
        """

        def there() -> Any:
            said = [p for p in self.client.got("textDocument/publishDiagnostics") if p["uri"] == uri]
            last = said[-1] if said and said[-1].get("version") == self.versions[uri] else None
            return last if last is not None and true(last["diagnostics"]) else None

        return (await self.client.until(there))["diagnostics"]

    def shown(self, uri: str) -> Any:
        """What was last published of a document; nothing if nothing was."""
        said = [p for p in self.client.got("textDocument/publishDiagnostics") if p["uri"] == uri]
        return said[-1]["diagnostics"] if said else []


Start = Callable[..., Awaitable[Editor]]


async def begin(
    client: RawClient,
    root: Path,
    *,
    encoding: str = "utf-16",
    capabilities: Mapping[str, Any] = FULL,
    settings: Any = None,
    locale: str = "zh-cn",
    **params: Any,
) -> Editor:
    """Initializes a fresh server with one folder open."""
    editor = Editor(client, root, encoding)
    editor.settings = settings
    result = await client.initialize(
        {**capabilities, "general": {"positionEncodings": [encoding]}},
        **{"locale": locale, "workspaceFolders": [{"uri": root.as_uri(), "name": "书"}], **params},
    )
    assert result["capabilities"]["positionEncoding"] == encoding
    return editor


@pytest.fixture
async def start(spawn: Spawn, book: Path) -> Start:
    """Starts the real server with the book open: `await start(encoding=…, capabilities=…, settings=…)`."""

    async def started(*, root: Path = book, env: Mapping[str, str] | None = None, **more: Any) -> Editor:
        return await begin(await spawn(env=env), root, **more)

    return started


@pytest.fixture
async def probed(spawn: Spawn, book: Path) -> Start:
    """Starts the real server with the probe's commands beside its own: `await probed(capabilities=…)`."""

    async def started(**more: Any) -> Editor:
        return await begin(await spawn("probe.py", "--real"), book, **more)

    return started


@pytest.fixture
async def soaked(probed: Start) -> Editor:
    """The same as an editor with everything."""
    return await probed()


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=["utf-8", "utf-16", "utf-32"])
async def served(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, cache: Path
) -> AsyncIterator[Editor]:
    """One server per position encoding for a whole module, over a folder that holds many books."""
    base = tmp_path_factory.mktemp("books")
    (base / "shelf").mkdir()
    async with spawning(base / "home", cache) as start:
        yield await begin(await start(), base / "shelf", encoding=request.param)


@pytest_asyncio.fixture(loop_scope="module")
async def editor(served: Editor) -> AsyncIterator[Editor]:
    """A book of its own, open in the module's editor. The module says `loop_scope="module"`."""
    async with own_book(served) as mine:
        yield mine


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=["utf-8", "utf-16", "utf-32"])
async def asked(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, cache: Path
) -> AsyncIterator[Editor]:
    """The same for an editor that asks for diagnostics."""
    base = tmp_path_factory.mktemp("asked")
    (base / "shelf").mkdir()
    async with spawning(base / "home", cache) as start:
        yield await begin(await start(), base / "shelf", encoding=request.param, capabilities=PULL)


@pytest_asyncio.fixture(loop_scope="module")
async def puller(asked: Editor) -> AsyncIterator[Editor]:
    """A book of its own, open in the module's editor that asks. The module says `loop_scope="module"`."""
    async with own_book(asked) as mine:
        yield mine


EDITORS = runpy.run_path(str(HERE / "session" / "editors.py"))["EDITORS"]
"""What real editors say that they can do."""


@pytest_asyncio.fixture(
    scope="module",
    loop_scope="module",
    params=[
        f"{kind} {encoding}" for kind in ("vscode", "neovim") for encoding in ("utf-8", "utf-16", "utf-32")
    ],
)
async def editors(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, cache: Path
) -> AsyncIterator[Editor]:
    """One server per editor and position encoding for a whole module, with one book for all its tests."""
    kind, encoding = request.param.split()
    base = tmp_path_factory.mktemp("editors")
    root = write_book(base / "书 100%")
    async with spawning(base / "home", cache) as start:
        yield await begin(await start(), root, encoding=encoding, capabilities=EDITORS[kind])


@pytest_asyncio.fixture(loop_scope="module")
async def typist(editors: Editor) -> AsyncIterator[Editor]:
    """Each of the module's editors with nothing open. The module says `loop_scope="module"`."""
    mine = Editor(editors.client, editors.root, editors.encoding)
    mine.client.notifications.clear()
    yield mine
    for uri in mine.texts:
        mine.client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})


@asynccontextmanager
async def own_book(shared: Editor) -> AsyncIterator[Editor]:
    root = write_book(shared.root / f"书 100% {uuid.uuid4().hex[:8]}")
    (root / "book.toml").write_text("")
    mine = Editor(shared.client, root, shared.encoding)
    shared.client.notifications.clear()
    yield mine
    for uri in mine.texts:
        mine.client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})


class ModelServer:
    """A model over HTTP on the loopback: it streams `answer` piece by piece and can be held at any of them.

    The first `too_long` requests are refused as longer than its context. `hold_in` is the number of the
    only request that is held, None for any.
    """

    def __init__(self) -> None:
        self.answer: list[str] = []
        self.too_long = 0
        self.hold_at: int | None = None
        self.hold_in: int | None = None
        self.held = asyncio.Event()
        self.go_on = asyncio.Event()
        self.closed = asyncio.Event()
        self.requests: list[dict[str, Any]] = []
        self.port = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            sizes = [line for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")]
            self.requests.append(json.loads(await reader.readexactly(int(sizes[0].split(b":")[1]))))
            if len(self.requests) <= self.too_long:
                refusal = json.dumps({"error": {"code": "context_length_exceeded", "message": "too long"}})
                head = (
                    f"HTTP/1.1 400 Bad Request\r\nContent-Length: {len(refusal)}\r\nConnection: close\r\n\r\n"
                )
                writer.write((head + refusal).encode())
                await writer.drain()
                return
            held = self.hold_in in (None, len(self.requests))
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")
            for number, piece in enumerate([*self.answer, None]):
                if held and number == self.hold_at:
                    await writer.drain()
                    self.held.set()
                    gone = asyncio.ensure_future(reader.read(1))
                    going = asyncio.ensure_future(self.go_on.wait())
                    await asyncio.wait({gone, going}, return_when=asyncio.FIRST_COMPLETED)
                    if gone.done():
                        self.closed.set()
                        going.cancel()
                        return
                    gone.cancel()
                delta = {} if piece is None else {"content": piece}
                chunk = {
                    "choices": [
                        {"index": 0, "delta": delta, "finish_reason": "stop" if piece is None else None}
                    ]
                }
                writer.write(b"data: " + json.dumps(chunk).encode() + b"\n\n")
            writer.write(b"data: [DONE]\n\n")
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            self.closed.set()
        finally:
            writer.close()

    def environment(self) -> dict[str, str]:
        return {
            "INKWRIGHT_ENDPOINT": f"http://127.0.0.1:{self.port}/v1",
            "INKWRIGHT_MODEL": "test-model",
            "INKWRIGHT_API_KEY": "sk-test",
        }

    def reset(self) -> None:
        self.answer, self.hold_at, self.hold_in, self.too_long = [], None, None, 0
        self.held, self.go_on, self.closed = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self.requests = []


@asynccontextmanager
async def modelling() -> AsyncIterator[ModelServer]:
    found = ModelServer()
    server = await asyncio.start_server(found.serve, "127.0.0.1", 0)
    found.port = server.sockets[0].getsockname()[1]
    yield found
    found.go_on.set()
    server.close()


@pytest.fixture
async def own_model() -> AsyncIterator[ModelServer]:
    """A model server for one test."""
    async with modelling() as found:
        yield found


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared_model() -> AsyncIterator[ModelServer]:
    async with modelling() as found:
        yield found


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def desk(
    shared_model: ModelServer, tmp_path_factory: pytest.TempPathFactory, cache: Path
) -> AsyncIterator[Editor]:
    """One server for a whole module, whose default model is the loopback server."""
    base = tmp_path_factory.mktemp("desk")
    (base / "shelf").mkdir()
    async with spawning(base / "home", cache) as start:
        yield await begin(await start(env=shared_model.environment()), base / "shelf")


@pytest_asyncio.fixture(loop_scope="module")
async def model(shared_model: ModelServer) -> ModelServer:
    shared_model.reset()
    return shared_model


@pytest_asyncio.fixture(loop_scope="module")
async def writer(desk: Editor, model: ModelServer) -> AsyncIterator[Editor]:
    """A book of its own, open in the module's editor. The module says `loop_scope="module"`."""
    async with own_book(desk) as mine:
        yield mine
    model.go_on.set()
