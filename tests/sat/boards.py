"""Small Klotski boards and their optima."""

from __future__ import annotations

from sokoasp.core.limits import Limits
from sokoasp.core.result import Status
from sokoasp.klotski import notation
from sokoasp.klotski import search as klotski_search
from sokoasp.klotski.board import Board

BOARDS = """
title: Swap
goal: A 0,2
A.B
...

title: Way free
goal: A 0,2
AB.
CB.
D..

title: Cover
goal: A 0,1
AB.
CB.
DD.
"""


def boards() -> list[Board]:
    """Return small Klotski boards."""
    return notation.read(BOARDS)


def best_slides(board: Board, objective: str) -> tuple[int, tuple[object, ...]]:
    """Return value and slides of a best plan."""
    found = klotski_search.solve(board, objective, Limits(seconds=60))
    assert found.status is Status.OPTIMAL
    return int(found.value or 0), found.plan
