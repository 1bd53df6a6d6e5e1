"""Small random levels for agreement tests: any engine against any other, solvable and not."""

import random
from collections.abc import Iterable
from functools import cache
from typing import Any

import pytest

from sokoasp.sokoban.level import DIRECTIONS, Cell, Level, reachable
from sokoasp.sokoban.rules import State
from sokoasp.sokoban.search.exact import reference

DETOUR = """
##########
#        #
#        #
#@$ ** . #
#   ##   #
##########
"""
"""The pair never moves again: the box goes around it, two pushes more than without it; with one row less it cannot."""

ENDLESS = {"game": "klotski", "head": "goal: A 3,1\n", "rows": ["bAAc", "bAAc", "deef", "dghf", "i..j"]}
"""81 slides: bound by bound it takes ASP far longer than any test waits."""

truth = cache(reference.solve)
"""The oracle's answer, searched for once in a process."""


def packed_level(seed: int, *, boxes: int = 4, spare: int = 0) -> Level:
    """Return a small level in which half of the boxes stand on goals already, beside walls where they can."""
    from sokoasp.sokoban.search.model import push_board

    rng = random.Random(f"packed {seed} {boxes} {spare}")
    while True:
        free = {Cell(r, c) for r in range(1, 6) for c in range(1, 6) if rng.random() >= 0.12}
        floor = reachable(rng.choice(sorted(free)), free)
        if len(floor) < 2 * boxes + 5:
            continue
        edge = sorted(
            floor, key=lambda c: (sum(c.step(d) not in floor for d in DIRECTIONS), rng.random()), reverse=True
        )
        goals = edge[:boxes]
        ready = rng.sample(goals, boxes // 2)
        left = sorted(floor - set(goals))
        others = rng.sample(left, boxes - len(ready) + spare)
        player = rng.choice(sorted(set(left) - set(others)))
        level = Level(frozenset(floor), frozenset(ready + others), frozenset(goals), player)
        if not push_board.build(level).dead_start:
            return level


def random_level(seed: int, *, width: int = 5, height: int = 5, boxes: int | None = None, spare: int = 0) -> Level:
    """Return the level of this seed: about half of them have no solution, some are solved already.

    Inner walls are strewn at random, the area is what the player reaches, boxes and goals fall anywhere on it.
    There are 1 to 3 boxes by default, by seed, and ``spare`` more than goals (the competition's rule allows it).
    """
    rng = random.Random(f"sokoban {seed} {width} {height} {boxes} {spare}")
    count = boxes if boxes is not None else rng.choice((1, 2, 2, 3))
    while True:
        density = rng.choice((0.05, 0.15, 0.25))
        free = {Cell(r, c) for r in range(1, height + 1) for c in range(1, width + 1) if rng.random() >= density}
        if not free:
            continue
        player = rng.choice(sorted(free))
        floor = reachable(player, free)
        places = sorted(floor - {player})
        if len(places) < count + 3:
            continue
        # most boxes away from the outer wall, else nearly nothing could be solved
        inner = [c for c in places if 1 < c.row < height and 1 < c.col < width]
        pool = inner if len(inner) >= count and rng.random() < 0.8 else places
        chosen = rng.sample(pool, count)
        goals = rng.sample(sorted(floor), count - spare)
        return Level(floor=frozenset(floor), boxes=frozenset(chosen), goals=frozenset(goals), player=player)


def as_on_a_large_board(patch: pytest.MonkeyPatch) -> None:
    """Let packing orders have their time; else the forward search finds the best plan of a small level."""
    patch.setattr("sokoasp.sokoban.search.race.SMALL", 0)
    patch.setattr("sokoasp.sokoban.search.race.SHORT_WAY", 0)


def scrambled_level(seed: int, *, width: int = 7, height: int = 7, boxes: int = 4, pulls: int = 200) -> Level:
    """Return the level of this seed, solvable: boxes are pulled off their goals up to ``pulls`` times."""
    rng = random.Random(f"scrambled {seed} {width} {height} {boxes} {pulls}")
    while True:
        free = {Cell(r, c) for r in range(1, height + 1) for c in range(1, width + 1) if rng.random() >= 0.15}
        if len(free) < boxes + 2:
            continue
        floor = reachable(rng.choice(sorted(free)), free)
        if len(floor) < 2 * boxes + 4:
            continue
        goals = frozenset(rng.sample(sorted(floor), boxes))
        standing, player = set(goals), rng.choice(sorted(floor - goals))
        for _ in range(pulls):
            area = reachable(player, floor - standing)
            ways = [
                (box, d)
                for box in sorted(standing)
                for d in DIRECTIONS
                if box.step(d) in area and box.step(d, 2) in floor - standing
            ]
            if not ways:
                break
            box, d = rng.choice(ways)
            standing = standing - {box} | {box.step(d)}
            player = box.step(d, 2)
        if standing != goals:
            return Level(floor=frozenset(floor), boxes=frozenset(standing), goals=goals, player=player)


WAREHOUSE = """
##################
#   #    #   #####
# $ # $$ # $ #####
#  $  $   $  #####
## ## ## ##  #####
#            #...#
# $ $ # $ $  #...#
#  $   $  #    ..#
## ## ##  # @  ..#
#            #...#
##################
"""


def warehouse() -> Level:
    """Return a level whose fewest moves no engine here settles in a few seconds: thirteen goals behind a door."""
    floor, boxes, goals = set(), set(), set()
    player = Cell(0, 0)
    for row, text in enumerate(WAREHOUSE.strip("\n").splitlines()):
        for col, char in enumerate(text):
            if char != "#":
                floor.add(Cell(row, col))
            if char == "$":
                boxes.add(Cell(row, col))
            if char == ".":
                goals.add(Cell(row, col))
            if char == "@":
                player = Cell(row, col)
    return Level(floor=frozenset(floor), boxes=frozenset(boxes), goals=frozenset(goals), player=player)


def some_now(params: int | Iterable[Any], now: int) -> list[Any]:
    """Return parameters of a test, or the numbers of the blocks; all but the first ``now`` run with ``-m slow``."""
    found = list(range(params) if isinstance(params, int) else params)
    return [*found[:now], *(pytest.param(*_row(one), marks=pytest.mark.slow) for one in found[now:])]


def _row(one: Any) -> tuple[Any, ...]:
    return one if isinstance(one, tuple) else (one,)


def layers(level: Level, objective: str, depth: int) -> list[int]:
    """Count the distinct states at each distance 0..depth from the start ("perft"), solved states included."""
    frontier = [reference.start(level, objective)]
    seen = set(frontier)
    counts = [1]
    for _ in range(depth):
        following: list[State] = []
        for state in frontier:
            for _step, after in reference.SUCCESSORS[objective](level, state):
                if after not in seen:
                    seen.add(after)
                    following.append(after)
        counts.append(len(following))
        frontier = following
    return counts
