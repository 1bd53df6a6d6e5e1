"""What a solver is asked, bound after bound, and what it answers: the same records for every game and engine."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple


class Atom(NamedTuple):
    """A shown atom, its arguments as text."""

    name: str
    args: tuple[str, ...]


class Horizon(NamedTuple):
    """Which bounds to ask for: from ``first``, every ``stride``-th, up to ``last`` (None: no end but the limits)."""

    first: int = 0
    stride: int = 1
    last: int | None = None


class Status(StrEnum):
    """How a run ended."""

    OPTIMAL = "optimal"
    """A plan, and a proof that no better one exists."""
    SOLVED = "solved"
    """A plan, not proved best."""
    UNSOLVABLE = "unsolvable"
    """Proved: no plan of any length."""
    NO_PLAN = "no_plan"
    """Proved: no plan within the bound that was asked for."""
    TIME_OUT = "time_out"
    MEMORY_OUT = "memory_out"
    INTERRUPTED = "interrupted"
    ERROR = "error"


EXIT_CODES: Mapping[Status, int] = {
    Status.OPTIMAL: 0,
    Status.SOLVED: 0,
    Status.UNSOLVABLE: 11,
    Status.NO_PLAN: 12,
    Status.TIME_OUT: 20,
    Status.MEMORY_OUT: 21,
    Status.INTERRUPTED: 130,
    Status.ERROR: 1,
}


class Step(NamedTuple):
    """One bound that was tried: its verdict and what it cost."""

    t: int
    result: str
    """``"sat"``, ``"unsat"`` or ``"unknown"``."""
    seconds: float
    conflicts: int = 0
    by: str = ""
    """The logic program that decided it; empty where only one ran."""


OnStep = Callable[[Step], None]
"""Is called with every bound that was tried."""
Watch = Callable[[], str | None]
"""Is asked now and then for the word of what is to end a run, None while it may go on."""


class CrossCheck(NamedTuple):
    """What a second, independent engine says; ``agrees`` is None when it was skipped or could not decide."""

    engine: str
    value: int | None
    agrees: bool | None
    note: str = ""
    plan: Any = None
    """The second engine's plan, if it has one."""

    @classmethod
    def cut_short(cls, engine: str) -> CrossCheck:
        """Return what stands for a cross-check that Ctrl-C has ended."""
        return cls(engine, None, None, "interrupted: skipped")

    @property
    def interrupted(self) -> bool:
        """Return whether Ctrl-C has ended it."""
        return self == self.cut_short(self.engine)


class Question(NamedTuple):
    """A yes-or-no question about plans of one length, such as a competition file asks by its steps, and its answer."""

    actions: int
    answer: str
    """``"yes"``, ``"no"`` or ``"open"``."""
    by: str | None = None
    """What answers it, or why it was given up; None while it is open."""
    exactly: bool = True
    """Whether plans of exactly this number of actions were asked for; else of at most this number."""
    plan: Any = None
    """A plan of that length, where it is another than the result's own."""


class Cost(NamedTuple):
    """What a plan costs beside its length, by preferences and tie-breaks."""

    preferences: tuple[tuple[int, int], ...]
    """(priority, cost) of the user's own, the highest priority first."""
    then: tuple[str, ...]
    """The objectives that break ties, in their order; what they count is among the counts of the plan."""
    proved: bool
    """Whether no plan that was asked for costs less."""


@dataclass(frozen=True, slots=True)
class Result:
    """An answer with its certificates: a replayed plan (upper bound) and a proved lower bound.

    ``value`` and ``lower_bound`` count the objective (lines, pushes, moves, slides or units). The status is ``optimal`` only
    when they meet, whatever engine each came from.
    """

    status: Status
    objective: str
    engine: str
    value: int | None = None
    lower_bound: int = 0
    plan: Any = None
    """A ``sokoban.Plan`` or a tuple of Klotski slides; None without a plan."""
    counts: Mapping[str, int] = field(default_factory=dict)
    """What the plan costs by every objective of its game, as the referee counted when it replayed it; empty until then."""
    plans: tuple[Any, ...] = ()
    """All enumerated plans when several were asked for."""
    count: int | None = None
    """How many best plans there are, when that was asked."""
    question: Question | None = None
    """What ``steps``, ``at_most`` or the file's own steps ask, answered."""
    cost: Cost | None = None
    """What the plan costs beside its length; None if nothing else was minimised."""
    note: str | None = None
    """A remark on what was not answered."""
    encoding: str | None = None
    proof: str | None = None
    """One sentence: why the status holds and who proved it."""
    stopped_by: str | None = None
    """``"time"``, ``"memory"``, ``"interrupt"``, ``"steps"`` or ``"states"`` when a limit ended the run."""
    seconds: Mapping[str, float] = field(default_factory=dict)
    steps: tuple[Step, ...] = ()
    counters: Mapping[str, int] = field(default_factory=dict)
    """Engine-specific counts: expanded, generated, atoms, rules, conflicts, peak_mb."""
    cross_check: CrossCheck | None = None

    @property
    def all_plans(self) -> tuple[Any, ...]:
        """Return the plans that were enumerated, else the one there is, if any."""
        return self.plans or (() if self.plan is None else (self.plan,))

    @property
    def exit_code(self) -> int:
        """Return the process exit code of this answer (130 when interrupted, 1 on disagreement, 10 for a cut-short proof)."""
        if self.cross_check is not None and self.cross_check.agrees is False:
            return 1
        if self.stopped_by == "interrupt":
            return 130
        if self.status is Status.SOLVED and self.stopped_by is not None:
            return 10
        return EXIT_CODES[self.status]

    def uninterrupted(self) -> Result:
        """Return the result; KeyboardInterrupt if Ctrl-C cut it short, for callers to whom such a one says nothing."""
        if self.stopped_by == "interrupt":
            raise KeyboardInterrupt
        return self


def require_objective(objective: str, known: Collection[str]) -> None:
    """Refuse an objective that the game does not count. Raises ValueError."""
    if objective not in known:
        raise ValueError(f"no objective {objective!r}; there are {', '.join(known)}")


STOPPED: Mapping[str, Status] = {
    "time": Status.TIME_OUT,
    "memory": Status.MEMORY_OUT,
    "states": Status.MEMORY_OUT,
    "steps": Status.NO_PLAN,
    "interrupt": Status.INTERRUPTED,
}
"""How a run ended that found no plan, by what stopped it."""
