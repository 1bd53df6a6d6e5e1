"""A plan of a level in the words of the planning task that the level came from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sokoasp.core.result import Result
from sokoasp.engine import Task, solve
from sokoasp.planning.recognise import Recognised, recognise
from sokoasp.sokoban import rules
from sokoasp.sokoban.level import Cell

Step = tuple[str, tuple[str, ...]]
"""An action of the task: its name and its objects."""


@dataclass(frozen=True, slots=True)
class TaskAnswer:
    """What became of a planning task."""

    task: Recognised
    result: Result
    steps: tuple[Step, ...] | None
    """The plan in the task's own actions; None without one."""


def answer(problem: Any, wishes: Task | None = None) -> TaskAnswer:
    """Recognise a unified-planning problem, solve it as a level, and give the plan in its own actions.

    Raises:
        NoSokoban: The task is no Sokoban.
    """
    task = recognise(problem)
    found = solve(task.level, wishes or Task(engine="native"), objective=task.objective)
    return TaskAnswer(task, found, None if found.plan is None else tuple(steps_of(task, found.plan.lurd)))


def steps_of(task: Recognised, lurd: str) -> Iterator[Step]:
    """Yield the task's actions of a move string."""
    boxes = dict(task.boxes)
    for before, direction, after in rules.replay(task.level, lurd):
        beyond = after.player.step(direction)
        pushed = after.boxes != before.boxes
        home = beyond in task.level.goals
        what = "move" if not pushed else "push home" if home and "push home" in task.match.actions else "push"
        box = ""
        if pushed and boxes:
            box = boxes[beyond] = boxes.pop(after.player)
        cells = [before.player, after.player, beyond]
        yield _step(task, what, cells if pushed else cells[:2], task.directions[direction], box)


def _step(task: Recognised, what: str, cells: list[Cell], direction: str, box: str) -> Step:
    """Return one action with its objects in the order of its parameters."""
    names = [task.cells[cell] for cell in cells]
    places = dict(zip(("from", "to") if len(cells) == 2 else ("behind", "from", "to"), names, strict=True))
    objects = {**places, "d": direction, "p": task.player or "", "s": box}
    role_of = {name: role for role, name in task.match.parameters[what].items()}
    action = task.match.actions[what]
    return action, tuple(objects[role_of[name]] for name in task.order[action])


def write(found: TaskAnswer) -> str:
    """Return the plan as the competitions want it: one action a line, its cost as a comment."""
    lines = [f"({' '.join((name, *objects))})" for name, objects in found.steps or ()]
    cost = found.task.price * (found.result.value or 0)
    kind = "unit" if (found.task.objective, found.task.price) == ("moves", 1) else "general"
    return "\n".join([*lines, f"; cost = {cost} ({kind} cost)"]) + "\n"
