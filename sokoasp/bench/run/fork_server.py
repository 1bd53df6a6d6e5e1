"""The worker process: has the solver libraries loaded, forks one process for each run, watches it and reports.

``local`` starts it by ``core.child_processes``. It must stay free of threads, since it forks. Whatever a run has started and left
behind becomes this process's child (a subreaper's), and is ended with the run, however that ends.
"""

from __future__ import annotations

import contextlib
import gc
import os
import pickle
import select
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sokoasp.bench.run import core_pinning, host, processes
from sokoasp.bench.run.job import Answer, Job, Report
from sokoasp.core import child
from sokoasp.core.child_processes import put_off

GRACE = 1.0
"""Seconds beyond the wall limit before a run that does not stop by itself is killed (and 5 % of the limit)."""
EXCESS = 1.1
"""Share of the memory limit at which a run that does not stop by itself is killed."""
_BENCHEXEC = 10.0
"""Seconds more for BenchExec, which looks at its limits every second or seldomer."""
_FIRST_LOOK, _LAST_LOOK = 0.005, 0.05
_TAIL = 2_000


@dataclass(frozen=True, slots=True)
class Watched:
    """What was seen of a run until it ended, or had to be ended."""

    peak_mb: float
    data: bytes = b""
    """The pickled answer."""
    killed_by: str | None = None
    """``time`` or ``memory``."""
    alone: bool = False
    """Whether the campaign has gone meanwhile."""


class _AskedToEnd(Exception):
    """SIGTERM has come."""


def serve(start: tuple[str, str | None], parent: child.Parent) -> None:
    """Prepare for a kind of runs with their PYTHONPATH; answer jobs until the parent closes, dies or sends SIGTERM; end all."""
    with contextlib.suppress(_AskedToEnd, EOFError, OSError), _prepared(*start) as read:
        while (report := run(read(parent.ask()), parent)) is not None:
            parent.send(report)


def _end(*_: object) -> None:
    raise _AskedToEnd


@contextlib.contextmanager
def _prepared(kind: str, python_path: str | None) -> Iterator[Any]:
    """Load what the runs need, and give them a folder for temporary files, which is emptied after each and removed at the end."""
    processes.adopt_orphans()
    os.environ.pop("PYTHONPATH", None)
    if python_path is not None:
        os.environ["PYTHONPATH"] = python_path
    from sokoasp.bench.run import warm

    warm.prepare(kind)
    gc.collect()
    gc.freeze()
    signal.signal(signal.SIGTERM, _end)  # before, it just ends the process, which has nothing yet
    with tempfile.TemporaryDirectory(prefix="sokoasp-run-", ignore_cleanup_errors=True) as folder:
        os.environ["TMPDIR"] = tempfile.tempdir = folder
        try:
            yield warm.read
        finally:
            processes.end_all_below()


def run(job: Job, parent: child.Parent) -> Report | None:
    """Run a job in a process of its own under its limits and return what was seen; None if the parent has gone meanwhile.

    The parent gets the process id first.
    """
    inlet, outlet = os.pipe()
    errors = os.memfd_create("stderr") if hasattr(os, "memfd_create") else os.open(os.devnull, os.O_RDWR)
    began, load = time.perf_counter(), host.load()
    with put_off("SIGTERM"):  # what is raised in a hook of the fork is lost
        pid = os.fork()
    if pid == 0:
        _child(job, outlet, errors, [inlet, *parent.files])
    os.close(outlet)
    try:
        parent.send(pid)
        seen = _watch(job, inlet, parent)
        processes.end_group(pid)
        _, status, usage = os.wait4(pid, 0)
        left_behind = processes.end_all_below()
        wall = time.perf_counter() - began
        tail = os.pread(errors, _TAIL, max(0, os.fstat(errors).st_size - _TAIL)).decode("utf-8", "replace").strip()
    finally:
        os.close(inlet)
        os.close(errors)
    _empty(Path(tempfile.gettempdir()))
    if seen.alone:
        return None
    # The peak the kernel kept for a process that has started others includes this one's size at the fork.
    own = usage.ru_maxrss / 1e6 * (1 if sys.platform == "darwin" else 1024)
    answer = _unpickled(seen.data)
    cpu, peak = usage.ru_utime + usage.ru_stime + left_behind, seen.peak_mb
    if answer is not None:
        cpu, peak = answer.counters.get("cgroup_cpu", cpu), answer.counters.get("cgroup_mb", peak)
        if job.system.kind == "external" and cpu > (job.limits.most_cpu or cpu):
            answer = answer.too_late()
    return Report(
        answer=answer,
        wall=wall,
        cpu=cpu,
        peak_mb=peak if job.system.kind == "external" else max(peak, own),
        exit_code=os.waitstatus_to_exitcode(status),
        killed_by=seen.killed_by,
        stderr=tail,
        load=load,
    )


def _empty(folder: Path) -> None:
    """Remove what a run that was killed has left in the folder for its files."""
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def _unpickled(data: bytes) -> Answer | None:
    with contextlib.suppress(EOFError, pickle.UnpicklingError):
        answer: Answer = pickle.loads(data)
        return answer
    return None


def _watch(job: Job, inlet: int, parent: child.Parent) -> Watched:
    """Wait until a run has said its answer, exceeds a limit, or nobody wants it any more."""
    limit = job.limits.wall(job.system.extra)
    end = time.monotonic() + limit + GRACE + 0.05 * limit
    external = job.system.kind == "external"
    most = job.limits.memory_mb * (1 if external else EXCESS)
    if job.by_runexec:
        end, most = end + _BENCHEXEC, float("inf")
    own, poll = processes.told(os.getpid()), select.poll()
    poll.register(inlet, select.POLLIN | select.POLLHUP)
    poll.register(parent.files[0], select.POLLHUP)
    chunks: list[bytes] = []
    peak, look = 0.0, _FIRST_LOOK
    while True:
        for fd, event in poll.poll(look * 1000):
            if fd != inlet:
                return Watched(peak, alone=True)
            chunk = os.read(inlet, 1 << 16) if event else b""
            if not chunk:
                return Watched(peak, b"".join(chunks))
            chunks.append(chunk)
        # until it executes its command, a process has this program's pages
        watched = [one for one in processes.descendants(os.getpid()) if not external or processes.told(one) != own]
        used = processes.resident_mb(watched)
        peak = max(peak, used, *(map(processes.peak_mb, watched) if len(watched) == 1 else ()))
        if used > most:
            return Watched(peak, killed_by="memory")
        if time.monotonic() > end:
            return Watched(peak, killed_by="time")
        look = min(look * 1.5, _LAST_LOOK)


def _child(job: Job, outlet: int, errors: int, close: list[int]) -> None:
    """Be the run's process: never returns."""
    code = 1
    try:
        os.setsid()
        child.die_with_parent()
        for fd in close:
            os.close(fd)
        os.dup2(os.open(os.devnull, os.O_RDWR), 1)
        os.dup2(errors, 2)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        if not job.by_runexec:
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
