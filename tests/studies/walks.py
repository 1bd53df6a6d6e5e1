"""Walks on random small halls: how long the paper's walk, ours with its bound, and the shortest are, and what they cost.

Run ``python -m tests.studies.walks [CASES]`` for the lines of docs/walk-measured.md.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass

from sokoasp.sokoban.level import Cell, reachable
from sokoasp.sokoban.walk import METHODS
from sokoasp.sokoban.walk.matrix import Matrix


@dataclass(frozen=True, slots=True)
class Walks:
    """One method over all cases."""

    method: str
    cases: int
    mean: float
    """Moves in all over the shortest moves in all."""
    worst: float
    """The greatest ratio of one case to its shortest."""
    shortest: int
    """Cases in which the walk is a shortest one."""
    milliseconds: float
    """CPU time a walk, the reading of the matrix included."""


def walks(cases: int = 20_000, seed: int = 20) -> list[Walks]:
    """Walk the same random cases by every method."""
    pool = list(_cases(cases, random.Random(seed)))
    lengths, spent = {}, {}
    for name, method in METHODS.items():
        began = time.process_time()
        paths = [method(*case) for case in pool]
        spent[name] = time.process_time() - began
        lengths[name] = [len(path) - 1 for path in paths if path is not None]
    best = lengths["shortest"]
    rows = []
    for name, its in lengths.items():
        ratios = [mine / least for mine, least in zip(its, best, strict=True)]
        same = sum(ratio == 1 for ratio in ratios)
        rows.append(Walks(name, len(its), sum(its) / sum(best), max(ratios), same, 1000 * spent[name] / len(its)))
    return rows


def _cases(count: int, rng: random.Random) -> Iterator[tuple[Matrix, Cell, Cell]]:
    """Yield halls of 4 to 16 cells a side, a tenth to two fifths of them blocked, with two cells that hang together."""
    while count:
        height, width, share = rng.randint(4, 16), rng.randint(4, 16), rng.uniform(0.1, 0.4)
        every = [Cell(row, col) for row in range(height) for col in range(width)]
        blocked = frozenset(cell for cell in every if rng.random() < share)
        free = [cell for cell in every if cell not in blocked]
        if not free:
            continue
        start = rng.choice(free)
        targets = sorted(reachable(start, set(free)) - {start})
        if targets:
            yield Matrix(width, height, blocked), start, rng.choice(targets)
            count -= 1


if __name__ == "__main__":
    for row in walks(*map(int, sys.argv[1:2])):
        sys.stdout.write(f"{row}\n")
