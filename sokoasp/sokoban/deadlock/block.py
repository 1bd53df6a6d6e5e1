"""Type 3, a 2x2 square of boxes and walls."""

from __future__ import annotations

from sokoasp.sokoban.deadlock.bitboard import BitState, bits
from sokoasp.sokoban.deadlock.verdict import Verdict

SOURCE = "thesis §2.2, type 3 (四角方塊)"


def examine(at: BitState) -> Verdict | None:
    """Find 2x2 squares full of boxes and walls with a box off goal in them: none of their boxes ever moves (thesis §2.2)."""
    board, stride = at.board, at.board.stride
    full = at.boxes | board.walls
    squares = [
        top_left * (3 | 3 << stride) for top_left in bits(full & full >> 1 & full >> stride & full >> stride + 1)
    ]
    held = 0
    for square in squares:
        if square & at.boxes & ~board.goals:
            held |= square & at.boxes
            if (held & ~board.goals).bit_count() > at.spare:
                boxes = board.cells(held)
                where = "a 2x2 square: its" if square & at.boxes == held else "2x2 squares: their"
                reason = f"boxes and walls fill {where} boxes can never move again, and not all stand on goals"
                return Verdict("block", boxes, boxes, reason, SOURCE)
    return None
