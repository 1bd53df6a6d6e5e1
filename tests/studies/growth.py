"""How the walk's time grows and how much longer than the shortest its paths are: the table of docs/walk-measured.md.

Source: the touch-walking paper, section 3.1, which claims O(n^1.5) time for n cells and paths that are good, not shortest.
"""

from __future__ import annotations

import math
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

from sokoasp.sokoban.walk import find_path
from sokoasp.sokoban.walk.touch import steps
from tests.studies.mazes import FAMILIES, ends


@dataclass(frozen=True, slots=True)
class Growth:
    """Means over the samples of one family and size; times in milliseconds, lengths in moves."""

    family: str
    cells: int
    samples: int
    touch_ms: float
    shortest_ms: float
    slowest_ms: float
    """The slowest single touch walk."""
    walked: float
    """Moves on the path before the optimise step."""
    touch: float
    shortest: float
    same: int
    """Samples in which the touch path is a shortest one."""
    given_up: int
    """Samples in which the paper's second step, taken by its word, gives up although there is a path."""

    @property
    def ratio(self) -> float:
        """Return how many times as long as the shortest the touch paths are, all together."""
        return self.touch / self.shortest


def growth(sizes: Sequence[int] = (10, 20, 40, 80, 160), *, samples: int = 40, seed: int = 8) -> tuple[Growth, ...]:
    """Walk between random cells of random maps of every family and side length, and measure both methods."""
    rng = random.Random(seed)
    return tuple(_measure(family, size, samples, rng) for family in FAMILIES for size in sizes)


def exponents(rows: Sequence[Growth]) -> dict[str, float]:
    """Fit time = a · cells^b for each family by least squares on logarithms; return b (the paper claims at most 1.5)."""
    return {family: _slope([row for row in rows if row.family == family]) for family in {row.family: 0 for row in rows}}


def markdown(rows: Sequence[Growth]) -> str:
    """Return the rows as the table of docs/walk-measured.md, with the exponents that fit them."""
    head = (
        "| maps | cells | touch ms | slowest ms | shortest ms | walked | touch | shortest | touch / shortest | shortest found "
        "| paper gives up |"
    )
    lines = [head, "|---" * 11 + "|"]
    lines += [
        f"| {r.family} | {r.cells} | {r.touch_ms:.2f} | {r.slowest_ms:.2f} | {r.shortest_ms:.2f} | {r.walked:.0f} "
        f"| {r.touch:.1f} | {r.shortest:.1f} | {r.ratio:.3f} | {r.same}/{r.samples} | {r.given_up} |"
        for r in rows
    ]
    fits = ", ".join(f"{family} {power:.2f}" for family, power in exponents(rows).items())
    return "\n".join([*lines, "", f"Time grows as cells to the power of: {fits}."])


def _measure(family: str, size: int, samples: int, rng: random.Random) -> Growth:
    touch_s, shortest_s, walked, touch, shortest, same, given_up = [], 0.0, 0, 0, 0, 0, 0
    for _ in range(samples):
        matrix = FAMILIES[family](size, rng)
        start, target = ends(matrix, rng)
        began = time.perf_counter()
        path = find_path(matrix, start, target, "touch")
        between = time.perf_counter()
        best = find_path(matrix, start, target, "shortest")
        shortest_s += time.perf_counter() - between
        touch_s.append(between - began)
        assert path is not None and best is not None
        walked += len(steps(matrix, start, target).along_the_wall) - 1
        touch, shortest, same = touch + len(path) - 1, shortest + len(best) - 1, same + (len(path) == len(best))
        given_up += not steps(matrix, start, target, retreat=False).found
    per = 1 / samples
    return Growth(
        family=family,
        cells=matrix.width * matrix.height,
        samples=samples,
        touch_ms=1000 * sum(touch_s) * per,
        shortest_ms=1000 * shortest_s * per,
        slowest_ms=1000 * max(touch_s),
        walked=walked * per,
        touch=touch * per,
        shortest=shortest * per,
        same=same,
        given_up=given_up,
    )


def _slope(rows: Sequence[Growth]) -> float:
    xs = [math.log(row.cells) for row in rows]
    ys = [math.log(row.touch_ms) for row in rows]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True)) / sum((x - mean_x) ** 2 for x in xs)


if __name__ == "__main__":
    sys.stdout.write(markdown(growth()) + "\n")
