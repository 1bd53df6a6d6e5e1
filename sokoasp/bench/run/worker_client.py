"""The other end of a worker process: start it, hand it jobs, notice when it dies and clean up behind it."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
from collections.abc import Sequence
from multiprocessing.connection import Connection

from sokoasp.bench.run import processes
from sokoasp.bench.run.job import Job, Report


class WorkerLost(Exception):
    """The worker process died under a run."""


class WorkerClient:
    """Owner of one worker process, which is started when the first job comes and again after a loss; for one thread.

    Args:
        preload: Modules the worker imports before it forks for its first run.
    """

    def __init__(self, preload: Sequence[str] = ()) -> None:
        self.preload = tuple(preload)
        self._process: subprocess.Popen[bytes] | None = None
        self._control: Connection | None = None

    @property
    def pid(self) -> int | None:
        """Return the worker's process id, None while there is none."""
        process = self._process
        return process.pid if process else None

    def run(self, job: Job) -> Report:
        """Run a job in the worker.

        Raises:
            WorkerLost: The worker died; a further call starts another.
        """
        running: int | None = None
        try:
            control = self._started()
            control.send(job)
            running = control.recv()
            report = control.recv()
        except (EOFError, OSError) as error:
            if running is not None:
                processes.end_group(running)
            self.close()
            raise WorkerLost(f"the worker process died: {type(error).__name__}") from error
        assert isinstance(report, Report)
        return report

    def _started(self) -> Connection:
        """Return the connection to a worker that is ready.

        Raises:
            EOFError: It does not come up.
        """
        if self._control is not None:
            return self._control
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "sokoasp.bench.run.fork_server", str(theirs.fileno()), *self.preload],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )
        self._control = Connection(ours.detach())
        if self._control.recv() != "ready":
            raise EOFError
        return self._control

    def close(self) -> None:
        """End the worker and whatever run it has; closing twice is allowed."""
        if self._control is not None:
            self._control.close()
            self._control = None
        if self._process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(2)
            self._process.kill()
            self._process.wait()
            self._process = None
