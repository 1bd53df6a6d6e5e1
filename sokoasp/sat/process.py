"""Start a solver process, listen to it, end it."""

from __future__ import annotations

import json
import os
import pickle
import selectors
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sokoasp.core.limits import Clock
from sokoasp.sat.solver_child import SolverQuestion

_OPTIONS = {"CADICAL_LRAT": "1", "CADICAL_BINARY": "0", "CADICAL_FACTOR": "0"}
"""How CaDiCaL writes its proofs."""
LOOK = 0.2
"""Seconds between two looks at the clock."""


@contextmanager
def start(question: SolverQuestion) -> Iterator[subprocess.Popen[bytes]]:
    """Start a process with its question; it is killed on the way out."""
    options = _OPTIONS if question.proof is not None else {}
    process = subprocess.Popen(
        [sys.executable, "-m", "sokoasp.sat.solver_child"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=None if os.environ.get("SOKOASP_DEBUG") else subprocess.DEVNULL,
        env={**os.environ, **options},
        start_new_session=True,
    )
    try:
        assert process.stdin is not None
        try:
            process.stdin.write(pickle.dumps(question))
            process.stdin.close()
        except BrokenPipeError:
            pass
        yield process
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def listen(
    processes: Sequence[subprocess.Popen[bytes]], clock: Clock, watch: Callable[[], str | None] = lambda: None
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield what the processes tell, with the place of the process, until all have ended, a limit is reached or watch says so.

    The last item of a process is ``{"ended": code}``; what ended the listening is ``{"stopped": word}`` of process -1.
    """
    with selectors.DefaultSelector() as selector:
        rest = [b""] * len(processes)
        for place, process in enumerate(processes):
            assert process.stdout is not None
            os.set_blocking(process.stdout.fileno(), False)
            selector.register(process.stdout, selectors.EVENT_READ, place)
        while selector.get_map():
            stopped = clock.over() or watch()
            if stopped:
                yield -1, {"stopped": stopped}
                return
            left = clock.remaining
            for key, _ in selector.select(LOOK if left is None else min(LOOK, left)):
                place = key.data
                data = os.read(key.fd, 1 << 20)
                lines = (rest[place] + data).split(b"\n")
                rest[place] = lines.pop()
                for line in lines:
                    yield place, json.loads(line)
                if not data:
                    selector.unregister(key.fileobj)
                    yield place, {"ended": processes[place].wait()}
