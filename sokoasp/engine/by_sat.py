"""A problem solved by SAT: one solver refutes rising bounds while another looks for a plan below the best one known."""

from __future__ import annotations

import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

from sokoasp import sat
from sokoasp.core import child_processes, errors, progress
from sokoasp.core.bounds import Bounds, certified
from sokoasp.core.limits import Clock, Limits
from sokoasp.core.result import OnStep, Result, Status, Step, Watch
from sokoasp.domain import Game
from sokoasp.engine import engine_process
from sokoasp.engine.asp_result import cost, replaying
from sokoasp.engine.task import Task
from sokoasp.sat import formulas, solver_child
from sokoasp.sokoban.level import Level

STRIDE = {"lines": 3, "pushes": 4}
"""How much a refuted bound is raised for the next question: "at most T" leaves no bound out."""
SOLVERS = {"rising": "CaDiCaL 1.9.5", "below": "CaDiCaL 1.9.5"}
NATIVE = "native"
ALONE = 2.0
"""Seconds the solvers have for themselves before the native search is asked for a plan."""


def by_sat(
    domain: Game, problem: object, task: Task, on_step: OnStep = lambda step: None, watch: Watch = lambda: None
) -> Result:
    """Solve by SAT: one CaDiCaL refutes rising bounds of a formula, another looks for a plan below the best one known.

    That plan is the task's; without one the native search looks for it, unless the task forbids probes.

    Raises:
        WrongOption: There is no formula of this game and objective.
        MissingExtra: python-sat is not installed.
        LevelError: A box or goal of the level is out of the player's reach.
    """
    objective = str(task.objective)
    if not sat.has_formula(problem, objective):
        raise errors.WrongOption(
            f"the sat engine counts {' or '.join(sat.OBJECTIVES)} of sokoban levels, not {objective} of {domain.name}"
        )
    sat.require()
    clock = task.limits.start()
    if task.steps is not None:
        return _exactly(domain, problem, task, clock, watch)
    estimate = domain.known.estimate(problem, objective)
    if estimate.impossible is not None:
        reported = {"total": clock.elapsed}
        return Result(Status.UNSOLVABLE, objective, "sat", proof=estimate.impossible, seconds=reported)
    known = Bounds(problem, objective, replaying(domain, problem, objective))
    known.raise_lower(estimate.bounds.first, estimate.reason or "the start, which is no goal")
    if task.known is not None:
        known.offer(task.known, "given")
    run = _SatRun(problem, task, known, clock, on_step)
    try:
        stopped = None if known.closed() else run.race(estimate.bounds.last, watch)
    except KeyboardInterrupt:
        stopped = "interrupt"
    if stopped == "bounds" and task.at_most is not None and known.upper is None:
        proof = f"{known.lower_by} refuted all bounds up to {task.at_most}"
        return run.counted(Result(Status.NO_PLAN, objective, "sat", lower_bound=known.lower, proof=proof))
    return run.counted(_result(known, stopped, run.note, estimate.bounds.last))


class _SatRun:
    """Solver processes and a process of the native search, which looks for a plan, at work on the same problem."""

    def __init__(self, problem: Level, task: Task, known: Bounds, clock: Clock, on_step: OnStep) -> None:
        self.problem, self.task, self.known = problem, task, known
        self.objective, self.clock, self.on_step = str(task.objective), clock, on_step
        self.parity = formulas.parity(problem, self.objective)
        self.helped = not task.probes or task.known is not None or task.at_most is not None
        """Whether a plan has been asked for, or is not to be."""
        self.steps: list[Step] = []
        self.size: dict[str, int] = {}
        self.codes: list[int] = []
        """Of the solvers that have ended."""
        self.decided: str | None = None
        """``bounds`` or ``unsolvable`` when that is so, or the limit that ended the solvers."""
        self.note: str | None = None
        """What the native search, beside the solvers, has proved."""
        memory = task.limits.memory_mb
        parts = 1 if self.helped and known.upper is None else 2 if self.helped else 3
        self.share = None if memory is None else memory / parts

    def race(self, last: int | None, watch: Watch) -> str | None:
        """Run all until the bounds meet or a limit is reached; return what stopped them."""
        ends = (self.known.upper, None if self.task.at_most is None else self.task.at_most + 1)
        last = min((end - 1 for end in ends if end is not None), default=last)
        if last is not None and self.known.lower > last:
            return "bounds"

        def look() -> str | None:
            self._ask_planner()
            return self.decided or watch()

        rising = self._question(first=self.known.lower, stride=STRIDE[self.objective], last=last)
        with child_processes.ChildProcesses(self._take, look) as self.children:
            solver_child.start(self.children, "rising", rising)
            self._ask_below()
            stopped = self.children.wait(self.clock, self.known.closed)
        return self.decided or stopped

    def _question(self, **asked: Any) -> solver_child.SolverQuestion:
        seconds = self.task.limits.seconds
        return solver_child.SolverQuestion(
            self.problem, self.objective, cpu_seconds=seconds, memory_mb=self.share, **asked
        )

    def _ask_below(self) -> None:
        """Ask for a plan better than the one there is, instead of what was asked before."""
        if self.known.upper is not None:
            self.children.stop("below")
            solver_child.start(
                self.children, "below", self._question(single=self.known.upper - formulas.least_gain(self.parity))
            )

    def _ask_planner(self) -> None:
        """Ask the native search for a plan once the solvers had a while for themselves."""
        if not self.helped and self.clock.elapsed > ALONE:
            self.helped = True
            limits = self.task.limits._replace(seconds=self.clock.remaining, memory_mb=self.share)
            engine_process.start(self.children, NATIVE, self.problem, replace(self.task, limits=limits), quiet=True)

    def _take(self, name: str, message: Any) -> None:
        """Take in what a process sends, until the question is decided; then answers that were on their way alone."""
        if self.known.closed() or (self.decided and not (isinstance(message, dict) and "verdict" in message)):
            return
        if name == NATIVE:
            self._planned(message)
        elif isinstance(message, errors.SokoaspError):
            raise message
        elif isinstance(message, str):
            self.decided = message
        elif isinstance(message, child_processes.Ended):
            self.codes.append(message.code)
            if message.code == 0 and name == "rising":
                self.decided = "bounds"
            elif not any(solver in self.children for solver in SOLVERS):
                self.decided = _cause(self.codes)
        elif "verdict" in message:
            if self._judged(name, message) and name == "below" and not (self.decided or self.known.closed()):
                self._ask_below()
            progress.note(stage="solving", bound=self.known.lower, plan=self.known.upper)
        elif "formula" in message:
            progress.note(stage=f"solving {message['clauses']} clauses")
            self.size = {size: int(message[size]) for size in ("variables", "clauses")}

    def _planned(
        self, message: engine_process.Report | Result | errors.SokoaspError | child_processes.Ended | str
    ) -> None:
        """Take in a plan of the native search, or its proof that there is none; its bounds are not SAT's."""
        if isinstance(message, errors.SokoaspError | child_processes.Ended | str):
            return
        if message.plan is not None and self.known.offer(message.plan, "the native search"):
            self._ask_below()
        if isinstance(message, Result) and message.status is Status.OPTIMAL:
            self.note = f"the native search has proved {self.known.upper} best, SAT has not"
        if isinstance(message, Result) and message.status is Status.UNSOLVABLE:
            self.note, self.decided = message.proof, "unsolvable"

    def _judged(self, name: str, event: dict[str, Any]) -> bool:
        """Take in an answer: a refuted bound, or a model, which is read as a plan and refereed; say whether it is better."""
        known, bound, verdict = self.known, int(event["bound"]), str(event["verdict"])
        self.steps.append(Step(bound, verdict, float(event["seconds"]), int(event["conflicts"])))
        self.on_step(self.steps[-1])
        if verdict == "unsat":
            known.raise_lower(formulas.rounded_up(bound + 1, self.parity), SOLVERS[name])
            return False
        formula = formulas.formula_of(self.problem, self.objective, int(event["top"]))
        plan = formulas.plan_of(self.problem, self.objective, formula, event["model"], keep_steps=False)
        return known.offer(plan, SOLVERS[name])

    def counted(self, result: Result) -> Result:
        """Return the result with the bounds that were tried, the size of the formula and the seconds spent."""
        seconds = {"solve": sum(step.seconds for step in self.steps), "total": self.clock.elapsed}
        counters = {**self.size, "conflicts": sum(step.conflicts for step in self.steps)}
        return replace(result, steps=tuple(self.steps), counters=counters, seconds=seconds)


def _cause(codes: list[int]) -> str:
    """Return the limit that ended solver processes before they were done. Raises SokoaspError: it was no limit."""
    if any(code in child_processes.ENDED_BY_LIMIT for code in codes):
        return "time"
    if any(code == -signal.SIGABRT for code in codes):
        return "memory"  # C++ aborts for want of it
    raise errors.SokoaspError(f"the SAT solver's process ended with code {codes} (SOKOASP_DEBUG=1 shows why)")


def _result(known: Bounds, stopped: str | None, note: str | None, last: int | None) -> Result:
    """Return what bound and plan amount to, with the sentence that says who proved it; ``last`` is the last bound there is."""
    proof, none = None, stopped == "unsolvable"
    if none:
        proof = f"by the native search: {note}"
    elif known.closed():
        proof = known.proof()
    elif stopped == "bounds":
        if known.upper is not None:
            raise errors.SokoaspError("the SAT engine ended with its bounds apart: a bug")
        proof, none = f"every bound up to {last}, one less than the number of states, refuted by {known.lower_by}", True
    if none:
        return certified(known.objective, "sat", None, 0, none=True, proof=proof)
    note, stopped = None if known.closed() else note, stopped or "time"
    return certified(
        known.objective, "sat", known.upper, known.lower, plan=known.plan, stopped_by=stopped, proof=proof, note=note
    )


def _exactly(domain: Game, problem: Level, task: Task, clock: Clock, watch: Watch) -> Result:
    """Answer the competition's question: a plan of exactly N-1 actions?"""
    objective, wanted = str(task.objective), int(task.steps or 1) - 1
    question = solver_child.SolverQuestion(
        problem, objective, single=wanted, exact=True, cpu_seconds=task.limits.seconds, memory_mb=task.limits.memory_mb
    )
    stopped: str | None = None
    try:
        found = solver_child.ask_alone(question, clock, watch)
        if isinstance(found, str):
            stopped = found
        elif isinstance(found, child_processes.Ended):
            stopped = _cause([found.code]) if found.code else None
        elif found["verdict"] == "unsat":
            proof = f"{SOLVERS['below']} refuted a plan of exactly {errors.counted(wanted, objective)}"
            return Result(Status.NO_PLAN, objective, "sat", proof=proof, seconds={"total": clock.elapsed})
        else:
            formula = formulas.formula_of(problem, objective, wanted)
            plan = formulas.plan_of(problem, objective, formula, found["model"], keep_steps=True)
            value, seconds = cost(domain, problem, plan, objective), {"total": clock.elapsed}
            return Result(Status.SOLVED, objective, "sat", value, plan=plan, seconds=seconds)
    except KeyboardInterrupt:
        stopped = "interrupt"
    none = certified(objective, "sat", None, 0, stopped_by=stopped or "memory")
    return replace(none, seconds={"total": clock.elapsed})


def refute(problem: Level, result: Result, folder: Path, limits: Limits) -> str:
    """Write the formula "fewer actions than the proved bound" to a folder, and its refutation; return how that went.

    Raises SokoaspError: the formula has a model, so the bound is false.
    """
    bound = result.lower_bound - 1
    if bound < 0 or result.status is Status.UNSOLVABLE:
        return "none: no number of actions was refuted that a formula could be written for"
    folder.mkdir(parents=True, exist_ok=True)
    question = solver_child.SolverQuestion(
        problem, result.objective, single=bound, proof=folder, cpu_seconds=limits.seconds, memory_mb=limits.memory_mb
    )
    found = solver_child.ask_alone(question, limits.start())
    if isinstance(found, dict) and found["verdict"] == "sat":
        raise errors.SokoaspError(
            f"the formula of at most {errors.counted(bound, result.objective)} has a model, a bug: the bound is false"
        )
    if not isinstance(found, dict):
        return f"none: stopped by {_cause([found.code]) if isinstance(found, child_processes.Ended) else found}"
    return f"at most {errors.counted(bound, result.objective)} refuted in DRAT, {folder}/formula.cnf and proof.drat"
