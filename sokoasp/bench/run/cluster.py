"""Runs by Dask: on a cluster of processes here, or on the workers of an existing scheduler.

Every Dask worker keeps one worker process of ours, which forks a process for each run. If a Dask worker dies, the scheduler
gives its runs to another; what dies again is recorded as lost. Results are yielded here, in the client, as they arrive.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from itertools import islice
from multiprocessing import resource_tracker
from queue import Empty, Queue
from typing import Any

from sokoasp.bench.run import host, one_machine
from sokoasp.bench.run.job import Job, Ran
from sokoasp.bench.run.worker_client import WorkerClient
from sokoasp.core.child_processes import put_off
from sokoasp.core.errors import MissingExtra, SokoaspError

ALLOWED_FAILURES = 1
"""Worker deaths a run survives; an existing scheduler has its own setting, ``distributed.scheduler.allowed-failures``."""
CONNECT_SECONDS = 10
"""How long an existing scheduler may take to answer."""
AHEAD = 2
"""Runs submitted for each place: one under way, one waiting."""
PATIENCE = 60.0
"""Seconds without any worker before the campaign is given up (it can be resumed)."""
_LOOK, _RECOUNT = 0.5, 2.0
_mine = threading.local()


def run_here(job: Job, preload: tuple[str, ...]) -> Ran:
    """Run a job in the worker process that belongs to this thread of a Dask worker."""
    from distributed import get_worker

    if not hasattr(_mine, "client"):
        _mine.client, _mine.machine = WorkerClient(preload), host.describe()
    return one_machine.attempt(_mine.client, job, str(get_worker().address), _mine.machine)


@contextmanager
def connect(*, workers: int | None = None, address: str | None = None) -> Iterator[Any]:
    """Open a Dask client: of an existing scheduler by its address, or of a cluster of ``workers`` processes made here.

    Raises:
        MissingExtra: ``distributed`` is not installed.
        SokoaspError: There is no scheduler at the address.
    """
    try:
        import dask
        from distributed import Client, LocalCluster
    except ImportError as error:
        raise MissingExtra("running on several workers", "bench") from error
    with ExitStack() as stack:
        patience = {"distributed.comm.timeouts.connect": f"{CONNECT_SECONDS}s"}
        settings: AbstractContextManager[Any] = dask.config.set(
            {"distributed.scheduler.allowed-failures": ALLOWED_FAILURES, **patience}
        )
        stack.enter_context(settings)
        target: Any = address
        if address is None:
            how: dict[str, Any] = {"processes": True, "dashboard_address": "127.0.0.1:0", "silence_logs": 50}
            with _started_as_a_whole():
                cluster = LocalCluster(n_workers=workers, threads_per_worker=1, memory_limit=0, **how)
                target = stack.enter_context(cluster)
        try:
            client = stack.enter_context(Client(target, timeout=CONNECT_SECONDS, set_as_default=False))
        except (OSError, TimeoutError, ValueError) as error:
            raise SokoaspError(f"no Dask scheduler answers at {address}: {error}") from error
        yield client


@contextmanager
def _started_as_a_whole() -> Iterator[None]:
    """Put Ctrl-C and SIGTERM off while workers start: Dask cannot close what is half there. What starts ignores Ctrl-C.

    Raises:
        KeyboardInterrupt: One has come.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    resource_tracker.ensure_running()  # which would let Ctrl-C through again
    before = {one: signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)}
    heard = {one: handler for one, handler in before.items() if handler not in (None, signal.SIG_IGN)}
    try:
        # a handler, for another thread may take the signal; and a mask, for what starts inherits it
        for one in heard:
            signal.signal(one, lambda number, frame: came.append(number))
        with put_off("SIGINT"):
            yield
    finally:
        for one, handler in heard.items():
            signal.signal(one, handler)
    if came:
        raise KeyboardInterrupt


def execute(jobs: Iterable[Job], client: Any, preload: Sequence[str] = ()) -> Iterator[Ran]:
    """Run jobs on the workers of a Dask client and yield them as they end.

    Raises:
        SokoaspError: The scheduler is gone, or has had no worker for a minute.
    """
    waiting = iter(jobs)
    running: dict[str, tuple[Any, Job]] = {}
    ended: Queue[Any] = Queue()
    modules = tuple(preload)
    places, counted = 1, -_RECOUNT
    try:
        while True:
            if time.monotonic() > counted + _RECOUNT:
                places, counted = max(1, _places(client)), time.monotonic()
            for job in islice(waiting, max(0, AHEAD * places - len(running))):
                future = client.submit(run_here, job, modules, key=f"sokoasp-{job.key}", pure=False)
                running[future.key] = (future, job)
                future.add_done_callback(ended.put)
            if not running:
                return
            future = _next(ended, client)
            yield _result(future, running.pop(future.key)[1])
    finally:
        if running and client.status == "running":
            client.cancel([future for future, _ in running.values()], force=True)


def _places(client: Any) -> int:
    info: dict[str, Any] = client.scheduler_info(n_workers=-1).get("workers", {})
    return sum(int(worker["nthreads"]) for worker in info.values())


def _next(ended: Queue[Any], client: Any) -> Any:
    """Wait for the next run to end. Raises SokoaspError: the scheduler is gone, or has had no worker for too long."""
    alone_since: float | None = None
    while True:
        with suppress(Empty):
            return ended.get(timeout=_LOOK)
        if client.status not in ("running", "connecting"):
            raise SokoaspError("the Dask scheduler is gone; run the same command again to go on")
        alone_since = None if _places(client) else alone_since or time.monotonic()
        if alone_since is not None and time.monotonic() - alone_since > PATIENCE:
            raise SokoaspError(f"no Dask worker for {PATIENCE:g} s; run the same command again to go on")


def _result(future: Any, job: Job) -> Ran:
    """Return the result of a run; one whose workers died is lost.

    Raises:
        SokoaspError: The run was cancelled because the scheduler went away.
        Exception: Whatever went wrong in the worker.
    """
    from distributed import CancelledError, KilledWorker

    try:
        ran: Ran = future.result()
    except KilledWorker as error:
        return Ran(job, None, ALLOWED_FAILURES + 1, str(error.last_worker.address), host.describe())
    except CancelledError as error:
        raise SokoaspError("the Dask scheduler lost a run; run the same command again to go on") from error
    return ran
