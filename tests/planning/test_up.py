"""sokoasp as an engine of unified-planning, and unified-planning's validator as a second referee of our plans."""

from __future__ import annotations

import random
from typing import Any

import pytest

pytest.importorskip("unified_planning", reason="the extra [planners] is not installed")

from unified_planning.engines import SequentialPlanValidator
from unified_planning.io import PDDLReader
from unified_planning.plans import ActionInstance, SequentialPlan
from unified_planning.shortcuts import Always, Int, MinimizeActionCosts, Not, OneshotPlanner, get_environment

from sokoasp.core.result import Result, Status
from sokoasp.engine import Task
from sokoasp.planning import up
from sokoasp.planning.answer import TaskAnswer, answer
from sokoasp.planning.task import task_of
from sokoasp.planning.text import Source
from sokoasp.sokoban import formats
from sokoasp.sokoban.formats import pddl
from tests.planning import tasks
from tests.planning.mutants import mutant
from tests.sokoban.strategies import random_level

get_environment().credits_stream = None
(HALL,) = formats.read("#######\n#  .  #\n#@$$  #\n#  .  #\n#######\n")


def task(texts: tuple[str, str]) -> Any:
    return PDDLReader().parse_problem_string(*texts)


def valid(problem: Any, plan: SequentialPlan) -> bool:
    plain = problem.clone()
    # it cannot raise a cost that has no first value, which PDDL allows
    for cost in plain.fluents:
        if not cost.type.is_bool_type():
            plain.set_initial_value(cost(), 0)
    plain.clear_quality_metrics()
    return bool(SequentialPlanValidator().validate(plain, plan))


def solved(problem: Any) -> Any:
    up.register()
    with OneshotPlanner(name="sokoasp", params={"engine": "reference"}) as planner:
        return planner.solve(problem)


def test_plans_are_valid_by_unified_planning_too() -> None:
    """Tasks that are read here from their text; the other reader and referee never see ours."""
    rng = random.Random(3)
    seen = 0
    for number in range(40):
        level = random_level(rng)
        texts = tasks.competition(level, rng) if number % 2 else (pddl.DOMAIN, pddl.write_problem(level))
        found = answer(task_of(*(Source("", text) for text in texts)), Task(engine="reference"))
        if found.steps is None:
            continue
        problem = task(texts)
        objects = problem.environment.expression_manager.ObjectExp
        steps = [
            ActionInstance(problem.action(name), tuple(objects(problem.object(one)) for one in given))
            for name, given in found.steps
        ]
        assert valid(problem, SequentialPlan(steps))
        seen += 1
    assert seen >= 5


def test_the_engine_solves_and_refuses() -> None:
    problem = task(tasks.competition(HALL, random.Random(2)))
    found = solved(problem)
    assert found.status.name == "SOLVED_OPTIMALLY"
    assert valid(problem, found.plan)
    problem.add_trajectory_constraint(Always(Not(problem.goals[0])))
    refused = up.SokoaspEngine()._solve(problem)
    assert refused.status.name == "UNSUPPORTED_PROBLEM"
    assert "a constraint on the way" in refused.log_messages[0].message


def test_names_that_pddl_cannot_have_come_back() -> None:
    empty = "(define (problem p) (:domain sokoasp-sokoban) (:init) (:goal (and)))"
    problem = task((pddl.DOMAIN, empty))
    cell, direction = (problem.user_type(name) for name in ("cell", "direction"))
    a, b, c = (problem.add_object(name, cell) for name in ("The Cell", "the_cell", "1?"))
    ways = problem.add_object("Right!", direction), problem.add_object("not", direction)
    for one, other, d in ((a, b, 0), (b, a, 1), (b, c, 0), (c, b, 1)):
        problem.set_initial_value(problem.fluent("next")(one, other, ways[d]), True)
    for name, one in (("player", a), ("box", b), ("free", a), ("free", c)):
        problem.set_initial_value(problem.fluent(name)(one), True)
    problem.add_goal(problem.fluent("box")(c))
    found = solved(problem)
    assert found.status.name == "SOLVED_OPTIMALLY" and valid(problem, found.plan)


@pytest.mark.parametrize("costs", [[{"push": -1}], [{"push": 1}, {"move": 1}], [{"push": 1, "move": 2}]])
def test_costs_that_count_neither_pushes_nor_moves(costs: list[dict[str, int]]) -> None:
    """What is paid back for each push asks for the most of them; of two metrics neither is the task's alone."""
    problem = task(tasks.competition(HALL, random.Random(2)))
    walk = next(action.name for action in problem.actions if len(action.parameters) == 4)
    problem.clear_quality_metrics()
    for one in costs:
        of = {a: Int(one.get("move" if a.name == walk else "push", 0)) for a in problem.actions}
        problem.add_quality_metric(MinimizeActionCosts(of))
    refused = up.SokoaspEngine()._solve(problem)
    assert refused.status.name == "UNSUPPORTED_PROBLEM"


def test_the_engine_never_ends_in_an_error_of_its_own() -> None:
    """Mutants that unified-planning's reader takes: solved with a plan that its validator takes, or refused."""
    seen = set()
    for seed in range(30):
        try:
            problem = task(mutant(seed, changed=seed % 3).texts)
        except Exception:  # the reader refuses legal names, in errors of many kinds
            continue
        found = up.SokoaspEngine(engine="reference")._solve(problem)
        seen.add(found.status.name)
        assert found.plan is None or valid(problem, found.plan), seed
    assert seen == {"SOLVED_OPTIMALLY", "UNSOLVABLE_PROVEN", "UNSUPPORTED_PROBLEM"}


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (Status.UNSOLVABLE, "UNSOLVABLE_PROVEN"),
        (Status.TIME_OUT, "TIMEOUT"),
        (Status.NO_PLAN, "UNSOLVABLE_INCOMPLETELY"),
    ],
)
def test_what_unified_planning_hears_of_a_task_without_a_plan(
    monkeypatch: pytest.MonkeyPatch, status: Status, said: str
) -> None:
    given: list[float | None] = []

    def answered(problem: object, wishes: Task) -> object:
        given.append(wishes.limits.seconds)
        return TaskAnswer(None, Result(status, "moves", "native"), None)  # type: ignore[arg-type]

    monkeypatch.setattr(up, "answer", answered)
    problem = task((pddl.DOMAIN, pddl.write_problem(HALL)))
    assert up.SokoaspEngine()._solve(problem, timeout=3.0).status.name == said
    assert given == [3.0]
