"""The question that a competition file asks by its own steps: is there a plan of exactly n-1 actions?"""

from __future__ import annotations

from dataclasses import replace

from sokoasp.asp import catalogue
from sokoasp.core.limits import Clock, Limits
from sokoasp.core.result import Question, Result, Status
from sokoasp.domain import Game, Problem
from sokoasp.engine.asp_result import question_of
from sokoasp.engine.by_asp import by_asp
from sokoasp.engine.task import Task

PATIENCE = 10.0
"""Seconds that a program gets for the file's question, or as long as the optimum took, where there is no other limit."""


def with_own_question(domain: Game, problem: Problem, task: Task, result: Result, clock: Clock) -> Result:
    """Answer the file's question beside the one that was asked, if the file has one and it is about the same actions.

    The optimum answers it when it is longer; when it is not, its plan may be cut into more actions, else a program is asked.
    """
    steps = getattr(problem, "steps", None)
    asked_otherwise = task.steps is not None or task.at_most is not None or task.constraints
    if steps is None or asked_otherwise or result.objective != domain.objectives[0] or result.stopped_by == "interrupt":
        return result
    encoding = catalogue.encodings().get(task.encoding) if task.encoding is not None else None
    if task.encoding is not None and encoding is None:
        return result
    if encoding is not None and encoding.mode == "single":  # then it is what was answered
        return replace(result, question=question_of(replace(task, steps=steps), result, f"clingo, {encoding.name}"))
    try:
        return replace(result, question=_answered(domain, problem, task, result, steps - 1, clock))
    except KeyboardInterrupt:
        return replace(result, question=Question(steps - 1, "open"), stopped_by="interrupt")


def _answered(domain: Game, problem: Problem, task: Task, result: Result, actions: int, clock: Clock) -> Question:
    best = result.value
    if result.status is Status.UNSOLVABLE:
        return Question(actions, "no", "there is no plan of any length")
    if result.lower_bound > actions:
        return Question(actions, "no", f"every plan has at least {result.lower_bound}")
    if best is not None and result.plan is not None and best <= actions:
        if best == actions:
            return Question(actions, "yes", "the plan")
        longer = domain.asp.stretch(problem, result.plan, actions) if domain.asp.stretch is not None else None
        if longer is not None:
            domain.validate(problem, longer, actions + 1)
            return Question(actions, "yes", "the plan, with long actions cut into several", plan=longer)
    left = clock.remaining
    if result.stopped_by is not None or left == 0:
        return Question(actions, "open")
    patience = max(PATIENCE, clock.elapsed)
    limits = Limits(patience if left is None else left, task.limits.memory_mb)
    asked = replace(task, engine="asp", steps=actions + 1, models=1, count=False, then=(), known=None, limits=limits)
    found = by_asp(domain, problem, asked)
    question = found.question or Question(actions, "open")
    if left is None and found.stopped_by == "time":
        question = question._replace(by=f"given up after {patience:.0f} s; --steps {actions + 1} asks it alone")
    return question._replace(plan=found.plan)
