"""The detectors in compiled form, for who judges many states of one level: no verdict, only "dead" or nothing (needs numba)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sokoasp.core import jit
from sokoasp.sokoban.deadlock.bitboard import board_of
from sokoasp.sokoban.deadlock.simple import _tables
from sokoasp.sokoban.level import DIRECTIONS, Cell, Level
from sokoasp.sokoban.walk.shared import SHARED

if TYPE_CHECKING:
    from types import ModuleType

MODULES = (*SHARED, "sokoasp.sokoban.deadlock.compiled")
MOST_GOALS = 64
_ROOM = 1 << 62


@dataclass(frozen=True, slots=True)
class Depth:
    """How far the rules go; each step finds more and takes longer."""

    reach: int = 2
    """Cells around each group of boxes in which local searches follow them; 0 leaves searches and matching out."""
    states: int = 150
    """Positions a local search may meet."""
    wide: int = 0
    """Positions for all boxes together over the whole floor, after the others."""


SIMPLE = Depth(0, 0, 0)
"""Dead squares and freeze."""
QUICK = Depth()


class Judge:
    """Judges states of one level."""

    def __init__(self, level: Level, depth: Depth = QUICK) -> None:
        """Make the tables of a level.

        Raises:
            MissingExtra: numba is not installed.
            ValueError: The level has spare boxes, or too many cells and boxes for a 64-bit number, or over 64 goals.
        """
        import numpy as np

        if len(level.boxes) != len(level.goals):
            raise ValueError("the compiled detectors are for levels with as many goals as boxes")
        cells = sorted(level.floor)
        n, k = len(cells), len(level.boxes)
        if k > MOST_GOALS or (n + 1) ** (k + 1) > _ROOM:
            raise ValueError(f"{n} cells and {k} boxes are too many for the compiled detectors")
        jit.load(SHARED)
        self.kernels = jit.named(MODULES)["compiled"]
        self.depth = depth
        self.level = level
        self.number = {cell: at for at, cell in enumerate(cells)}
        most = max(depth.states, depth.wide, k) + 1
        self.land = _land(level, self.number, self.kernels)
        slots = 1 << (2 * most).bit_length()
        four = {"mark": n + 1, "after": n + 1, "zone": n + 1, "blob": n + 1, "queue": n + 1, "now": k, "other": k}
        four |= {"chosen": k, "stack": most, "slots": slots, "stamps": 6}
        arrays: dict[str, Any] = {name: np.zeros(size, np.int32) for name, size in four.items()}
        arrays |= {name: np.zeros(n + 1, np.uint8) for name in ("occ", "held")}
        arrays["occ"][n] = arrays["held"][n] = 1
        self.desk = self.kernels.Desk(**arrays, keys=np.zeros(most, np.int64))
        self._boxes = np.zeros(k, np.int32)

    def dead(self, boxes: Iterable[Cell], player: Cell) -> bool:
        """Return whether a state is proved dead; False means that nothing was found."""
        return self.rule(boxes, player) > 0

    def rule(self, boxes: Iterable[Cell], player: Cell) -> int:
        """Return the number of the rule that proves a state dead (``compiled.DEAD_SQUARE`` and so on), or ``NONE``."""
        self._boxes[:] = sorted(self.number[box] for box in boxes)
        depth = self.depth
        return int(
            self.kernels.judge(
                len(self._boxes),
                self._boxes,
                self.number[player],
                depth.reach,
                depth.states,
                depth.wide,
                self.land,
                self.desk,
            )
        )


def _land(level: Level, number: dict[Cell, int], kernels: ModuleType) -> Any:
    """Return the tables of a level; directions are paired so that d ^ 1 is the opposite of d."""
    import numpy as np

    n = len(number)
    board = board_of(level)
    neighbour, around = np.full((n + 1, 4), n, np.int32), np.full((n, 8), n, np.int32)
    for cell, at in number.items():
        for d, way in enumerate(DIRECTIONS):
            neighbour[at, d] = around[at, d] = number.get(cell.step(way), n)
        for d, (rows, cols) in enumerate(((-1, -1), (-1, 1), (1, -1), (1, 1)), 4):
            around[at, d] = number.get(Cell(cell.row + rows, cell.col + cols), n)
    goal, dead = np.zeros(n + 1, np.uint8), np.zeros(n + 1, np.uint8)
    goal[[number[cell] for cell in level.goals]] = 1
    goal[n] = 1
    for cell in board.cells(board.dead):
        dead[number[cell]] = 1
    first, sides, reached = _tables(level.floor, level.goals)
    side = np.array([[sides[box][player] for player in range(n)] + [0] for box in range(n)], np.int32)
    fits = np.zeros(first[-1] + 1, np.uint64)
    for goal_number, states in enumerate(reached):
        for state in states:
            fits[state] |= np.uint64(1 << goal_number)
    return kernels.Land(neighbour, around, goal, dead, side, fits)
