"""The table ``potentials``: what each push costs beyond what it brings, by the dual of matching boxes to places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import gcd

from sokoasp.sokoban.facts import name_of
from sokoasp.sokoban.level import DIRECTIONS, Direction, Level
from sokoasp.sokoban.tables.ends import ENDS
from sokoasp.sokoban.tables.prices import Cost, choices
from sokoasp.sokoban.tables.relaxed import Game, LoneBoxes, State, game, lone_boxes

MOST_CELLS = 200
"""Levels with more floor cells get no facts: there are too many lines. The programs stay right without them."""
Push = tuple[State, State, Direction]
"""A lone box before and after an action, with the player's region."""


def potentials(level: Level, objective: str, index: str) -> Iterator[str]:
    """Yield the reduced costs of the actions under potentials of the places of boxes, with what a plan costs at least.

    - ``reduced_limit(I,C,G)``: a plan whose actions have reduced costs of K units in all under I has at least C+G*K actions;
    - ``near_reduced_cost(I,L1,D,L2,K)``, ``far_reduced_cost(I,L1,D,L2,K)``: pushing a box from L1, the near end (the far end) of
      the action, to L2 has K units, at least one.

    A potential bounds the actions that a lone box needs, from its cell and the player's region to the goals, less a number for
    each goal, or from the start so. An action brings the sum of the boxes' potentials down by one at most, and its reduced cost
    is what it falls short of that; so the reduced costs of a plan are its length less the difference of the sums at its ends.
    That needs as many goals as boxes. There are no facts for moves.
    """
    if objective == "moves":
        return
    small, name, begin = game(level, objective), name_of(level), ENDS[index].start
    for number, (limit, unit, costs) in enumerate(reduced_costs(level, objective)):
        yield f"reduced_limit({number},{limit},{unit})"
        for (before, after, direction), units in costs.items():
            here, there = (name[small.cell(state[0][0])] for state in (before, after))
            yield f"{begin}_reduced_cost({number},{here},{direction.name},{there},{units})"


def reduced_costs(level: Level, objective: str) -> Iterator[tuple[int, int, dict[Push, int]]]:
    """Yield limit, unit and the actions' reduced costs in units, where there are any, of each list of potentials, once each."""
    if len(level.boxes) != len(level.goals) or len(level.floor) > MOST_CELLS:
        return
    lone, seen = lone_boxes(level, objective), []
    pushes = list(_pushes(lone.small))
    for potential, limit in _all(lone):
        costs = {
            push: 1 + potential[push[1]] - potential[push[0]]
            for push in pushes
            if push[0] in potential and push[1] in potential
        }
        unit = gcd(*costs.values())
        if unit and limit >= 0 and (limit, costs) not in seen:
            seen.append((limit, costs))
            yield limit, unit, {push: cost // unit for push, cost in costs.items() if cost}


def _pushes(small: Game) -> Iterator[Push]:
    """Yield the actions of a lone box."""
    for box in range(small.floor.bit_length()):
        if not small.floor >> box & 1:
            continue
        for direction, delta in zip(DIRECTIONS, small.deltas, strict=True):
            if not small.floor >> (box - delta) & 1:
                continue
            before, to = small.state((box,), box - delta), box + delta
            while small.floor >> to & 1:
                yield before, small.state((to,), to - delta), direction
                if not small.lines:
                    break
                to += delta


def _all(lone: LoneBoxes) -> Iterator[tuple[Mapping[State, int], int]]:
    """Yield potentials, and by how much the sum of the boxes' potentials falls from the start to a solved state at least."""
    _, starts, goals, from_starts, to_goals = lone
    cost: Cost = [[table.get(state) for state in starts] for table in to_goals]
    for values in choices(cost):
        potential = _least(to_goals, values)
        if all(state in potential for state in starts):
            end = sum(max(potential[state] for state in states if state in potential) for states in goals)
            yield potential, sum(potential[state] for state in starts) - end
    cost = [[min((table[s] for s in states if s in table), default=None) for states in goals] for table in from_starts]
    for values in choices(cost):
        distance = _least(from_starts, values)
        reached = [[distance[state] for state in states if state in distance] for states in goals]
        if all(reached):
            begin = sum(distance[state] for state in starts)
            yield {state: -value for state, value in distance.items()}, sum(map(min, reached)) - begin


def _least(tables: list[dict[State, int]], values: list[int]) -> dict[State, int]:
    """Return for each state the least distance less the place's value."""
    found: dict[State, int] = {}
    for table, value in zip(tables, values, strict=True):
        for state, actions in table.items():
            found[state] = min(found.get(state, actions - value), actions - value)
    return found
