"""How far a position is from the goal and what to slide next, at once: positions are measured when first asked and kept.

All that can be reached from a board is measured together (``database.build``), so every later question about the same game
is looked up. Where that is too much, or a piece may not go back, the search answers each question by itself.
"""

from __future__ import annotations

import threading
from collections.abc import Hashable
from dataclasses import replace
from pathlib import Path

from sokoasp.core.errors import LevelError, counted
from sokoasp.core.limits import Limits
from sokoasp.core.result import Result, Status
from sokoasp.klotski import database, search
from sokoasp.klotski.board import Board
from sokoasp.klotski.database import Positions, signature
from sokoasp.klotski.space import Space

MOST_POSITIONS = 200_000
"""Positions measured for one question; about 100 MB and 5 s in plain Python."""
SUFFIX = ".kdb"
_SETS_KEPT = 4
_kept: dict[Hashable, list[Positions]] = {}
_turn = threading.Lock()


def solve(board: Board, objective: str = "slides", limits: Limits | None = None) -> Result:
    """Find a plan of the least cost by going down kept distances; what is not kept yet is measured first.

    Positions in a file beside the board's (``x.kdb`` for ``x.klotski``, see ``sokoasp klotski-db``) are used if they fit.
    """
    limits = limits or Limits()
    clock = limits.start()
    with _turn:
        known = _found(board, replace(limits, seconds=None if clock.remaining is None else clock.remaining / 2))
    if known is None:
        found = search.solve(board, objective, replace(limits, seconds=clock.remaining))
    else:
        found = from_positions(known, board, objective)
    return replace(found, engine="database", seconds={"total": clock.elapsed})


def from_positions(known: Positions, board: Board, objective: str) -> Result:
    """Hint a board from positions.

    Raises:
        LevelError: They are of another game.
    """
    value, plan = known.distance(board, objective), known.plan(board, objective)
    how = f"as {known.source} says" if known.source else "measured backwards from every goal position"
    what = (
        "no goal can be reached from here"
        if value is None
        else f"{counted(value, objective)} from here to the nearest goal"
    )
    return Result(
        status=Status.UNSOLVABLE if value is None else Status.OPTIMAL,
        objective=objective,
        engine="database",
        value=value,
        lower_bound=value or 0,
        plan=plan,
        proof=f"{counted(len(known.keys), 'positions')}, {how}: {what}",
        counters={"states": len(known.keys)},
    )


def _found(board: Board, limits: Limits) -> Positions | None:
    """Return positions this board is among: kept, in a file beside the board's, or measured now; None if that is too much."""
    space = Space(board, sliding=False, mirrored=False)
    game = signature(space)
    for kept in _kept.get(game, ()):
        if kept.at(space.start) is not None:
            return kept
    known = _beside(board) or _measured(board, limits)
    if known is not None:
        _kept.setdefault(game, []).append(known)
        while sum(map(len, _kept.values())) > _SETS_KEPT:
            oldest = next(iter(_kept))
            _kept[oldest].pop(0)
            if not _kept[oldest]:
                del _kept[oldest]
    return known


def _measured(board: Board, limits: Limits) -> Positions | None:
    most = MOST_POSITIONS if limits.states is None else min(MOST_POSITIONS, limits.states)
    try:
        made = database.build(board, replace(limits, states=most), reachable=True)
    except LevelError:
        return None
    return made if isinstance(made, Positions) else None


def _beside(board: Board) -> Positions | None:
    """Return the positions in the file beside the board's, None if there is none or they are of another game."""
    path = Path(board.source).with_suffix(SUFFIX) if board.source else None
    if path is None or not path.is_file():
        return None
    known = database.load(path)
    return None if known.place_of(board) is None else known
