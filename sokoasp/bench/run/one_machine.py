"""Runs on this machine without Dask, one after the other, each in a process that a worker process forks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sokoasp.bench.run import host
from sokoasp.bench.run.job import Job, Ran
from sokoasp.bench.run.worker_client import WorkerClient, WorkerLost

ATTEMPTS = 2
"""How often a run is tried whose worker dies under it."""


def attempt(client: WorkerClient, job: Job, worker: str, here: tuple[str, str]) -> Ran:
    """Run a job, once more in a fresh worker process if the first one dies under it."""
    for number in range(1, ATTEMPTS + 1):
        try:
            return Ran(job, client.run(job), number, worker, here)
        except WorkerLost:
            continue
    return Ran(job, None, ATTEMPTS, worker, here)


def execute(jobs: Iterable[Job], preload: Sequence[str] = ()) -> Iterator[Ran]:
    """Run jobs and yield them as they end; closing the iterator, or Ctrl-C, ends what is under way."""
    client, here = WorkerClient(preload), host.describe()
    try:
        for job in jobs:
            yield attempt(client, job, "local", here)
    finally:
        client.close()
