"""The floor as bits of one integer, so that a whole set of cells moves with one shift.

Bit ``(row - top + 1) * stride + (col - left)`` stands for a cell; one column and two rows of spare wall bits keep a shift from
running into the next row. A *mask* is any set of cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from sokoasp.sokoban.level import Cell, Level
from sokoasp.sokoban.rules import State


@dataclass(frozen=True, slots=True, eq=False)
class Bitboard:
    """What never changes in a level, as masks."""

    stride: int
    cell_of: dict[int, Cell]
    """Cell of each single-bit mask."""
    bit_of: dict[Cell, int]
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
    tunnels: tuple[int, ...]
    """Straight runs of two cells or more without goals, walls on both long sides, open at both ends (see ``local``)."""
    dead: int
    """Cells from which a lone box reaches no goal, wherever the player stands."""

    def mask(self, cells: Iterable[Cell]) -> int:
        """Return the mask of some floor cells."""
        total = 0
        for cell in cells:
            total |= self.bit_of[cell]
        return total

    def cells(self, mask: int) -> tuple[Cell, ...]:
        """Return the cells of a mask in reading order."""
        return tuple(self.cell_of[bit] for bit in bits(mask))


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
    """Return the mask and all free cells in straight lines from it along one axis (shifts: the bits of a line's length)."""
    up = down = mask
    over = under = free
    step = by
    while over or under:
        up |= over & up << step
        down |= under & down >> step
        over &= over << step
        under &= under >> step
        step *= 2
    return up | down


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
    player = board.bit_of[level.player if state is None else state.player]
    spare = boxes.bit_count() - board.goals.bit_count()
    return BitState(board, boxes, player, flood(player, board.floor & ~boxes, board.stride), spare)


def scene_of(board: Bitboard, boxes: int, player: int, spare: int) -> BitState:
    """Return the scene of some boxes alone on a board."""
    return BitState(board, boxes, player, flood(player, board.floor & ~boxes, board.stride), spare)


def board_of(level: Level) -> Bitboard:
    """Return the board of a level, remembered from the last time it was asked for."""
    return _board(level.floor, level.goals)


@lru_cache(maxsize=64)
def _board(floor: frozenset[Cell], goals: frozenset[Cell]) -> Bitboard:
    top, left = min(c.row for c in floor), min(c.col for c in floor)
    stride = max(c.col for c in floor) - left + 2
    height = max(c.row for c in floor) - top + 1
    bit_of = {cell: 1 << (cell.row - top + 1) * stride + cell.col - left for cell in sorted(floor)}
    floor_mask = sum(bit_of.values())
    goal_mask = sum(bit_of[cell] for cell in goals)
    frame = (1 << (height + 2) * stride) - 1
    return _derive({bit: cell for cell, bit in bit_of.items()}, bit_of, stride, frame, floor_mask, goal_mask)


@lru_cache(maxsize=256)
def without(board: Bitboard, boxes: int) -> Bitboard:
    """Return the board on which some boxes have become walls, and the goals below them are gone."""
    frame = board.floor | board.walls
    floor = board.floor & ~boxes
    return _derive(board.cell_of, board.bit_of, board.stride, frame, floor, board.goals & ~boxes)


def _derive(
    cell_of: dict[int, Cell], bit_of: dict[Cell, int], stride: int, frame: int, floor: int, goals: int
) -> Bitboard:
    walls = frame & ~floor
    sides = [_beside(floor, walls, 1), _beside(floor, walls, stride)]
    runs = tuple(r for i, s in enumerate((1, stride)) for r in _runs(floor, sides[1 - i], s))
    return Bitboard(
        stride=stride,
        cell_of=cell_of,
        bit_of=bit_of,
        floor=floor,
        walls=walls,
        goals=goals,
        shifts=(-1, 1, -stride, stride),
        corners=sides[0] & sides[1],
        runs=runs,
        tight=tuple((run, (run & goals).bit_count()) for run in runs if run & goals),
        tunnels=tuple(t for s in (1, stride) for t in _tunnels(floor, goals, walls, s, stride + 1 - s)),
        dead=floor & ~_pullable(floor, goals, (-1, 1, -stride, stride)),
    )


def _beside(floor: int, walls: int, by: int) -> int:
    return floor & (walls << by | walls >> by)


def _stretches(mask: int, by: int) -> Iterator[int]:
    """Yield the maximal straight stretches of a mask along one axis."""
    for first in bits(mask & ~(mask << by)):
        run = cell = first
        while cell << by & mask:
            cell <<= by
            run |= cell
        yield run


def _runs(floor: int, held: int, by: int) -> Iterator[int]:
    """Yield the stretches of floor from wall to wall whose every cell has a wall on one long side at least."""
    for run in _stretches(floor, by):
        if run & ~held == 0:
            yield run


def _tunnels(floor: int, goals: int, walls: int, by: int, across: int) -> Iterator[int]:
    inside = floor & ~goals & walls << across & walls >> across
    for run in _stretches(inside, by):
        if run & run - 1 and (run << by & ~run & floor) and (run >> by & ~run & floor):
            yield run


def _pullable(floor: int, goals: int, shifts: tuple[int, ...]) -> int:
    """Return the cells a lone box can be pulled to from some goal, the player standing where he likes."""
    reach = goals
    while True:
        grown = reach
        for by in shifts:
            grown |= shift(reach, by) & floor & shift(floor, -by)
        if grown == reach:
            return reach
        reach = grown
