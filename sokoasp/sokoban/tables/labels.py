"""The table ``labels``: for each labelled box, alone on the map, how far each cell is from its own goal."""

from __future__ import annotations

from collections.abc import Iterator

from sokoasp.sokoban import grid
from sokoasp.sokoban.facts import name_of
from sokoasp.sokoban.level import Level


def labels(level: Level, objective: str, index: str) -> Iterator[str]:
    """Yield ``label_far(B,L,N)``: the box that starts on B, on L, needs at least N actions to its own goal.

    A cell without a fact is one from which it never gets there. For moves these are its pushes.
    """
    numbers = grid.build(level)
    first, _ = grid.push_states(numbers)
    tables = grid.goal_distances(numbers, lines=objective == "lines")
    name = name_of(level)
    for box, goal in level.assigned:
        table = tables[numbers.index[goal]]
        for number, cell in enumerate(numbers.cells):
            known = [table[state] for state in range(first[number], first[number + 1]) if state in table]
            if known:
                yield f"label_far({name[box]},{name[cell]},{min(known)})"
