"""The process: streams, signals, the end. `inkwright lsp` is `serve`."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from typing import TYPE_CHECKING, NoReturn

from inkwright.lsp import logs, transport
from inkwright.lsp.framing import Framer, FramingError
from inkwright.lsp.warm import Compiled, kept_file
from inkwright.manuscript.collector import paused

if TYPE_CHECKING:
    from inkwright.lsp.build import Build
    from inkwright.lsp.session import Session

log = logging.getLogger(__name__)

FLUSH_SECONDS = 1.0

SWITCH_SECONDS = 0.0005
"""How long a worker thread may keep the loop waiting for the interpreter: a tenth of Python's own."""


def serve(build: Build, tcp: int | None = None, *, debug: bool = False) -> NoReturn:
    """Serves one client over stdio, or over 127.0.0.1:`tcp`, and ends the process.

    Exit status: 0 after `shutdown`; 1 when the client left without it, or is gone; 128 + the
    signal's number after a signal.
    """
    fds = None if tcp is not None else transport.claim_stdio()
    logs.configure(debug=debug)
    sys.setswitchinterval(SWITCH_SECONDS)
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    try:
        compiled = Compiled(kept_file())
        with paused():
            compiled.install()
            from inkwright.lsp.session import Session

            session = Session(build, compiled)
        code = loop.run_until_complete(_serve(session, fds, tcp))
    except BaseException as error:  # noqa: BLE001 - the last door: one line, never a traceback
        log.critical("the server ended: %s", logs.trace(error))
        code = 1
    # Threads that still wait for a disk or a client must not hold up the end.
    sys.stderr.flush()
    os._exit(code)


async def _serve(session: Session, fds: tuple[int, int] | None, tcp: int | None) -> int:
    framer = Framer()
    rpc = session.protocol

    def received(chunk: bytes) -> None:
        try:
            for body in framer.feed(chunk):
                rpc.receive(body)
        except FramingError as error:
            log.critical("the client's stream cannot be read: %s", error)
            session.stop(1)

    def lost() -> None:
        session.stop(rpc.farewell)

    _catch_signals(session)
    if fds is not None:
        await transport.open_stdio(fds, rpc.attach, received, lost)
    else:
        opening = session.spawn(transport.open_tcp(tcp or 0, rpc.attach, received, lost))
        opening.add_done_callback(lambda task: session.stop(3) if _failed(task) else None)
    await session.stopped.wait()
    rpc.cancel_requests()
    await session.close_session()
    if (output := rpc.output) is not None:
        await output.close(FLUSH_SECONDS)
    return session.exit_code


def _failed(task: asyncio.Task[None]) -> bool:
    return not task.cancelled() and task.exception() is not None


def _catch_signals(session: Session) -> None:
    """The first signal ends the session in order, the next one at once."""
    loop = asyncio.get_running_loop()

    def caught(number: int) -> None:
        if session.stopped.is_set():
            os._exit(128 + number)
        session.stop(128 + number)

    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"):
        number = getattr(signal, name, None)
        if number is None:
            continue
        if os.name == "posix":
            loop.add_signal_handler(number, caught, number)
        else:
            signal.signal(number, lambda got, _frame: loop.call_soon_threadsafe(caught, got))
