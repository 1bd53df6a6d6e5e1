"""The one loop that drives every program: ground, ask for a bound, wait, raise the bound; or ground and ask once.

The loop can be left after a number of conflicts and gone on with later, with all that the solver has learned. So several
programs for the same problem can take turns: none is the only one. Each turn is a number of conflicts that doubles from round
to round. A program is grounded when its first turn comes, so easy problems pay nothing for the others, and a bound that one
has refuted is left out by all. Conflicts are counted, not seconds, so a run is the same on every machine. (An algorithm
portfolio by time slices, Gomes and Selman 2001, with Luby's doubling as its budget.)
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from sokoasp.asp import clingo_api
from sokoasp.asp.catalogue import Encoding
from sokoasp.asp.session import TICK, ClingoOptions, Outcome, Session, Stopped
from sokoasp.core import guard, progress
from sokoasp.core.limits import Clock
from sokoasp.core.result import Horizon, OnStep, Step, Watch

if TYPE_CHECKING:
    from sokoasp.asp.clingo_api import Part, Symbol

__all__ = ["ClingoOptions", "Entry", "Finish", "Outcome", "Session", "Stopped", "Sweep", "run"]

_LOOK_AHEAD = (25, 0.25)
"""Conflicts that may be spent on whether the actions so far can be gone on with at all: a number a bound, and a share of its own.

What is not spent is kept, so that a hard contradiction is found in time and the whole costs a quarter more at most.
"""
_EASY = 100
"""Conflicts of a refutation that may be one of the actions alone.

After a harder one the look is left out, but for every eighth bound: it makes the solver forget where it was (Microban 146:
90,000 conflicts instead of 30,000).
"""
_VERDICTS = {True: "sat", False: "unsat", None: "unknown"}


class Sweep:
    """The bounds of one program in rising order, from the first to the one with an answer; a single program has one bound."""

    def __init__(
        self,
        session: Session,
        bounds: Horizon,
        on_step: OnStep = lambda step: None,
        refuted: Callable[[], int | None] = lambda: None,
    ) -> None:
        self.session = session
        self.outcome = session.outcome
        self.bounds = bounds
        self.bound = bounds.first
        """The bound that is asked for next, or is being asked for."""
        self._on_step, self._elsewhere = on_step, refuted
        self._grounded = -1
        """Steps that are grounded; -1: not even the base."""
        self._query: Symbol | None = None
        """The external of the bound that is being asked for."""
        self._spent = (0, 0.0)
        """Conflicts and seconds at this bound in earlier turns."""
        self._best: Outcome | None = None

    def advance(self, conflicts: int | None = None) -> bool:
        """Go on for about this number of conflicts (None: to the end) and return whether the question is decided.

        Raises:
            Stopped: A limit has been reached.
            EncodingError: The program is not valid.
        """
        if self.session.encoding.mode != "incremental":
            return self._single(conflicts)
        try:
            decided = self._advance(conflicts)
        except (Stopped, KeyboardInterrupt):
            if not (self.outcome.answers and self._cheaper()):
                self._take_best()
            raise
        if decided:
            self._take_best()
        return decided

    def _advance(self, conflicts: int | None) -> bool:
        began = self.outcome.conflicts
        while self.bounds.last is None or self.bound <= self.bounds.last:
            if self._left_out():
                continue
            left = None if conflicts is None else conflicts - (self.outcome.conflicts - began)
            if left is not None and left <= 0:
                return False
            if self._query is None:
                self._open()
            verdict = self._ask(left)
            if verdict is None:
                return False
            if verdict and not self.session.options.longer:
                return True
            if self._closed(verdict):
                break
        return True

    def _take_best(self) -> None:
        """Make the best answer of the bounds so far the answer, where longer plans were looked at too."""
        if self._best is not None:
            for name in ("verdict", "bound", "cost", "priorities", "answers", "complete"):
                setattr(self.outcome, name, getattr(self._best, name))

    def _single(self, conflicts: int | None) -> bool:
        """Ground all of a program that has no bounds and ask it once."""
        session = self.session
        if self._grounded < 0:
            session.ground([("base", [])])
            self._grounded = 0
        configuration: Any = session.control.configuration
        if session.options.models == 1:
            configuration.solve.models = -1  # clasp's own default: one answer, or with #minimize all up to the best
        else:
            configuration.solve.models = session.options.models
            configuration.solve.opt_mode = "optN"
        return self._ask(conflicts) is not None

    def _left_out(self) -> bool:
        """Leave the bounds out that another program has refuted, and return whether there were any."""
        refuted = self._elsewhere()
        if refuted is None or refuted < self.bound:
            return False
        self.outcome.verdict = _VERDICTS[False]
        self._release()
        while self.bound <= refuted:
            self.outcome.refuted = self.outcome.bound = self.bound
            self.bound += self.bounds.stride
        return True

    def _open(self) -> None:
        """Ground what the bound wants that is not there yet, and have it asked for."""
        session = self.session
        first: list[Part] = []
        if self._grounded < 0:
            _configure(session)
            first = [("base", [])]
        session.ground([*first, *clingo_api.steps(max(self._grounded, 0) + 1, self.bound)])
        self._grounded = self.bound
        self._query = clingo_api.query(self.bound)
        session.control.assign_external(self._query, True)
        if self._best is not None:
            session.only_better(self._best, self._query)

    def _release(self) -> None:
        """Give up the bound that was asked for: what was learned under it is kept where it holds for others."""
        if self._query is not None:
            self.session.control.release_external(self._query)
        self._query, self._spent = None, (0, 0.0)

    def _ask(self, conflicts: int | None) -> bool | None:
        """Solve at the bound and, when that decides it, write down what it cost."""
        session, outcome = self.session, self.outcome
        began = time.perf_counter()
        outcome.bound = self.bound
        progress.note(stage="solving")  # the bound that is proved stands beside it, and may be of another program
        try:
            verdict = session.solve(conflicts=conflicts)
        except (Stopped, KeyboardInterrupt):
            outcome.verdict = _VERDICTS[None]
            seconds = self._spent[1] + time.perf_counter() - began
            made = self._spent[0] + session.last_conflicts
            outcome.steps.append(Step(self.bound, outcome.verdict, seconds, made, session.encoding.name))
            raise
        spent = (self._spent[0] + session.last_conflicts, self._spent[1] + time.perf_counter() - began)
        outcome.verdict = _VERDICTS[verdict]
        if verdict is None and conflicts is not None:
            self._spent = spent
            return None
        step = Step(self.bound, outcome.verdict, spent[1], spent[0], session.encoding.name)
        outcome.steps.append(step)
        self._on_step(step)
        return verdict

    def _closed(self, verdict: bool) -> bool:
        """Note what a bound has brought, go on to the next, and return whether no longer plan can come."""
        outcome, session = self.outcome, self.session
        if verdict and self._cheaper():
            self._best = replace(outcome)
        if self._best is None:
            outcome.refuted = self.bound
        self._release()
        if session.control.is_conflicting or (session.options.constraints and _nothing_longer(session)):
            # Contradictory with no bound asked for: not even the actions up to here are possible, so no longer plan is.
            outcome.exhausted = True
            return True
        self.bound += self.bounds.stride
        return False

    def _cheaper(self) -> bool:
        """Return whether the answer costs less than the best; a priority that a bound's ground program lacks costs 0."""
        if self._best is None:
            return True
        costs = [dict(zip(one.priorities, one.cost or (), strict=True)) for one in (self.outcome, self._best)]
        levels = sorted(costs[0].keys() | costs[1].keys(), reverse=True)
        first, second = ([cost.get(level, 0) for level in levels] for cost in costs)
        return first < second


def _configure(session: Session) -> None:
    """Have clasp give as many answers as are wanted, and the best where something is minimised."""
    configuration: Any = session.control.configuration
    configuration.solve.models = session.options.models
    if session.options.preferences and session.options.models == 1:
        configuration.solve.models = 0  # all better ones up to the best
    elif session.options.preferences:
        configuration.solve.opt_mode = "optN"


def _nothing_longer(session: Session) -> bool:
    """Return whether there is proved to be no longer plan, whatever bound is asked for; False if it is not seen at once.

    The externals of bounds to come are left open meanwhile, so that what is said of the plan's length excludes nothing.
    """
    control = session.control
    each, share = _LOOK_AHEAD
    conflicts = sum(step.conflicts for step in session.outcome.steps[-1:])
    session.look_ahead += each + share * conflicts
    if conflicts > _EASY and len(session.outcome.steps) % 8:
        return False
    configuration: Any = control.configuration
    kept = [configuration.solve.models, configuration.solve.opt_mode]
    atoms = control.symbolic_atoms
    # going through all atoms takes longer than the look ahead
    signatures = [one[:2] for one in atoms.signatures if one[0] in ("query", "horizon_at_least")]
    waiting = [atom.symbol for one in signatures for atom in atoms.by_signature(*one) if atom.is_external]
    for symbol in waiting:
        control.assign_external(symbol, None)
    configuration.solve.models, configuration.solve.opt_mode = 1, "ignore"
    configuration.solve.solve_limit = f"{int(session.look_ahead)},umax"
    with session.begin(lambda: control.solve(async_=True)) as handle:
        while not handle.wait(TICK):
            session.check()
        none = bool(handle.get().unsatisfiable)
    # not after a limit or Ctrl-C: clingo may be at it still, and nothing more is asked
    session.look_ahead = max(0.0, session.look_ahead - session.conflicts())
    configuration.solve.models, configuration.solve.opt_mode = kept
    configuration.solve.solve_limit = "umax,umax"
    for symbol in waiting:
        control.assign_external(symbol, False)
    return none


FIRST_TURN = 20_000
"""Conflicts of a program's first turn."""


Program = Encoding | Callable[[], Encoding]
"""A program, or what loads it when its turn comes."""


class Entry(NamedTuple):
    """One program, its facts, and how clingo is run."""

    program: Program
    facts: str | Callable[[Encoding], str]
    """The facts, or what makes them when the program is grounded."""
    options: ClingoOptions = ClingoOptions()
    once: int = 0
    """Conflicts of its only turn, which is short: the others go on without it. 0: it takes turns to the end."""

    def opened(self, clock: Clock, watch: Watch) -> Session:
        """Load the program, make its facts, and return a session of both."""
        encoding = self.program if isinstance(self.program, Encoding) else self.program()
        facts = self.facts if isinstance(self.facts, str) else self.facts(encoding)
        return Session(encoding, facts, self.options, clock, watch)


class Finish(NamedTuple):
    """How it ended; ``winner`` is the program whose answer or last refutation decided it, None if nobody decided."""

    outcome: Outcome
    winner: Encoding | None
    programs: Sequence[Encoding] = ()
    """Those that had a turn."""


def run(
    entries: Sequence[Entry],
    *,
    bounds: Horizon,
    clock: Clock,
    on_step: OnStep = lambda step: None,
    watch: Watch = lambda: None,
    turn: int | None = None,
) -> Finish:
    """Run programs in turns of ``turn`` conflicts (default: ``FIRST_TURN``), doubling, until one has decided.

    A single program runs to its end. Only programs that ask the same bounds for the same problem may take turns. ``on_step``
    sees each bound once. ``watch`` is called about every 50 ms; a reason it returns ends the run as ``stopped_by``, as Ctrl-C
    does (``interrupt``).
    EncodingError if a program cannot be read or grounded.
    """
    sweeps: list[Sweep] = []
    alone, turn, decided = len(entries) == 1, turn or FIRST_TURN, False
    sweep = None
    try:
        while not decided:
            for number, entry in enumerate(entries):
                if number == len(sweeps):
                    sweeps.append(Sweep(entry.opened(clock, watch), bounds, on_step, lambda: _largest(sweeps)))
                elif entry.once:
                    continue
                sweep = sweeps[number]
                decided = sweep.advance(None if alone else entry.once or turn) or alone
                if decided:
                    break
            turn *= 2
    except Stopped:
        guard.done()
    except KeyboardInterrupt:
        guard.done()
        if sweep is None:
            return Finish(Outcome(stopped_by="interrupt"), None)
        sweep.outcome.stopped_by = "interrupt"
    assert sweep is not None
    winner = sweep.session.encoding if decided else None
    return Finish(_joined(sweeps, sweep), winner, [one.session.encoding for one in sweeps])


def _largest(sweeps: Sequence[Sweep]) -> int | None:
    """Return the largest bound that anyone has refuted."""
    return max((one.outcome.refuted for one in sweeps if one.outcome.refuted is not None), default=None)


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
