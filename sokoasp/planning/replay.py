"""The referee of planning tasks: a plan is carried out in the task's own actions, by the text of the task alone.

Nothing here knows of Sokoban or of what was recognised.
"""

from __future__ import annotations

from collections.abc import Iterable

from sokoasp.core.errors import WrongPlan
from sokoasp.planning.formula import holds
from sokoasp.planning.task import PlanningTask

Step = tuple[str, tuple[str, ...]]
"""An action of the task: its name and its objects."""


def replay(task: PlanningTask, steps: Iterable[Step]) -> int:
    """Carry out a plan and return its cost in the task's metric.

    Raises WrongPlan: an action may not be carried out, or the goal does not hold at the end.
    """
    facts = set(task.facts)
    cost = 0
    for number, (name, objects) in enumerate(steps, 1):
        action = task.actions.get(name)
        told = f"action {number} of the plan, ({' '.join((name, *objects))}),"
        if action is None or len(objects) != len(action.parameters):
            raise WrongPlan(f"{told} is none of the task")
        for parameter, thing in zip(action.parameters, objects, strict=True):
            if not task.words.is_of(thing, parameter.types):
                raise WrongPlan(f"{told} has {thing} for {parameter.name}, which is of another type")
        binding = dict(zip((one.name for one in action.parameters), objects, strict=True))
        if not holds(action.condition, facts, binding, task.words.of_types):
            raise WrongPlan(f"{told} may not be carried out: its precondition does not hold")
        facts.difference_update(atom.ground(binding) for atom in action.deletes)
        facts.update(atom.ground(binding) for atom in action.adds)
        cost += task.cost(action)
    if not holds(task.goal, facts, {}, task.words.of_types):
        raise WrongPlan("the goal of the task does not hold at the end of the plan")
    return cost
