"""What the tests of certificates share: small problems with their optima, a SAT solver, folders with honest sums."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from sokoasp.core.limits import Limits
from sokoasp.core.result import Status
from sokoasp.klotski import notation
from sokoasp.klotski import search as klotski_search
from sokoasp.klotski.board import Board
from sokoasp.proof import folder as folders
from sokoasp.proof.cnf import Formula
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.search.exact import reference
from tests.levels import random_level

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


@cache
def optimum(level: Level, objective: str) -> tuple[int, str] | None:
    """Return value and moves of a best plan by the plain search, None if there is no plan."""
    found = reference.solve(level, objective, Limits(seconds=60))
    assert found.stopped_by is None
    return None if found.status is Status.UNSOLVABLE else (int(found.value or 0), found.plan.lurd)


def solvable(count: int, objective: str, most: int) -> Iterator[tuple[Level, int, str]]:
    """Yield random levels that take from 1 to ``most`` actions."""
    seed = 0
    while count:
        seed += 1
        level = random_level(seed, width=4, height=4, spare=seed % 5 == 0 and seed % 2)
        found = optimum(level, objective)
        if found is not None and 0 < found[0] <= most:
            count -= 1
            yield level, *found


def unsolvable(count: int) -> Iterator[Level]:
    """Yield random levels without a plan."""
    seed = 1000
    while count:
        seed += 1
        level = random_level(seed, width=4, height=4)
        if optimum(level, "pushes") is None:
            count -= 1
            yield level


def boards() -> list[Board]:
    """Return small Klotski boards."""
    return notation.read(BOARDS)


def satisfiable(formula: Formula, *more: tuple[int, ...]) -> bool:
    """Ask a SAT solver."""
    pytest.importorskip("pysat")
    from pysat.solvers import Cadical195

    with Cadical195(bootstrap_with=[list(clause) for clause in (*formula.clauses, *more)]) as solver:
        return bool(solver.solve())


def best_slides(board: Board, objective: str) -> tuple[int, tuple[object, ...]]:
    """Return value and slides of a best plan."""
    found = klotski_search.solve(board, objective, Limits(seconds=60))
    assert found.status is Status.OPTIMAL
    return int(found.value or 0), found.plan


def resign(folder: Path) -> None:
    """Write the sums of the files anew, as one would who means to deceive."""
    path = folder / "claim.json"
    row = json.loads(path.read_text())
    row["files"] = {name: folders.sha256(folder / name) for name in row["files"] if (folder / name).exists()}
    path.write_text(json.dumps(row))
