"""What of a level decides which searches take it, and for how long."""

from __future__ import annotations

from dataclasses import dataclass

from sokoasp.sokoban.level import Level
from sokoasp.sokoban.search.exact import move_layers
from sokoasp.sokoban.search.exact.breadth_first import SMALL
from sokoasp.sokoban.search.model import push_board

FEW = 2
"""Boxes up to which a level has few states, however large its board is."""


@dataclass(frozen=True, slots=True)
class BoardFacts:
    """The facts of one level and objective."""

    two_sided: bool
    """The reverse search takes it."""
    spare: bool
    """There are more boxes than goals."""
    small: bool
    """There are so few live cells or boxes that proving searches from both ends find plans soonest."""
    moves_in_layers: bool
    """Moves are counted, and the search in layers from both ends takes it."""


def facts_of(level: Level, objective: str) -> BoardFacts:
    """Look at a level."""
    board, both = push_board.build(level), push_board.two_sided(level, objective)
    spare, few = len(level.boxes) > len(level.goals), board.live <= SMALL or len(board.boxes) <= FEW
    return BoardFacts(
        two_sided=both,
        spare=spare,
        small=both and not board.dead_start and few,
        moves_in_layers=objective == "moves" and not (spare or board.dead_start) and move_layers.fits(board),
    )
