"""The compiled parts against plain Python."""

import random
from collections import Counter

import numpy as np
import pytest

from sokoasp.sokoban import grid
from sokoasp.sokoban.grid import assign
from sokoasp.sokoban.level import Cell, Level, reachable
from sokoasp.sokoban.search import Options
from sokoasp.sokoban.search.bounds import search_tables
from sokoasp.sokoban.search.exact import astar
from sokoasp.sokoban.search.model import push_board
from sokoasp.sokoban.search.model.records import Augmenting, Matching, States, W
from sokoasp.sokoban.search.model.workspace import Kernels
from tests.levels import random_level, scrambled_level


def i4(*values: int, size: int = 0) -> "np.ndarray":
    return np.array(list(values) + [0] * max(0, size - len(values)), dtype=np.int32)


def test_matching_and_its_repair_against_the_plain_assignment(code: Kernels) -> None:
    rng = random.Random(5)
    inf = code.primitives.INF
    impossible = 0
    for _ in range(400):
        k, states = rng.randint(1, 6), 9
        dist = np.array(
            [[rng.choice([rng.randint(0, 9), rng.randint(0, 30), inf]) for _ in range(k)] for _ in range(states)]
        )
        dist = dist.astype(np.int32)
        u, v, row_of, u2, v2, row_of2, least, way, used = (i4(size=k + 1) for _ in range(9))

        def expected(rows: list[int], dist: "np.ndarray" = dist) -> int:
            found = assign([[None if c >= inf else int(c) for c in dist[s]] for s in rows])
            return inf if found is None else found.total

        first = [rng.randrange(states) for _ in range(k)]
        parents, path = Matching(i4(*first), u, v, row_of), Augmenting(least, way, used)
        cost = code.primitives.matching(k, dist, parents, path)
        assert cost == expected(first)
        impossible += cost == inf
        if cost < inf:
            second = [s if rng.random() < 0.6 else rng.randrange(states) for s in first]
            got = code.primitives.rematching(k, dist, parents, Matching(i4(*second), u2, v2, row_of2), path)
            assert got == expected(second)
    assert 20 < impossible < 300, "both kinds were tried"


def test_packed_states_are_read_back_and_found_by_their_full_key(code: Kernels) -> None:
    rng = random.Random(6)
    live, words, count = 150, 3, 500
    keys, slots = np.zeros((count, words), np.uint64), np.full(1024, -1, np.int32)
    stored: dict[tuple[tuple[int, ...], int], int] = {}
    key, boxes = np.zeros(words, np.uint64), i4(size=20)
    for number in range(count):
        state = (tuple(sorted(rng.sample(range(live), 7))), rng.randrange(60_000))
        code.primitives.pack(i4(*state[0]), 7, state[1], words, key)
        slot = code.hash_set.find(key, words, keys, slots)
        assert slots[slot] == stored.get(state, -1)
        keys[number] = key
        slots[slot] = stored[state] = number
    for (cells, player), number in stored.items():
        assert code.primitives.unpack(keys, number, live, words, boxes) == player
        assert tuple(boxes[:7].tolist()) == cells
    again = np.full(1024, -1, np.int32)
    code.hash_set.rehash(keys, count, words, again, key)
    for number in stored.values():
        assert again[code.hash_set.find(keys[number].copy(), words, keys, again)] == number


@pytest.mark.parametrize("seed", range(30))
def test_distances_and_regions_against_the_plain_tables(seed: int, code: Kernels) -> None:
    level = random_level(seed)
    numbers, plain = push_board.build(level), grid.build(level)
    first, side = grid.push_states(plain)
    assert sorted(numbers.cells) == list(plain.cells)
    for lines in (False, True):
        truth = grid.goal_distances(plain, lines=lines)
        table = push_board.distances(level, numbers, lines=lines, reverse=False)
        for goal, known in truth.items():
            for box in range(numbers.live):
                for player, state in enumerate(numbers.side[box][:-1].tolist()):
                    old_box, old_player = plain.index[numbers.cells[box]], plain.index[numbers.cells[player]]
                    if state >= 0 and plain.cells[goal] in [numbers.cells[g] for g in numbers.goals]:
                        column = [numbers.cells[g] for g in numbers.goals].index(plain.cells[goal])
                        assert table[state, column] == known.get(side[old_box][old_player], push_board.INFINITE)
    occ = np.zeros(numbers.size + 1, np.uint8)
    occ[list(numbers.boxes)] = occ[-1] = 1
    mark, steps, queue = (i4(size=numbers.size + 2) for _ in range(3))
    low = code.primitives.flood(numbers.neighbour, occ, numbers.player, mark, 1, steps, queue)
    area = reachable(level.player, level.floor - level.boxes)
    assert {numbers.cells[c] for c in range(numbers.size) if mark[c] == 1} == area
    assert low == numbers.reach == min(numbers.cells.index(c) for c in area)
    assert first[-1] >= numbers.states


def blocked_forever(boxes: set[Cell], moved: Cell, floor: frozenset[Cell], live: set[Cell]) -> set[Cell]:
    """The freeze rule once more, on sets."""
    rest = set(boxes)

    def stuck(cell: Cell, one: Cell, two: Cell) -> bool:
        walls = one not in floor or two not in floor
        return walls or one in rest or two in rest or (one not in live and two not in live)

    while True:
        free = {
            c
            for c in rest
            if not stuck(c, Cell(c.row, c.col - 1), Cell(c.row, c.col + 1))
            or not stuck(c, Cell(c.row - 1, c.col), Cell(c.row + 1, c.col))
        }
        if not free:
            return rest if moved in rest else set()
        rest -= free


@pytest.mark.parametrize("seed", range(40))
def test_freeze_against_the_rule_on_sets(seed: int, code: Kernels) -> None:
    level = random_level(seed, boxes=3)
    numbers = push_board.build(level)
    if numbers.dead_start:
        return
    flag, target = np.zeros(numbers.size + 1, np.uint8), np.zeros(numbers.size + 1, np.uint8)
    flag[-1] = 1
    target[list(numbers.goals)] = 1
    live = {numbers.cells[c] for c in range(numbers.live)}
    rng = random.Random(seed)
    for _ in range(30):
        boxes = rng.sample(range(numbers.live), min(3, numbers.live))
        cells = {numbers.cells[b] for b in boxes}
        truth = blocked_forever(cells, numbers.cells[boxes[0]], level.floor, live) - level.goals
        count = code.freeze.frozen(len(boxes), i4(*boxes), boxes[0], numbers.neighbour, numbers.live, target, flag)
        assert count == len(truth)
        assert flag.sum() == 1, "scratch is restored"


@pytest.mark.parametrize("reverse", [False, True])
def test_the_smallest_cell_after_a_push_is_that_of_a_flood(reverse: bool, code: Kernels) -> None:
    """Mostly nothing is flooded. A region that the box splits, or opens, must be: to take it for whole gives another cell."""
    rng, seen = random.Random(28), Counter[str]()
    for seed in range(40):
        level = scrambled_level(seed, width=7, height=6, boxes=5, pulls=60)
        board = push_board.build(level)
        near, search = board.neighbour.tolist(), forward_search(level)
        r, s = search.r, search.scratch
        r.reverse = int(reverse)
        for _ in range(20):
            boxes = rng.sample(range(board.live), len(board.boxes))
            free = [cell for cell in range(board.size) if cell not in boxes]
            player = rng.choice(free)
            s.occ[boxes] = 1
            r.stamp += 1
            stamp, mark = r.stamp, s.w[W.MARK]
            r.low = code.region_kernel.region(board.neighbour, s.occ, player, mark, stamp, s.w[W.QUEUE])
            for box in boxes:
                for d in range(4):
                    to, behind = near[box][d], near[box][d ^ 1]
                    beyond = near[to][d] if to < board.size else board.size
                    now = beyond if reverse else box
                    if to >= board.live or s.occ[to] or mark[to if reverse else behind] != stamp:
                        continue
                    if reverse and s.occ[beyond]:
                        continue
                    s.occ[[box, to]] = 0, 1
                    before = r.stamp
                    found = code.expand.lowest_cell(r, board.neighbour, s, stamp, box, d, to, now)
                    standing = frozenset(board.cells[c] for c in range(board.size) if s.occ[c])
                    area = reachable(board.cells[now], level.floor - standing)
                    assert found == min(board.cells.index(cell) for cell in area), (level.rows(), boxes, box, d)
                    seen["flooded" if r.stamp > before else "known"] += 1
                    s.occ[[box, to]] = 1, 0
            s.occ[boxes] = 0
    assert seen["known"] > seen["flooded"] > 100, seen


def forward_search(level: Level) -> astar.Search:
    """Return a search that has not begun."""
    options = Options(patterns=False)
    return astar.begin(level, search_tables.build(level, push_board.build(level), "pushes", options), options)


def stored(keys: list[int], spent: list[int], code: Kernels) -> States:
    """Return a store of states with these keys and costs, entered into its table."""
    table, slots = np.array(keys, np.uint64).reshape(-1, 1), np.full(32, -1, np.int32)
    code.hash_set.rehash(table, len(keys), 1, slots, np.zeros(1, np.uint64))
    i2, none = np.array(spent, np.int16), i4(size=len(keys))
    return States(table, i2, i2.copy(), none, none, none, none, slots, none)


def test_where_two_searches_meet_most_cheaply(code: Kernels) -> None:
    rng = random.Random(5)
    met = 0
    for _ in range(200):
        ours, theirs = ({rng.randrange(1, 20): rng.randrange(9) for _ in range(rng.randint(1, 8))} for _ in range(2))
        first = rng.randrange(len(ours))
        joint = {key: cost + theirs[key] for key, cost in list(ours.items())[first:] if key in theirs}
        found = np.full(2, -1, np.int64)
        stores = [stored(list(side), list(side.values()), code) for side in (ours, theirs)]
        cost = code.hash_set.meet(first, len(ours), 1, *stores, np.zeros(1, np.uint64), found)
        assert cost == min(joint.values(), default=push_board.INFINITE)
        if joint:
            met += 1
            key = list(ours)[found[0]]
            assert list(theirs)[found[1]] == key and joint[key] == cost
    assert 50 < met < 200
