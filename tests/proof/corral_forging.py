"""Corrals for tests: levels of two rooms with boxes in the doors, and closed lists of a deceiver who leaves out a condition."""

import lzma
import random
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

from sokoasp.proof import folder as folders
from sokoasp.proof import group_bounds, level_text
from sokoasp.sokoban import formats
from sokoasp.sokoban.level import Level
from tests.proof.forging import write
from tests.proof.plain import Board, State

CONDITIONS = ("closed", "to be opened", "at hand", "into the area")
"""What makes an area a corral: boxes part it from the player; not all around it are on goals; the player can do every push that
can be the first of these; and each leads into the area."""


def two_rooms(seed: int) -> Level:
    """Return a level of two rooms: a box stands in each door, one or two more in the rooms, the player in the left one."""
    rng = random.Random(f"corral {seed}")
    while True:
        height, left, right = rng.choice((3, 4)), rng.choice((3, 4)), rng.choice((2, 3))
        doors = rng.sample(range(1, height + 1), rng.choice((1, 2)))
        rows_of = [[" " if rng.random() < 0.9 else "#" for _ in range(left + 1 + right)] for _ in range(height)]
        for r in range(height):
            rows_of[r][left] = "$" if r + 1 in doors else "#"
        free = [(r, c) for r in range(height) for c in range(left + 1 + right) if rows_of[r][c] == " "]
        player = rng.choice(free)
        inner = [(r, c) for r, c in free if 0 < r < height - 1 and c not in (0, left + right) and (r, c) != player]
        boxes = rng.sample(inner, min(len(inner), rng.choice((0, 1, 1, 2))))
        for r, c in boxes:
            rows_of[r][c] = "$"
        goals = rng.sample([*free, *[(r - 1, left) for r in doors]], len(doors) + len(boxes))
        for r, c in goals:
            rows_of[r][c] = "*" if rows_of[r][c] == "$" else "."
        sign = rows_of[player[0]][player[1]]
        rows_of[player[0]][player[1]] = "+" if sign == "." else "@"
        wall = "#" * (left + right + 3)
        text = "\n".join([wall, *("#" + "".join(row) + "#" for row in rows_of), wall, ""])
        if player[1] < left:
            try:
                (level,) = formats.read(level_text.write(formats.read(text)[0]))
            except ValueError:
                continue
            if len(level.boxes) == len(level.goals) > 1:
                return level


def corral_steps(
    level: Board, boxes: frozenset[int], player: int, named: tuple[int, ...], without: str, objective: str = "pushes"
) -> list[State] | None:
    """Return the actions that a corral allows, None if it is none, all conditions but one looked at; no box is ever lost here."""
    reached = set(level.walks(player, boxes))
    inside: set[int] = set().union(*(level.walks(c, boxes) for c in named))
    ring = {b for b in boxes if inside.intersection(level.to[b])}
    if (without != "closed" and inside & reached) or (without != "to be opened" and ring <= level.goals):
        return None
    found = []
    for b in ring:
        for d in range(4):
            stand, q = level.to[b][d ^ 1], level.to[b][d]
            if stand is None or q is None or stand in inside or stand in ring or q in ring:
                continue
            if q not in inside or stand not in reached:
                if without == ("at hand" if q in inside else "into the area"):
                    continue
                return None
            found += level.line(boxes, b, d, objective)
    return found


def _areas(level: Board, boxes: frozenset[int]) -> Iterator[tuple[int, ...]]:
    parts = [c for c in range(level.n) if c not in boxes and c == min(level.walks(c, boxes))]
    yield from combinations(parts, 1)
    yield from combinations(parts, 2)


def _closed(level: Board, without: str, objective: str) -> dict[State, tuple[tuple[int, ...], int]] | None:
    """Close a list of states that says there is no plan; return each one's area and cost, None if one is solved."""
    place: Callable[[State], State] = lambda one: (one[0], min(level.walks(one[1], one[0])))  # noqa: E731
    start = place((frozenset(level.boxes), level.player))
    listed: dict[State, tuple[tuple[int, ...], int]] = {start: ((), 0)}
    for state in (todo := [start]):
        boxes, player = state
        if boxes == level.goals:
            return None
        best: tuple[tuple[int, ...], list[State]] = ((), [after for after, _ in level.pushes(boxes, player, objective)])
        for named in _areas(level, boxes):
            steps = corral_steps(level, boxes, player, named, without, objective)
            if steps is not None and len(steps) < len(best[1]):
                best = named, steps
        listed[state] = best[0], listed[state][1]
        for after in map(place, best[1]):
            if after not in listed:
                listed[after] = (), listed[state][1] + 1
                todo.append(after)
    return listed


def deceive(level: Level, without: str, place: Path, objective: str = "pushes") -> Path | None:
    """Write a folder which says that there is no plan, its list closed but for one condition; None if it cannot be."""
    text = level_text.write(level)
    listed = _closed(Board(text), without, objective)
    bounds = group_bounds.build(level_text.read(text), (0,) * len(level.goals), 1, lines=objective == "lines")
    live = {int(cell): at for at, cell in enumerate(bounds.floor.floor_of)}
    # a state with a box that is lost is bounded: it need not be listed
    kept = {state: said for state, said in (listed or {}).items() if live.keys() >= state[0]}
    if not kept:
        return None
    records, areas, width = bytearray(), bytearray(), (len(live) + 7) // 8
    for (boxes, player), (named, cost) in kept.items():
        records += sum(1 << live[b] for b in boxes).to_bytes(width, "little")
        records += player.to_bytes(2, "little") + cost.to_bytes(2, "little")
        areas += bytes([len(named)]) + b"".join(cell.to_bytes(2, "little") for cell in named)
    more = [(folders.PATTERNS, lzma.compress(b"")), (folders.CORRALS, lzma.compress(bytes(areas)))]
    claim: dict[str, Any] = {"format": f"{folders.FORMAT} 4", "objective": objective, "groups": 1}
    claim["prices"] = [0] * len(level.goals)
    return write(place, text, tables=group_bounds.stored_bytes(bounds), states=bytes(records), more=more, **claim)
