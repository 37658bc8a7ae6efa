"""Bytes in and out: private standard streams, or one TCP connection on the loopback.

Reading and writing happen on the event loop where the system can tell when a stream is ready (pipes
and sockets on POSIX), else on two daemon threads (Windows, files, terminals). A write never waits:
what the client does not read is kept, and at MAX_UNREAD bytes the client counts as gone.
"""

from __future__ import annotations

import asyncio
import os
import stat
import sys
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Protocol

MAX_UNREAD = 64 * 1024 * 1024

Received = Callable[[bytes], None]
Lost = Callable[[], None]


class Output(Protocol):
    """Where framed messages go. `write` returns at once; `close` gives the rest up to `seconds`."""

    def write(self, data: bytes) -> None: ...

    async def close(self, seconds: float) -> None: ...


def claim_stdio() -> tuple[int, int]:
    """Private descriptors for the protocol: (in, out).

    From now on `print`, C libraries and child processes write to stderr and read nothing.
    """
    own_in, own_out = os.dup(0), os.dup(1)
    if sys.platform == "win32":
        import msvcrt

        msvcrt.setmode(own_in, os.O_BINARY)
        msvcrt.setmode(own_out, os.O_BINARY)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    try:
        os.dup2(2, 1)
    except OSError:  # started without a stderr
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
    os.close(nothing)
    sys.stdout = sys.stderr
    return own_in, own_out


Attach = Callable[[Output], None]


async def open_stdio(fds: tuple[int, int], attach: Attach, received: Received, lost: Lost) -> None:
    """Calls `attach` with the output, then starts reading; `lost` is called when the client is gone."""
    loop = asyncio.get_running_loop()
    source, sink = fds
    output: Output
    if _ready_told(sink):
        transport, _ = await loop.connect_write_pipe(lambda: _Side(lost=lost), os.fdopen(sink, "wb", 0))
        output = PipeOutput(transport, lost)
    else:
        output = ThreadOutput(sink, lost)
    attach(output)
    if _ready_told(source):
        await loop.connect_read_pipe(lambda: _Side(received, lost), os.fdopen(source, "rb", 0))
    else:
        read_in_thread(source, received, lost)


def _ready_told(fd: int) -> bool:
    mode = os.fstat(fd).st_mode
    return os.name == "posix" and (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode))


class _Side(asyncio.Protocol):
    """One side of a pipe, or both of a socket."""

    def __init__(self, received: Received | None = None, lost: Lost | None = None) -> None:
        self._received = received
        self._lost = lost

    def data_received(self, data: bytes) -> None:
        if self._received is not None:
            self._received(data)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        if self._lost is not None:
            self._lost()


class PipeOutput:
    def __init__(self, transport: asyncio.WriteTransport, lost: Lost) -> None:
        self._transport = transport
        self._lost = lost

    def write(self, data: bytes) -> None:
        if self._transport.is_closing():
            return
        self._transport.write(data)
        if self._transport.get_write_buffer_size() > MAX_UNREAD:
            self._transport.abort()
            self._lost()

    async def close(self, seconds: float) -> None:
        deadline = asyncio.get_running_loop().time() + seconds
        while self._transport.get_write_buffer_size() and not self._transport.is_closing():
            if asyncio.get_running_loop().time() > deadline:
                break
            await asyncio.sleep(0.005)
        if not self._transport.is_closing():
            self._transport.abort()


class ThreadOutput:
    def __init__(self, fd: int, lost: Lost) -> None:
        self._fd = fd
        self._lost = lost
        self._loop = asyncio.get_running_loop()
        self._queue: SimpleQueue[bytes | None] = SimpleQueue()
        self._unread = 0
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="lsp-write", daemon=True)
        self._thread.start()

    def write(self, data: bytes) -> None:
        with self._lock:
            if self._unread < 0:
                return
            self._unread += len(data)
            full = self._unread > MAX_UNREAD
            if full:
                self._unread = -1
        if full:
            self._lost()
        else:
            self._queue.put(data)

    async def close(self, seconds: float) -> None:
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join, seconds)

    def _run(self) -> None:
        while (data := self._queue.get()) is not None:
            view = memoryview(data)
            try:
                while view:
                    view = view[os.write(self._fd, view) :]
            except OSError:
                _post(self._loop, self._lost)
                return
            with self._lock:
                if self._unread >= 0:
                    self._unread -= len(data)


def read_in_thread(fd: int, received: Received, lost: Lost) -> None:
    """The reader for streams that cannot be waited for on the loop; the thread dies with the process."""
    loop = asyncio.get_running_loop()

    def run() -> None:
        try:
            while chunk := os.read(fd, 65536):
                _post(loop, received, chunk)
        except OSError:
            pass
        _post(loop, lost)

    threading.Thread(target=run, name="lsp-read", daemon=True).start()


def _post(loop: asyncio.AbstractEventLoop, call: Callable[..., None], *args: bytes) -> None:
    try:
        loop.call_soon_threadsafe(call, *args)
    except RuntimeError:  # the loop has been closed: nobody is left to tell
        return


async def open_tcp(port: int, attach: Attach, received: Received, lost: Lost) -> None:
    """Waits on 127.0.0.1 for the one client of this process; no second one is let in."""
    taken = asyncio.Event()

    class Connection(_Side):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            assert isinstance(transport, asyncio.Transport)
            if taken.is_set():
                self._received = self._lost = None
                transport.abort()
                return
            taken.set()
            attach(PipeOutput(transport, lost))

    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Connection(received, lost), "127.0.0.1", port)
    host, bound = server.sockets[0].getsockname()[:2]
    sys.stderr.write(f"inkwright: listening on {host}:{bound}\n")
    sys.stderr.flush()
    await taken.wait()
    server.close()
