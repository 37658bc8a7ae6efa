"""The process: how it starts, what it writes where, and that it always ends."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import sys
from pathlib import Path

import pytest

POSIX = pytest.mark.skipif(os.name != "posix", reason="signals and process groups of POSIX")


async def test_nothing_but_the_protocol_goes_to_stdout(probe):
    """print() and C-level writes land on stderr, and reading stdin from Python gives nothing."""
    assert await probe.command("probe.print") == 0
    assert await probe.quit() == 0
    assert b"noise below Python" in probe.log
    assert b"noise" not in probe.raw


async def test_exit_without_shutdown(probe):
    """`exit` before `shutdown` gives status 1."""
    probe.notify("exit")
    assert await probe.ended() == 1


async def test_end_of_input(probe):
    """A client that closes its end is gone: the studio is closed and the process ends by itself."""
    probe.start("workspace/executeCommand", {"command": "probe.slow", "arguments": [{}]})
    await probe.until(lambda: probe.got("probe/started"))
    probe.eof()
    assert await probe.ended() == 1
    assert b"studio closed" in probe.log


async def test_end_of_input_before_initialize(spawn):
    """A server that nobody spoke to ends as well."""
    client = await spawn("probe.py")
    client.eof()
    assert await client.ended() == 1


async def test_end_of_input_after_shutdown(probe):
    """Leaving without `exit` after `shutdown` is a clean end."""
    await probe.call("shutdown")
    probe.eof()
    assert await probe.ended() == 0


@POSIX
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
async def test_signals(probe, number):
    """A signal ends the session in order, idle or busy, with 128 + its number."""
    probe.start("workspace/executeCommand", {"command": "probe.slow", "arguments": [{}]})
    await probe.until(lambda: probe.got("probe/started"))
    probe.process.send_signal(number)
    assert await probe.ended() == 128 + number
    assert b"studio closed" in probe.log


@POSIX
async def test_dead_parent_with_an_open_pipe(spawn):
    """The server ends when the process named in `initialize` has gone, though its stdin stays open."""
    editor = await asyncio.create_subprocess_exec(
        sys.executable, "-c", "input()", stdin=asyncio.subprocess.PIPE
    )
    client = await spawn("probe.py")
    await client.initialize(processId=editor.pid)
    assert await client.command("probe.echo", {"a": 1}) == {"a": 1}
    editor.kill()
    await editor.wait()
    assert await client.ended() == 1


@POSIX
async def test_parent_that_was_never_there(spawn):
    """A process id that belongs to nobody means that the editor has died already."""
    gone = await asyncio.create_subprocess_exec(sys.executable, "-c", "")
    await gone.wait()
    client = await spawn("probe.py")
    client.start("initialize", {"processId": gone.pid, "capabilities": {}})
    assert await client.ended() == 1


async def test_a_client_that_stops_reading(probe):
    """Writing never blocks: with 20 MB unread the server still takes a notification and its end."""
    probe.reading.clear()
    msg_id, flood = probe.start(
        "workspace/executeCommand",
        {"command": "probe.flood", "arguments": [{"messages": 200, "size": 40000}]},
    )
    msg_id, slow = probe.start("workspace/executeCommand", {"command": "probe.slow", "arguments": [{}]})
    probe.cancel(msg_id)
    probe.reading.set()
    assert (await asyncio.wait_for(flood, 60))["result"] == 200
    assert (await asyncio.wait_for(slow, 60))["error"]["code"] == -32800
    assert len(probe.got("probe/flood")) == 200
    assert await probe.quit() == 0


async def test_a_client_that_never_reads_again(probe):
    """Past the bound on unread output the client counts as gone."""
    probe.reading.clear()
    probe.start(
        "workspace/executeCommand",
        {"command": "probe.flood", "arguments": [{"messages": 800, "size": 40000}]},
    )
    assert await asyncio.wait_for(probe.process.wait(), 90) == 1
    probe._reader.cancel()


async def test_a_stream_that_makes_no_sense(spawn):
    """A header that cannot be right ends the process with one line, since nothing after it can be read."""
    client = await spawn("probe.py")
    client.write(b"Content-Length: -5\r\n\r\n{}")
    assert await client.ended() == 1
    assert b"Content-Length" in client.log
    assert b"Traceback" not in client.log


@POSIX
async def test_files_as_streams(tmp_path):
    """Streams that cannot be waited for (here plain files) are served by threads."""
    asked = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}'
    source, sink = tmp_path / "in", tmp_path / "out"
    source.write_bytes(b"Content-Length: %d\r\n\r\n%b" % (len(asked), asked))
    with source.open("rb") as stdin, sink.open("wb") as stdout:
        process = await asyncio.create_subprocess_exec(
            sys.executable, str(Path(__file__).with_name("probe.py")), stdin=stdin, stdout=stdout
        )
        assert await asyncio.wait_for(process.wait(), 60) == 1
    assert b'"serverInfo"' in sink.read_bytes()


async def _tcp(spawn, until):
    client = await spawn("probe.py", "--tcp=0")
    found = await until(lambda: re.search(rb"listening on 127\.0\.0\.1:(\d+)", client.log))
    return client, int(found[1])


def _reachable(port):
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=5) as second:
            return bool(second.recv(1))
    except OSError:
        return False


async def test_tcp(spawn, until):
    """`--tcp` serves one client on the loopback and ends when it leaves; nobody else gets in."""
    client, port = await _tcp(spawn, until)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    body = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}'
    writer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    assert b"Content-Length" in await asyncio.wait_for(reader.readline(), 60)
    assert not _reachable(port)
    writer.close()
    assert await client.ended() == 1


async def test_tcp_port_in_use(spawn):
    """A port that is taken ends the process with status 3 and one line."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        client = await spawn("probe.py", f"--tcp={taken.getsockname()[1]}")
        assert await client.ended() == 3
    assert b"Traceback" not in client.log


HEAVY = (
    "pydantic",
    "httpx",
    "keyring",
    "yaml",
    "sqlite3",
    "aiosqlite",
    "tomlkit",
    "ahocorasick_rs",
    "rapidfuzz",
)


async def test_nothing_but_pygls_before_initialize(spawn):
    """Until `initialize` is answered, of our own only `lsp` is imported, and of others only pygls and what it needs."""
    client = await spawn(python=("-X", "importtime"))
    await client.call("initialize", {"processId": None, "capabilities": {}})
    client.notify("exit")
    await client.ended()
    loaded = {line.rsplit("|", 1)[1].strip() for line in client.log.decode().splitlines() if "|" in line}
    assert "pygls.lsp.server" in loaded
    assert "inkwright.lsp.session" in loaded
    assert [name for name in loaded if name.partition(".")[0] in HEAVY] == []
    others = {
        name for name in loaded if name.startswith("inkwright.") and not name.startswith("inkwright.lsp")
    }
    assert others == {"inkwright.app", "inkwright.manuscript", "inkwright.manuscript.collector"}


async def test_a_check_that_crashes_is_in_the_log(spawn, book, until):
    """The editor gets what the others say; a log with such a line fails every test that has a server."""
    crash = (
        "import sys, inkwright.checks.book.linked as linked; from inkwright.app import main; "
        "linked.find = lambda *_: 1 / 0; sys.argv = ['inkwright', 'lsp']; sys.exit(main())"
    )
    client = await spawn(python=("-c", crash))
    uri = (book / "第三章.md").as_uri()
    await client.initialize(
        {"textDocument": {"diagnostic": {}}}, workspaceFolders=[{"uri": book.as_uri(), "name": "书"}]
    )
    client.open(uri, "---\norder: 第三\n---\n# 第三章\n\n[[林下]]\n")

    async def codes():
        report = await client.call("textDocument/diagnostic", {"textDocument": {"uri": uri}})
        return [item["code"] for item in report["items"]]

    await until(codes, lambda found: found == ["order_not_number"])
    await until(lambda: client.log)
    await client.quit()
    assert b"a check failed: inkwright.checks.book.linked: ZeroDivisionError" in client.log
    client.log.clear()
