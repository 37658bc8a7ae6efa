"""The recorded streams, and an event list that is easy to compare."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from inkwright.domain.conversation import Finished, Message, ModelEvent, ModelRequest, Reasoning, Text
from inkwright.domain.model import ModelProfile
from inkwright.domain.run import Clocks
from inkwright.providers import build, wires
from inkwright.providers.model import HttpModel
from inkwright.providers.reading import Reading
from inkwright.secrets import Secrets

CORPUS = Path(__file__).parents[2] / "corpus" / "sse"


@dataclass(frozen=True)
class Case:
    name: str
    body: bytes
    chunks: tuple[bytes, ...]
    http: dict[str, Any]
    expect: dict[str, Any]

    @property
    def wire(self) -> str:
        return self.expect["provider"]


def load(path: Path) -> Case:
    def sibling(ending: str) -> Path:
        return path.with_name(path.name.removesuffix(".sse") + ending)

    body = path.read_bytes()
    cut = sibling(".chunks.json")
    chunks = (
        tuple(base64.b64decode(c) for c in json.loads(cut.read_text())["chunks"]) if cut.exists() else (body,)
    )
    return Case(
        path.name.removesuffix(".sse"),
        body,
        chunks,
        json.loads(sibling(".http.json").read_text("utf-8")),
        json.loads(sibling(".expect.json").read_text("utf-8")),
    )


CASES = [load(path) for path in sorted(CORPUS.glob("*.sse"))]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """`case` runs over the whole corpus, `stream_case` over what a 2xx answered."""
    if "case" in metafunc.fixturenames:
        metafunc.parametrize("case", CASES, ids=lambda c: c.name)
    if "stream_case" in metafunc.fixturenames:
        streams = [c for c in CASES if c.http["status"] < 300]
        metafunc.parametrize("stream_case", streams, ids=lambda c: c.name)


@dataclass(frozen=True)
class Outcome:
    text: str
    reasoning: str
    end: Finished


class Streams:
    """Feeds a decoder and checks what holds for every stream: one end, and nothing after it."""

    @staticmethod
    def events(chunks: Iterable[bytes], wire: Any = "openai", **end: Any) -> list[ModelEvent]:
        reading = Reading(wires.wire(wire).answer())
        out: list[ModelEvent] = []
        for chunk in chunks:
            out += reading.feed(chunk)
        return out + reading.end(**end)

    @staticmethod
    def outcome(events: Sequence[ModelEvent]) -> Outcome:
        ends = [event for event in events if isinstance(event, Finished)]
        assert len(ends) == 1
        assert events[-1] is ends[0]
        assert all(event.text for event in events if isinstance(event, Text | Reasoning))
        text = "".join(event.text for event in events if isinstance(event, Text))
        reasoning = "".join(event.text for event in events if isinstance(event, Reasoning))
        return Outcome(text, reasoning, ends[0])

    @classmethod
    def read(cls, *chunks: bytes, **end: Any) -> Outcome:
        return cls.outcome(cls.events(chunks, **end))

    @staticmethod
    def sse(*chunks: Any, done: bool = True) -> bytes:
        """Chunks as a server would send them."""
        lines = [f"data: {json.dumps(chunk, ensure_ascii=False)}\n\n" for chunk in chunks]
        return "".join([*lines, "data: [DONE]\n\n" if done else ""]).encode("utf-8", "surrogatepass")

    @staticmethod
    def delta(finish: str | None = None, **delta: Any) -> dict[str, Any]:
        return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


@pytest.fixture(scope="session")
def streams() -> type[Streams]:
    return Streams


class Speaker:
    """Says the same things the way a server of one wire says them. Events are joined to a body."""

    def __init__(self, wire: str) -> None:
        self.wire = wire

    def body(self, *events: bytes, end: str | None = "stop") -> bytes:
        """A whole answer. `end` is a neutral reason; None stops in the middle."""
        closing = self.end(end) if end is not None else b""
        return b"".join((self.begin(), *events, closing))

    def begin(self) -> bytes:
        if self.wire != "anthropic":
            return b""
        usage = {"input_tokens": 10, "output_tokens": 1}
        message = {"id": "m1", "type": "message", "role": "assistant", "model": "demo", "content": []}
        return _named({"type": "message_start", "message": {**message, "usage": usage}})

    def text(self, text: str, index: int = 0) -> bytes:
        if self.wire == "openai":
            return _event(Streams.delta(content=text))
        if self.wire == "gemini":
            return _event(_parts({"text": text}))
        return self._block(index, {"type": "text", "text": ""}, {"type": "text_delta", "text": text})

    def thought(self, text: str, opaque: str = "", index: int = 0) -> bytes:
        """Reasoning; `opaque` is its signature where the wire has one."""
        if self.wire == "openai":
            return _event(Streams.delta(reasoning_content=text))
        if self.wire == "gemini":
            return _event(_parts({"text": text, "thought": True}))
        deltas = [{"type": "thinking_delta", "thinking": text}]
        if opaque:
            deltas.append({"type": "signature_delta", "signature": opaque})
        return self._block(index, {"type": "thinking", "thinking": "", "signature": ""}, *deltas)

    def call(self, index: int, id_: str, name: str, *fragments: str, opaque: str = "") -> bytes:
        """A call whose arguments come in fragments; Gemini sends none that are not whole."""
        if self.wire == "openai":
            first = {"index": index, "id": id_, "function": {"name": name, "arguments": ""}}
            rest = [{"index": index, "function": {"arguments": piece}} for piece in fragments]
            return b"".join(_event(Streams.delta(tool_calls=[call])) for call in (first, *rest))
        if self.wire == "gemini":
            try:
                args = json.loads("".join(fragments))
            except ValueError:
                return b""
            part = {"functionCall": {"name": name, "args": args}}
            return _event(_parts({**part, "thoughtSignature": opaque} if opaque else part))
        deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in fragments]
        return self._block(index, {"type": "tool_use", "id": id_, "name": name, "input": {}}, *deltas)

    def end(self, why: str) -> bytes:
        """Why it ended (`stop`, `tool_calls`, `length`, `content_filter`), with usage 10 and 5."""
        if self.wire == "openai":
            usage = {"prompt_tokens": 10, "completion_tokens": 5}
            return _event(Streams.delta(why)) + _event({"choices": [], "usage": usage}) + b"data: [DONE]\n\n"
        if self.wire == "gemini":
            reason = {"length": "MAX_TOKENS", "content_filter": "SAFETY"}.get(why, "STOP")
            usage = {"promptTokenCount": 10, "candidatesTokenCount": 5}
            return _event({"candidates": [{"finishReason": reason}], "usageMetadata": usage})
        reasons = {"tool_calls": "tool_use", "length": "max_tokens", "content_filter": "refusal"}
        delta = {"stop_reason": reasons.get(why, "end_turn")}
        closing = {"type": "message_delta", "delta": delta, "usage": {"output_tokens": 5}}
        return _named(closing) + _named({"type": "message_stop"})

    def error(self, code: int, kind: str, message: str) -> bytes:
        """An error inside the stream."""
        if self.wire == "openai":
            return _event({"error": {"code": code, "type": kind, "message": message}})
        if self.wire == "gemini":
            return _event({"error": {"code": code, "status": kind.upper(), "message": message}})
        return _named({"type": "error", "error": {"type": kind, "message": message}})

    def _block(self, index: int, start: dict[str, Any], *deltas: dict[str, Any]) -> bytes:
        events = [
            {"type": "content_block_start", "index": index, "content_block": start},
            *({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas),
            {"type": "content_block_stop", "index": index},
        ]
        return b"".join(map(_named, events))


def _event(value: Any) -> bytes:
    return f"data: {json.dumps(value, ensure_ascii=False)}\n\n".encode()


def _named(value: dict[str, Any]) -> bytes:
    return f"event: {value['type']}\n".encode() + _event(value)


def _parts(*parts: dict[str, Any]) -> dict[str, Any]:
    return {"candidates": [{"index": 0, "content": {"role": "model", "parts": list(parts)}}]}


@pytest.fixture(params=["openai", "anthropic", "gemini"])
def speaker(request: pytest.FixtureRequest) -> Speaker:
    """A server of each wire in turn."""
    return Speaker(request.param)


@pytest.fixture(scope="session")
def speakers() -> dict[str, Speaker]:
    """A server of each wire."""
    return {name: Speaker(name) for name in ("openai", "anthropic", "gemini")}


def check(outcome: Outcome, expect: dict[str, Any]) -> None:
    """Compares an outcome with a case's expectation, by the corpus's own rules."""
    end = outcome.end
    assert outcome.text.strip() == expect["text"].strip()
    assert outcome.reasoning.strip() == expect["reasoning"].strip()
    assert end.finish == expect["finish"]
    assert (end.usage and {"input": end.usage.input, "output": end.usage.output}) == expect["usage"]
    assert [c.name for c in end.tool_calls] == [c["name"] for c in expect["tool_calls"]]
    for call, wanted in zip(end.tool_calls, expect["tool_calls"], strict=True):
        assert call.id == wanted["id"] or (wanted["id"] is None and call.id)
        assert call.arguments == wanted["arguments"]
        assert "raw_arguments" not in wanted or call.raw == wanted["raw_arguments"]
    assert len({call.id for call in end.tool_calls}) == len(end.tool_calls)
    for opaque in expect.get("carry", ()):
        assert f'"{opaque}"' in json.dumps(end.carry)
    error = expect["error"]
    assert (end.fault is None) == (error is None)
    if error is not None and end.fault is not None:
        assert (end.fault.kind, end.fault.retryable) == (error["kind"], error["retryable"])
        assert end.fault.retry_after == error.get("retry_after")


@pytest.fixture(scope="session")
def as_expected() -> Any:
    return check


@dataclass
class Reply:
    """What the loopback server does: the head, the body in pieces (each its own write), what then."""

    pieces: Sequence[bytes] = ()
    status: int = 200
    headers: dict[str, str] = field(default_factory=lambda: {"content-type": "text/event-stream"})
    then: str = "close"
    raw: bytes | None = None
    pause: float = 0.0


@dataclass
class Request:
    line: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Loopback:
    """A real HTTP server on this machine that answers every request with `reply`."""

    def __init__(self, host: str) -> None:
        self.host = host
        self.reply = Reply()
        self.script: list[Reply] = []
        """What the next requests get, before `reply`."""
        self.open = self.most = 0
        """Connections that are open, and the most that were at once."""
        self.requests: list[Request] = []
        self.connections = 0
        self.gone = asyncio.Event()
        """Set when a client closed its connection."""
        self.asked = asyncio.Event()
        self.staying = asyncio.Event()
        """Set when all is said that will be, and the connection is held."""
        self.ticks = 0
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._serve, self.host, 0)

    async def stop(self) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def port(self) -> int:
        assert self._server is not None
        return self._server.sockets[0].getsockname()[1]

    @property
    def url(self) -> str:
        return (
            f"http://[{self.host}]:{self.port}/v1"
            if ":" in self.host
            else f"http://{self.host}:{self.port}/v1"
        )

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self.connections += 1
        self.open += 1
        self.most = max(self.most, self.open)
        try:
            while await self._one(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError):
            self.gone.set()
        finally:
            self.open -= 1
            self._tasks.discard(task)
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        line, *rest = head.strip().split("\r\n")
        headers = {k.strip().lower(): v.strip() for k, _, v in (h.partition(":") for h in rest)}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        self.requests.append(Request(line, headers, body))
        self.asked.set()
        reply = self.script.pop(0) if self.script else self.reply
        if reply.raw is not None:
            writer.write(reply.raw)
        else:
            lines = [f"HTTP/1.1 {reply.status} X", *(f"{k}: {v}" for k, v in reply.headers.items())]
            writer.write("\r\n".join([*lines, "transfer-encoding: chunked", "", ""]).encode())
            for piece in reply.pieces:
                if piece:
                    writer.write(b"%x\r\n%b\r\n" % (len(piece), piece))
                await writer.drain()
                await asyncio.sleep(reply.pause)
            if reply.then == "close":
                writer.write(b"0\r\n\r\n")
        await writer.drain()
        if reply.then == "reset":
            writer.transport.abort()
            return False
        if reply.then in ("hang", "keepalive", "drip"):
            await self._stay(reader, writer, {"keepalive": b": keep-alive\n\n", "drip": b"x"}.get(reply.then))
            return False
        return reply.raw is None

    async def _stay(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, tick: bytes | None
    ) -> None:
        """Keeps the connection, silent or ticking, until the client is gone."""
        closed = asyncio.ensure_future(reader.read(1))
        self.staying.set()
        while not closed.done():
            await asyncio.wait([closed], timeout=0.005 if tick else None)
            if tick and not closed.done():
                writer.write(b"%x\r\n%b\r\n" % (len(tick), tick))
                self.ticks += 1
                await writer.drain()
        self.gone.set()


@pytest.fixture
async def server() -> AsyncIterator[Loopback]:
    loopback = Loopback("127.0.0.1")
    await loopback.start()
    yield loopback
    await loopback.stop()


@pytest.fixture
async def server6() -> AsyncIterator[Loopback]:
    loopback = Loopback("::1")
    try:
        await loopback.start()
    except OSError:
        pytest.skip("no IPv6 on this machine")
    yield loopback
    await loopback.stop()


@pytest.fixture
async def time_flies() -> Callable[..., Any]:
    """`await time_flies(over)`: the loop's clock runs ahead, ten seconds a turn, until it is `over`.

    However slow the machine, a limit of ours runs out then, and one of some thousand seconds only after hundreds of
    turns in which all that has been sent is read.
    """
    loop = asyncio.get_running_loop()
    real, ahead = loop.time, 0.0
    loop.time = lambda: real() + ahead  # type: ignore[method-assign]

    async def fly(over: Callable[[], bool]) -> None:
        nonlocal ahead
        while not over():
            ahead += 10
            await asyncio.sleep(0.001)

    return fly


@pytest.fixture
def outlast(server: Loopback, time_flies: Callable[..., Any]) -> Callable[..., Any]:
    """`await outlast(work)`: once the server has said all that it will, time flies until the work is done."""

    async def run(work: Awaitable[Any]) -> Any:
        task, staying = asyncio.ensure_future(work), asyncio.ensure_future(server.staying.wait())
        await asyncio.wait({task, staying}, return_when=asyncio.FIRST_COMPLETED)
        staying.cancel()
        await time_flies(task.done)
        return await task

    return run


@pytest.fixture
def reply() -> type[Reply]:
    return Reply


PATIENT = Clocks(connect=60, bytes=60, first_payload=60, payload=60)


@pytest.fixture
async def model(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Callable[..., HttpModel]]:
    """Makes models of an endpoint, patient ones; they are closed at the end."""
    made: list[HttpModel] = []

    def make(endpoint: str, environ: dict[str, str] | None = None, **fields: Any) -> HttpModel:
        profile = ModelProfile(
            **{"id": "m", "endpoint": endpoint, "model": "demo", "clocks": PATIENT, **fields}
        )
        made.append(build(profile, Secrets(environ or {})))
        return made[-1]

    yield make
    for each in made:
        await each.close()


@pytest.fixture
def ask() -> Callable[..., Any]:
    """Asks a model and gives the outcome."""

    async def run(model: HttpModel, prompt: str = "hello", **fields: Any) -> Outcome:
        request = ModelRequest((Message("user", prompt),), **fields)
        return Streams.outcome([event async for event in model.stream(request)])

    return run
