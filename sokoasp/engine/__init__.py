"""Where a game meets a solver: a problem and a task in, a refereed and cross-checked result out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from sokoasp.core import progress
from sokoasp.core.bounds import limit_named, met, status_of, with_bound
from sokoasp.core.errors import EncodingError
from sokoasp.core.guard import cause, guarded
from sokoasp.core.limits import Clock, Limits
from sokoasp.core.result import INTERRUPTED, STOPPED, Question, Result, Status, Step
from sokoasp.domain import Domain, L, P, Problem, domain_of
from sokoasp.engine import portfolio
from sokoasp.engine.asp_result import question_of
from sokoasp.engine.by_asp import by_asp
from sokoasp.engine.checking import (
    CROSS_CHECK_SECONDS,
    against_table,
    blamed,
    counts_of,
    cross_check,
    refereed,
    remembering,
)
from sokoasp.engine.report import as_json
from sokoasp.engine.task import QUESTIONS, Task, said

LEAST = "the plan meets the bound that is known without a search"
"""What is said where such a bound proves a plan best."""

__all__ = ["CROSS_CHECK_SECONDS", "Task", "as_json", "counts_of", "improve", "solve"]


def _unwatched() -> str | None:
    """Let a run go on."""
    return None


def solve(
    problem: Problem,
    task: Task | None = None,
    *,
    on_step: Callable[[Step], None] = lambda step: None,
    watch: Callable[[], str | None] = _unwatched,
    notify: Callable[[str], None] | None = None,
    **wishes: Any,
) -> Result:
    """Solve a level or board and return a result whose plan the referee has replayed.

    Args:
        problem: The level or board.
        task: What is asked.
        on_step: Called with every bound that was tried (by ASP).
        watch: Called often (by ASP); a reason that it returns ends the run, as ``stopped_by``.
        notify: Called with one sentence when something takes time, such as the compilation of the native search.
        **wishes: Fields of the task, such as ``objective="pushes"``.

    Raises:
        EncodingError: The encoding or the constraints cannot be used.
        WrongPlan: The engine's plan is illegal or costs something else than it claims (``WrongEncoding`` of an encoding).
        MissingExtra: The engine needs an extra that is not installed.
        IllegalPlan: The known plan breaks a rule.
    """
    task = _wished(task, wishes)
    domain = remembering(domain_of(problem))
    objective = task.objective or domain.objectives[0]
    for objection in task.objections(domain):
        raise EncodingError(said(objection))
    asked = replace(task, objective=objective, engine=task.engine or ("asp" if task.wants_asp else domain.engine))
    clock = task.limits.start()
    run = Run(domain, problem, asked, clock, on_step, watch, notify)
    if watch is _unwatched and portfolio.applies(domain, task):
        run = run._replace(engine=portfolio.asp_then_all)
    least = _least(domain, problem, asked)
    progress.note(stage="preparing", bound=least)
    with guarded(task.limits.of_this_machine().start()) as guard:
        try:
            found = _stages(run)
            found = with_bound(limit_named(guard.fired, found), least, LEAST)
        except KeyboardInterrupt as ended:
            found = _nothing(domain, problem, asked, clock, cause(ended))
    return found if found.question is not None else replace(found, question=_question(asked, found))


def _wished(task: Task | None, wishes: dict[str, Any]) -> Task:
    """Return the task with the wishes. Raises TypeError: it is none, or a wish is none."""
    if not isinstance(task, Task | None):
        raise TypeError(f"the task is a Task, not {task!r}; wishes have names, such as objective='pushes'")
    return replace(task or Task(), **wishes)


class Run(NamedTuple):
    """One question on its way through the stages."""

    domain: Domain[Any, Any]
    problem: Problem
    task: Task
    clock: Clock
    on_step: Callable[[Step], None]
    watch: Callable[[], str | None]
    notify: Callable[[str], None] | None
    engine: Callable[[Domain[Any, Any], Any, Task, Callable[[Step], None]], Result] | None = None
    """The roster of who names none; None asks the task's engine."""


def _stages(run: Run) -> Result:
    """Go from the question to its answer, a stage a line: what is known, engine, shortening, referee, question, cross-check."""
    domain, problem, task = run.domain, run.problem, run.task
    if task.known is not None:
        domain.validate(problem, task.known, None)
    run = run._replace(clock=task.limits.start())
    result = _answered(run)
    result = refereed(domain, problem, run.task, result)
    if getattr(problem, "steps", None) is not None:
        from sokoasp.engine.competition_question import with_own_question

        result = with_own_question(domain, problem, run.task, result, run.clock)
    check = against_table(domain, problem, run.task, result) or cross_check(
        domain, problem, run.task, result, run.clock
    )
    blamed(run.task, result, check)
    stopped = "interrupt" if check is not None and check.note == INTERRUPTED else result.stopped_by
    return replace(result, cross_check=check, stopped_by=stopped)


def _answered(run: Run) -> Result:
    """Ask whoever is to answer: a game's own answer set or formula, the roster of who names no engine, or the engine named."""
    domain, problem, task = run.domain, run.problem, run.task
    objective, clock = str(task.objective), run.clock
    if task.answers is not None and domain.known.from_answers is not None:
        found = domain.known.from_answers(problem, objective, task.answers)
        return replace(found, seconds={"total": clock.elapsed})
    if run.engine is not None:
        return run.engine(domain, problem, task, run.on_step)
    if task.engine == "asp":
        return by_asp(domain, problem, task, run.on_step, run.watch)
    if task.engine == "portfolio":
        return portfolio.portfolio(domain, problem, task, run.on_step)
    if task.engine == "sat":
        from sokoasp.engine.by_sat import by_sat

        return by_sat(domain, problem, task, run.on_step, run.watch)
    return _native(domain, problem, task, run.notify)


def _least(domain: Domain[P, Any], problem: P, task: Task) -> int:
    """Return a bound that needs no tables, 0 where another question than that for one best plan was asked."""
    return 0 if task.given((*QUESTIONS, "encoding")) else domain.known.least(problem, str(task.objective))


def _nothing(domain: Domain[P, Any], problem: P, task: Task, clock: Clock, what: str) -> Result:
    """Return what is known when a limit is reached before the engine knows anything: a bound without tables, the given plan."""
    objective, lower = str(task.objective), _least(domain, problem, task)
    found = Result(STOPPED[what], objective, str(task.engine), lower_bound=lower, stopped_by=what)
    if task.known is not None:
        counts = domain.validate(problem, task.known, None)
        value = counts[objective]
        found = replace(found, status=Status.SOLVED, value=value, plan=task.known, counts=counts)
        found = replace(found, lower_bound=min(lower, value))
    return replace(found, seconds={"total": clock.elapsed})


def _question(task: Task, found: Result) -> Question | None:
    """Answer what was asked by ``steps`` or ``at_most`` where the engine has answered without saying so."""
    by = "there is no plan of any length" if found.status is Status.UNSOLVABLE else found.engine
    return question_of(task, found, by)


def _native(domain: Domain[P, Any], problem: P, task: Task, notify: Callable[[str], None] | None) -> Result:
    """Ask a native engine; where it was stopped without a plan the one that was given stands, with the bound that was proved."""
    objective = str(task.objective)
    if task.then:
        if domain.search.break_ties is None:
            raise EncodingError(f"{domain.name} breaks no ties natively")
        return domain.search.break_ties(problem, (objective, *task.then), task.limits)
    found = domain.search.native[str(task.engine)](problem, objective, task.limits, task.known, notify)
    if task.known is None or found.stopped_by is None or found.plan is not None:
        return found
    value = domain.validate(problem, task.known, None)[objective]
    status = status_of(value, found.lower_bound)
    if status is Status.OPTIMAL:
        found = replace(found, proof=met(value, found.engine, "given"), stopped_by=None)
    return replace(found, status=status, value=value, plan=task.known)


def improve(domain: Domain[P, L], problem: P, plan: L, objective: str, limits: Limits) -> Result:
    """Shorten a valid plan under limits that hold whatever takes the time; nothing better found, it comes back as it was.

    Raises:
        MissingExtra: The game's own search needs an extra that is not installed.
    """
    domain, clock = remembering(domain), limits.start()
    assert domain.search.improve is not None
    least = domain.known.least(problem, objective)
    found: Result | None = None
    with guarded(clock) as guard:
        try:
            found = domain.search.improve(problem, plan, objective, limits, None)
            found = limit_named(guard.fired, found)
        except KeyboardInterrupt as ended:
            stopped = cause(ended)
    if found is None or found.plan is None:
        stopped = stopped if found is None else found.stopped_by or "interrupt"
        found = _as_given(domain, problem, plan, objective, stopped)
    counts = domain.validate(problem, found.plan, None)
    found = with_bound(found, least, LEAST)
    return replace(found, counts=counts, seconds={**found.seconds, "total": clock.elapsed})


def _as_given(domain: Domain[P, Any], problem: P, plan: L, objective: str, stopped: str) -> Result:
    """Return the result of a run that ended before it had looked at the plan."""
    value = domain.validate(problem, plan, None)[objective]
    return Result(Status.SOLVED, objective, "improve", value=value, plan=plan, stopped_by=stopped)
