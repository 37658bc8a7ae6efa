"""Who owns a running run: a process, told apart from a later one that got the same number."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Owner:
    """`started` is when the process began, in the system's own words; `machine` where its number counts."""

    pid: int
    started: str
    machine: str


def current() -> Owner:
    """This process. Blocks for a moment on some systems."""
    pid = os.getpid()
    return Owner(pid, _started(pid) or "", _machine())


def alive(owner: Owner) -> bool | None:
    """Whether that very process still runs; None when it ran where this process cannot look."""
    if owner.machine != _machine():
        return None if _elsewhere(owner.machine) else False
    started = _started(owner.pid)
    return started is not None and started == owner.started


def _machine() -> str:
    """Host, boot and process namespace: within one of these a number and a start name one process."""
    return "|".join((platform.node(), _read("/proc/sys/kernel/random/boot_id"), _namespace()))


def _elsewhere(machine: str) -> bool:
    """False when the owner ran under an earlier boot of this very host: then it is surely dead."""
    theirs, ours = machine.split("|"), _machine().split("|")
    return not (len(theirs) == len(ours) and theirs[0] == ours[0] and theirs[1] != ours[1])


def _namespace() -> str:
    try:
        return str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        return ""


def _read(path: str) -> str:
    try:
        return Path(path).read_text("latin-1").strip()
    except (OSError, ValueError):
        return ""


if sys.platform == "win32":
    import ctypes
    from ctypes import wintypes

    _QUERY = 0x1000
    _STILL_ACTIVE = 259

    def _started(pid: int) -> str | None:
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.OpenProcess.restype = wintypes.HANDLE
        handle = kernel.OpenProcess(_QUERY, False, pid)
        if not handle:
            return None
        try:
            code = wintypes.DWORD()
            times = [wintypes.FILETIME() for _ in range(4)]
            if not kernel.GetExitCodeProcess(handle, ctypes.byref(code)) or code.value != _STILL_ACTIVE:
                return None
            if not kernel.GetProcessTimes(handle, *(ctypes.byref(t) for t in times)):
                return None
            return str(times[0].dwHighDateTime << 32 | times[0].dwLowDateTime)
        finally:
            kernel.CloseHandle(handle)

else:

    def _started(pid: int) -> str | None:
        """Ticks since boot from /proc, elsewhere `ps`'s start time; None when there is no such process."""
        stat = _read(f"/proc/{pid}/stat")
        if stat:
            # The name may hold spaces and brackets: the fields are counted from its last bracket.
            fields = stat.rpartition(")")[2].split()
            return None if fields[0] in ("Z", "X") else fields[19]
        if Path("/proc/self/stat").exists():
            return None
        try:
            done = subprocess.run(  # noqa: S603 - a fixed program and a number
                ["/bin/ps", "-o", "lstart=", "-p", str(pid)],
                capture_output=True,
                text=True,
                timeout=5,
                check=False,
                env={"LC_ALL": "C", "TZ": "UTC"},
            )
        except (OSError, subprocess.SubprocessError):
            return ""
        return done.stdout.strip() or None
