"""A plan without tables: box after box to a goal near it, each by A* among the others; for maps too large to tabulate at once.

What is easy stays easy at any size: the work goes with the length of the plan, not with the number of cells. It gives up after
``WORK`` steps, and its giving up proves nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import replace
from heapq import heappop, heappush, nsmallest
from typing import TypeVar

from sokoasp.core.bounds import certified, with_bound
from sokoasp.core.errors import counted
from sokoasp.core.result import Result, Status
from sokoasp.sokoban import rules
from sokoasp.sokoban.level import BY_LETTER, DIRECTIONS, Cell, Level
from sokoasp.sokoban.plan import Plan

T = TypeVar("T")

LARGE = 4_000
"""Floor cells from which this comes first, as tables take too long."""
WORK = 100_000
"""Cells looked at in all, by boxes and by the player: well below a second."""
TRIED = 3
"""Nearest goals that are tried for a box."""
PAIRS = 16
"""Goals whose distance from a box is work like one cell."""


def least(level: Level, objective: str) -> int:
    """Bound the plan length from below without tables: goals still empty, or the straight ways of the boxes to them."""
    empty = len(level.goals - level.boxes)
    if objective == "lines" or len(level.boxes) != len(level.goals):
        return empty
    return sum(min(box.manhattan(goal) for goal in level.goals) for box in level.boxes)


def way_to_first_push(level: Level) -> int:
    """Return a lower bound on the moves before the first push: the shortest walk to a cell beside a box."""
    beside = {box.step(d) for box in level.boxes for d in DIRECTIONS}
    before: set[Cell] = set()
    front, steps = {level.player}, 0
    while front and not front & beside:
        after = {
            to for cell in front for d in DIRECTIONS if (to := cell.step(d)) in level.floor and to not in level.boxes
        }
        # the cells at one distance more are new but for those at one less
        before, front, steps = front, after - before, steps + 1
    return steps if front else 0


def result(level: Level, objective: str, engine: str) -> Result | None:
    """Return the plan of a large map with the bound that needs no tables: best if they meet; None where no plan is found."""
    found = None if level.solved else plan(level)
    if found is None:
        return None
    lower = least(level, objective) + (way_to_first_push(level) if objective == "moves" else 0)
    value = found.cost(objective)
    proof = f"boxes pushed one by one: {counted(value, objective)}; at least {lower} known to be needed without tables"
    return certified(objective, engine, value, lower, plan=found, proof=proof, counters={"expanded": 0, "states": 0})


def at_once(level: Level, objective: str) -> Result | None:
    """Return the answer for a large map where the plan costs just what it must, else None."""
    found = result(level, objective, "native") if len(level.floor) >= LARGE else None
    return found if found is not None and found.status is Status.OPTIMAL else None


def better(found: Result, first: Result) -> Result:
    """Return what an engine found, with the first plan where that is better than its own, and the better bound."""
    lower = max(found.lower_bound, first.lower_bound)
    if found.status is Status.UNSOLVABLE or (found.value is not None and found.value <= (first.value or 0)):
        return with_bound(found, lower, first.proof)
    proof = "; ".join(part for part in (first.proof, found.proof) if part)
    joined = replace(first, engine=found.engine, proof=proof, seconds=found.seconds, counters=found.counters)
    return with_bound(replace(joined, stopped_by=found.stopped_by), lower)


def plan(level: Level) -> Plan | None:
    """Push the boxes home one after the other, the one nearest to a goal first; None where that leads nowhere.

    The plan is built by the rules of the game, so that it is legal.
    """
    steps = Steps(level)
    boxes, player, moves = set(level.boxes), level.player, ""
    while empty := level.goals - boxes:
        pairs = steps.pairs(boxes - level.goals, empty)
        ways = ((box, goal, way) for box, goal in pairs if (way := steps.way(boxes, box, goal, player)) is not None)
        box, goal, found = next(ways, (None, None, None))
        if box is None or goal is None or found is None:
            return None
        moves += found
        boxes = boxes - {box} | {goal}
        player = goal.step(BY_LETTER[found[-1].lower()].opposite)
    return rules.plan_from_lurd(level, moves)


class Steps:
    """The searches of one plan, with the work that is ``left`` for them."""

    def __init__(self, level: Level) -> None:
        self.floor, self.left = level.floor, WORK
        self._near: dict[Cell, list[Cell]] = {}

    def pairs(self, boxes: Set[Cell], goals: Set[Cell]) -> list[tuple[Cell, Cell]]:
        """Return boxes with the goals nearest to each, the closest pairs first; none where the work is done.

        From call to call there are fewer goals, so the nearest ones are so until one of them is taken.
        """
        for box in boxes:
            if box not in self._near or not set(self._near[box]) <= goals:
                self.left -= len(goals) // PAIRS
                if self.left <= 0:
                    return []
                self._near[box] = nsmallest(TRIED, goals, key=lambda goal: (box.manhattan(goal), goal))
        pairs = sorted((box.manhattan(goal), box, goal) for box in boxes for goal in self._near[box])
        return [(box, goal) for _, box, goal in pairs]

    def way(self, boxes: Set[Cell], box: Cell, goal: Cell, player: Cell) -> str | None:
        """Return the moves that push a box to a goal among the other boxes, with few pushes, then turns."""
        walls = boxes - {box}
        start = (box, player)
        came: dict[tuple[Cell, Cell], tuple[tuple[Cell, Cell], str] | None] = {start: None}
        heap = [(box.manhattan(goal), 0, 0, start)]
        while heap and self.left > 0:
            _, turns, pushes, node = heappop(heap)
            here, stands = node
            if here == goal:
                return _letters(came, node)
            for d in DIRECTIONS:
                to, behind = here.step(d), here.step(d.opposite)
                after = to, here
                if after in came or not self._free(to, walls) or not self._free(behind, walls):
                    continue
                walk = self._walk(stands, behind, walls, here)
                if walk is not None:
                    came[after] = node, walk + d.letter.upper()
                    cost = pushes + 1 + to.manhattan(goal)
                    heappush(heap, (cost, turns + (stands != behind), pushes + 1, after))
        return None

    def _free(self, cell: Cell, walls: Set[Cell]) -> bool:
        return cell in self.floor and cell not in walls

    def _walk(self, start: Cell, end: Cell, walls: Set[Cell], box: Cell) -> str | None:
        """Return a shortest walk, looking at the cells nearest to its end first."""
        heap = [(start.manhattan(end), start.manhattan(end), start)]
        came: dict[Cell, tuple[Cell, str] | None] = {start: None}
        spent = {start: 0}
        while heap and self.left > 0:
            _, _, cell = heappop(heap)
            if cell == end:
                return _letters(came, end)
            self.left -= 1
            for d in DIRECTIONS:
                to = cell.step(d)
                if spent[cell] + 1 < spent.get(to, self.left + 1) and to != box and self._free(to, walls):
                    spent[to], came[to] = spent[cell] + 1, (cell, d.letter)
                    heappush(heap, (spent[to] + to.manhattan(end), to.manhattan(end), to))
        return None


def _letters(came: Mapping[T, tuple[T, str] | None], node: T) -> str:
    letters = []
    while (link := came[node]) is not None:
        node = link[0]
        letters.append(link[1])
    return "".join(reversed(letters))
