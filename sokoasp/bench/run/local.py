"""Runs on this machine: worker processes, each of which forks a process for one run at a time; no sockets, no Dask."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from types import TracebackType
from typing import Self

from sokoasp.bench.run import fork_server, host, processes
from sokoasp.bench.run.job import Job, Ran, Report
from sokoasp.core.child_processes import ChildProcesses, Ended

ATTEMPTS = 2
"""How often a run is tried whose worker dies under it."""
_CLEANING = 5.0
"""Seconds a worker has to end its run when it is asked to end."""


class Workers:
    """Workers by name, each a process for every kind of runs, so that none has pages for another kind; ``with`` ends them."""

    def __init__(self, names: Sequence[str] = ("local",)) -> None:
        self.names, self._python_path = tuple(names), os.environ.get("PYTHONPATH")
        self._children = ChildProcesses()
        self._groups: dict[str, int] = {}

    def __enter__(self) -> Self:
        """Return the workers."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """End the workers and whatever runs they have."""
        for _ in self._children.collect(_CLEANING):
            pass

    def pid(self, name: str) -> int | None:
        """Return the id of a worker's process that prepares for nothing, None while there is none."""
        return self._children.pid(f"{name} ")

    def run(self, jobs: Iterable[Job]) -> Iterator[Ran]:
        """Run jobs, one a worker at a time, and yield them as they end; one that loses its worker twice has no report."""
        waiting, here = iter(jobs), host.describe()
        under_way: dict[str, tuple[Job, int]] = {}
        while True:
            for name in self.names:
                if name not in under_way and (job := next(waiting, None)) is not None:
                    under_way[name] = (job, 1)
                    self._send(name, job)
            received = self._children.receive() if under_way else None
            if received is None:
                return
            process, message = received
            name = process.partition(" ")[0]
            job, attempts = under_way.get(name, (None, 0))
            if job is None or process != f"{name} {job.system.prepared}":
                continue  # an idle one has ended
            if isinstance(message, int):
                self._groups[name] = message
            elif isinstance(message, Ended) and attempts < ATTEMPTS:
                self._clean_up(name, process)
                under_way[name] = (job, attempts + 1)
                self._send(name, job)
            else:
                self._clean_up(name, process)
                del under_way[name]
                yield Ran(job, message if isinstance(message, Report) else None, attempts, name, here)

    def _send(self, name: str, job: Job) -> None:
        process = f"{name} {job.system.prepared}"
        if process not in self._children:
            self._children.start(process, fork_server.serve, (job.system.prepared, self._python_path))
        self._children.send(process, job)

    def _clean_up(self, name: str, process: str) -> None:
        """End what is left of a run whose worker has died under it; a worker that lives has done so itself."""
        group = self._groups.pop(name, None)
        if group is not None and process not in self._children:
            processes.end_group(group)


def execute(jobs: Iterable[Job], workers: int = 1) -> Iterator[Ran]:
    """Run jobs and yield them as they end; closing the iterator, or Ctrl-C, ends what is under way."""
    with Workers([f"local-{number}" for number in range(1, workers + 1)]) as running:
        yield from running.run(jobs)
