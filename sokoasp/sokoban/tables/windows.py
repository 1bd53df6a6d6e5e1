"""The table ``windows``: for a single box, how far each place is from the start and from the goals."""

from __future__ import annotations

from sokoasp.sokoban.facts import name_of
from sokoasp.sokoban.level import DIRECTIONS, Level
from sokoasp.sokoban.tables.relaxed import distances, game


def windows(level: Level, objective: str) -> str:
    """Return the single-box facts; a place without a fact can hold no box in any plan.

    - ``goal_at(L,N)``: a box on L needs at least N actions to a goal.
    - ``goal_after(L,D,N)``: the same just after a box was pushed to L in direction D.
    - ``start_at(L,N)``: at least N actions pass before a box is on L.
    - ``start_before(L,D,N)``: at least N actions pass before the player can push a box on L in direction D.
    """
    small = game(level, objective)
    found = distances(level, small, 1)
    name = name_of(level)
    facts = []
    for cell in sorted(level.floor):
        boxes = (small.bit(cell),)
        states = [(boxes, i) for i in range(len(small.split(boxes))) if (boxes, i) in found.from_start]
        if not states:
            continue
        here = name[cell]
        facts.append(f"goal_at({here},{min(found.to_goal[s] for s in states)}).")
        facts.append(f"start_at({here},{min(found.from_start[s] for s in states)}).")
        for direction, delta in zip(DIRECTIONS, small.deltas, strict=True):
            stand = boxes[0] - delta
            state = small.state(boxes, stand) if small.floor >> stand & 1 else None
            if state not in found.from_start:
                continue
            facts.append(f"goal_after({here},{direction.name},{found.to_goal[state]}).")
            facts.append(f"start_before({here},{direction.name},{found.from_start[state]}).")
    return "\n".join(facts) + "\n"
