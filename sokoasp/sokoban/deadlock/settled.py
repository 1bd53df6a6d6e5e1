"""Boxes that have settled on goals for good, and what the walls they have become do to the others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sokoasp.sokoban.deadlock.bitboard import BitState, flood, without
from sokoasp.sokoban.deadlock.local import Budget
from sokoasp.sokoban.deadlock.simple import frozen
from sokoasp.sokoban.deadlock.verdict import Verdict


def settle(at: BitState) -> BitState | None:
    """Return the scene in which the frozen boxes (all on goals) are walls; None when there are none.

    Not with spare boxes: there a frozen box is only one that some solutions never move.
    """
    if at.spare:
        return None
    stay = frozen(at.board, at.boxes)
    if not stay or stay & ~at.board.goals:
        return None
    board, boxes = without(at.board, stay), at.boxes & ~stay
    return BitState(board, boxes, at.player, flood(at.player, board.floor & ~boxes, board.stride), 0)


def examine(
    at: BitState, budget: Budget, detectors: list[Callable[[BitState, Budget], Verdict | None]]
) -> Verdict | None:
    """Try the other detectors with the settled boxes as walls."""
    settled = settle(at)
    if settled is None:
        return None
    for detector in detectors:
        verdict = detector(settled, budget)
        if verdict is not None:
            held = at.board.cells(at.boxes & ~settled.boxes)
            count = f"{len(held)} boxes that no solution moves from their goals as walls"
            if len(held) == 1:
                count = "box that no solution moves from its goal as a wall"
            reason = f"with the {count}: {verdict.reason}"
            boxes, cells = (tuple(sorted({*held, *part})) for part in (verdict.boxes, verdict.cells))
            return replace(
                verdict,
                kind="settled",
                cells=cells,
                boxes=boxes,
                reason=reason,
                source=f"freeze rule, then {verdict.source}",
            )
    return None
