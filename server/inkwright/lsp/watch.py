"""Watching the client's process, so that the server never outlives it.

Linux tells through a pidfd, at once and without a timer; Windows through a wait on the process;
elsewhere a daemon thread looks every two seconds.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
from collections.abc import Callable

POLL_SECONDS = 2.0


def watch(pid: int, gone: Callable[[], None]) -> None:
    """Calls `gone` on the running loop once the process has ended (at once when there is none)."""
    loop = asyncio.get_running_loop()
    if sys.platform == "linux":
        try:
            fd = os.pidfd_open(pid)
        except ProcessLookupError:
            loop.call_soon(gone)
            return
        except OSError:
            pass
        else:
            loop.add_reader(fd, _once, loop, fd, gone)
            return
    wait = _wait_windows if sys.platform == "win32" else _wait_posix

    def run() -> None:
        wait(pid)
        try:
            loop.call_soon_threadsafe(gone)
        except RuntimeError:  # the loop has been closed: the server is going already
            return

    threading.Thread(target=run, name="parent-watch", daemon=True).start()


def _once(loop: asyncio.AbstractEventLoop, fd: int, gone: Callable[[], None]) -> None:
    loop.remove_reader(fd)
    os.close(fd)
    gone()


def _wait_posix(pid: int) -> None:
    while True:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        except PermissionError:
            pass
        time.sleep(POLL_SECONDS)


def _wait_windows(pid: int) -> None:
    # os.kill would end the process there.
    import ctypes

    synchronize, infinite = 0x00100000, 0xFFFFFFFF
    kernel = ctypes.windll.kernel32  # type: ignore[attr-defined]
    handle = kernel.OpenProcess(synchronize, False, pid)
    if handle:
        kernel.WaitForSingleObject(handle, infinite)
        kernel.CloseHandle(handle)
