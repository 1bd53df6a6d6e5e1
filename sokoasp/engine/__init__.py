"""Where a game meets a solver: a problem and a task in, a refereed and cross-checked result out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from sokoasp.core import bounds, guard, progress
from sokoasp.core.limits import Limits
from sokoasp.core.result import OnStep, Result, Status, Watch
from sokoasp.domain import Game, Problem, domain_of
from sokoasp.engine import checking, portfolio
from sokoasp.engine.asp_result import question_of
from sokoasp.engine.by_asp import by_asp
from sokoasp.engine.report import as_json
from sokoasp.engine.task import Task, wished

UNSEARCHED = "known without a search"
"""What proves the bound that is there before any engine is asked."""

counts_of = checking.counts_of
__all__ = ["Task", "as_json", "counts_of", "improve", "solve"]


def _unwatched() -> str | None:
    """Let a run go on."""
    return None


def solve(
    problem: Problem,
    task: Task | None = None,
    *,
    on_step: OnStep = lambda step: None,
    watch: Watch = _unwatched,
    **wishes: Any,
) -> Result:
    """Solve a level or board and return a result whose plan the referee has replayed.

    Args:
        problem: The level or board.
        task: What is asked.
        on_step: Called with every bound that was tried (by ASP).
        watch: Called often (by ASP); a reason that it returns ends the run, as ``stopped_by``.
        **wishes: Fields of the task (``help(sokoasp.Task)``), such as ``objective="pushes"`` or ``limits=Limits(seconds=9)``.

    Raises:
        WrongOption: This cannot be asked of the game, such as an objective that it does not have.
        EncodingError: The encoding or the constraints cannot be used.
        WrongPlan: The engine's plan is illegal or costs something else than it claims (``WrongEncoding`` of an encoding).
        MissingExtra: The engine needs an extra that is not installed.
        IllegalPlan: The known plan breaks a rule.
    """
    task = wished(domain := checking.remembering(domain_of(problem)), task, wishes)
    asked = replace(task, engine=task.engine or ("asp" if task.wants_asp else domain.engine))
    asked = replace(asked, objective=task.objective or domain.objectives[0])
    clock = task.limits.start()
    least = domain.known.least(problem, str(asked.objective)) if task.plain else 0
    progress.note(stage="preparing", bound=least)

    def answered() -> Result:
        if watch is _unwatched and portfolio.applies(domain, task):
            return portfolio.asp_then_all(domain, problem, asked, on_step)
        return _asked(domain, problem, asked, on_step, watch)

    with guard.guarded(task.limits.of_this_machine().start()) as watched:
        try:
            found = _checked(domain, problem, asked, answered)
            found = bounds.limit_named(watched.fired, found)
        except KeyboardInterrupt as ended:
            found = replace(_interrupted(domain, problem, asked, guard.cause(ended)), seconds={"total": clock.elapsed})
    found = bounds.with_bound(found, least, UNSEARCHED)
    by = "there is no plan of any length" if found.status is Status.UNSOLVABLE else found.engine
    return found if found.question is not None else replace(found, question=question_of(asked, found, by))


def _interrupted(domain: Game, problem: Problem, task: Task, stopped: str) -> Result:
    """Return what is known when the work was interrupted before it had an answer: the plan that was given, if any."""
    found = bounds.certified(str(task.objective), str(task.engine), None, 0, stopped_by=stopped)
    return found if task.known is None else _with_given(domain, problem, task.known, found)


def _checked(domain: Game, problem: Problem, task: Task, answered: Callable[[], Result]) -> Result:
    """Go from the question to its answer, a stage a line: known plan, engine, referee, the file's question, cross-check."""
    if task.known is not None:
        domain.validate(problem, task.known, None)
    clock = task.limits.start()
    result = answered()
    guard.done()
    result = checking.refereed(domain, problem, task, result)
    if getattr(problem, "steps", None) is not None:
        from sokoasp.engine.competition_question import with_own_question

        result = with_own_question(domain, problem, task, result, clock)
    check = checking.cross_check(domain, problem, task, result, clock)
    if check is None or check.agrees is None:
        check = checking.against_table(domain, problem, task, result) or check
    stopped = "interrupt" if check is not None and check.interrupted else result.stopped_by
    result = replace(result, cross_check=check, stopped_by=stopped)
    if task.cross_check is not False:
        checking.blamed(task, result)
    return result


def _asked(domain: Game, problem: Problem, task: Task, on_step: OnStep, watch: Watch) -> Result:
    """Ask whoever is to answer: a game's own answers made before, or the engine that is named."""
    objective = str(task.objective)
    if task.answers is not None and domain.known.from_answers is not None:
        clock = task.limits.start()
        found = domain.known.from_answers(problem, objective, task.answers)
        return replace(found, seconds={"total": clock.elapsed})
    if task.engine == "asp":
        return by_asp(domain, problem, task, on_step, watch)
    if task.engine == "portfolio":
        return portfolio.portfolio(domain, problem, task, on_step)
    if task.engine == "sat":
        from sokoasp.engine.by_sat import by_sat

        return by_sat(domain, problem, task, on_step, watch)
    if task.then:
        from sokoasp.engine.ties import best_of_best

        return best_of_best(domain, problem, (objective, *task.then), task.limits)
    found = domain.search.native[str(task.engine)](problem, objective, task.limits, task.known)
    if task.known is None or found.stopped_by is None or found.plan is not None:
        return found
    return _with_given(domain, problem, task.known, found)


def _with_given(domain: Game, problem: Problem, plan: Any, found: Result) -> Result:
    """Return what a run that was stopped without a plan has proved, with the plan that it was given."""
    counts = domain.validate(problem, plan, None)
    value = counts[found.objective]
    kept = replace(found, status=Status.SOLVED, value=value, lower_bound=0, plan=plan, counts=counts)
    return bounds.with_bound(
        kept, min(found.lower_bound, value), found.engine, bounds.met(value, found.engine, "given")
    )


def improve(domain: Game, problem: Problem, plan: Any, objective: str, limits: Limits) -> Result:
    """Shorten a valid plan under limits that hold whatever takes the time; nothing better found, it comes back as it was.

    Raises MissingExtra: the game's own search needs an extra that is not installed.
    """
    domain, clock = checking.remembering(domain), limits.start()
    assert domain.search.improve is not None
    least, why = domain.known.least(problem, objective), UNSEARCHED
    found = Result(Status.INTERRUPTED, objective, "improve")
    with guard.guarded(clock) as watched:
        try:
            (least, *_), _, why = domain.known.estimate(problem, objective)
            found = domain.search.improve(problem, plan, objective, limits)
            found = bounds.limit_named(watched.fired, found)
        except KeyboardInterrupt as ended:
            found = replace(found, stopped_by=guard.cause(ended))
    if found.plan is None:
        found = _with_given(domain, problem, plan, found)
    counts = domain.validate(problem, found.plan, None)
    found = bounds.with_bound(found, least, why)
    return replace(found, counts=counts, seconds={**found.seconds, "total": clock.elapsed})
