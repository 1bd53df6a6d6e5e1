"""Deadlock proofs by units and passages (the units paper), and the entry point that tries every detector there is."""

from __future__ import annotations

from collections.abc import Iterable

from sokoasp.sokoban import deadlock
from sokoasp.sokoban.deadlock import PRUNING, THOROUGH, Budget, Detector, Verdict
from sokoasp.sokoban.deadlock.bitboard import scene
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.rules import State
from sokoasp.sokoban.units import unit_verdict, whole_floor

DETECTORS: dict[str, Detector] = {**deadlock.DETECTORS, "units": unit_verdict.examine, "alone": whole_floor.examine}
"""All detectors of states of play, from cheap to expensive."""


def find_deadlock(
    level: Level, state: State | None = None, *, budget: Budget = THOROUGH, detectors: Iterable[str] | None = None
) -> Verdict | None:
    """Try the named detectors (all, the cheapest first, by default) on a state (the level's start) and return the first proof.

    None means that nothing was found, never that the state is solvable.
    """
    at = scene(level, state)
    if not at.board.goals & ~at.boxes:
        return None
    budget = budget.on(at.board)
    tried = (DETECTORS[name](at, budget) for name in (DETECTORS if detectors is None else detectors))
    return next((verdict for verdict in tried if verdict is not None), None)


__all__ = ["DETECTORS", "PRUNING", "THOROUGH", "Budget", "Verdict", "find_deadlock"]
