"""What detectors save a search, and what they cost: a plain breadth-first search with and without them."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sokoasp.sokoban import rules
from sokoasp.sokoban.deadlock import PRUNING, Budget
from sokoasp.sokoban.deadlock.bitboard import scene
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.rules import State
from sokoasp.sokoban.units import DETECTORS

CHOICES: dict[str, tuple[str, ...]] = {
    "nothing": (),
    "dead squares": ("dead_square",),
    "simple rules": ("dead_square", "freeze", "matching"),
    "simple and corner pair": ("dead_square", "freeze", "matching", "corner_pair", "doorway"),
    "simple and region": ("dead_square", "freeze", "matching", "region"),
    "simple and units": ("dead_square", "freeze", "matching", "units"),
    "all": tuple(DETECTORS),
}
"""Sets of detectors worth comparing."""


@dataclass(frozen=True, slots=True)
class SearchCost:
    """One search: pushes of the shortest plan (None if there is none or it was cut short), states kept, CPU seconds."""

    choice: str
    pushes: int | None
    states: int
    seconds: float


def search(
    level: Level, detectors: Sequence[str], *, most: int = 50_000, budget: Budget = PRUNING
) -> tuple[int | None, int]:
    """Search breadth-first by pushes, dropping states that a detector proves dead.

    Returns:
        The pushes of the shortest plan (None if there is none within ``most`` states) and the number of states kept.
    """
    first = rules.canonical(level, rules.initial(level))
    depth: dict[State, int] = {first: 0}
    queue = [first]
    for state in queue:
        if rules.solved(level, state.boxes):
            return depth[state], len(queue)
        for _push, after in rules.unit_pushes(level, state):
            reached = rules.canonical(level, after)
            if reached in depth:
                continue
            depth[reached] = depth[state] + 1
            if detectors and not rules.solved(level, reached.boxes):
                at = scene(level, reached)
                if any(DETECTORS[name](at, budget) is not None for name in detectors):
                    continue
            queue.append(reached)
        if len(queue) > most:
            break
    return None, len(queue)


def pruning_table(levels: Iterable[Level], *, most: int = 50_000) -> list[SearchCost]:
    """Search every level with each choice of detectors; return the total states and CPU seconds, level by level summed."""
    pool = list(levels)
    rows = []
    for choice, names in CHOICES.items():
        began = time.process_time()
        results = [search(level, names, most=most) for level in pool]
        total = [pushes for pushes, _states in results if pushes is not None]
        solved = sum(total) if len(total) == len(pool) else None
        rows.append(SearchCost(choice, solved, sum(states for _pushes, states in results), time.process_time() - began))
    return rows
