"""Child processes and what they cost: CPU seconds and peak memory, read from the kernel (Linux)."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

TICK = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Cost:
    """CPU seconds (user and system, all threads), peak resident megabytes, exit status, output."""

    cpu: float
    peak: float
    status: int
    out: bytes


def run(command: Sequence[str], env: Mapping[str, str], cwd: Path) -> Cost:
    """Run to the end."""
    child = subprocess.Popen(command, env=env, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert child.stdout
    out = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, child.returncode, out)


def cpu(pid: int) -> float:
    """CPU seconds of a living process. The scheduler's count is finer, the tick count knows ended threads."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    ticks = (int(fields[11]) + int(fields[12])) / TICK
    fine = 0.0
    for task in Path(f"/proc/{pid}/task").iterdir():
        try:
            fine += int((task / "schedstat").read_text().split()[0]) / 1e9
        except (OSError, IndexError):
            return ticks
    return max(ticks, fine)


def peak(pid: int) -> float:
    """Peak resident megabytes of a living process."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return 0.0
