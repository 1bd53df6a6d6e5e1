"""Runs by Dask, on the workers of an existing scheduler.

Every Dask worker keeps one worker process of ours, which forks a process for each run. If a Dask worker dies, the scheduler
gives its runs to another; what dies again is recorded as lost. Results are yielded here, in the client, as they arrive.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from ipaddress import ip_address
from itertools import islice
from queue import Empty, Queue
from typing import Any
from urllib.parse import urlsplit

from sokoasp.bench.run import host
from sokoasp.bench.run.job import Job, Ran
from sokoasp.bench.run.local import Workers
from sokoasp.core import errors

CONNECT_SECONDS = 10
"""How long the scheduler may take to answer."""
AHEAD = 2
"""Runs submitted for each place: one under way, one waiting."""
PATIENCE = 60.0
"""Seconds without any worker before the campaign is given up (it can be resumed)."""
_LOOK, _RECOUNT = 0.5, 2.0
_mine = threading.local()


def run_here(job: Job) -> Ran:
    """Run a job in the worker process that belongs to this thread of a Dask worker."""
    from distributed import get_worker

    if not hasattr(_mine, "workers"):
        _mine.workers = Workers([str(get_worker().address)])
    ran: Ran = next(_mine.workers.run([job]))
    return ran


def check_address(address: str) -> None:
    """Look whether only who may can reach a scheduler: by TLS, or on this machine.

    Raises WrongOption: it is a plain address of another machine. Whoever reaches that port runs programs as its user.
    """
    scheme, _, rest = address.rpartition("://")
    name = urlsplit(f"//{rest}").hostname or ""
    local = name == "localhost"
    with suppress(ValueError):
        local = local or ip_address(name).is_loopback
    if scheme != "tls" and not local:
        raise errors.WrongOption(
            f"{address} is open to everybody on the network, who may run programs as you there: "
            "use a scheduler at tls://, or say --open-network",
            source="--cluster",
        )


@contextmanager
def connect(address: str) -> Iterator[Any]:
    """Open a Dask client of an existing scheduler.

    Raises:
        MissingExtra: ``distributed`` is not installed.
        SokoaspError: There is no scheduler at the address.
    """
    try:
        import dask
        from distributed import Client
    except ImportError as error:
        raise errors.MissingExtra("running on a cluster", "bench") from error
    with dask.config.set({"distributed.comm.timeouts.connect": f"{CONNECT_SECONDS}s"}):
        try:
            client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as error:
            raise errors.SokoaspError(f"no Dask scheduler answers at {address}: {error}") from error
        with client:
            yield client


def execute(jobs: Iterable[Job], client: Any) -> Iterator[Ran]:
    """Run jobs on the workers of a Dask client and yield them as they end.

    Raises SokoaspError: the scheduler is gone, or has had no worker for a minute.
    """
    waiting = iter(jobs)
    running: dict[str, tuple[Any, Job]] = {}
    ended: Queue[Any] = Queue()
    places, counted = 1, -_RECOUNT
    try:
        while True:
            if time.monotonic() > counted + _RECOUNT:
                places, counted = max(1, _places(client)), time.monotonic()
            for job in islice(waiting, max(0, AHEAD * places - len(running))):
                future = client.submit(run_here, job, key=f"sokoasp-{job.key}", pure=False)
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
    return sum(int(worker["nthreads"]) for worker in client.scheduler_info(n_workers=-1).get("workers", {}).values())


def _next(ended: Queue[Any], client: Any) -> Any:
    """Wait for the next run to end. Raises SokoaspError: the scheduler is gone, or has had no worker for too long."""
    alone_since: float | None = None
    while True:
        with suppress(Empty):
            return ended.get(timeout=_LOOK)
        if client.status not in ("running", "connecting"):
            raise errors.SokoaspError("the Dask scheduler is gone; run the same command again to go on")
        alone_since = None if _places(client) else alone_since or time.monotonic()
        if alone_since is not None and time.monotonic() - alone_since > PATIENCE:
            raise errors.SokoaspError(f"no Dask worker for {PATIENCE:g} s; run the same command again to go on")


def _result(future: Any, job: Job) -> Ran:
    """Return the result of a run; one whose workers died is lost.

    Raises:
        SokoaspError: The run was cancelled because the scheduler went away.
        Exception: Whatever went wrong in the worker.
    """
    import dask
    from distributed import CancelledError, KilledWorker

    try:
        ran: Ran = future.result()
    except KilledWorker as error:
        attempts = dask.config.get("distributed.scheduler.allowed-failures") + 1
        return Ran(job, None, attempts, str(error.last_worker.address), host.describe())
    except CancelledError as error:
        raise errors.SokoaspError("the Dask scheduler lost a run; run the same command again to go on") from error
    return ran
