"""Levels with labelled boxes for tests: drawn at random, made as the planners' learning track makes them, and brute force."""

from __future__ import annotations

import random
from dataclasses import replace
from heapq import heappop, heappush

from sokoasp.sokoban.formats import read
from sokoasp.sokoban.level import BY_LETTER, DIRECTIONS, Cell, Level, drawn_walls, reachable
from sokoasp.sokoban.rules import walk
from tests.sokoban.strategies import random_level

(HALL,) = read("######\n#    #\n#@$$ #\n# .. #\n######\nAssigned: 2,2>3,3; 2,3>3,2\n")
"""Two boxes to be exchanged: 4 pushes; alike they need 2."""


def labelled(rng: random.Random, most: int = 18) -> Level:
    """Draw a small level and give its goals to boxes at random."""
    while True:
        level = random_level(rng)
        if len(level.floor) <= most and len(level.boxes) > 1:
            goals = rng.sample(sorted(level.goals), len(level.goals))
            return replace(level, assigned=tuple(zip(sorted(level.boxes), goals, strict=True)))


def of_the_track(rng: random.Random, size: int, boxes: int) -> Level:
    """Push boxes one after the other some lines far in an open room, then wall up a part of what nothing crossed.

    What was pushed stands for good, what is to be pushed starts where nothing was yet: the tasks of 2023 are of this kind.
    """
    inside = [Cell(row, col) for row in range(1, size + 1) for col in range(1, size + 1)]
    start = player = rng.choice(inside)
    crossed, goals = {start}, dict[Cell, Cell]()
    while len(goals) < boxes:
        spare = [c for c in inside if c not in crossed and 1 < c.row < size and 1 < c.col < size]
        if not spare:
            break
        home = box = rng.choice(spare)
        free = frozenset(inside).difference(goals.values())
        came = {box}
        for _ in range(rng.randint(1, 4)):
            ways = [(d, walk(free - {box}, player, box.step(d.opposite))) for d in DIRECTIONS if box.step(d) in free]
            open_ways = [(d, letters) for d, letters in ways if letters is not None and box.step(d.opposite) in free]
            if not open_ways:
                break
            d, letters = rng.choice(open_ways)
            for letter in letters:
                player = player.step(BY_LETTER[letter])
                came.add(player)
            for _ in range(rng.randint(1, size // 2)):
                if box.step(d) in free:
                    player, box = box, box.step(d)
                    came.add(box)
        crossed |= came
        if box != home:
            goals[home] = box
    rest = [cell for cell in inside if cell not in crossed]
    floor = frozenset(reachable(start, set(inside).difference(rng.sample(rest, rng.randint(0, 4 * len(rest) // 5)))))
    boxes_, ends = frozenset(goals), frozenset(goals.values())
    return Level(floor, boxes_, ends, start, drawn_walls(floor), assigned=tuple(sorted(goals.items())))


def brute(level: Level, objective: str) -> int | None:
    """Return the fewest lines, pushes or moves, step by step of the player; None if there is no plan."""
    labels = len(level.assigned)
    goals = tuple(goal for _, goal in level.assigned)
    rest = sorted(level.boxes.difference(box for box, _ in level.assigned))
    start = ((*(box for box, _ in level.assigned), *rest), level.player, "")
    best, heap = {start: 0}, [(0, 0, start)]
    while heap:
        spent, _, state = heappop(heap)
        boxes, player, line = state
        if spent > best[state]:
            continue
        if boxes[:labels] == goals:
            return spent
        for d in DIRECTIONS:
            to, beyond = player.step(d), player.step(d, 2)
            if to not in level.floor:
                continue
            if to in boxes:
                if beyond not in level.floor or beyond in boxes:
                    continue
                after = tuple(beyond if box == to else box for box in boxes)
                price = 0 if objective == "lines" and line == d.name else 1
                following = (after, to, d.name if objective == "lines" else "")
            else:
                price = 1 if objective == "moves" else 0
                following = (boxes, to, "")
            if spent + price < best.get(following, spent + price + 1):
                best[following] = spent + price
                heappush(heap, (spent + price, len(best), following))
    return None
