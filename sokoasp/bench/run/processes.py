"""Process groups and trees: limits, memory in use, and ending everything a run has started (Linux; less precise elsewhere)."""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import signal
import sys
from pathlib import Path

from sokoasp.core.limits import held_mb

SLACK_MB = 256
"""Private memory beyond the limit at which the kernel itself refuses more; the resident limit is enforced by watching."""
LARGEST_FILE = 2 << 30
"""Most bytes one file written by a run may have."""
_SET_DEATH_SIGNAL, _SET_CHILD_SUBREAPER = 1, 36


def confine(cpu_seconds: float | None, memory_mb: float) -> None:
    """Set the kernel's limits for this process and all it starts: CPU time, private memory, file size, no core dumps."""
    confine_cpu(cpu_seconds)
    size = int((memory_mb + SLACK_MB) * 1e6)
    _lower("RLIMIT_DATA", size, size)
    _lower("RLIMIT_FSIZE", LARGEST_FILE, LARGEST_FILE)
    _lower("RLIMIT_CORE", 0, 0)


def confine_cpu(seconds: float | None) -> None:
    """Set the kernel's limit of CPU time, in whole seconds; None: none."""
    if seconds is not None:
        whole = max(1, int(seconds + 0.999))
        _lower("RLIMIT_CPU", whole, whole + 2)


def _lower(name: str, soft: int, hard: int) -> None:
    import resource  # not everywhere; a campaign says so before it comes here

    kind = getattr(resource, name)
    _, most = resource.getrlimit(kind)
    if most != resource.RLIM_INFINITY:
        soft, hard = min(soft, most), min(hard, most)
    resource.setrlimit(kind, (soft, hard))


def descendants(pid: int) -> list[int]:
    """Return the ids of all processes below ``pid``, as far as the system reports them."""
    found: list[int] = []
    pending = [pid]
    while pending:
        with contextlib.suppress(OSError):
            for task in Path(f"/proc/{pending.pop()}/task").iterdir():
                with contextlib.suppress(OSError):
                    below = [int(word) for word in (task / "children").read_text().split()]
                    found += below
                    pending += below
    return found


def resident_mb(pids: list[int]) -> float:
    """Return the resident memory of these processes together, in MB; those that have gone count nothing."""
    return sum(map(held_mb, pids))


def peak_mb(pid: int) -> float:
    """Return the peak resident memory of one running process in MB, 0 if it is not known."""
    found = re.search(rb"VmHWM:\s*(\d+)", told(pid, "status"))
    return int(found[1]) * 1024 / 1e6 if found else 0.0


def told(pid: int, file: str = "cmdline") -> bytes:
    """Return a file of /proc about a process, empty if it has gone."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/{file}").read_bytes()
    return b""


def end_group(pid: int) -> None:
    """Kill a process and its process group."""
    for kill in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            kill(pid, signal.SIGKILL)


def adopt_orphans() -> None:
    """From now on be the parent of each process below this one whose own parent ends (Linux; see prctl(2))."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1)
        ctypes.CDLL(None).prctl(_SET_DEATH_SIGNAL, 0)  # who ends others must not end first


def end_all_below() -> float:
    """Kill every process below this one until none is left, and return the CPU seconds of those that were its children."""
    spent = 0.0
    while below := descendants(os.getpid()):
        for pid in below:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            _, _, usage = os.wait3(0)
            spent += usage.ru_utime + usage.ru_stime
    return spent
