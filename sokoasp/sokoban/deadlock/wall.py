"""Type 2, more boxes along a wall than goals."""

from __future__ import annotations

from sokoasp.core.errors import counted
from sokoasp.sokoban.deadlock.bitboard import BitState
from sokoasp.sokoban.deadlock.verdict import Verdict

SOURCE = "thesis §2.2, type 2 (左右為難)"


def examine(at: BitState) -> Verdict | None:
    """Find a straight run, closed at both ends, that no box ever leaves and that holds more boxes than goals (thesis §2.2).

    Every cell of the run has a wall on one long side at least, so a box in it only moves along. With spare boxes the surplus of
    runs that share no cell is added up and must exceed the spare boxes.
    """
    board = at.board
    surplus = [((at.boxes & run).bit_count() - (board.goals & run).bit_count(), run) for run in board.runs]
    taken, total = 0, 0
    for more, run in sorted(surplus, reverse=True):
        if more > 0 and not run & taken and total <= at.spare:
            taken |= run
            total += more
    if total <= at.spare:
        return None
    boxes = board.cells(at.boxes & taken)
    goals = (board.goals & taken).bit_count()
    where = "a closed run along a wall" if taken in board.runs else "closed runs along walls"
    ever = "it can never leave the run" if len(boxes) == 1 else "none can ever leave its run"
    reason = f"{counted(len(boxes), 'boxes')} in {where} with {goals or 'no'} goal{'s' * (goals != 1)}: {ever}"
    return Verdict("wall", board.cells(taken), boxes, reason, SOURCE)
