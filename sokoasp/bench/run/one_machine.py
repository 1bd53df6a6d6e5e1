"""Runs on this machine without Dask: a thread and a worker process for each of N places."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from queue import Empty, Queue

from sokoasp.bench.run import host
from sokoasp.bench.run.job import Job, Ran
from sokoasp.bench.run.worker_client import WorkerClient, WorkerLost

ATTEMPTS = 2
"""How often a run is tried whose worker dies under it."""
_WAIT = 0.2


def attempt(client: WorkerClient, job: Job, worker: str, here: tuple[str, str]) -> Ran:
    """Run a job, once more in a fresh worker process if the first one dies under it."""
    for number in range(1, ATTEMPTS + 1):
        try:
            return Ran(job, client.run(job), number, worker, here)
        except WorkerLost:
            if client.stopped:
                break
    return Ran(job, None, ATTEMPTS, worker, here)


def execute(jobs: Iterable[Job], workers: int = 1, preload: Sequence[str] = ()) -> Iterator[Ran]:
    """Run jobs in ``workers`` places at a time and yield them as they end; closing the iterator ends what is under way."""
    waiting: Queue[Job] = Queue()
    for job in jobs:
        waiting.put(job)
    left = waiting.qsize()
    done: Queue[Ran | BaseException] = Queue()
    stop = threading.Event()
    here = host.describe()
    clients = [WorkerClient(preload) for _ in range(min(workers, left))]
    threads = [
        threading.Thread(target=_work, args=(client, f"local-{number}", waiting, done, stop, here), daemon=True)
        for number, client in enumerate(clients, 1)
    ]
    for thread in threads:
        thread.start()
    try:
        while left:
            try:
                ran = done.get(timeout=_WAIT)
            except Empty:
                continue
            if isinstance(ran, BaseException):
                raise ran
            left -= 1
            yield ran
    finally:
        stop.set()
        for client in clients:
            client.stop()
        for thread in threads:
            thread.join(5)


def _work(
    client: WorkerClient,
    name: str,
    waiting: Queue[Job],
    done: Queue[Ran | BaseException],
    stop: threading.Event,
    here: tuple[str, str],
) -> None:
    while not stop.is_set():
        try:
            job = waiting.get_nowait()
        except Empty:
            break
        try:
            ran = attempt(client, job, name, here)
        except BaseException as error:
            done.put(error)
            return
        if not stop.is_set():
            done.put(ran)
    client.close()
