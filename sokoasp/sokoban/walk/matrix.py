"""The map a walk sees: a matrix of open and blocked cells.

Source: the touch-walking paper, section 3.2 (the interface CellMatrix: size of the warehouse and places of the obstacles) and
section 2.2 (the matrix R of reachable cells).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sokoasp.sokoban.level import Cell, Level


@dataclass(frozen=True, slots=True)
class Matrix:
    """The size of a map and which of its cells are blocked; rows and columns count from 0."""

    width: int
    height: int
    obstacles: Collection[Cell]

    def blocked(self, cell: Cell) -> bool:
        """Return whether a cell of the map is blocked."""
        return cell in self.obstacles


def of_level(level: Level) -> Matrix:
    """Return the matrix of a level: walls, boxes and everything outside the playing area are blocked."""
    every = frozenset(Cell(row, col) for row in range(level.height) for col in range(level.width))
    return Matrix(level.width, level.height, every - (level.floor - level.boxes))


@dataclass(frozen=True, slots=True)
class Reach:
    """The paper's matrix R as one padded row of numbers, so that no step needs a bounds check.

    The number of a cell is ``(row + 1) * stride + col + 1``; ``horizontal`` and ``vertical`` hold for every open cell the number
    of the unbroken open run it lies in (0 for blocked cells): two cells of one run see each other along a straight line.
    """

    stride: int
    open: bytearray
    horizontal: list[int]
    vertical: list[int]

    def number(self, cell: Cell) -> int:
        """Return the number of a cell."""
        return (cell.row + 1) * self.stride + cell.col + 1

    def cell(self, number: int) -> Cell:
        """Return the cell of a number."""
        row, col = divmod(number, self.stride)
        return Cell(row - 1, col - 1)

    def cells(self, path: list[int]) -> tuple[Cell, ...]:
        """Return the cells of a path of numbers."""
        return tuple(self.cell(number) for number in path)

    def corner(self, here: int, there: int) -> int | None:
        """Return a cell over which the two connect by two straight open lines (or one), None if there is none."""
        stride = self.stride
        same_row = there - there % stride + here % stride
        if self.vertical[here] == self.vertical[same_row] and self.horizontal[same_row] == self.horizontal[there]:
            return same_row
        same_col = here - here % stride + there % stride
        if self.horizontal[here] == self.horizontal[same_col] and self.vertical[same_col] == self.vertical[there]:
            return same_col
        return None

    def lines(self, here: int, corner: int, there: int) -> list[int]:
        """Return the cells after ``here`` on the way straight to the corner and on straight to ``there``."""
        return [*self._line(here, corner), *self._line(corner, there)]

    def _line(self, here: int, there: int) -> range:
        step = 1 if abs(there - here) < self.stride else self.stride
        return range(here + step, there + 1, step) if there > here else range(here - step, there - 1, -step)


def reach(matrix: Matrix, start: Cell) -> Reach:
    """Build R for a matrix; the start is open whatever the matrix says. O(n) time and space for n cells."""
    stride = matrix.width + 2
    size = stride * (matrix.height + 2)
    is_open = bytearray(size)
    for row in range(1, matrix.height + 1):
        is_open[row * stride + 1 : (row + 1) * stride - 1] = b"\1" * matrix.width
    for row, col in matrix.obstacles:
        is_open[(row + 1) * stride + col + 1] = 0
    is_open[(start.row + 1) * stride + start.col + 1] = 1
    horizontal, vertical = [0] * size, [0] * size
    for number in range(stride, size - stride):
        if is_open[number]:
            horizontal[number] = horizontal[number - 1] or number
            vertical[number] = vertical[number - stride] or number
    return Reach(stride, is_open, horizontal, vertical)


def way_back(came: dict[int, int], start: int, target: int) -> list[int]:
    """Return the cells from start to target, given before each cell the one that it was reached from."""
    path = [target]
    while path[-1] != start:
        path.append(came[path[-1]])
    return path[::-1]
