"""Proofs that a state can no longer be solved, by the types of the thesis, from cheap to expensive.

No detector ever calls a solvable state dead; none finding anything never means solvable. With spare boxes (more boxes than
goals) a stuck box proves nothing by itself: every rule counts against the spare boxes.
"""

from __future__ import annotations

from collections.abc import Callable

from sokoasp.sokoban.deadlock import block, corner, corner_pair, doorway, region, simple, wall
from sokoasp.sokoban.deadlock.bitboard import BitState
from sokoasp.sokoban.deadlock.local import PRUNING, THOROUGH, Budget
from sokoasp.sokoban.deadlock.verdict import Verdict

Detector = Callable[[BitState, Budget], Verdict | None]

DETECTORS: dict[str, Detector] = {
    "corner": lambda at, _budget: corner.examine(at),
    "wall": lambda at, _budget: wall.examine(at),
    "block": lambda at, _budget: block.examine(at),
    "dead_square": lambda at, _budget: simple.dead_square(at),
    "freeze": lambda at, _budget: simple.freeze(at),
    "corner_pair": corner_pair.examine,
    "doorway": doorway.examine,
    "matching": lambda at, _budget: simple.matching(at),
    "region": region.examine,
}
"""Detectors of states of play, cheapest first. ``pulled_region`` is not among them: it judges states of the pull game."""

SIMPLE_RULES = ("dead_square", "freeze", "matching")


__all__ = ["DETECTORS", "PRUNING", "SIMPLE_RULES", "THOROUGH", "Budget", "Detector", "Verdict"]
