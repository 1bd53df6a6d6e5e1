"""Type 1, a box in a corner."""

from __future__ import annotations

from sokoasp.sokoban.deadlock.bitboard import BitState
from sokoasp.sokoban.deadlock.verdict import Verdict

SOURCE = "thesis §2.2, type 1 (進入死角)"


def examine(at: BitState) -> Verdict | None:
    """Find boxes off goals that stand in corners: a wall on one side of either axis, so no push moves them (thesis §2.2).

    With spare boxes, more such boxes are needed than there are spare ones.
    """
    stuck = at.boxes & at.board.corners & ~at.board.goals
    if stuck.bit_count() <= at.spare:
        return None
    cells = at.board.cells(stuck)
    one = len(cells) == 1
    reason = f"{'a box stands' if one else f'{len(cells)} boxes stand'} off goal in {'a corner' if one else 'corners'}"
    return Verdict("corner", cells, cells, f"{reason} and can never move again", SOURCE)
