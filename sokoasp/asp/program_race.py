"""Several programs for the same problem race in processes of their own: the first proof wins, refuted bounds are shared.

A bound that one program has refuted is refuted for all, so a racer that is still busy with it drops it and goes on to the
next. The processes are ``ChildProcesses``, so no racer outlives the race, however it ends.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from sokoasp.asp import schedule
from sokoasp.asp.catalogue import Encoding
from sokoasp.asp.multishot import Outcome
from sokoasp.asp.schedule import Entry, Finish
from sokoasp.core.child import Parent
from sokoasp.core.child_processes import ChildProcesses, Ended, Halted
from sokoasp.core.errors import EncodingError, WrongPlan
from sokoasp.core.horizon import Horizon
from sokoasp.core.limits import Clock, Limits
from sokoasp.core.result import Step

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
    on_step: Callable[[Step], None] | None = None,
    watch: Callable[[], str | None] = lambda: None,
) -> Finish:
    """Run the programs side by side, a process each, until the first has decided; arguments as for ``schedule.run``.

    Only programs that ask the same bounds for the same problem may race. ``on_step`` sees each bound once.

    Raises:
        EncodingError: A program cannot be read or grounded.
        WrongPlan: A program has a plan that another has refuted.
        RuntimeError: Every process died, killed from outside.
    """
    limits = replace(clock.limits, seconds=clock.remaining)
    racers = {f"racer {number}": entry.encoding for number, entry in enumerate(entries)}
    with ChildProcesses() as children:
        for name, entry in zip(racers, entries, strict=True):
            children.start(name, _run, _Job(replace(entry, facts=entry.made()), bounds, limits))
        return _referee(children, racers, clock, on_step, watch)


def _referee(
    children: ChildProcesses,
    racers: Mapping[str, Encoding],
    clock: Clock,
    on_step: Callable[[Step], None] | None,
    watch: Callable[[], str | None],
) -> Finish:
    """Follow the race, pass refuted bounds on, and report how it ended."""
    best = Outcome()
    answered = False
    try:
        for name, message in children.messages(clock, watch):
            if isinstance(message, Halted):
                best.stopped_by = message.by
                return Finish(best, None)
            if isinstance(message, Step):
                if _note(best, message):
                    if on_step is not None:
                        on_step(message)
                    for other in racers.keys() - {name}:
                        children.send(other, message.t)
            elif isinstance(message, EncodingError):
                raise message
            elif isinstance(message, Outcome):
                answered = True
                if message.stopped_by is None and message.verdict != "unknown":
                    _agree(best, message, racers[name])
                    return Finish(_merged(best, message), racers[name])
                best.stopped_by = message.stopped_by or best.stopped_by
            else:
                assert isinstance(message, Ended)
    except KeyboardInterrupt:
        best.stopped_by = "interrupt"
    if best.stopped_by is None and not answered:
        raise RuntimeError("every process of the race ended without an answer")
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
            schedule.run([job.entry], bounds=job.bounds, clock=clock, on_step=parent.send, refuted=refuted).outcome
        )
    except EncodingError as error:
        parent.send(error)
