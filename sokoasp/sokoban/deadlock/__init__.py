"""Proofs that a state can no longer be solved, by the types of the thesis, from cheap to expensive.

No detector ever calls a solvable state dead; none finding anything never means solvable. With spare boxes (more boxes than
goals) a stuck box proves nothing by itself: every rule counts against the spare boxes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from sokoasp.sokoban.deadlock import block as _block
from sokoasp.sokoban.deadlock import corner as _corner
from sokoasp.sokoban.deadlock import corner_pair as _corner_pair
from sokoasp.sokoban.deadlock import doorway as _doorway
from sokoasp.sokoban.deadlock import region as _region
from sokoasp.sokoban.deadlock import simple as _simple
from sokoasp.sokoban.deadlock import wall as _wall
from sokoasp.sokoban.deadlock.bitboard import BitState, scene
from sokoasp.sokoban.deadlock.local import PRUNING, THOROUGH, Budget
from sokoasp.sokoban.deadlock.verdict import Verdict
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.rules import State

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


def first_proof(
    table: Mapping[str, Detector], level: Level, state: State | None, budget: Budget, names: Iterable[str] | None
) -> Verdict | None:
    """Try the detectors of a table in order (those named, or all) and return the first proof."""
    at = scene(level, state)
    if not at.board.goals & ~at.boxes:
        return None
    budget = budget.on(at.board)
    for name in table if names is None else names:
        verdict = table[name](at, budget)
        if verdict is not None:
            return verdict
    return None


__all__ = ["DETECTORS", "PRUNING", "SIMPLE_RULES", "THOROUGH", "Budget", "Detector", "Verdict", "first_proof"]
