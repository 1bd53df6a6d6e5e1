"""Type 4, two boxes on either side of an inner corner."""

from __future__ import annotations

from sokoasp.sokoban.deadlock.bitboard import BitState, bits, shift
from sokoasp.sokoban.deadlock.local import Budget, dead_alone
from sokoasp.sokoban.deadlock.verdict import Verdict, never_done

SOURCE = "thesis §2.2, type 4 (牆角牽制)"


def examine(at: BitState, budget: Budget) -> Verdict | None:
    """Find two boxes beside a corner that keep the player from the corner cell, from where alone they could be pushed off.

    Decided by searching these two boxes on the corner and their own cells: goals on any of the three count, and so does a
    player who stands in the corner already (thesis §2.2).
    """
    board, boxes = at.board, at.boxes
    for across in board.shifts[:2]:
        for along in board.shifts[2:]:
            # corners walled on the far side of `across` and `along`, with a box on the near side of each
            walled = shift(board.walls, across) & shift(board.walls, along) & board.floor & ~boxes
            found = walled & shift(boxes, -across) & shift(boxes, -along)
            for corner in bits(found):
                pair = shift(corner, across) | shift(corner, along)
                if dead_alone(at, pair, zone=pair | corner, states=budget.states):
                    reason = f"two boxes bar the player from the corner between them and {never_done(2, at.spare)}"
                    return Verdict("corner_pair", board.cells(pair | corner), board.cells(pair), reason, SOURCE)
    return None
