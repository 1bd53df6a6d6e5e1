"""The smallest set of boxes that is dead by itself."""

from __future__ import annotations

import time

from sokoasp.sokoban.deadlock.bitboard import bits, grow, scene
from sokoasp.sokoban.deadlock.local import THOROUGH, Budget, dead_alone
from sokoasp.sokoban.deadlock.verdict import Verdict
from sokoasp.sokoban.level import Cell, Level
from sokoasp.sokoban.rules import State


def minimal_boxes(
    level: Level, state: State | None, verdict: Verdict, *, budget: Budget = THOROUGH, seconds: float | None = None
) -> tuple[Cell, ...]:
    """Take boxes away from a verdict as long as the rest, alone on the board with all goals, provably never get onto goals.

    With spare boxes, a set is dead when more of it than there are spare boxes can never stand on goals together. The answer is
    minimal as far as ``budget.states`` positions a search, and ``seconds`` in all, can show. Every set it returns is the
    verdict's own or has been proved again.
    """
    at = scene(level, state)
    boxes = at.board.mask(verdict.boxes)
    if dead_alone(at, boxes, zone=at.board.floor, states=budget.states) is False:
        return verdict.boxes
    until = None if seconds is None else time.monotonic() + seconds
    near = {bit: (grow(bit, at.board.floor, at.board.stride) & boxes).bit_count() for bit in bits(boxes)}
    for box in sorted(near, key=near.__getitem__):  # the lonely ones are tried first
        if until is not None and time.monotonic() > until:
            break
        rest = boxes & ~box
        # close to the boxes first, which is cheap, then over the whole floor
        zones = (grow(rest, at.board.floor, at.board.stride, 2), at.board.floor)
        if any(dead_alone(at, rest, zone=zone, states=budget.states) is True for zone in zones):
            boxes = rest
    return at.board.cells(boxes)
