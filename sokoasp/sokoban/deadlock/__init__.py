"""Proofs that a state can no longer be solved, by the types of the thesis, from cheap to expensive.

No detector ever calls a solvable state dead; none finding anything never means solvable. With spare boxes (more boxes than
goals) a stuck box proves nothing by itself: every rule counts against the spare boxes.
"""

from __future__ import annotations

from collections.abc import Callable

from sokoasp.sokoban.deadlock import block as _block
from sokoasp.sokoban.deadlock import corner as _corner
from sokoasp.sokoban.deadlock import corner_pair as _corner_pair
from sokoasp.sokoban.deadlock import doorway as _doorway
from sokoasp.sokoban.deadlock import region as _region
from sokoasp.sokoban.deadlock import simple as _simple
from sokoasp.sokoban.deadlock import wall as _wall
from sokoasp.sokoban.deadlock.bitboard import BitState
from sokoasp.sokoban.deadlock.local import PRUNING, THOROUGH, Budget
from sokoasp.sokoban.deadlock.verdict import Verdict

Detector = Callable[[BitState, Budget], Verdict | None]

DETECTORS: dict[str, Detector] = {
    "corner": lambda at, _budget: _corner.examine(at),
    "wall": lambda at, _budget: _wall.examine(at),
    "block": lambda at, _budget: _block.examine(at),
    "dead_square": lambda at, _budget: _simple.dead_square(at),
    "freeze": lambda at, _budget: _simple.freeze(at),
    "corner_pair": _corner_pair.examine,
    "doorway": _doorway.examine,
    "matching": lambda at, _budget: _simple.matching(at),
    "region": _region.examine,
}
"""Detectors of states of play, cheapest first. ``pulled_region`` is not among them: it judges states of the pull game."""

SIMPLE_RULES = ("dead_square", "freeze", "matching")


__all__ = ["DETECTORS", "PRUNING", "SIMPLE_RULES", "THOROUGH", "Budget", "Detector", "Verdict"]
