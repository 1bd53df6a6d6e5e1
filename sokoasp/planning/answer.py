"""A plan of a level in the words of the planning task that the level came from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sokoasp.core.errors import WrongPlan
from sokoasp.core.result import Result
from sokoasp.engine import Task, solve
from sokoasp.planning.recognise import Recognised, recognise
from sokoasp.planning.replay import Step, replay
from sokoasp.planning.task import PlanningTask
from sokoasp.sokoban import rules
from sokoasp.sokoban.level import Cell


@dataclass(frozen=True, slots=True)
class TaskAnswer:
    """What became of a planning task."""

    task: Recognised
    result: Result
    steps: tuple[Step, ...] | None
    """The plan in the task's own actions; None without one."""
    cost: int | None = None
    """What the plan costs in the task's metric."""


def answer(task: PlanningTask, wishes: Task | None = None) -> TaskAnswer:
    """Recognise a task, solve it as a level, and give the plan in its own actions, in which it was carried out.

    Raises:
        NoSokoban: The task is no Sokoban.
        WrongPlan: The plan is none of the task, or its cost is another: the recognition was wrong.
    """
    known = recognise(task)
    found = solve(known.level, wishes or Task(engine="native"), objective=known.objective)
    if found.plan is None:
        return TaskAnswer(known, found, None)
    steps = tuple(steps_of(known, found.plan.lurd))
    cost = replay(task, steps)
    claimed = known.price * (found.value or 0)
    if cost != claimed:
        raise WrongPlan(f"the plan costs {cost} in the task's own actions, and {claimed} as a level", legal=True)
    return TaskAnswer(known, found, steps, cost)


def steps_of(known: Recognised, lurd: str) -> Iterator[Step]:
    """Yield the task's actions of a move string."""
    boxes = dict(known.boxes)
    for before, direction, after in rules.replay(known.level, lurd):
        beyond = after.player.step(direction)
        pushed = after.boxes != before.boxes
        home = beyond in known.level.goals
        what = "move" if not pushed else "push home" if home and "push home" in known.match.actions else "push"
        box = ""
        if pushed and boxes:
            box = boxes[beyond] = boxes.pop(after.player)
        cells = [before.player, after.player, beyond]
        yield _step(known, what, cells if pushed else cells[:2], known.directions[direction], box)


def _step(known: Recognised, what: str, cells: list[Cell], direction: str, box: str) -> Step:
    """Return one action with its objects in the order of its parameters."""
    names = [known.cells[cell] for cell in cells]
    places = dict(zip(("from", "to") if len(cells) == 2 else ("behind", "from", "to"), names, strict=True))
    objects = {**places, "d": direction, "p": known.player, "s": box}
    role_of = {name: role for role, name in known.match.parameters[what].items()}
    action = known.match.actions[what]
    return action.name, tuple(objects[role_of[one.name]] for one in action.parameters)


def write(found: TaskAnswer) -> str:
    """Return the plan as the competitions want it: one action a line, its cost as a comment."""
    lines = [f"({' '.join((name, *objects))})" for name, objects in found.steps or ()]
    kind = "unit" if (found.task.objective, found.task.price) == ("moves", 1) else "general"
    return "\n".join([*lines, f"; cost = {found.cost} ({kind} cost)"]) + "\n"
