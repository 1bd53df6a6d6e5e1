"""The portfolio: ASP in this process, the other engines in processes of their own, from the start or after a while.

Plans and bounds of all meet in one record; the first proof wins, also one that is made of the bound of one engine and the plan
of another. It is the engine where none is named; ASP then has a few seconds for itself first.
"""

from __future__ import annotations

from contextlib import ExitStack, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sokoasp.core import bounds
from sokoasp.core.errors import SokoaspError
from sokoasp.core.guard import LimitReached, undisturbed
from sokoasp.core.limits import Clock
from sokoasp.core.result import OnStep, Result, Step
from sokoasp.domain import Game, Problem
from sokoasp.engine.asp_result import replaying
from sokoasp.engine.by_asp import by_asp
from sokoasp.engine.task import Task

if TYPE_CHECKING:
    from sokoasp.engine.engine_process import Engines

FEW, PART = 10.0, 1 / 10
"""Seconds ASP has for itself where no engine is named, and the part of the time limit if that is less."""
WORTH = 2.0
"""Seconds: a time limit up to this is ASP's alone, as starting the others takes up to a second."""
GRACE, LATE = 3.0, 0.7
"""Seconds a member gets to hand in what it has once it is asked to end, and when the time limit has passed."""
DECIDED_ELSEWHERE = "decided"
"""What ends ASP when another member has settled the question."""


def applies(domain: Game, task: Task) -> bool:
    """Return whether others may join ASP after a few seconds: no engine named, nothing only ASP can do, time enough."""
    worth_it = task.limits.seconds is None or task.limits.seconds > WORTH
    own = replace(task, then=()).wants_asp
    return task.engine is None and domain.search.improve is not None and not own and worth_it


def asp_then_all(domain: Game, problem: Problem, task: Task, on_step: OnStep) -> Result:
    """Ask ASP; after a few seconds the native search joins in. Raises SokoaspError: as ``portfolio``."""
    few = FEW if task.limits.seconds is None else min(FEW, PART * task.limits.seconds)
    if not task.then:
        return portfolio(domain, problem, task, on_step, alone=few)
    from sokoasp.engine.ties import asp_then_native

    found = asp_then_native(domain, problem, task, on_step, task.limits._replace(seconds=few))
    return found if found.engine == "asp" else _with_note(found, few, JOINED.format("after"))


def _with_note(found: Result, alone: float, what: str) -> Result:
    """Say in the proof that ASP was not alone."""
    return replace(
        found, proof="; ".join(filter(None, (found.proof, f"ASP had not finished in {alone:.2g} s, {what}")))
    )


JOINED = "so the native search ran {} it (--engine asp asks ASP alone)"
"""What is said of an answer for which ASP was not alone."""
TOO_LATE = "and the time was over before the native search had begun (--engine native asks it alone)"
"""What is said where the others were still being loaded."""


def portfolio(domain: Game, problem: Problem, task: Task, on_step: OnStep, *, alone: float | None = None) -> Result:
    """Run all engines until one decides, bound and plan meet, a limit stops them, or Ctrl-C; join what they know.

    Args:
        domain: The game.
        problem: The level or board.
        task: What is asked; the memory limit is shared by all members.
        on_step: Called with every bound that ASP has tried.
        alone: Seconds ASP has for itself; none where an engine was named.

    Raises SokoaspError: ASP cannot use what it was given, no member has an answer, or one proves what another refutes.
    """
    objective, clock = str(task.objective), task.limits.start()
    known = bounds.Bounds(problem, objective, replaying(domain, problem, objective))

    def noted(step: Step) -> None:
        if step.result == "unsat" and task.encoding is None:  # bounds of a user's own program prove nothing
            known.raise_lower(step.t + 1, "clingo")
        on_step(step)

    stopped: str | None = None
    with ExitStack() as stack:
        run = _Portfolio(problem, task, known, clock, alone or 0.0, stack)
        asked = replace(run.share, engine="asp", probes=task.probes and alone is not None)
        try:
            first = run.answers["asp"] = by_asp(domain, problem, asked, noted, run.watch)
            stopped = "interrupt" if first.stopped_by == "interrupt" else None
            if first.stopped_by not in ("interrupt", "time") and not run.decided:
                run.wait()
        except KeyboardInterrupt:
            stopped = "interrupt"
        late = clock.over() == "time"
        run.collect(LATE if late else GRACE)
    found = _put_together(known, list(run.answers.values()), stopped, late=late)
    if run.engines is not None and alone is not None:
        found = _with_note(found, alone, JOINED.format("beside") if run.engines.begun or not late else TOO_LATE)
    return replace(found, seconds={**found.seconds, "total": clock.elapsed})


class _Portfolio:
    """ASP and the members in other processes; those are started, and what starts them is imported, when they join."""

    def __init__(
        self, problem: Any, task: Task, known: bounds.Bounds, clock: Clock, alone: float, stack: ExitStack
    ) -> None:
        self.problem, self.known, self.clock, self.alone, self.stack = problem, known, clock, alone, stack
        self.names, self.asked_late = others(problem, task), alone > 0
        memory = None if task.limits.memory_mb is None else task.limits.memory_mb / (1 + len(self.names))
        self.share = replace(task, limits=task.limits._replace(memory_mb=memory))
        """The task of one member."""
        self.answers: dict[str, Result | SokoaspError] = {}
        self.engines: Engines | None = None

    @property
    def decided(self) -> bool:
        """Whether a member has settled the question, or bound and plan have met."""
        settled = (isinstance(answer, Result) and answer.status in bounds.DECIDED for answer in self.answers.values())
        return any(settled) or self.known.closed()

    def watch(self) -> str | None:
        """Start the others when it is time, hear what they have sent; return what ends ASP."""
        if self.engines is None and self.names and self.clock.elapsed >= self.alone:
            self._start()
        if self.engines is not None:
            self.engines.hear()
        return DECIDED_ELSEWHERE if self.decided else None

    def wait(self) -> None:
        """Hear the others after ASP has ended undecided, until one decides, all have ended or the time is up."""
        self.alone = 0.0
        self.watch()
        if self.engines is not None:
            self.engines.wait(self.clock, self.known.closed)

    def collect(self, seconds: float) -> None:
        """Ask the others to end and take in what they hand in within ``seconds``."""
        if self.engines is not None:
            with suppress(LimitReached), undisturbed():  # which would leave members behind and lose what they hand in
                for name, message in self.engines.collect(seconds):
                    self.engines.take(name, message)

    def _start(self) -> None:
        from sokoasp.core import kernels
        from sokoasp.engine import engine_process

        if self.asked_late and not kernels.status().there:
            self.names = ()
            return
        self.engines = self.stack.enter_context(engine_process.Engines(self.known, self.answers))
        self.engines.watch = self.watch
        limits = self.share.limits._replace(seconds=self.clock.remaining)
        asks = {"native": engine_process.natively}
        if "sat" in self.names:
            from sokoasp.engine.by_sat import by_sat

            asks["sat"] = by_sat
        for name in self.names:
            # SAT asks the native search for a plan, too: that takes a thread more
            probes = self.share.probes and (name != "sat" or self.share.threads > 3)
            mine = replace(self.share, limits=limits, probes=probes)
            engine_process.start(self.engines, name, self.problem, mine, asks[name])


def others(problem: Any, task: Task) -> tuple[str, ...]:
    """Name the members beside ASP: SAT is one where there is a thread for it, a formula, and python-sat."""
    if task.threads > 2:
        from sokoasp import sat

        if sat.has_formula(problem, str(task.objective)) and sat.available():
            return ("native", "sat")
    return ("native",)


def _put_together(
    known: bounds.Bounds, answers: list[Result | SokoaspError], stopped: str | None, *, late: bool
) -> Result:
    """Return the best plan and bound of all answers and of what was reported on the way."""
    if any(isinstance(answer, Result) for answer in answers) or stopped or late:
        # a member may have had no time to hand in its result
        by, proof = stopped or ("time" if late else "memory"), known.proof() if known.closed() else None
        lower = known.lower if known.upper is None else min(known.lower, known.upper)
        more = {"plan": known.plan, "stopped_by": by, "proof": proof}
        answers = [*answers, bounds.certified(known.objective, "portfolio", known.upper, lower, **more)]
    found = bounds.joined(known.objective, answers, stopped)
    if found.stopped_by == DECIDED_ELSEWHERE:
        found = replace(found, stopped_by=None)
    if late and stopped is None and found.stopped_by == "interrupt":  # a member that was asked to end says so
        found = bounds.ended_by("time", found)
    return found
