"""Several programs for the same problem take turns in this process: none is the only one, and the answer is reproducible.

Each turn is a number of conflicts that doubles from round to round. A program is grounded when its first turn comes, so easy
problems pay nothing for the others; a bound that one has refuted is left out by all, and what a program has learned stays its
own from turn to turn. (An algorithm portfolio by time slices, Gomes and Selman 2001, with Luby's doubling as its budget; in
conflicts, so that the run does not depend on the machine.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from sokoasp.asp.catalogue import Encoding
from sokoasp.asp.multishot import ClingoOptions, Outcome, Stopped, Sweep, opened
from sokoasp.core.horizon import Horizon
from sokoasp.core.limits import Clock
from sokoasp.core.result import Step

FIRST_TURN = 10_000
"""Conflicts of a program's first turn."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One program, its facts, and how clingo is run."""

    encoding: Encoding
    facts: str | Callable[[], str]
    """The facts, or what makes them when the program is grounded."""
    options: ClingoOptions = field(default_factory=ClingoOptions)
    after: int = 0
    """Conflicts of the others before its turn, the last one, comes: it has no end. 0: it takes turns from the start."""
    available: Callable[[], bool] | None = None
    """Asked when that turn comes: whether what it needs is installed (None: it needs nothing)."""

    def due(self, conflicts: int) -> bool:
        """Return whether its first turn has come, given the conflicts of the others."""
        return conflicts >= self.after and (self.available is None or self.available())

    def made(self) -> str:
        """Return the facts."""
        return self.facts if isinstance(self.facts, str) else self.facts()


@dataclass(frozen=True, slots=True)
class Finish:
    """How it ended; ``winner`` is the program whose answer or last refutation decided it, None if nobody decided."""

    outcome: Outcome
    winner: Encoding | None


def run(
    entries: Sequence[Entry],
    *,
    bounds: Horizon,
    clock: Clock,
    on_step: Callable[[Step], None] | None = None,
    watch: Callable[[], str | None] = lambda: None,
    refuted: Callable[[], int | None] = lambda: None,
    turn: int | None = None,
) -> Finish:
    """Run programs in turns of ``turn`` conflicts (default: ``FIRST_TURN``), doubling, until one has decided.

    A single program runs to its end: one solve call, or the bound loop of an incremental one. Only programs that ask the same
    bounds for the same problem may share a schedule. ``on_step`` sees each bound once. ``watch`` is called about every 50 ms;
    a reason it returns ends the run as ``stopped_by``, as Ctrl-C does (``interrupt``). ``refuted`` is called as often and
    returns the largest bound that has been refuted elsewhere; bounds up to it are left out.

    Raises:
        EncodingError: A program cannot be read or grounded.
    """
    sweeps: list[Sweep] = []
    alone, turn, decided = len(entries) == 1, turn or FIRST_TURN, False
    sweep, known = None, partial(_largest, sweeps, refuted)
    try:
        while not decided:
            for number, entry in enumerate(entries):
                if number == len(sweeps):
                    if not entry.due(sum(one.outcome.conflicts for one in sweeps)):
                        continue
                    session = opened(entry.encoding)(entry.encoding, entry.made(), entry.options, clock, watch, known)
                    sweeps.append(Sweep(session, bounds, on_step or (lambda step: None)))
                sweep = sweeps[number]
                decided = sweep.advance(None if alone or entry.after else turn) or alone
                if decided:
                    sweep.session.close()
                    break
            turn *= 2
    except Stopped:
        pass
    except KeyboardInterrupt:
        if sweep is not None:
            sweep.outcome.stopped_by = "interrupt"
    if sweep is None:
        return Finish(Outcome(stopped_by="interrupt"), None)
    return Finish(_joined(sweeps, sweep), sweep.session.encoding if decided else None)


def _largest(sweeps: Sequence[Sweep], elsewhere: Callable[[], int | None] = lambda: None) -> int | None:
    """Return the largest bound that anyone has refuted."""
    bounds = (elsewhere(), *(one.outcome.refuted for one in sweeps))
    return max((bound for bound in bounds if bound is not None), default=None)


def _joined(sweeps: Sequence[Sweep], last: Sweep) -> Outcome:
    """Return the outcome of the program that ran last with what all of them refuted and what all of them cost."""
    outcomes, found = [sweep.outcome for sweep in sweeps], last.outcome
    found.refuted = _largest(sweeps)
    found.steps = sorted((step for one in outcomes for step in one.steps), key=lambda step: step.t)
    found.ground_seconds = sum(one.ground_seconds for one in outcomes)
    found.solve_seconds = sum(one.solve_seconds for one in outcomes)
    found.conflicts = sum(one.conflicts for one in outcomes)
    found.counters["conflicts"] = found.conflicts
    return found
