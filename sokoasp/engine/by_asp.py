"""A problem solved by clingo: what is asked of the driver, and what its outcome means."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from sokoasp.asp import catalogue, multishot
from sokoasp.asp.catalogue import Encoding
from sokoasp.asp.multishot import Bounds, Outcome
from sokoasp.core.errors import EncodingError, IllegalPlan, WrongEncoding
from sokoasp.core.limits import Clock, Limits
from sokoasp.core.result import Result, Status, Step
from sokoasp.domain import Domain, Problem
from sokoasp.engine.task import Task

DOUBTS = ((0.1, 0.5), (2.0, 5.0))
"""After so many seconds without an answer the native search is asked, for so long, whether there is a plan at all."""


def by_asp(
    domain: Domain,
    problem: Problem,
    task: Task,
    on_step: Callable[[Step], None],
    watch: Callable[[], str | None],
) -> Result:
    """Solve by clingo alone: estimate, facts, tables, the bound loop, and what its outcome means.

    Raises:
        EncodingError: The encoding or the constraints cannot be used.
        WrongEncoding: The encoding's plan is illegal.
    """
    objective = str(task.objective)
    clock = task.limits.start()
    encodings = _encodings(domain, problem, task)
    if task.steps is not None or task.constraints:
        encodings = [one.exact for one in encodings]
    encoding = encodings[0]
    estimate = domain.estimate(problem, objective)
    if estimate.impossible is not None and not (task.steps or task.constraints):
        return Result(
            Status.UNSOLVABLE,
            objective,
            "asp",
            proof=estimate.impossible,
            encoding=encoding.name,
            seconds={"total": clock.elapsed},
        )
    steps = _steps(problem, task, encoding)
    known = None if task.known is None else cost(domain, problem, task.known, objective)
    bounds = _bounds(estimate.bounds, task, encoding, steps, known)
    plain = domain.facts(problem, steps if encoding.mode == "single" else None)
    options = _options(task, alone=len(encodings) == 1)
    entries = [(e, plain + _tables(domain, problem, objective, e)) for e in encodings]
    _check_constraints(task, entries)
    prepared = clock.elapsed
    doubt = Doubt(
        domain, problem, objective, clock, asked=task.doubts and task.steps is None and encoding.mode == "incremental"
    )
    outcome, encoding = _run(entries, options, bounds, clock, on_step, lambda: watch() or doubt.check())
    seconds = {
        "prepare": prepared,
        "ground": outcome.ground_seconds,
        "solve": outcome.solve_seconds,
        "total": clock.elapsed,
    }
    result = _asp_result(domain, problem, task, encoding, bounds, outcome, doubt)
    return replace(
        result, encoding=encoding.name, seconds=seconds, steps=tuple(outcome.steps), counters=outcome.counters
    )


def _run(
    entries: Sequence[tuple[Encoding, str]],
    options: multishot.Options,
    bounds: Bounds,
    clock: Clock,
    on_step: Callable[[Step], None],
    watch: Callable[[], str | None],
) -> tuple[Outcome, Encoding]:
    """Run the program with its facts here, or race several in processes; return the outcome and the program that decided."""
    first, facts = entries[0]
    if len(entries) > 1:
        from sokoasp.asp import race

        racers = [race.Entry(encoding, text, options) for encoding, text in entries]
        finish = race.race(racers, bounds=bounds, clock=clock, on_step=on_step, watch=watch)
        return finish.outcome, finish.winner or first
    outcome = multishot.run(first, facts, bounds=bounds, clock=clock, options=options, on_step=on_step, watch=watch)
    return outcome, first


def _check_constraints(task: Task, entries: Sequence[tuple[Encoding, str]]) -> None:
    """Refuse constraints that would say nothing; what that takes is imported when there are any."""
    if task.constraints:
        from sokoasp.asp import constraints

        for encoding, facts in entries:
            constraints.check(task.constraints, encoding, facts)


def _tables(domain: Domain, problem: Problem, objective: str, encoding: Encoding) -> str:
    return "".join(domain.tables[name](problem, objective) for name in encoding.tables)


def _options(task: Task, *, alone: bool) -> multishot.Options:
    return multishot.Options(
        models=task.models,
        threads=task.threads if alone else 1,
        configuration=task.configuration,
        seed=task.seed,
        arguments=task.arguments,
        constraints=task.constraints,
    )


def _encodings(domain: Domain, problem: Problem, task: Task) -> list[Encoding]:
    """Return the programs to run, several to race when there are threads for it.

    The one that is named; else the plain one where the public predicates are wanted or the question is about one length; else
    the game's choice.
    """
    objective = str(task.objective)
    if task.encoding is not None:
        names = [task.encoding]
    elif task.constraints:
        names = [objective]
    elif task.steps is not None:
        names = ["competition"] if objective == "lines" else [objective]
    else:
        # a race keeps only the winner's last word: who wants several plans gets clasp's own threads
        names = domain.encodings(problem, objective, task.threads if task.models == 1 else 1)
    return [catalogue.find(name, domain.name, objective) for name in names]


def _steps(problem: Problem, task: Task, encoding: Encoding) -> int | None:
    """Return the number of competition steps a single program is to read.

    Raises:
        EncodingError: The program wants steps and there are none.
    """
    steps = task.steps if task.steps is not None else getattr(problem, "steps", None)
    if encoding.mode == "single" and steps is None:
        raise EncodingError(f"encoding {encoding.name!r} answers for a given number of steps: give --steps N")
    return steps


def _bounds(bounds: Bounds, task: Task, encoding: Encoding, steps: int | None, known: int | None) -> Bounds:
    if encoding.mode == "single":
        return Bounds(first=(steps or 1) - 1)
    if task.steps is not None:
        return Bounds(first=task.steps - 1, last=task.steps - 1)
    if encoding.summary == catalogue.OWN:
        bounds = Bounds(last=bounds.last)
    last = None if task.constraints else bounds.last
    if known is not None:
        last = known - 1 if last is None else min(last, known - 1)
    return replace(bounds, last=last)


class Doubt:
    """Asks the native search, seldom and with a budget, whether an undecided problem is solvable at all."""

    def __init__(self, domain: Domain, problem: Problem, objective: str, clock: Clock, *, asked: bool) -> None:
        self.pending = list(DOUBTS) if asked else []
        self.clock = clock
        self.ask: Callable[[Limits], Result] = lambda limits: domain.second(problem, objective, limits, False)
        self.result: Result | None = None

    def check(self) -> str | None:
        """Return ``"unsolvable"`` as soon as that is proved, ``"interrupt"`` if that came meanwhile."""
        if not self.pending or self.clock.elapsed < self.pending[0][0]:
            return None
        _, budget = self.pending.pop(0)
        left = self.clock.remaining
        if left is not None and left < 2 * budget:
            return None
        self.result = self.ask(Limits(seconds=budget))
        if self.result.status is Status.OPTIMAL:
            self.pending.clear()
        if self.result.stopped_by == "interrupt":
            return "interrupt"
        return "unsolvable" if self.result.status is Status.UNSOLVABLE else None


def _asp_result(
    domain: Domain,
    problem: Problem,
    task: Task,
    encoding: Encoding,
    bounds: Bounds,
    outcome: Outcome,
    doubt: Doubt,
) -> Result:
    """Say what an outcome means: which status, which bound, and why."""
    objective = str(task.objective)
    keep = encoding.mode == "single" or task.steps is not None
    plans, value = _decoded(domain, problem, objective, encoding, outcome, keep)
    if task.constraints and not keep and any(cost(domain, problem, p, objective) != outcome.bound for p in plans):
        # what the constraints keep apart, such as two line pushes of one cell each, must not be told as one action
        plans, value = _decoded(domain, problem, objective, encoding, outcome, True)
    lower = bounds.first if encoding.mode == "incremental" and encoding.summary != catalogue.OWN else 0
    if outcome.refuted is not None and task.steps is None:
        lower = outcome.refuted + bounds.stride

    def result(status: Status, proof: str | None = None, lower_bound: int = lower) -> Result:
        return Result(
            status,
            objective,
            "asp",
            value=value,
            lower_bound=value if status is Status.OPTIMAL and value is not None else lower_bound,
            plan=plans[0] if plans else None,
            plans=plans if task.models != 1 else (),
            proof=proof,
            stopped_by=outcome.stopped_by,
        )

    if outcome.stopped_by == "unsolvable" and doubt.result is not None:
        proven = result(Status.UNSOLVABLE, f"by the native search: {doubt.result.proof}", 0)
        return replace(proven, stopped_by=None)
    if plans:
        return _with_plan(result, task, encoding, outcome, value)
    if task.known is not None and task.steps is None and encoding.mode == "incremental":
        return _known(domain, problem, task, encoding, bounds, outcome, lower)
    given = _constrained(task)
    if outcome.verdict == "unsat" and outcome.stopped_by is None:
        if encoding.mode == "single" or task.steps is not None:
            return result(Status.NO_PLAN, f"clingo refuted bound {outcome.bound}{given} ({encoding.name})", 0)
        if outcome.exhausted:
            return result(
                Status.UNSOLVABLE,
                f"clingo proved that no sequence of {outcome.refuted} actions exists{given} ({encoding.name})",
                0,
            )
        return result(Status.UNSOLVABLE, f"clingo refuted every bound up to {bounds.last}, the number of states", 0)
    if outcome.stopped_by is None and bounds.last is not None and bounds.first > bounds.last:
        return result(Status.UNSOLVABLE, "the lower bound exceeds the number of states", 0)
    stopped = {"memory": Status.MEMORY_OUT, "interrupt": Status.INTERRUPTED}.get(
        str(outcome.stopped_by), Status.TIME_OUT
    )
    return result(stopped)


def _with_plan(
    result: Callable[..., Result], task: Task, encoding: Encoding, outcome: Outcome, value: int | None
) -> Result:
    if encoding.mode == "single":
        best = outcome.cost is not None and outcome.complete and outcome.stopped_by is None
        proof = "clingo closed the search for a better answer set" if best else None
        return result(Status.OPTIMAL if best else Status.SOLVED, proof)
    if task.steps is not None:
        return result(Status.SOLVED)
    if value != outcome.bound:
        if encoding.summary == catalogue.OWN:
            # its steps are not one action each, so its bounds prove nothing
            return result(Status.SOLVED, lower_bound=0)
        raise WrongEncoding(
            f"encoding {encoding.name!r} gave a plan of {value} {task.objective} at bound {outcome.bound}"
        )
    return result(Status.OPTIMAL, f"clingo refuted every smaller bound{_constrained(task)} ({encoding.name})")


def _constrained(task: Task) -> str:
    return " under the given constraints" if task.constraints else ""


def _known(
    domain: Domain, problem: Problem, task: Task, encoding: Encoding, bounds: Bounds, outcome: Outcome, lower: int
) -> Result:
    """Say how far the caller's plan is proved: optimal when every smaller bound is refuted."""
    objective = str(task.objective)
    value = cost(domain, problem, task.known, objective)
    done = outcome.stopped_by is None and (outcome.verdict == "unsat" or bounds.first >= value)
    proof = f"clingo refuted every bound below the given plan ({encoding.name})" if done else None
    return Result(
        Status.OPTIMAL if done else Status.SOLVED,
        objective,
        "asp",
        value=value,
        lower_bound=value if done else min(lower, value),
        plan=task.known,
        proof=proof,
        stopped_by=outcome.stopped_by,
    )


def _decoded(
    domain: Domain, problem: Problem, objective: str, encoding: Encoding, outcome: Outcome, keep: bool
) -> tuple[tuple[Any, ...], int | None]:
    """Return the distinct plans of the answers, and what the first of them costs."""
    try:
        found = (domain.decode(problem, atoms, encoding.index, keep) for atoms in outcome.answers)
        plans = tuple(dict.fromkeys(found))
        return plans, cost(domain, problem, plans[0], objective) if plans else None
    except IllegalPlan as error:
        raise WrongEncoding(f"encoding {encoding.name!r} gave an illegal plan: {error}") from error


def cost(domain: Domain, problem: Problem, plan: Any, objective: str) -> int:
    """Return what the referee counts.

    Raises:
        IllegalPlan: The plan breaks a rule.
    """
    return domain.validate(problem, plan, None)[objective]
