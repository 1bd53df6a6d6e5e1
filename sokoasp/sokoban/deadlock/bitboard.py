"""The floor as bits of one integer, so that a whole set of cells moves with one shift.

Bit ``(row - top + 1) * stride + (col - left)`` stands for a cell; one column and two rows of spare wall bits keep a shift from
running into the next row. A *mask* is any set of cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import count
from operator import or_

from sokoasp.sokoban.level import Cell, Level
from sokoasp.sokoban.rules import State


@dataclass(frozen=True, slots=True, eq=False)
class Bitboard:
    """What never changes in a level, as masks."""

    stride: int
    cell_at: dict[int, Cell]
    """Cell of each bit, by the bit's number (a mask is as long as the board: one for each cell would be quadratic)."""
    number: dict[Cell, int]
    """Number of each cell's bit."""
    floor: int
    walls: int
    """Every bit of the frame that is not floor."""
    goals: int
    shifts: tuple[int, int, int, int]
    """Bit distance of one step left, right, up, down (negative: towards bit 0)."""
    corners: int
    """Floor cells with a wall on one side of each axis: no push takes a box out."""
    runs: tuple[int, ...]
    """Straight runs of floor that no box ever leaves (see ``wall``)."""
    tight: tuple[tuple[int, int], ...]
    """(run, number of goals in it) of the runs with goals; a run without is dead squares."""
    tunnel_of: dict[int, int]
    """Straight runs of two cells or more without goals, walls on both long sides, open at both ends, by the bits' numbers."""
    dead: int
    """Cells from which a lone box reaches no goal, wherever the player stands."""

    def mask(self, cells: Iterable[Cell]) -> int:
        """Return the mask of some floor cells."""
        return mask_of([self.number[cell] for cell in cells])

    def bit(self, cell: Cell) -> int:
        """Return the mask of one floor cell."""
        return 1 << self.number[cell]

    def cell(self, bit: int) -> Cell:
        """Return the cell of a mask of one bit."""
        return self.cell_at[bit.bit_length() - 1]

    def cells(self, mask: int) -> tuple[Cell, ...]:
        """Return the cells of a mask in reading order."""
        return tuple(self.cell_at[number] for number in numbers(mask))


@dataclass(frozen=True, slots=True, eq=False)
class BitState:
    """A state as masks, ready for the detectors."""

    board: Bitboard
    boxes: int
    player: int
    region: int
    """Cells the player reaches without pushing."""
    spare: int
    """Boxes that may stay off goals in the end: boxes minus goals of the level, 0 in an XSB level."""


_STEPS = 40
"""Steps a flood takes one cell at a time; on maps where that is not enough it goes on by whole straight lines."""


def bits(mask: int) -> Iterator[int]:
    """Yield the single bits of a mask, lowest first."""
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit


def numbers(mask: int) -> Iterator[int]:
    """Yield the numbers of the bits of a mask, lowest first, in time linear in its length."""
    digits = bin(mask)[:1:-1]
    at = digits.find("1")
    while at >= 0:
        yield at
        at = digits.find("1", at + 1)


def mask_of(bit_numbers: Sequence[int]) -> int:
    """Return the mask of the bits with these numbers, in time linear in its length."""
    octets = bytearray(max(bit_numbers, default=0) // 8 + 1)
    for number in bit_numbers:
        octets[number >> 3] |= 1 << (number & 7)
    return int.from_bytes(octets, "little")


def union(masks: Iterable[int]) -> int:
    """Return the cells of all masks together."""
    return reduce(or_, masks, 0)


def shift(mask: int, by: int) -> int:
    """Move every cell of a mask by one of the board's shifts (or a multiple of it)."""
    return mask << by if by > 0 else mask >> -by


def flood(start: int, free: int, stride: int) -> int:
    """Return the cells of ``free`` connected to ``start`` (which is included)."""
    reach = start
    for _ in range(_STEPS):
        grown = (reach << 1 | reach >> 1 | reach << stride | reach >> stride) & free | reach
        if grown == reach:
            return reach
        reach = grown
    while True:
        grown = _filled(_filled(reach, free, 1), free, stride)
        if grown == reach:
            return reach
        reach = grown


def _filled(mask: int, free: int, by: int) -> int:
    """Return the mask and all free cells in straight lines from it along one axis."""
    return ray(mask, free, by) | ray(mask, free, -by)


def ray(mask: int, free: int, by: int) -> int:
    """Return the mask and all free cells in straight lines from it in one direction (shifts: the bits of a line's length)."""
    while free:
        mask |= free & shift(mask, by)
        free &= shift(free, by)
        by *= 2
    return mask


def pieces(mask: int, stride: int) -> Iterator[int]:
    """Yield the connected parts of a mask."""
    while mask:
        part = flood(mask & -mask, mask, stride)
        mask &= ~part
        yield part


def beside(mask: int, shifts: Iterable[int]) -> int:
    """Return the cells one step away from the mask in any direction."""
    return union(shift(mask, by) for by in shifts)


def grow(mask: int, floor: int, stride: int, times: int = 1) -> int:
    """Return the mask and the floor cells around it, diagonals included, ``times`` times over."""
    for _ in range(times):
        wide = mask | mask << 1 | mask >> 1
        mask = mask | (wide | wide << stride | wide >> stride) & floor
    return mask


def scene(level: Level, state: State | None = None) -> BitState:
    """Return the masks of a state (the level's start without one)."""
    board = board_of(level)
    boxes = board.mask(level.boxes if state is None else state.boxes)
    player = board.bit(level.player if state is None else state.player)
    spare = boxes.bit_count() - board.goals.bit_count()
    return BitState(board, boxes, player, flood(player, board.floor & ~boxes, board.stride), spare)


def board_of(level: Level) -> Bitboard:
    """Return the board of a level, remembered from the last time it was asked for."""
    return _board(level.floor, level.goals)


@lru_cache(maxsize=64)
def _board(floor: frozenset[Cell], goals: frozenset[Cell]) -> Bitboard:
    top, left = min(c.row for c in floor), min(c.col for c in floor)
    stride = max(c.col for c in floor) - left + 2
    height = max(c.row for c in floor) - top + 1
    number = {cell: (cell.row - top + 1) * stride + cell.col - left for cell in sorted(floor)}
    floor_mask, goal_mask = mask_of(list(number.values())), mask_of([number[cell] for cell in goals])
    walls = ((1 << (height + 2) * stride) - 1) & ~floor_mask
    sides = [floor_mask & beside(walls, (by, -by)) for by in (1, stride)]
    runs = tuple(r for i, s in enumerate((1, stride)) for r in _runs(floor_mask, sides[1 - i], s))
    shifts = (-1, 1, -stride, stride)
    # a box is pulled onto a cell with floor before it, where the player stands
    pulls = [(by, floor_mask & shift(floor_mask, -by)) for by in shifts]
    return Bitboard(
        stride=stride,
        cell_at={at: cell for cell, at in number.items()},
        number=number,
        floor=floor_mask,
        walls=walls,
        goals=goal_mask,
        shifts=shifts,
        corners=sides[0] & sides[1],
        runs=runs,
        tight=tuple((run, (run & goal_mask).bit_count()) for run in runs if run & goal_mask),
        tunnel_of={
            number: tunnel
            for s in (1, stride)
            for tunnel in _tunnels(floor_mask, goal_mask, walls, s, stride + 1 - s)
            for number in numbers(tunnel)
        },
        dead=floor_mask & ~spread_alone(goal_mask, pulls),
    )


def _stretches(mask: int, starts: int, by: int) -> Iterator[int]:
    """Yield the maximal straight stretches of a mask along one axis that begin in ``starts``.

    Each takes a few shifts for every doubling of its length.
    """
    doublings = []
    over, step = mask, by
    while over:
        doublings.append((over, step))
        over &= over << step
        step *= 2
    for first in numbers(starts & mask & ~(mask << by)):
        run = 1 << first
        for over, step in doublings:
            run |= over & run << step
        yield run


def _runs(floor: int, held: int, by: int) -> Iterator[int]:
    """Yield the stretches of floor from wall to wall whose every cell has a wall on one long side at least."""
    for run in _stretches(floor, held, by):
        if run & ~held == 0:
            yield run


def _tunnels(floor: int, goals: int, walls: int, by: int, across: int) -> Iterator[int]:
    inside = floor & ~goals & walls << across & walls >> across
    for run in _stretches(inside, inside, by):
        if run & run - 1 and (run << by & ~run & floor) and (run >> by & ~run & floor):
            yield run


def spread_alone(start: int, ways: Sequence[tuple[int, int]]) -> int:
    """Return the cells that a lone box gets to; each way is a shift and the cells that a box may come to by it."""
    reach = start
    for turn in count():
        grown = reach
        for by, free in ways:
            grown |= shift(reach, by) & free if turn < _STEPS else ray(grown, free, by)
        if grown == reach:
            break
        reach = grown
    return reach
