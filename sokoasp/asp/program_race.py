"""Several programs for the same problem race in processes of their own: the first proof wins, refuted bounds are shared.

A bound that one program has refuted is refuted for all, so a racer that is still busy with it drops it and goes on to the
next. The processes are ``ChildProcesses``, so no racer outlives the race, however it ends.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from sokoasp.asp import multishot
from sokoasp.asp.catalogue import Encoding
from sokoasp.asp.multishot import Entry, Finish, Outcome
from sokoasp.core.child import Parent
from sokoasp.core.child_processes import ChildProcesses, Ended
from sokoasp.core.errors import EncodingError, WrongPlan
from sokoasp.core.limits import Clock, Limits
from sokoasp.core.result import Horizon, Step
from sokoasp.core.schedule import wait_for

__all__ = ["Entry", "Finish", "race"]


@dataclass(frozen=True, slots=True)
class _Job:
    entry: Entry
    bounds: Horizon
    limits: Limits


def race(
    entries: Sequence[Entry],
    *,
    bounds: Horizon,
    clock: Clock,
    on_step: Callable[[Step], None] = lambda step: None,
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
    made = [entry.made() for entry in entries]
    run = _Race({f"racer {number}": encoding for number, (encoding, _) in enumerate(made)}, on_step)
    stopped: str | None = None
    with ChildProcesses(run.take, watch) as run.children:
        for name, entry, (encoding, facts) in zip(run.racers, entries, made, strict=True):
            run.children.start(name, _run, _Job(entry._replace(program=encoding, facts=facts), bounds, limits))
        try:
            stopped = wait_for(run.children, clock)
        except KeyboardInterrupt:
            stopped = "interrupt"
    if run.winner is None and stopped != "steps":
        run.best.stopped_by = stopped
    elif not run.answered:
        raise RuntimeError("every process of the race ended without an answer")
    return Finish(run.best, run.winner, [encoding for encoding, _ in made])


class _Race:
    """What the racers have sent: refuted bounds are passed on, and the first that decides ends all."""

    children: ChildProcesses

    def __init__(self, racers: Mapping[str, Encoding], on_step: Callable[[Step], None]) -> None:
        self.racers, self.on_step = racers, on_step
        self.best, self.answered = Outcome(), False
        self.winner: Encoding | None = None

    def take(self, name: str, message: Step | Outcome | EncodingError | Ended) -> None:
        """Take in a message of a racer."""
        best = self.best
        if isinstance(message, EncodingError):
            raise message
        if (
            isinstance(message, Step)
            and message.result == "unsat"
            and (best.refuted is None or message.t > best.refuted)
        ):
            best.refuted = best.bound = message.t
            best.steps.append(message)
            self.on_step(message)
            for other in self.racers.keys() - {name}:
                self.children.send(other, message.t)
        elif isinstance(message, Outcome):
            self.answered = True
            if message.stopped_by is None and message.verdict != "unknown":
                _agree(best, message, self.racers[name])
                self.best, self.winner = _merged(best, message), self.racers[name]
                self.children.end()
            else:
                best.stopped_by = message.stopped_by or best.stopped_by


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


def _run(job: _Job, parent: Parent) -> None:
    """Run one racer, and report its steps and its outcome."""
    parent.follow()
    known: list[int] = []

    def refuted() -> int | None:
        known.extend(parent.news())
        return max(known, default=None)

    try:
        clock = job.limits.start()
        parent.send(
            multishot.run([job.entry], bounds=job.bounds, clock=clock, on_step=parent.send, refuted=refuted).outcome
        )
    except EncodingError as error:
        parent.send(error)
