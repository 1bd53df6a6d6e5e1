"""The compiled parts of the satisficing searches against plain Python, on random levels."""

import random
from collections.abc import Iterator

import numpy as np
import pytest

from sokoasp.sokoban.level import DIRECTIONS, Level, reachable, spread
from sokoasp.sokoban.search.model import push_board
from sokoasp.sokoban.search.satisficing.macro_registers import C
from sokoasp.sokoban.search.satisficing.macro_search import moved
from tests.levels import random_level, scrambled_level

LEVELS = [
    *(scrambled_level(seed, boxes=4, pulls=60) for seed in range(25)),
    *(random_level(seed, width=6, height=6, boxes=3) for seed in range(25)),
]


def branching_of(level: Level, *, reverse: bool = False):  # type: ignore[no-untyped-def]
    from sokoasp.sokoban.search.satisficing import macro_workspace

    board = push_board.build(level)
    if board.dead_start:
        return None
    return macro_workspace.MacroWorkspace(
        board, macro_workspace.load(), macro_workspace.any_order(board), reverse=reverse
    )


def places(level: Level, board: push_board.PushBoard, box: int, reverse: bool) -> dict[tuple[int, int], int]:
    """Return what one box can do by single pushes while the others stand: (its cell, smallest cell of the region) -> pushes."""
    number = {cell: index for index, cell in enumerate(board.cells)}
    others = frozenset(board.cells[b] for b in board.boxes if b != box)

    def region(cell: int, player: int) -> frozenset[int]:
        return frozenset(number[c] for c in reachable(board.cells[player], level.floor - others - {board.cells[cell]}))

    def after(state: tuple[int, frozenset[int]]) -> Iterator[tuple[int, frozenset[int]]]:
        cell, area = state
        for d in range(4):
            to, stand = int(board.neighbour[cell, d]), int(board.neighbour[cell, d ^ 1])
            if to >= board.live or board.cells[to] in others:
                continue
            player = int(board.neighbour[to, d]) if reverse else cell
            if (to in area and player in area) if reverse else stand in area:
                yield to, region(to, player)

    first = (box, region(box, board.player))
    found = spread([first], after)
    del found[first]
    return {(cell, min(area)): pushes for (cell, area), pushes in found.items()}


@pytest.mark.parametrize("reverse", [False, True])
def test_macros_are_all_ways_of_single_pushes_with_the_others_fixed(reverse: bool) -> None:
    compared = 0
    for level in LEVELS:
        b = branching_of(level, reverse=reverse)
        if b is None:
            continue
        b.r.corral = 0
        board = b.board
        count = b.children(board.boxes, board.player)
        rows = b.kids.out[:count]
        for box in board.boxes:
            mine = rows[rows[:, C.FROM] == box]
            reported = {(int(r[C.TO]), int(r[C.LOW])): int(r[C.PUSHES]) for r in mine}
            true = places(level, board, box, reverse)
            assert len(reported) == len(mine)
            assert reported.items() <= true.items()
            for cell, low in true.keys() - reported.keys():
                assert not reverse, "a pull is missing"
                after = frozenset(board.cells[c] for c in board.boxes if c != box) | {board.cells[cell]}
                assert frozen_off_goal(level, board, after), (level, box, cell, low)
            compared += len(reported)
    assert compared > 500


def frozen_off_goal(level: Level, board: push_board.PushBoard, boxes: frozenset) -> bool:  # type: ignore[type-arg]
    """Return whether boxes off goal block each other for good (the largest set blocked along both axes)."""
    number = {cell: index for index, cell in enumerate(board.cells)}
    stuck = {number[c] for c in boxes}
    changed = True
    while changed:
        changed = False
        for c in sorted(stuck):
            blocked = []
            for d in (0, 2):
                a, e = int(board.neighbour[c, d]), int(board.neighbour[c, d ^ 1])
                wall = a == board.size or e == board.size
                blocked.append(wall or a in stuck or e in stuck or (a >= board.live and e >= board.live))
            if not all(blocked):
                stuck.discard(c)
                changed = True
    return any(c not in board.goals for c in stuck)


@pytest.mark.parametrize("reverse", [False, True])
def test_features_of_the_children_are_those_of_the_states(reverse: bool) -> None:
    """Ties go to boxes far from goals, in a reverse play to sides of boxes in reach."""
    for level in LEVELS[::2]:
        b = branching_of(level, reverse=reverse)
        if b is None:
            continue
        board = b.board
        b.guides.goal_distance[:] = 0 if reverse else range(len(b.guides.goal_distance))
        count = b.children(board.boxes, board.player)
        for row, key in [
            (r.tolist(), k) for r, k in zip(b.kids.out[:count].copy(), b.kids.keys[:count].copy(), strict=True)
        ]:
            boxes = tuple(sorted([c for c in board.boxes if c != row[C.FROM]] + [row[C.TO]]))
            standing = {board.cells[c] for c in boxes}
            free, regions = set(level.floor - standing), 0
            while free:
                free -= reachable(min(free), frozenset(free))
                regions += 1
            assert row[C.REGIONS] == regions
            assert row[C.FILLED] == sum((c in board.goals) != reverse for c in boxes)
            area = reachable(board.cells[row[C.STAND]], level.floor - standing)
            beside = sum(board.cells[c].step(d) in area for c in boxes for d in DIRECTIONS)
            assert 4095 - (int(key[1]) & 4095) == (beside if reverse else sum(boxes))
            b.children(boxes, row[C.STAND])
            assert b.r.key == key[0]
            assert b.r.lowest == row[C.LOW]


def filled(occ: set[int], steps: list[tuple[int, int, int]], unordered: int) -> int:
    """Return how far an order is carried out, by its definition."""
    for p in range(len(steps), -1, -1):
        if all(steps[q][1] in occ for q in range(p) if steps[q][2] >= p):
            return p if p >= unordered else sum(steps[q][1] in occ for q in range(unordered))
    raise AssertionError


def test_filled_is_the_longest_prefix_carried_out() -> None:
    b = branching_of(LEVELS[0])
    rng = random.Random(16)
    for _ in range(500):
        steps = []
        for q in range(count := rng.randint(1, 8)):
            steps.append((-1, rng.randrange(10), rng.choice([count, rng.randint(q, count)])))
        occ = {c for c in range(10) if rng.random() < 0.6}
        unordered = rng.choice([0, 0, rng.randint(0, count)])
        bits = np.array([c in occ for c in range(10)], dtype=np.uint8)
        reported = b.compiled.successors.filled(bits, count, unordered, 0, np.array(steps, dtype=np.int32))
        assert reported == filled(occ, steps, unordered)


def test_a_moved_box_keeps_the_order_of_cells() -> None:
    rng = random.Random(5)
    for _ in range(500):
        boxes = sorted(rng.sample(range(30), rng.randint(1, 6)))
        box, to = rng.choice(boxes), rng.choice([cell for cell in range(30) if cell not in boxes])
        assert moved(tuple(boxes), box, to) == tuple(sorted({*boxes, to} - {box}))
