"""Boxes far apart that spoil it for each other: searched together over the whole floor, when no rule looks that far."""

from __future__ import annotations

from itertools import combinations

from sokoasp.sokoban.deadlock.bitboard import BitState, bits
from sokoasp.sokoban.deadlock.local import Budget, dead_alone
from sokoasp.sokoban.deadlock.verdict import Verdict, never_done

ALONE = "alone"
"""Kind of a verdict that no rule gives: only the search of these boxes alone on the board proves them dead."""


def examine(at: BitState, budget: Budget) -> Verdict | None:
    """Search all boxes over the whole floor, and if their positions are too many every pair of them, each within the budget.

    What regions and units miss is boxes far from one another of which each is in the way of the other's only way: neither is
    shut in, and no cut into parts holds both. A set that alone on the board can never do its part is a proof (``local``); all
    boxes in all positions without one where they have is one of the state itself.
    """
    whole = dead_alone(at, at.boxes, zone=at.board.floor, states=budget.states)
    if whole is not None:
        return searched(at, at.boxes) if whole else None
    for number, pair in enumerate(combinations(bits(at.boxes), 2), 2):
        if number > budget.searches:
            break
        if dead_alone(at, pair[0] | pair[1], zone=at.board.floor, states=budget.states):
            return searched(at, pair[0] | pair[1])
    return None


def searched(at: BitState, boxes: int) -> Verdict:
    """Return the verdict on boxes that a search of all their positions proves dead."""
    cells = at.board.cells(boxes)
    who = "this box" if len(cells) == 1 else f"these {len(cells)} boxes"
    reason = f"{who}, alone on the board, {never_done(len(cells), at.spare)}: all their positions were searched"
    return Verdict(ALONE, cells, cells, reason, "search of these boxes alone")
