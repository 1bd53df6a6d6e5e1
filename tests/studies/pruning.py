"""What the closed region of pulling saves a plain breadth-first search in reverse, and what it costs.

Forward, with the other detectors, that is the suite ``pruned``.

Run ``python -m tests.studies.pruning FILES``.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from sokoasp.sokoban import formats, rules
from sokoasp.sokoban.deadlock import PRUNING, Budget
from sokoasp.sokoban.deadlock.pulled_region import pulled_region
from sokoasp.sokoban.level import DIRECTIONS, Level
from sokoasp.sokoban.rules import State

Search = Callable[[Level], tuple[int | None, int]]


@dataclass(frozen=True, slots=True)
class SearchCost:
    """One search: pushes of the shortest plan (None if there is none or it was cut short), states kept, CPU seconds."""

    choice: str
    pushes: int | None
    states: int
    seconds: float


def search_back(
    level: Level, *, closed_region: bool, most: int = 50_000, budget: Budget = PRUNING
) -> tuple[int | None, int]:
    """Search breadth-first by pulls from every solved state back to the start (thesis §2.3).

    Args:
        level: A level with as many goals as boxes.
        closed_region: Drop states in which the player has shut itself in (``deadlock.pulled_region``).
        most: States to keep at most.
        budget: Of the detector.

    Returns:
        The pushes of the shortest plan (None if there is none within ``most`` states) and the number of states kept.
    """
    start = rules.canonical(level, rules.initial(level))
    starts = {rules.canonical(level, State(level.goals, cell)) for cell in level.floor - level.goals}
    queue = sorted(starts, key=lambda state: state.player)
    depth = dict.fromkeys(queue, 0)
    for state in queue:
        if state == start:
            return depth[state], len(queue)
        for before in pulls(level, state):
            reached = rules.canonical(level, before)
            if reached in depth:
                continue
            depth[reached] = depth[state] + 1
            if not closed_region or reached == start or pulled_region(level, reached, budget=budget) is None:
                queue.append(reached)
        if len(queue) > most:
            break
    return None, len(queue)


def pulls(level: Level, state: State) -> list[State]:
    """Return the states from which one push leads to this one."""
    free, area = level.floor - state.boxes, rules.region(level, state)
    return [
        State(state.boxes - {box} | {box.step(d)}, box.step(d, 2))
        for box in sorted(state.boxes)
        for d in DIRECTIONS
        if box.step(d) in area and box.step(d, 2) in free
    ]


def pruning_table(levels: Iterable[Level], *, most: int = 50_000) -> list[SearchCost]:
    """Search every level in reverse without and with the closed region; return the total states and CPU seconds."""
    pool = list(levels)
    searches: dict[str, Search] = {
        "reverse": partial(search_back, closed_region=False, most=most),
        "reverse and closed region": partial(search_back, closed_region=True, most=most),
    }
    rows = []
    for choice, run in searches.items():
        began = time.process_time()
        results = [run(level) for level in pool]
        total = [pushes for pushes, _states in results if pushes is not None]
        solved = sum(total) if len(total) == len(pool) else None
        rows.append(SearchCost(choice, solved, sum(states for _pushes, states in results), time.process_time() - began))
    return rows


def markdown(rows: Sequence[SearchCost]) -> str:
    """Write the table in Markdown."""
    lines = ["| states dropped by | pushes of all plans | states | CPU s |", "|---|---:|---:|---:|"]
    for row in rows:
        lines.append(
            f"| {row.choice} | {row.pushes if row.pushes is not None else ''} | {row.states:,} | {row.seconds:.2f} |"
        )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    levels = [level for name in sys.argv[1:] for level in formats.read(Path(name).read_bytes(), source=name)]
    sys.stdout.write(markdown(pruning_table(levels)) + "\n")
