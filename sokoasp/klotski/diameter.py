"""The greatest distance between any two positions of a board's space, exactly, without searching from every position.

Source: the bounds of Takes and Kosters (Determining the diameter of small world networks): a search from a position v bounds the
eccentricity of every position w from both sides, max(d, e(v) - d) <= e(w) <= e(v) + d with d the distance of v and w, and
positions whose upper bound is no more than the greatest lower one need no search of their own.
"""

from __future__ import annotations

from dataclasses import dataclass

from sokoasp.core.limits import Limits
from sokoasp.klotski.board import Board
from sokoasp.klotski.graph import graph


@dataclass(frozen=True, slots=True)
class Diameter:
    """The greatest distance between two positions of one space, and such a pair."""

    distance: int
    """Slides or units."""
    ends: tuple[str, str]
    """Rows joined by ``/``, equal pieces by the letter of their class."""
    positions: int
    searches: int
    """Positions from which everything was searched."""


def diameter(board: Board, objective: str = "slides", limits: Limits | None = None) -> Diameter | str:
    """Measure the space that can be reached from a board, or return the limit that came first.

    Raises:
        ValueError: Some move cannot be taken back, so distances depend on the direction.
    """
    clock = (limits or Limits()).start()
    made = graph(board, objective, clock.limits)
    if isinstance(made, str):
        return made
    if made.directed:
        raise ValueError("a piece may not go back the way it came: there is no distance between two positions")
    near = made.near
    count = len(near)
    low, high = [0] * count, [count] * count
    open_ones = list(range(count))
    best, pair, searches = 0, (0, 0), 0
    while open_ones:
        if stopped := clock.over():
            return stopped
        # the position that may be farthest out and the most central one in turn: they move the bounds from either side
        at = max(open_ones, key=high.__getitem__) if searches % 2 == 0 else min(open_ones, key=low.__getitem__)
        far, last = _distances(near, at)
        searches += 1
        reach = far[last]
        if reach > best:
            best, pair = reach, (at, last)
        low[at] = high[at] = reach
        for other in open_ones:
            d = far[other]
            low[other] = max(low[other], d, reach - d)
            high[other] = min(high[other], reach + d)
        open_ones = [other for other in open_ones if high[other] > best]
    return Diameter(best, (made.rows[pair[0]], made.rows[pair[1]]), count, searches)


def _distances(near: list[list[int]], start: int) -> tuple[list[int], int]:
    """Return the distance of every position from one, and a farthest one."""
    far = [-1] * len(near)
    far[start] = 0
    queue = [start]
    for at in queue:
        after = far[at] + 1
        for other in near[at]:
            if far[other] < 0:
                far[other] = after
                queue.append(other)
    return far, queue[-1]
