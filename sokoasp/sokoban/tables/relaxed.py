"""Distances in the game with all but one or two boxes taken off the map.

Taking boxes away only frees cells, so every plan of the level is, for each choice of one or two of its boxes, a plan of the small
game with some actions that do nothing. A distance in the small game never exceeds the one in the level.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import combinations
from typing import NamedTuple

from sokoasp.sokoban.level import DIRECTIONS, Cell, Level, spread

Places = tuple[int, ...]
"""Bit numbers of the boxes, rising."""
State = tuple[Places, int]
"""Boxes and the number of the player's place among ``Game.split`` of these boxes."""


@dataclass(frozen=True, slots=True)
class Game:
    """The small game: the floor as one integer, a bit a cell, so that a flood fill is a few shifts."""

    width: int
    floor: int
    deltas: Places
    """Change of the bit number in each of ``DIRECTIONS``."""
    lines: bool
    """Whether an action pushes a box any number of cells, or one."""
    walks: bool = False
    """Whether a step of the player is an action too: its place is then a cell, else a region the player can walk about freely."""
    regions: dict[Places, tuple[int, ...]] = field(default_factory=dict)

    def bit(self, cell: Cell) -> int:
        """Return the bit number of a cell."""
        return (cell.row + 1) * self.width + cell.col + 1

    def cell(self, bit: int) -> Cell:
        """Return the cell of a bit number."""
        return Cell(bit // self.width - 1, bit % self.width - 1)

    def split(self, boxes: Places) -> tuple[int, ...]:
        """Return the places of the player around these boxes, each as a mask: connected parts of the floor, or cells."""
        known = self.regions.get(boxes)
        if known is None:
            free = self.floor
            for box in boxes:
                free &= ~(1 << box)
            parts = []
            while free:
                part = free & -free if self.walks else self._fill(free & -free, free)
                parts.append(part)
                free &= ~part
            known = self.regions[boxes] = tuple(parts)
        return known

    def states(self, boxes: Places) -> list[State]:
        """Return the states of these boxes, one for each place of the player."""
        return [(boxes, number) for number in range(len(self.split(boxes)))]

    def _fill(self, part: int, free: int) -> int:
        width = self.width
        while True:
            more = (part | part << 1 | part >> 1 | part << width | part >> width) & free
            if more == part:
                return part
            part = more

    def state(self, boxes: Iterable[int], player: int) -> State:
        """Return the state of these boxes with the player on that free cell."""
        places = tuple(sorted(boxes))
        if self.walks:
            below = self.floor & ((1 << player) - 1)
            return places, below.bit_count() - sum(place < player for place in places)
        for number, part in enumerate(self.split(places)):
            if part >> player & 1:
                return places, number
        raise ValueError("the player stands in a wall or on a box")

    def after(self, state: State) -> Iterator[State]:
        """Yield the states one action later."""
        return self._near(state, 1)

    def before(self, state: State) -> Iterator[State]:
        """Yield the states one action earlier."""
        return self._near(state, -1)

    @staticmethod
    def kept(neighbours: Callable[[State], Iterator[State]]) -> Callable[[State], list[State]]:
        """Return a function that makes the neighbours of a state once, for searches that begin at many."""
        one: dict[State, State] = {}
        return cache(lambda state: [one.setdefault(other, other) for other in neighbours(state)])

    def _near(self, state: State, way: int) -> Iterator[State]:
        boxes, number = state
        part = self.split(boxes)[number]
        if self.walks:  # a step of the player counts, too
            player = part.bit_length() - 1
            for delta in self.deltas:
                if self.floor >> player + delta & 1 and player + delta not in boxes:
                    yield self.state(boxes, player + delta)
        for box in boxes:
            rest = [other for other in boxes if other != box]
            for delta in self.deltas:
                if not part >> (box - delta) & 1:
                    continue
                # a box goes ahead of the player, back behind it
                ahead, step = (box + delta, delta) if way > 0 else (box - 2 * delta, -delta)
                while self.floor >> ahead & 1 and ahead not in rest:
                    yield (
                        self.state((*rest, ahead), ahead - step)
                        if way > 0
                        else self.state((*rest, ahead - step), ahead)
                    )
                    if not self.lines:
                        break
                    ahead += step


@lru_cache(maxsize=2)
def game(level: Level, objective: str) -> Game:
    """Prepare the small game of a level, with actions as the objective counts them."""
    width = max(cell.col for cell in level.floor) + 3
    empty = Game(width, 0, tuple(d.value[0] * width + d.value[1] for d in DIRECTIONS), False)
    floor = sum(1 << empty.bit(cell) for cell in level.floor)
    return Game(width, floor, empty.deltas, objective == "lines", objective == "moves")


@dataclass(frozen=True, slots=True)
class Distances:
    """Fewest actions of the small game, for the states that lie between the start and the goals."""

    to_goal: dict[State, int]
    from_start: dict[State, int]

    def least(self, states: Iterable[State]) -> tuple[int, int] | None:
        """Return the least distance to the goals and from the start of some states; None if none lies between them."""
        met = [state for state in states if state in self.from_start]
        return (min(self.to_goal[s] for s in met), min(self.from_start[s] for s in met)) if met else None


@lru_cache(maxsize=2)
def distances(level: Level, objective: str, count: int) -> Distances:
    """Search the small game with ``count`` boxes: backward from its ends, then forward from every choice of boxes.

    It ends when every box is on a goal, or as many as must be if there are boxes to spare. The forward search keeps to the
    states the backward search has met: a plan never leaves them.
    """
    small = game(level, objective)
    ends = (state for places in _ends(level, small, count) for state in small.states(places))
    to_goal = spread(ends, small.before)
    player = small.bit(level.player)
    starts = (small.state(places, player) for places in combinations(sorted(map(small.bit, level.boxes)), count))
    return Distances(to_goal, spread(starts, small.after, to_goal))


class LoneBoxes(NamedTuple):
    """The small game with one box: the states that it begins and ends in, and the fewest actions from and to each."""

    small: Game
    starts: list[State]
    """Of the boxes in reading order."""
    goals: list[list[State]]
    """Of the goals in reading order, one for each region of the player."""
    from_starts: list[dict[State, int]]
    to_goals: list[dict[State, int]]


@lru_cache(maxsize=2)
def lone_boxes(level: Level, objective: str) -> LoneBoxes:
    """Search from each start of a box and back from each goal."""
    small = game(level, objective)
    player = small.bit(level.player)
    starts = [small.state((small.bit(cell),), player) for cell in sorted(level.boxes)]
    goals = [small.states((small.bit(cell),)) for cell in sorted(level.goals)]
    after, before = small.kept(small.after), small.kept(small.before)
    from_starts = [spread([start], after) for start in starts]
    return LoneBoxes(small, starts, goals, from_starts, [spread(goal, before) for goal in goals])


def _ends(level: Level, small: Game, count: int) -> Iterator[Places]:
    """Yield the places of ``count`` boxes of a solved level."""
    spare = len(level.boxes) - len(level.goals)
    goals = set(map(small.bit, level.goals))
    cells = goals if spare == 0 else set(map(small.bit, level.floor))
    for places in combinations(sorted(cells), count):
        if count - len(goals.intersection(places)) <= spare:
            yield places
