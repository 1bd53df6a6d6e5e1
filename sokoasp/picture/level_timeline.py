"""A Sokoban plan as a timeline (see ``sokoasp.render.timeline``): what each move displaces."""

from __future__ import annotations

from typing import Any

from sokoasp.sokoban.level import Direction, Level
from sokoasp.sokoban.plan import Plan
from sokoasp.sokoban.rules import replay


def timeline(level: Level, plan: Plan) -> dict[str, Any]:
    """Turn a plan into its timeline.

    Raises:
        IllegalPlan: The plan breaks the rules.
    """
    name = {cell: f"b{number}" for number, cell in enumerate(sorted(level.boxes))}
    moves: list[list[list[Any]]] = []
    actions: list[list[Any]] = []
    lines, pushes, line_counts, push_counts = 0, 0, [0], [0]
    previous: tuple[str, Direction] | None = None
    for number, (before, direction, after) in enumerate(replay(level, plan.lurd), 1):
        drow, dcol = direction.value
        moved = [["p", drow, dcol]]
        pushed = after.boxes != before.boxes
        if pushed:
            box = name.pop(after.player)
            name[after.player.step(direction)] = box
            moved.append([box, drow, dcol])
            pushes += 1
            if previous == (box, direction):
                actions[-1][0] += 1
            else:
                lines += 1
                actions.append([number, f"{after.player.row},{after.player.col} {direction.name}"])
        previous = (box, direction) if pushed else None
        moves.append(moved)
        line_counts.append(lines)
        push_counts.append(pushes)
    _lengths(actions, push_counts)
    return {
        "moves": moves,
        "actions": actions,
        "goals": [list(cell) for cell in sorted(level.goals)],
        "counts": [["lines", line_counts], ["pushes", push_counts], ["moves", list(range(len(moves) + 1))]],
    }


def _lengths(actions: list[list[Any]], push_counts: list[int]) -> None:
    """Add to each line push how far it goes."""
    before = 0
    for action in actions:
        action[1] += f" {push_counts[action[0]] - before}"
        before = push_counts[action[0]]
