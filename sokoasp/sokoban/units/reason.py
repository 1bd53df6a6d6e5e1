"""The reason of a deadlock, stated for the smallest set of boxes that is dead by itself and for nothing else."""

from __future__ import annotations

from dataclasses import replace

from sokoasp.sokoban.deadlock import doorway
from sokoasp.sokoban.deadlock.bitboard import BitState, board_of, flood, scene
from sokoasp.sokoban.deadlock.local import THOROUGH, Budget
from sokoasp.sokoban.deadlock.minimal import minimal_boxes
from sokoasp.sokoban.deadlock.verdict import Verdict
from sokoasp.sokoban.level import Cell, Level
from sokoasp.sokoban.rules import State
from sokoasp.sokoban.units import DETECTORS
from sokoasp.sokoban.units.whole_floor import searched


def least(
    level: Level, state: State | None, verdict: Verdict, *, budget: Budget = THOROUGH, seconds: float | None = None
) -> Verdict:
    """Return a verdict whose sentence, kind, source and cells all speak of one minimal set of boxes.

    The boxes of ``verdict`` are taken away while the rest stays dead by itself (``minimal_boxes``); then the detectors, the
    cheapest first, judge the rest alone on the board, and the first proof is the answer. So a box in a door may turn out to be
    a box that reaches no goal, and the kind says so.
    """
    boxes = minimal_boxes(level, state, verdict, budget=budget, seconds=seconds)
    found = judged_alone(level, state, boxes, budget=budget)
    if found is not None:
        return found
    return verdict if set(boxes) == set(verdict.boxes) else searched(scene(level, state), board_of(level).mask(boxes))


def judged_alone(
    level: Level, state: State | None, boxes: tuple[Cell, ...], *, budget: Budget = THOROUGH
) -> Verdict | None:
    """Return the first proof of the detectors for these boxes alone on the board, with all goals and the spare boxes' number."""
    whole = scene(level, state)
    board = whole.board
    here = board.mask(boxes)
    while True:
        alone = BitState(board, here, whole.player, flood(whole.player, board.floor & ~here, board.stride), whole.spare)
        tried = (detector(alone, budget.on(board)) for detector in DETECTORS.values())
        found = next((verdict for verdict in tried if verdict is not None), None)
        if found is None or board.mask(found.boxes) == here:
            return found if found is None or found.kind != "freeze" else _with_door(alone, found)
        here = board.mask(found.boxes)


def _with_door(at: BitState, frozen: Verdict) -> Verdict:
    """Name the door too, if one of two frozen boxes fills it (the thesis's figure 2-6)."""
    door = doorway.examine(at, THOROUGH) if len(frozen.boxes) == 2 else None
    if door is None:
        return frozen
    near, far = map(doorway.place, door.boxes)
    reason = f"{frozen.reason}; {near} fills a door and {far} stands behind it"
    return replace(frozen, reason=reason, source=f"{frozen.source}; {door.source}")
