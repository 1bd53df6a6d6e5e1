"""The worker process: has the solver libraries loaded, forks one process for each run, watches it and reports.

Run as ``python -m sokoasp.bench.run.fork_server FD MODULE…`` by ``worker_client``. It must stay free of threads, since it forks.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import pickle
import select
import signal
import sys
import time
from multiprocessing.connection import Connection
from typing import Any

from sokoasp.bench.run import core_pinning, host, processes
from sokoasp.bench.run.job import Answer, Job, Report
from sokoasp.core.child import die_with_parent

GRACE = 1.0
"""Seconds beyond the wall limit before a run that does not stop by itself is killed (and 5 % of the limit)."""
EXCESS = 1.1
"""Share of the memory limit at which a run that does not stop by itself is killed."""
_FIRST_LOOK, _LAST_LOOK = 0.005, 0.05
_TAIL = 2_000


def serve(control: Connection) -> None:
    """Answer one job after the other until the other side closes or dies."""
    while True:
        try:
            job: Job = control.recv()
        except (EOFError, OSError):
            return
        report = run(job, control)
        if report is None:
            return
        with contextlib.suppress(OSError):
            control.send(report)


def run(job: Job, control: Connection | None = None) -> Report | None:
    """Run a job in a process of its own under its limits and return what was seen.

    ``control`` gets the process id first; when its other side closes, the run is ended and None comes back.
    """
    inlet, outlet = os.pipe()
    errors = os.memfd_create("stderr") if hasattr(os, "memfd_create") else os.open(os.devnull, os.O_RDWR)
    began, load = time.perf_counter(), host.load()
    pid = os.fork()
    if pid == 0:
        _child(job, outlet, errors, [inlet, *([control.fileno()] if control else [])])
    os.close(outlet)
    try:
        if control is not None:
            with contextlib.suppress(OSError):
                control.send(pid)
        data, killed_by, peak, orphaned = _watch(job, pid, inlet, control)
        processes.end_group(pid)
        _, status, usage = os.wait4(pid, 0)
        wall = time.perf_counter() - began
        tail = _tail(errors)
    finally:
        os.close(inlet)
        os.close(errors)
    if orphaned:
        return None
    # The peak the kernel kept for a process that has started others includes this one's size at the fork.
    own = usage.ru_maxrss / 1e6 * (1 if sys.platform == "darwin" else 1024)
    return Report(
        answer=_unpickled(data),
        wall=wall,
        cpu=usage.ru_utime + usage.ru_stime,
        peak_mb=peak if job.system.kind == "external" else max(peak, own),
        exit_code=os.waitstatus_to_exitcode(status),
        killed_by=killed_by,
        stderr=tail,
        load=load,
    )


def _unpickled(data: bytes) -> Answer | None:
    try:
        answer: Any = pickle.loads(data)
    except (EOFError, pickle.UnpicklingError):
        return None
    return answer if isinstance(answer, Answer) else None


def _watch(job: Job, pid: int, inlet: int, control: Connection | None) -> tuple[bytes, str | None, float, bool]:
    """Wait for the answer; return it with what ended the run (or None), the peak of its memory, and whether we are alone."""
    limit = job.limits.wall(job.system.extra)
    end = time.monotonic() + limit + GRACE + 0.05 * limit
    most = job.limits.memory_mb * (1 if job.system.kind == "external" else EXCESS)
    poll = select.poll()
    poll.register(inlet, select.POLLIN | select.POLLHUP)
    if control is not None:
        poll.register(control.fileno(), select.POLLHUP)
    chunks: list[bytes] = []
    peak, look = 0.0, _FIRST_LOOK
    while True:
        for fd, event in poll.poll(look * 1000):
            if fd != inlet:
                return b"", None, peak, True
            chunk = os.read(inlet, 1 << 16) if event else b""
            if not chunk:
                return b"".join(chunks), None, peak, False
            chunks.append(chunk)
        below = processes.descendants(pid)
        watched = below if job.system.kind == "external" else [pid, *below]
        used = processes.resident_mb(watched)
        peak = max(peak, used, *(map(processes.peak_mb, watched) if len(watched) == 1 else ()))
        if used > most:
            return b"", "memory", peak, False
        if time.monotonic() > end:
            return b"", "time", peak, False
        look = min(look * 1.5, _LAST_LOOK)


def _tail(errors: int) -> str:
    with contextlib.suppress(OSError):
        size = os.lseek(errors, 0, os.SEEK_END)
        os.lseek(errors, max(0, size - _TAIL), os.SEEK_SET)
        return os.read(errors, _TAIL).decode("utf-8", "replace").strip()
    return ""


def _child(job: Job, outlet: int, errors: int, close: list[int]) -> None:
    """Be the run's process: never returns."""
    code = 1
    try:
        os.setsid()
        die_with_parent()
        for fd in close:
            os.close(fd)
        os.dup2(os.open(os.devnull, os.O_RDWR), 1)
        os.dup2(errors, 2)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        processes.confine(job.limits.kernel_seconds(job.system.extra), job.limits.memory_mb)
        if job.limits.cores is not None:
            core_pinning.take(job.limits.cores)
        from sokoasp.bench.run import job_child

        data = pickle.dumps(job_child.answer(job))
        while data:
            data = data[os.write(outlet, data) :]
        code = 0
    except BaseException as error:
        with contextlib.suppress(Exception):
            import traceback

            os.write(2, "".join(traceback.format_exception(error)[-4:]).encode())
    finally:
        os._exit(code)


def main(arguments: list[str]) -> None:
    """Load what the runs need and serve on the given file descriptor."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    control = Connection(int(arguments[0]))
    for name in ("clingo", "sokoasp.bench.run.job_child", *arguments[1:]):
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    from sokoasp.domain import domains

    domains()
    gc.collect()
    gc.freeze()
    try:
        control.send("ready")
    except OSError:  # who asked has gone meanwhile
        return
    serve(control)


if __name__ == "__main__":
    main(sys.argv[1:])
