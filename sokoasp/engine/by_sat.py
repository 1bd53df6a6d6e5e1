"""A problem solved by SAT solvers: bounds that rise, raced with one question below a plan that is known."""

from __future__ import annotations

import signal
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any

from sokoasp import sat
from sokoasp.core import progress
from sokoasp.core.errors import SokoaspError
from sokoasp.core.limits import Clock
from sokoasp.core.result import Result, Status, Step
from sokoasp.domain import Domain, Problem
from sokoasp.engine.by_asp import Doubt
from sokoasp.engine.meaning import cost
from sokoasp.engine.task import Task
from sokoasp.sat import process
from sokoasp.sat.formulas import formula_of, plan_of
from sokoasp.sat.solver_child import SolverQuestion

STRIDE = {"lines": 3, "slides": 3, "units": 3, "pushes": 4, "moves": 4}
"""Bounds go up by so much: "at most T" skips nothing."""
RISING, BELOW = "CaDiCaL 1.9.5", "Kissat 4.0.4"


@dataclass(slots=True)
class _Known:
    """What is proved so far, and by whom."""

    lower: int
    value: int | None = None
    plan: Any = None
    upper_by: str = ""
    lower_by: str = ""
    steps: list[Step] = field(default_factory=list)
    size: dict[str, int] = field(default_factory=dict)

    @property
    def closed(self) -> bool:
        return self.value is not None and self.lower >= self.value


def by_sat(
    domain: Domain,
    problem: Problem,
    task: Task,
    on_step: Callable[[Step], None] = lambda step: None,
    watch: Callable[[], str | None] = lambda: None,
) -> Result:
    """Solve by SAT: CaDiCaL asks rising bounds of one formula, Kissat one question below the task's known plan.

    Raises:
        MissingExtra: python-sat is not installed.
    """
    sat.require()
    objective, clock = str(task.objective), task.limits.start()
    estimate = domain.estimate(problem, objective)
    if estimate.impossible is not None and task.steps is None:
        told = {"total": clock.elapsed}
        return Result(Status.UNSOLVABLE, objective, "sat", proof=estimate.impossible, seconds=told)
    if task.steps is not None:
        return _exactly(domain, problem, task, clock, watch)
    known = _Known(estimate.bounds.first, lower_by="the matching bound")
    progress.note(bound=known.lower)
    if task.known is not None:
        known.value, known.plan, known.upper_by = cost(domain, problem, task.known, objective), task.known, "given"
    doubt = Doubt(domain, problem, objective, clock, asked=task.doubts and task.known is None)
    stopped: str | None = None
    try:
        if not known.closed:
            stopped = _race(
                domain, problem, task, known, estimate.bounds.last, clock, on_step, lambda: watch() or doubt.check()
            )
    except KeyboardInterrupt:
        stopped = "interrupt"
    if stopped == "bounds" and task.at_most is not None and known.value is None:
        proof = f"{known.lower_by} refuted all bounds up to {task.at_most}"
        none = Result(Status.NO_PLAN, objective, "sat", lower_bound=known.lower, proof=proof)
        return _counted(none, known, clock)
    result = _told(objective, known, stopped, doubt)
    return _counted(result, known, clock)


def _counted(result: Result, known: _Known, clock: Clock) -> Result:
    solving = sum(step.seconds for step in known.steps)
    return replace(
        result, steps=tuple(known.steps), counters=known.size, seconds={"solve": solving, "total": clock.elapsed}
    )


def _race(
    domain: Domain,
    problem: Problem,
    task: Task,
    known: _Known,
    last: int | None,
    clock: Clock,
    on_step: Callable[[Step], None],
    watch: Callable[[], str | None],
) -> str | None:
    """Run the solvers until the bounds meet or a limit is reached; return what stopped them."""
    objective, limits = str(task.objective), task.limits
    last = known.value - 1 if known.value is not None else last
    if task.at_most is not None:
        last = task.at_most if last is None else min(last, task.at_most)
        if known.lower > last:
            return "bounds"
    share = None if limits.memory_mb is None else limits.memory_mb / (1 if known.value is None else 2)
    questions = [
        SolverQuestion(
            problem, objective, known.lower, STRIDE[objective], last, cpu_seconds=limits.seconds, memory_mb=share
        )
    ]
    if known.value is not None:
        below = known.value - 1
        questions.append(SolverQuestion(problem, objective, single=below, cpu_seconds=limits.seconds, memory_mb=share))
    ended: list[int] = []
    with ExitStack() as stack:
        children = [stack.enter_context(process.start(question)) for question in questions]
        for place, event in process.listen(children, clock, watch):
            if "stopped" in event:
                return str(event["stopped"])
            if "verdict" in event:
                _hear(domain, problem, objective, known, event, RISING if place == 0 else BELOW)
                progress.note(stage="solving", bound=known.lower, plan=known.value)
                on_step(known.steps[-1])
            elif "formula" in event:
                progress.note(stage=f"solving {event['clauses']} clauses")
                known.size = {name: int(event[name]) for name in ("variables", "clauses")}
            elif "ended" in event:
                ended.append(event["ended"])
                if event["ended"] == 0 and place == 0 and not known.closed:
                    return "bounds"
            if known.closed:
                return None
    return _cause(ended)


def _cause(codes: list[int]) -> str:
    """Say why solver processes have ended before they were done.

    Raises:
        SokoaspError: For no reason that is a limit.
    """
    if any(code in (-signal.SIGXCPU, -signal.SIGKILL) for code in codes):
        return "time"
    if any(code == -signal.SIGABRT for code in codes):
        return "memory"  # C++ aborts for want of it
    raise SokoaspError(f"the SAT solver's process ended with code {codes} (SOKOASP_DEBUG=1 shows why)")


def _hear(domain: Domain, problem: Problem, objective: str, known: _Known, event: dict[str, Any], solver: str) -> None:
    """Take in an answer: a refuted bound, or a model, which is read as a plan and refereed."""
    bound, verdict = int(event["bound"]), str(event["verdict"])
    known.steps.append(Step(bound, verdict, float(event["seconds"])))
    if verdict == "unsat":
        if bound + 1 > known.lower:
            known.lower, known.lower_by = bound + 1, solver
        return
    formula = formula_of(problem, objective, int(event["top"]))
    plan = plan_of(problem, objective, formula, event["model"])
    value = cost(domain, problem, plan, objective)
    if known.value is None or value < known.value:
        known.value, known.plan, known.upper_by = value, plan, solver


def _told(objective: str, known: _Known, stopped: str | None, doubt: Doubt) -> Result:
    if stopped == "unsolvable" and doubt.result is not None:
        proof = f"by the native search: {doubt.result.proof}"
        return Result(Status.UNSOLVABLE, objective, "sat", proof=proof)
    if known.closed:
        proof = f"fewer refuted by {known.lower_by}, plan by {known.upper_by}"
        if known.upper_by == "given":
            proof = f"fewer refuted by {known.lower_by}, plan given"
        return Result(Status.OPTIMAL, objective, "sat", known.value, int(known.value or 0), known.plan, proof=proof)
    if stopped == "bounds":
        if known.value is None:
            proof = f"every bound up to {known.lower - 1}, the number of states, refuted by {known.lower_by}"
            return Result(Status.UNSOLVABLE, objective, "sat", proof=proof)
        raise SokoaspError("the SAT engine ended with its bounds apart: a bug")
    if known.plan is not None:
        status = Status.SOLVED
    else:
        words = {"memory": Status.MEMORY_OUT, "interrupt": Status.INTERRUPTED}
        status = words.get(str(stopped), Status.TIME_OUT)
    return Result(status, objective, "sat", known.value, known.lower, known.plan, stopped_by=stopped)


def _exactly(domain: Domain, problem: Problem, task: Task, clock: Clock, watch: Callable[[], str | None]) -> Result:
    """Answer the competition's question: a plan of exactly so many actions?"""
    objective, wanted = str(task.objective), int(task.steps or 1) - 1
    question = SolverQuestion(
        problem, objective, single=wanted, exact=True, cpu_seconds=task.limits.seconds, memory_mb=task.limits.memory_mb
    )
    stopped: str | None = None
    known = _Known(0)
    try:
        with process.start(question) as child:
            for _, event in process.listen([child], clock, watch):
                if event.get("verdict") == "unsat":
                    proof = f"{BELOW} refuted a plan of exactly {wanted} {objective}"
                    return Result(Status.NO_PLAN, objective, "sat", proof=proof, seconds={"total": clock.elapsed})
                if event.get("verdict") == "sat":
                    formula = formula_of(problem, objective, wanted)
                    plan = plan_of(problem, objective, formula, event["model"], keep_steps=True)
                    known.plan, known.value = plan, cost(domain, problem, plan, objective)
                    return _counted(Result(Status.SOLVED, objective, "sat", known.value, plan=plan), known, clock)
                stopped = event.get("stopped", stopped)
                if event.get("ended"):
                    stopped = _cause([event["ended"]])
    except KeyboardInterrupt:
        stopped = "interrupt"
    return _counted(
        _told(objective, known, stopped or "memory", Doubt(domain, problem, objective, clock, asked=False)),
        known,
        clock,
    )
