"""A second process for the portfolio: it is told the level, hands back bounds and plans, and is told better plans.

A subprocess with pickles over its pipes rather than ``multiprocessing``, which would run the caller's main module again.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from types import TracebackType
from typing import Any

from sokoasp.core import progress
from sokoasp.core.limits import Clock, Limits
from sokoasp.sokoban import rules
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.search.certificates import Certificates
from sokoasp.sokoban.search.options import Options
from sokoasp.sokoban.search.turns import Turns

SMALLEST_MB = 800.0
"""A memory limit below this is not shared between two processes."""


def shared(options: Options, limits: Limits) -> bool:
    """Tell whether there are cores and memory for a second process."""
    if options.workers is not None:
        cores = options.workers
    else:
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores > 1 and (limits.memory_mb is None or limits.memory_mb >= SMALLEST_MB)


def halved(race: Turns, limits: Limits) -> Limits:
    """Give the race half of the memory on its running clock, and return the limits of a second process."""
    memory = None if limits.memory_mb is None else limits.memory_mb / 2
    part = replace(limits, seconds=race.clock.remaining, memory_mb=memory)
    clock = Clock(replace(race.clock.limits, memory_mb=memory))
    clock.began = race.clock.began
    race.clock = clock
    return part


def _reader(stream: Any, inbox: queue.SimpleQueue[Any]) -> None:
    """Unpickle messages until the other end closes; then say None."""
    with contextlib.suppress(EOFError, OSError, pickle.UnpicklingError):
        while True:
            inbox.put(pickle.load(stream))
    inbox.put(None)


class Helper:
    """The parent's end; use it as a context manager, which ends the process."""

    def __init__(self, proofs: Certificates, limits: Limits, options: Options, *, reverse: bool) -> None:
        self.proofs = proofs
        self.counters: dict[str, int] = {}
        self.alive = True
        self._told = proofs.upper
        self._inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
        command = [sys.executable, "-m", "sokoasp.sokoban.search.helper"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
        plain = replace(options, progress=None, workers=1, first_order=options.first_order + 1)
        plan = proofs.plan.lurd if proofs.plan is not None else None
        self._send((proofs.level, proofs.objective, limits, plain, reverse, plan, proofs.lower))
        threading.Thread(target=_reader, args=(self._process.stdout, self._inbox), daemon=True).start()

    def __enter__(self) -> Helper:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()

    def _send(self, message: Any) -> None:
        try:
            assert self._process.stdin is not None
            pickle.dump(message, self._process.stdin)
            self._process.stdin.flush()
        except OSError:
            self.alive = False

    def wait(self, seconds: float) -> None:
        """Wait for a message so long at most."""
        with contextlib.suppress(queue.Empty):
            self._take(self._inbox.get(timeout=seconds))
        self.exchange()

    def exchange(self) -> None:
        """Take in what the helper found, tell it a better plan."""
        with contextlib.suppress(queue.Empty):
            while True:
                self._take(self._inbox.get_nowait())
        upper = self.proofs.upper
        if self.alive and upper is not None and upper != self._told and self.proofs.plan is not None:
            self._told = upper
            self._send(self.proofs.plan.lurd)

    def _take(self, message: Any) -> None:
        if message is None:
            self.alive = False
            return
        kind, value, by = message
        if kind == "lower":
            self.proofs.raise_lower(value, by)
        elif kind == "plan":
            self.proofs.offer(rules.plan_from_lurd(self.proofs.level, value), by)
        elif kind == "exhausted":
            self.proofs.exhausted(by)
        elif kind == "counters":
            self.counters = value
            progress.note_other("helper", value["expanded"])


def main() -> None:
    """Serve one job from stdin."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    source, sink = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing but messages may reach the pipe
    job = pickle.load(source)
    inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_reader, args=(source, inbox), daemon=True).start()
    with contextlib.suppress(SystemExit, BrokenPipeError):
        serve(job, inbox, sink)
    os._exit(0)  # the reading thread may hold the lock of stdin, and an orderly shutdown would abort over that


def serve(
    job: tuple[Level, str, Limits, Options, bool, str | None, int], inbox: queue.SimpleQueue[Any], sink: Any
) -> None:
    """Race the reverse search (or none) and greedy ones, and write down every improvement."""
    from sokoasp.sokoban.search.anyplan import enter_seekers

    level, objective, limits, options, reverse, lurd, lower = job
    proofs = Certificates(level, objective)
    if lurd is not None:
        proofs.offer(rules.plan_from_lurd(level, lurd), "the caller")
    proofs.raise_lower(lower, "the parent")
    said: dict[str, Any] = {"lower": lower, "plan": proofs.upper, "exhausted": ""}

    def tell(kind: str, value: Any, by: str) -> None:
        pickle.dump((kind, value, by), sink)
        sink.flush()

    def exchange() -> None:
        with contextlib.suppress(queue.Empty):
            while True:
                message = inbox.get_nowait()
                if message is None:
                    raise SystemExit
                if proofs.offer(rules.plan_from_lurd(level, message), "the other process"):
                    said["plan"] = proofs.upper
        if proofs.plan is not None and said["plan"] != proofs.upper:
            said["plan"] = proofs.upper
            tell("plan", proofs.plan.lurd, proofs.plan_by)
        if proofs.lower > said["lower"]:
            said["lower"] = proofs.lower
            tell("lower", proofs.lower, proofs.lower_by)
        tell("counters", race.tally(), "")

    race = Turns(proofs, options, limits.start(), exchange)
    if reverse:
        race.enter("reverse", reverse=True)
    enter_seekers(race)
    race.enter_greedy()
    race.run()
    exchange()
    if proofs.exhausted_by:
        tell("exhausted", None, proofs.exhausted_by)


if __name__ == "__main__":
    main()
