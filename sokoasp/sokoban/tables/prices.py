"""The table ``prices``: linear lower bounds on the actions left and on those done, by the dual of matching boxes to places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sokoasp.sokoban.facts import name_of
from sokoasp.sokoban.grid import assign, filled
from sokoasp.sokoban.level import Cell, Level
from sokoasp.sokoban.tables.ends import ENDS
from sokoasp.sokoban.tables.relaxed import Game, State, lone_boxes

Cost = list[list[int | None]]
"""Rows are places to be served, columns boxes; None where a box cannot serve a place."""


def prices(level: Level, objective: str, index: str) -> Iterator[str]:
    """Yield prices of cells, so that the prices of all box cells together bound the actions of a plan.

    - ``near_price(I,L,N)``, ``near_limit(I,C)``: k actions from the near end, the prices under I of the box cells add up to C+k
      at most; ``far_price(I,L,N)``, ``far_limit(I,C)``: the same of the far end.

    A price list I comes from potentials v of the goals (the start cells): the price of a cell is the least distance to a goal
    less the goal's v, and C is minus the sum of v. Whatever box goes to whatever goal, the sum is no more than the distances;
    this is linear programming duality, as in the Hungarian method. The potentials are 0, and those that make the bound exact for
    the lone boxes at the start (the goals). Levels with more boxes than goals get no facts. For moves they count the pushes
    among them: one step of the player can bring the player nearer to two boxes, so distances in moves do not add up.
    """
    if len(level.boxes) != len(level.goals):
        return
    lone = lone_boxes(level, "pushes" if objective == "moves" else objective)
    name = name_of(level)
    ends = ENDS[index]
    for word, tables, others in (
        (ends.goal, lone.to_goals, sorted(level.boxes)),
        (ends.start, lone.from_starts, sorted(level.goals)),
    ):
        least = [_least(lone.small, table) for table in tables]
        cost: Cost = [[row.get(other) for other in others] for row in least]
        for number, potentials in enumerate(choices(cost)):
            yield f"{word}_limit({number},{-sum(potentials)})"
            for cell in sorted(level.floor):
                entries = [row[cell] - v for row, v in zip(least, potentials, strict=True) if cell in row]
                if entries:
                    yield f"{word}_price({number},{name[cell]},{min(entries)})"


def _least(small: Game, table: dict[State, int]) -> dict[Cell, int]:
    """Return the least distance of a lone box on each cell, over all player regions."""
    least: dict[Cell, int] = {}
    for (places, _), actions in table.items():
        cell = small.cell(places[0])
        least[cell] = min(actions, least.get(cell, actions))
    return least


def choices(cost: Cost) -> list[list[int]]:
    """Return potentials of the rows worth having: all 0, and the least and the greatest that prove the cheapest assignment."""
    found = [[0] * len(cost)]
    cheapest = assign(cost)
    if cheapest is not None:
        price, _ = filled(cost)
        for sign in (1, -1):
            potentials = _potentials(price, cheapest.columns, sign)
            if potentials not in found:
                found.append(potentials)
    return found


def _potentials(price: list[list[int]], column_of: Sequence[int], sign: int) -> list[int]:
    """Return the greatest potentials that are at most 0 (sign 1), or the least that are at least 0 (sign -1).

    Feasible are v with v[b] <= v[a] + price[b][column of a] - price[a][column of a]: Bellman-Ford from 0 everywhere.
    """
    size = len(price)
    v = [0] * size
    for _ in range(size):
        before = list(v)
        for a in range(size):
            for b in range(size):
                step = price[b][column_of[a]] - price[a][column_of[a]]
                if sign > 0:
                    v[b] = min(v[b], v[a] + step)
                else:
                    v[a] = max(v[a], v[b] - step)
        if v == before:
            break
    return v
