"""Start solver processes, listen to them, end them."""

from __future__ import annotations

import json
import os
import pickle
import selectors
import subprocess
import sys
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any, Self

from sokoasp.core.limits import Clock

_OPTIONS = {"CADICAL_LRAT": "1", "CADICAL_BINARY": "0", "CADICAL_FACTOR": "0"}
"""How CaDiCaL writes its proofs."""
LOOK = 0.2
"""Seconds between two looks at the clock."""
SOLVER = "sokoasp.sat.solver_child"


class Crew:
    """Processes by name that tell what they find as JSON lines; all are killed on the way out."""

    def __init__(self) -> None:
        self._selector = selectors.DefaultSelector()
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._rest: dict[str, bytes] = {}

    def __enter__(self) -> Self:
        """Return the crew."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """End all processes."""
        for name in list(self._running):
            self.stop(name)
        self._selector.close()

    def __contains__(self, name: str) -> bool:
        """Tell whether a process of that name runs."""
        return name in self._running

    def start(self, name: str, question: Any, module: str = SOLVER) -> None:
        """Start ``python -m module`` with a pickled question on its standard input."""
        options = _OPTIONS if getattr(question, "proof", None) is not None else {}
        process = subprocess.Popen(
            [sys.executable, "-m", module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=None if os.environ.get("SOKOASP_DEBUG") else subprocess.DEVNULL,
            env={**os.environ, **options},
            start_new_session=True,
        )
        self._running[name], self._rest[name] = process, b""
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(pickle.dumps(question))
            process.stdin.close()
        except BrokenPipeError:
            pass
        os.set_blocking(process.stdout.fileno(), False)
        self._selector.register(process.stdout, selectors.EVENT_READ, name)

    def stop(self, name: str) -> int | None:
        """Kill a process; return how it ended, None if there is none of that name."""
        process = self._running.pop(name, None)
        if process is None or process.stdout is None:
            return None
        self._selector.unregister(process.stdout)
        process.kill()
        code = process.wait()
        process.stdout.close()
        return code

    def listen(
        self, clock: Clock, watch: Callable[[], str | None] = lambda: None
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield what the processes tell, with their names, until all have ended, a limit is reached or watch says so.

        The last item of a process is ``{"ended": code}``; what ended the listening is ``{"stopped": word}`` of nobody.
        Processes may be started and stopped meanwhile.
        """
        while self._running:
            stopped = clock.over() or watch()
            if stopped:
                yield "", {"stopped": stopped}
                return
            left = clock.remaining
            for key, _ in self._selector.select(LOOK if left is None else min(LOOK, left)):
                yield from self._read(key.data)

    def _read(self, name: str) -> Iterator[tuple[str, dict[str, Any]]]:
        process = self._running.get(name)
        if process is None or process.stdout is None:
            return
        data = os.read(process.stdout.fileno(), 1 << 20)
        lines = (self._rest[name] + data).split(b"\n")
        self._rest[name] = lines.pop()
        for line in lines:
            if self._running.get(name) is process:
                yield name, json.loads(line)
        if not data and self._running.get(name) is process:
            process.wait()
            yield name, {"ended": self.stop(name)}
