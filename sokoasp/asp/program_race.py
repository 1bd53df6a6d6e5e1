"""Several programs for the same problem race in processes of their own: the first proof wins, refuted bounds are shared.

A bound that one program has refuted is refuted for all, so a racer that is still busy with it drops it and goes on to the
next. Each process is this module run by the same Python; it reads its job from stdin and ends when that is closed, so no
racer outlives the race, however it ends.
"""

from __future__ import annotations

import os
import pickle
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import IO, Any

from sokoasp.asp import multishot
from sokoasp.asp.catalogue import Encoding
from sokoasp.asp.multishot import ClingoOptions, Outcome
from sokoasp.core.bounds import Bounds
from sokoasp.core.errors import EncodingError, WrongPlan
from sokoasp.core.limits import Clock, Limits
from sokoasp.core.result import Step

_TICK = 0.05


@dataclass(frozen=True, slots=True)
class Entry:
    """One racer: a program, its facts, and how clingo is run."""

    encoding: Encoding
    facts: str
    options: ClingoOptions = field(default_factory=ClingoOptions)


@dataclass(frozen=True, slots=True)
class Finish:
    """How a race ended; ``winner`` is the program whose answer or last refutation decided it, None if nobody decided."""

    outcome: Outcome
    winner: Encoding | None


@dataclass(frozen=True, slots=True)
class _Job:
    entry: Entry
    bounds: Bounds
    limits: Limits


def race(
    entries: Sequence[Entry],
    *,
    bounds: Bounds,
    clock: Clock,
    on_step: Callable[[Step], None] | None = None,
    watch: Callable[[], str | None] = lambda: None,
) -> Finish:
    """Run the programs side by side, a process each, until the first has decided; arguments as for ``multishot.run``.

    Only programs that ask the same bounds for the same problem may race. ``on_step`` sees each bound once.

    Raises:
        EncodingError: A program cannot be read or grounded.
        WrongPlan: A program has a plan that another has refuted.
        RuntimeError: Every process died, killed from outside.
    """
    limits = replace(clock.limits, seconds=clock.remaining)
    messages: queue.Queue[tuple[int, Any]] = queue.Queue()
    racers = [_Racer(number, _Job(entry, bounds, limits), messages) for number, entry in enumerate(entries)]
    try:
        return _referee(racers, [entry.encoding for entry in entries], messages, clock, on_step, watch)
    finally:
        for racer in racers:
            racer.stop()


class _Racer:
    """The parent's end of one process."""

    def __init__(self, number: int, job: _Job, messages: queue.Queue[tuple[int, Any]]) -> None:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "sokoasp.asp.program_race"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            start_new_session=True,  # Ctrl-C goes to the parent alone
        )
        self.send(job)
        threading.Thread(target=_listen, args=(number, self.process.stdout, messages), daemon=True).start()

    def send(self, message: object) -> None:
        """Tell the racer something; nothing happens if it has ended."""
        assert self.process.stdin is not None
        try:
            pickle.dump(message, self.process.stdin)
            self.process.stdin.flush()
        except OSError:
            pass

    def stop(self) -> None:
        """End the process and wait until it is gone."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:
                    pass


def _listen(number: int, pipe: IO[bytes] | None, messages: queue.Queue[tuple[int, Any]]) -> None:
    """Put everything a process says into the queue; None when it has ended."""
    assert pipe is not None
    try:
        while True:
            messages.put((number, pickle.load(pipe)))
    except (EOFError, OSError, ValueError, pickle.UnpicklingError):
        messages.put((number, None))


def _referee(
    racers: Sequence[_Racer],
    encodings: Sequence[Encoding],
    messages: queue.Queue[tuple[int, Any]],
    clock: Clock,
    on_step: Callable[[Step], None] | None,
    watch: Callable[[], str | None],
) -> Finish:
    """Follow the race, pass refuted bounds on, and tell how it ended."""
    best = Outcome()
    answered = False
    running = set(range(len(racers)))
    try:
        while running:
            stopped = clock.over() or watch()
            if stopped:
                best.stopped_by = stopped
                return Finish(best, None)
            try:
                number, message = messages.get(timeout=_TICK)
            except queue.Empty:
                continue
            if isinstance(message, Step):
                if _note(best, message):
                    if on_step is not None:
                        on_step(message)
                    for other in running - {number}:
                        racers[other].send(message.t)
            elif isinstance(message, EncodingError):
                raise message
            elif isinstance(message, Outcome):
                running.discard(number)
                answered = True
                if message.stopped_by is None and message.verdict != "unknown":
                    _agree(best, message, encodings[number])
                    return Finish(_merged(best, message), encodings[number])
                best.stopped_by = message.stopped_by or best.stopped_by
            elif message is None:
                running.discard(number)
    except KeyboardInterrupt:
        best.stopped_by = "interrupt"
    if best.stopped_by is None and not answered:
        raise RuntimeError("every process of the race died without a word")
    return Finish(best, None)


def _note(best: Outcome, step: Step) -> bool:
    """Write down a refuted bound if it is news."""
    if step.result != "unsat" or (best.refuted is not None and step.t <= best.refuted):
        return False
    best.refuted = best.bound = step.t
    best.steps.append(step)
    return True


def _agree(best: Outcome, last: Outcome, encoding: Encoding) -> None:
    """Stop the line if the winner has a plan that another program has refuted.

    Raises:
        WrongPlan: It has.
    """
    if last.verdict == "sat" and best.refuted is not None and last.bound is not None and last.bound <= best.refuted:
        raise WrongPlan(
            f"encoding {encoding.name!r} has an answer at bound {last.bound}, and another of the race refuted {best.refuted}"
        )


def _merged(best: Outcome, last: Outcome) -> Outcome:
    """Return the winner's outcome with every bound that anyone refuted."""
    decided = [step for step in last.steps if best.refuted is None or step.t > best.refuted]
    last.steps = [*best.steps, *decided]
    if best.refuted is not None:
        last.refuted = max(best.refuted, last.refuted if last.refuted is not None else best.refuted)
    return last


def _child() -> None:
    """Run one racer: job on stdin, steps and outcome on stdout."""
    out = sys.stdout.buffer
    inbox = sys.stdin.buffer
    job: _Job = pickle.load(inbox)
    known: list[int] = []
    lock = threading.Lock()

    def say(message: object) -> None:
        with lock:
            pickle.dump(message, out)
            out.flush()

    def hear() -> None:
        try:
            while True:
                known.append(pickle.load(inbox))
        except (EOFError, OSError):
            os._exit(1)

    threading.Thread(target=hear, daemon=True).start()
    try:
        outcome = multishot.run(
            job.entry.encoding,
            job.entry.facts,
            bounds=job.bounds,
            clock=job.limits.start(),
            options=job.entry.options,
            on_step=say,
            refuted=lambda: max(known, default=None),
        )
    except EncodingError as error:
        say(error)
    else:
        say(outcome)
    os._exit(0)  # the listening thread holds stdin; a normal exit would complain about that


if __name__ == "__main__":
    from sokoasp.asp import program_race as _imported  # the classes must be the importable ones, not __main__'s

    _imported._child()
