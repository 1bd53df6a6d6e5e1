"""What a unit lets through: searches inside one unit only (units paper §3.2 and §5).

Boxes that leave the unit are taken off the board. Positions that the cheap rules prove dead inside the unit are dropped.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from sokoasp.sokoban.deadlock.bitboard import Bitboard, flood, shift, union
from sokoasp.sokoban.deadlock.local import pushes
from sokoasp.sokoban.units.split import Unit


@dataclass(frozen=True, slots=True)
class Inside:
    """What a bounded search inside a unit met."""

    exits: int
    """Gate cells inside the unit on which the player can stand: the player can leave by those gates."""
    least_off: int
    """Fewest boxes off goals in any position met."""
    complete: bool
    """False when the search ran out of positions: then everything must be taken as possible."""


def positions(
    board: Bitboard, unit: Unit, entries: int, around: int, *, spare: int, states: int
) -> Iterator[tuple[int, int] | None]:
    """Yield (boxes, player's area) of all positions of the unit's boxes; None if there are more than ``states``.

    Args:
        board: The board.
        unit: The unit; only its boxes take part.
        entries: Cells the player may start from.
        around: Passage cells in which the player moves freely: reaching one of them reaches all.
        spare: Boxes that may stay off goals.
        states: Positions to visit at most.
    """
    floor = unit.cells | around
    starts = entries & floor & ~unit.boxes
    seen: set[tuple[int, int]] = set()
    stack: list[tuple[int, int]] = []
    while starts:
        area = _area(board, starts & -starts, floor & ~unit.boxes, around)
        starts &= ~area
        stack.append((unit.boxes, area))
        seen.add((unit.boxes, area & -area))
    while stack:
        boxes, area = stack.pop()
        yield boxes, area
        for new, player in pushes(board, boxes, area, zone=unit.cells, spare=spare):
            after = _area(board, player, (floor | player) & ~new, around)
            key = (new, after & -after)
            if key not in seen:
                if len(seen) >= states:
                    yield None
                    return
                seen.add(key)
                stack.append((new, after))


def _area(board: Bitboard, start: int, free: int, around: int) -> int:
    area = flood(start, free, board.stride)
    if area & around and around & ~area:
        return flood(area | around, free, board.stride)
    return area


@lru_cache(maxsize=8192)
def inside(board: Bitboard, unit: Unit, entries: int, around: int, *, spare: int, states: int) -> Inside:
    """Search a unit until all its gates can be left by and all its boxes are done, or nothing new comes up."""
    gate_cells = union(cell for cell, _by in unit.gates)
    exits, least = 0, (unit.boxes & ~board.goals).bit_count()
    for position in positions(board, unit, entries, around, spare=spare, states=states):
        if position is None:
            return Inside(gate_cells, 0, False)
        boxes, area = position
        exits |= area & gate_cells
        least = min(least, (boxes & ~board.goals).bit_count())
        if exits == gate_cells and not least:
            break
    return Inside(exits, least, True)


FREE, PUSH, BLOCKED, UNKNOWN = "free", "push", "blocked", "unknown"
"""The paper's kinds [ii] (boxes stay), [i] (boxes change), [iii] (impossible); unknown when the search was cut short."""


def passability(board: Bitboard, unit: Unit, *, spare: int, states: int) -> dict[tuple[int, int], str]:
    """Return the kind of every ordered pair of gates, by their numbers in ``unit.gates`` (units paper §3.2)."""
    kinds: dict[tuple[int, int], str] = {}
    for first, (cell, by) in enumerate(unit.gates):
        outside = shift(cell, by)
        row = [BLOCKED] * len(unit.gates)
        for position in positions(board, unit, outside, outside, spare=spare, states=states):
            if position is None:
                row = [UNKNOWN if kind == BLOCKED else kind for kind in row]
                break
            boxes, area = position
            kind = FREE if boxes == unit.boxes else PUSH
            for last, (inner, _by) in enumerate(unit.gates):
                if inner & area and row[last] != FREE:
                    row[last] = kind
        kinds.update({(first, last): kind for last, kind in enumerate(row) if last != first})
    return kinds
