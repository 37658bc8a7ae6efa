"""`inkwright ask`: the contract's object, the exit status, and nothing else on stdout."""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from inkwright.cli import ask as command
from inkwright.cli.context import Context


@pytest.fixture
def inkwright(capsys):
    """Runs the command in this process; gives (status, stdout, stderr)."""

    async def run(*argv: str, locale="en"):
        parser = argparse.ArgumentParser()
        command.add_parser(parser.add_subparsers())
        args = parser.parse_args(["ask", *argv])
        status = await command.run(args, Context(build=None, locale=locale, json=args.json, debug=False))
        out = capsys.readouterr()
        return status, out.out, out.err

    return run


def to(server, *more, wire="openai"):
    return ("--wire", wire, "--endpoint", server.url, "--model", "demo", *more)


def pieces_of(case, cut):
    """The body as recorded, byte by byte, or cut at places that differ from case to case."""
    if cut == "recorded":
        return case.chunks
    if cut == "bytes":
        return [bytes([byte]) for byte in case.body]
    places = sorted(random.Random(case.name).choices(range(len(case.body) + 1), k=9))
    return [case.body[a:b] for a, b in itertools.pairwise([0, *places, len(case.body)])]


@pytest.mark.parametrize("cut", ["recorded", "bytes", "anywhere"])
async def test_every_case(case, cut, server, reply, inkwright, outlast):
    """The recorded stream gives the contract's object and its exit status, however the network cut it."""
    pieces = pieces_of(case, cut)
    server.reply = reply(pieces, case.http["status"], case.http["headers"], case.http["then"])
    asked = inkwright("hello", *to(server, "--timeout", "3000", "--no-retry", "--json", wire=case.wire))
    # Only a stream that never ends needs its time to run out.
    status, out, err = await (asked if case.http["then"] in ("close", "reset") else outlast(asked))
    got, want = json.loads(out), case.expect
    assert set(got) == {"text", "reasoning", "toolCalls", "finish", "usage", "error"}
    for name in ("text", "reasoning"):
        assert got[name].strip() == want[name].strip()
    assert (got["finish"], got["usage"]) == (want["finish"], want["usage"])
    assert len({call["id"] for call in got["toolCalls"]}) == len(got["toolCalls"])
    for call, wanted in zip(got["toolCalls"], want["tool_calls"], strict=True):
        assert (call["name"], call["arguments"]) == (wanted["name"], wanted["arguments"])
        assert call["id"] == wanted["id"] or (wanted["id"] is None and call["id"])
        assert call.get("rawArguments") == wanted.get("raw_arguments")
    if want["error"] is None:
        assert got["error"] is None
        assert err == ""
        assert status == (4 if want["finish"] == "length" else 0)
    else:
        assert (got["error"]["kind"], got["error"]["retryable"]) == (
            want["error"]["kind"],
            want["error"]["retryable"],
        )
        assert got["error"].get("retryAfter") == want["error"].get("retry_after")
        assert err == f"inkwright: {got['error']['message']}\n"
        assert status == (4 if want["text"].strip() else 3)


@pytest.fixture
def hello(streams):
    return streams.sse(
        streams.delta(reasoning_content="hm", content="Hel"), streams.delta("stop", content="lo")
    )


async def test_plain(server, reply, inkwright, hello):
    """Without --json: the text, ended by one line end."""
    server.reply = reply([hello])
    assert await inkwright("hi", *to(server)) == (0, "Hello\n", "")
    assert server.requests[0].json["messages"] == [{"role": "user", "content": "hi"}]
    assert server.requests[0].line.startswith("POST /v1/chat/completions ")


async def test_calls_in_plain_text(server, reply, inkwright, streams):
    """A call is a line of its own."""
    function = {"name": "f", "arguments": '{"城": 1}'}
    server.reply = reply(
        [
            streams.sse(
                streams.delta("stop", content="a", tool_calls=[{"index": 0, "id": "x", "function": function}])
            )
        ]
    )
    assert (await inkwright("hi", *to(server)))[1] == 'a\nf({"城": 1})\n'


async def test_length(server, reply, inkwright, streams):
    """A cut answer says so and is partial."""
    server.reply = reply([streams.sse(streams.delta("length", content="a"))])
    status, out, err = await inkwright("hi", *to(server))
    assert (status, out) == (4, "a\n")
    assert "length limit" in err


async def test_failure_speaks_the_writers_language(server, reply, inkwright):
    """One line that says what happened and what to do."""
    server.reply = reply([b"<html>"])
    status, out, err = await inkwright("hi", *to(server), locale="zh")
    assert (status, out) == (3, "")
    assert (
        err
        == f"inkwright: {server.url} 返回的是网页：请检查接口地址（路径是否完整），以及网络是否要求登录。\n"
    )


async def test_key(server, reply, inkwright, hello, monkeypatch):
    """The key is read from the variable named, and from no other for a host that nobody configured."""
    server.reply = reply([hello])
    monkeypatch.setenv("SOME_KEY", "canary-1")
    monkeypatch.setenv("DEEPSEEK_API_KEY", "canary-2")
    await inkwright("hi", *to(server, "--key-env", "SOME_KEY"))
    await inkwright("hi", *to(server))
    assert server.requests[0].headers["authorization"] == "Bearer canary-1"
    assert "authorization" not in server.requests[1].headers


async def test_a_missing_key(server, inkwright, monkeypatch):
    """Is a fault of kind auth, before anything is sent."""
    monkeypatch.delenv("SOME_KEY", raising=False)
    status, out, _ = await inkwright("hi", *to(server, "--key-env", "SOME_KEY", "--json"))
    assert (status, json.loads(out)["error"]["kind"]) == (3, "auth")
    assert server.requests == []


SPEC = {"name": "f", "description": "d", "parameters": {"type": "object"}}


@pytest.mark.parametrize(
    "content",
    [
        [{"type": "function", "function": SPEC}],
        [SPEC],
        {"tools": [SPEC]},
        [{"name": "f", "description": "d", "input_schema": {"type": "object"}}],
    ],
)
async def test_tools(server, reply, inkwright, hello, tmp_path, content):
    """Tools in every vendor's shape are offered in the wire's."""
    path = tmp_path / "tools.json"
    path.write_text(json.dumps(content))
    server.reply = reply([hello])
    await inkwright("hi", *to(server, "--tools", str(path)))
    assert server.requests[0].json["tools"] == [{"type": "function", "function": SPEC}]


@pytest.mark.parametrize(
    "content", [None, b"{", b"3", b"[3]", b"[{}]", b'[{"name":"f","parameters":3}]', b"\xff", b"[" * 9999]
)
async def test_bad_tools(server, inkwright, tmp_path, content):
    """A tools file that is none is wrong use: an error object on stdout, status 2, nothing sent."""
    path = tmp_path / "tools.json"
    if content is not None:
        path.write_bytes(content)
    status, out, err = await inkwright("hi", *to(server, "--tools", str(path), "--json"))
    error = json.loads(out)["error"]
    assert (status, set(error)) == (2, {"code", "message"})
    assert "tools.json" in err
    assert server.requests == []


@pytest.mark.parametrize("kind", ["pipe", "device", "large"])
async def test_a_tools_file_without_an_end(server, inkwright, tmp_path, kind):
    """A pipe, a device, far too much: refused at once, nothing sent."""
    path = tmp_path / "tools.json"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    else:
        path.write_bytes(b"[" + b" " * command.MAX_TOOLS)
    status, out, _ = await inkwright("hi", *to(server, "--tools", str(path), "--json"))
    assert status == 2
    assert json.loads(out)["error"]["code"] == (
        "ask_tools_large" if kind == "large" else "ask_tools_unreadable"
    )
    assert server.requests == []


@pytest.mark.parametrize("value", ["0", "-1", "nan", "inf", "x"])
def test_bad_timeout(value):
    """A limit that limits nothing is wrong use."""
    parser = argparse.ArgumentParser(exit_on_error=False)
    command.add_parser(parser.add_subparsers())
    with pytest.raises((argparse.ArgumentError, SystemExit)):
        parser.parse_args(["ask", "hi", "--endpoint", "http://h", "--model", "m", "--timeout", value])


class TestProcess:
    """As a process of its own."""

    def argv(self, server, *more):
        return [sys.executable, "-m", "inkwright", "ask", *to(server, *more)]

    def environ(self):
        return {**os.environ, "LC_ALL": "C.UTF-8"}

    async def test_stdin(self, server, reply, hello):
        """A prompt through a pipe, as UTF-8 whatever the locale."""
        server.reply = reply([hello])
        process = await asyncio.create_subprocess_exec(
            *self.argv(server), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=self.environ()
        )
        out, _ = await process.communicate("你好🪴".encode())
        assert (process.returncode, out) == (0, b"Hello\n")
        assert server.requests[0].json["messages"][0]["content"] == "你好🪴"

    async def test_no_prompt(self, server):
        """Nothing on stdin is wrong use."""
        process = await asyncio.create_subprocess_exec(
            *self.argv(server, "--json"),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self.environ(),
        )
        out, err = await process.communicate()
        assert (process.returncode, json.loads(out)["error"]["code"]) == (2, "ask_no_prompt")
        assert err.count(b"\n") == 1

    @pytest.mark.skipif(sys.platform != "linux", reason="signals and /proc")
    @pytest.mark.parametrize("where", ["stream", "stdin"])
    async def test_interrupted(self, server, reply, streams, until, where):
        """Ctrl-C ends it with 130 and one line, its connection closed; also while it waits for a prompt."""
        server.reply = reply([streams.sse(streams.delta(content="Hello"), done=False)], then="keepalive")
        prompt = ["hi"] if where == "stream" else []
        process = await asyncio.create_subprocess_exec(
            *self.argv(server),
            *prompt,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self.environ(),
        )
        assert process.stdout is not None
        if where == "stream":
            assert await process.stdout.readexactly(5) == b"Hello"
        else:
            # It has a second thread then, the one that reads stdin.
            await until(lambda: len(list(Path(f"/proc/{process.pid}/task").iterdir())) > 1)
        process.send_signal(signal.SIGINT)
        _, err = await process.communicate()
        assert (process.returncode, err) == (130, b"inkwright: Cancelled.\n")
        if where == "stream":
            await until(server.gone.is_set)
