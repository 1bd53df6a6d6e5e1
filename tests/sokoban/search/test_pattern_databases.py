"""Pattern databases, and the bound made of them, against plain Python and along known plans."""

import heapq
import itertools
import random
import tracemalloc
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from sokoasp.core.limits import Limits
from sokoasp.core.result import Status
from sokoasp.sokoban import formats
from sokoasp.sokoban.level import Level, reachable
from sokoasp.sokoban.plan import Plan
from sokoasp.sokoban.search import Options, solve
from sokoasp.sokoban.search.bounds import pattern_databases, search_tables
from sokoasp.sokoban.search.exact import astar, member
from sokoasp.sokoban.search.model import push_board, workspace
from sokoasp.sokoban.search.model.options import Proving, Tuning
from sokoasp.sokoban.search.model.records import Bound, Learned, Registers, W
from sokoasp.sokoban.search.model.referee import bounds_of
from tests.levels import random_level, scrambled_level
from tests.sokoban.search.known_plans import solved, states

FAR = 1 << 20
State = tuple[frozenset[int], int]


def prices_of_states(
    numbers: push_board.PushBoard, paid: dict[int, int], size: int, *, lines: bool
) -> dict[State, int]:
    """Return the least price of every state of ``size`` boxes with a way to goals, the player's region as its least cell.

    Dijkstra's algorithm over pulls, on sets.
    """
    n, step = numbers.size, numbers.neighbour.tolist()

    def area(boxes: frozenset[int], start: int) -> set[int]:
        seen, stack = {start}, [start]
        while stack:
            for to in step[stack.pop()]:
                if to < n and to not in boxes and to not in seen:
                    seen.add(to)
                    stack.append(to)
        return seen

    found: dict[State, int] = {}
    heap: list[tuple[int, list[int], int]] = []
    for goals in itertools.combinations(paid, size):
        for player in set(range(n)) - set(goals):
            heap.append((sum(paid[g] for g in goals), sorted(goals), min(area(frozenset(goals), player))))
    heapq.heapify(heap)
    while heap:
        cost, cells, player = heapq.heappop(heap)
        boxes = frozenset(cells)
        if (boxes, player) in found:
            continue
        found[boxes, player] = cost
        near = area(boxes, player)
        for box, d in itertools.product(cells, range(4)):
            at = box
            while True:
                to, beyond = step[at][d], step[step[at][d]][d]
                if to not in near or beyond not in near or to >= numbers.live:
                    break
                after = boxes - {box} | {to}
                heapq.heappush(heap, (cost + 1, sorted(after), min(area(after, beyond))))
                at = to
                if not lines:
                    break
    return found


def penalty_of(
    patterns: pattern_databases.PatternDatabases, kernels: ModuleType, cells: tuple[int, ...], player: int
) -> int:
    arrays = patterns.arrays
    index = arrays.flat[len(cells)] + kernels.rank(len(cells), np.array(cells, np.int32), arrays.binomial)
    return int(arrays.penalty[arrays.first[index] + arrays.rows[arrays.row_of[index], player]])


@pytest.mark.parametrize("lines", [False, True])
def test_penalties_against_a_search_on_sets(lines: bool, code: workspace.Kernels) -> None:
    useful = dead = 0
    for seed in range(13):
        level = random_level(seed, width=4, height=4, boxes=4)
        numbers = push_board.build(level)
        if numbers.dead_start:
            continue
        rng = random.Random(seed)
        potentials = np.array([rng.choice((0, 0, 1, 3)) for _ in numbers.goals], np.int32)
        dist = push_board.distances(level, numbers, lines=lines, reverse=False)
        found = pattern_databases.build(code.database_kernels, numbers, dist, potentials, 4, lines=lines, reverse=False)
        paid = dict(zip(numbers.goals, potentials.tolist(), strict=True))
        exact = {size: prices_of_states(numbers, paid, size, lines=lines) for size in (1, 2, 3, 4)}
        best: dict[State, int] = {}
        for size in (1, 2, 3, 4):
            for cells in itertools.combinations(range(numbers.live), size):
                boxes = frozenset(cells)
                for player in set(range(numbers.size)) - boxes:
                    price = exact[size].get((boxes, least_cell(numbers, boxes, player)), FAR)
                    single = sum(int(found.arrays.alone[numbers.side[c, player]]) for c in cells)
                    if size == 1:
                        assert min(single, FAR) == price
                        best[boxes, player] = 0
                        continue
                    parts = max(
                        best[frozenset(part), player] + best[boxes - frozenset(part), player]
                        for count in range(1, size)
                        for part in itertools.combinations(cells, count)
                    )
                    best[boxes, player] = max(parts, FAR if price == FAR else price - single)
                    value = penalty_of(found, code.database_kernels, cells, player)
                    if parts >= FAR // 2 or single >= FAR:
                        assert value < 0
                    elif price == FAR:
                        assert value == code.database_kernels.DEAD
                        dead += 1
                    else:
                        assert value == (price - single if price - single > parts else -1 - parts)
                        useful += value > 0
    assert useful > 100 and dead > 100


def least_cell(numbers: push_board.PushBoard, boxes: frozenset[int], player: int) -> int:
    cells = {numbers.cells[c] for c in range(numbers.size) if c not in boxes}
    area = reachable(numbers.cells[player], frozenset(cells))
    return min(numbers.cells.index(c) for c in area)


def test_rows_of_groups_are_those_of_a_flood(code: workspace.Kernels) -> None:
    # many are taken over from the pattern without its first box, where that divides nothing: both ways are counted
    kernels, taken, flooded = code.database_kernels, 0, 0
    for seed in range(6):
        numbers = push_board.build(random_level(seed, width=5, height=4, boxes=4))
        n, alone = numbers.size, np.zeros(8 * numbers.size, np.int32)
        work = pattern_databases._Work(kernels, numbers, alone, 4, lambda megabytes: True)
        row, queue = np.zeros(n + 1, np.uint8), np.zeros(n + 1, np.int32)
        for size in (2, 3, 4):
            assert work.partition(size)
            for cells in itertools.combinations(range(numbers.live), size):
                here = np.array(cells, np.int32)
                index = work.flat[size] + kernels.rank(size, here, work.binomial)
                count = kernels.divide(n, size, here, numbers.neighbour, row, queue)
                assert work.rows[work.row_of[index]].tolist() == row.tolist(), (seed, cells)
                if index + 1 < work.flat[size + 1]:
                    assert work.first[index + 1] - work.first[index] == count
                kernels.find_cuts(n, size, here, numbers.neighbour, work.floor)
                taken += size > 2 and not work.floor[kernels.CUT, cells[0]]
                flooded += size > 2 and work.floor[kernels.CUT, cells[0]] > 0
    assert taken > 1000 and flooded > 1000


def test_cost_partitioning_against_all_subsets(code: workspace.Kernels) -> None:
    packing = code.cost_partitioning
    rng = random.Random(3)
    items, share = np.zeros((packing.PACKING, packing.ITEMS), np.int64), np.zeros(12, np.int32)
    for _ in range(200):
        patterns = [
            (sum(1 << b for b in rng.sample(range(8), size)), rng.randint(1, 9), size)
            for size in (rng.randint(2, 4) for _ in range(rng.randint(0, 9)))
        ]
        for i, (mask, penalty, size) in enumerate(patterns):
            items[:3, i] = mask, penalty, penalty * packing.SHARES // size
        truth = 0
        for count in range(len(patterns) + 1):
            for chosen in itertools.combinations(patterns, count):
                if sum(bin(g[0]).count("1") for g in chosen) == bin(_union(chosen)).count("1"):
                    truth = max(truth, sum(g[1] for g in chosen))
        assert packing.pack_items(8, len(patterns), 1000, items, share) == truth


def _union(patterns: tuple[tuple[int, int, int], ...]) -> int:
    mask = 0
    for pattern in patterns:
        mask |= pattern[0]
    return mask


def bound(search: astar.Search, boxes: tuple[int, ...], player: int) -> int:
    """Return the search's bound for a state of its level."""
    s, t, code = search.scratch, search.tables, search.code
    near = least_cell(t.board, frozenset(boxes), player)
    search.r.moved = -1
    s.w[W.BOXES, : len(boxes)] = boxes
    assert code.state_bound.match_state(search.r, s.w, near, t.board.side, t.dist) < code.primitives.INF
    code.primitives.pack(s.w[W.BOXES], len(boxes), near, search.store.words, s.key)
    return int(code.state_bound.bound(search.r, search.bounding(), s, near, workspace.UNBOUNDED))


def assert_admissible(level: Level, plan: Plan, largest: int) -> int:
    """Check that no state of a plan is bounded by more than the plan still costs; return how often the patterns said more."""
    numbers = push_board.build(level)
    options = Options(largest_pattern=largest)
    table = search_tables.build(level, numbers, "pushes", options)
    search = astar.begin(level, search_tables.enlarged(table, options, largest), options)
    matching = options.only("matching")
    plain = astar.begin(level, search_tables.build(level, numbers, "pushes", matching), matching)
    more = 0
    for done, (boxes, player) in enumerate(states(level, numbers, plan)):
        found, left = bound(search, boxes, player), plan.pushes - done
        assert found <= left, f"{found} said, {left} needed after {boxes}\n{level}"
        more += found > bound(plain, boxes, player)
    return more


CROWDED = """
###########
#  #   #  #
# $.$ $.$ #
#  ..@..  #
# $. # .$ #
##  $ $  ##
####   ####
####   ####
###########
"""


@pytest.mark.parametrize("largest", [2, 3, 4])
def test_no_state_of_a_plan_is_bounded_too_high(largest: int) -> None:
    more = 0
    levels = [scrambled_level(seed, boxes=6, pulls=2000) for seed in (3, 5, 8, 10, 12, 15, 21, 22, 23)]
    for level in [*levels, formats.read(CROWDED.encode())[0]]:
        plan = solve(level, "pushes", Limits(seconds=60), engine="forward", switches={"matching", "freeze"}).plan
        assert plan is not None
        more += assert_admissible(level, plan, largest)
    assert more > 0


@pytest.mark.parametrize("objective", ["lines", "pushes"])
def test_crowded_goals_cost_the_same_with_and_without(objective: str) -> None:
    level = formats.read(CROWDED.encode())[0]
    ask = partial(solve, level, objective, Limits(seconds=120), engine="forward")
    values = {
        ask(options=Options(patterns=False)).value,
        *(ask(options=Options(largest_pattern=q)).value for q in (2, 3, 4, 5)),
    }
    assert len(values) == 1 and None not in values


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("largest", [3, 4])
def test_no_state_of_a_known_solution_is_bounded_too_high(largest: int, cavepacker: Path) -> None:
    more = seen = 0
    for level, plan in solved(cavepacker):
        if pattern_databases.fits(push_board.build(level), largest):
            more += assert_admissible(level, plan, largest)
            seen += 1
    assert seen > 500 and more > 500


def test_tables_that_grow_in_the_middle_of_a_search_change_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(astar, "REBOUNDED", 7)
    soon = Tuning(Proving(climb=1e-4))
    grown = 0
    for seed in (1, 2, 3, 4):
        level = scrambled_level(seed, boxes=8, pulls=2000)
        ask = partial(solve, level, "pushes", Limits(seconds=120))
        for engine in ("forward", "reverse"):
            found, plain = (ask(engine=engine, options=one) for one in (Options(tuning=soon), Options(patterns=False)))
            assert (found.status, found.value) == (plain.status, plain.value)
            grown += found.counters["group_size"] == 4
    assert grown > 2


def test_larger_tables_keep_the_prices_whatever_state_a_search_begins_with() -> None:
    level = scrambled_level(5, boxes=6, pulls=2000)
    numbers, options = push_board.build(level), Options()
    table = search_tables.build(level, numbers, "pushes", options)
    assert table.patterns.largest == 3 and np.ptp(table.patterns.potential[list(numbers.goals)]) > 0
    elsewhere = replace(table, starts=((numbers.goals, table.starts[0][1]),))
    fresh = search_tables.enlarged(replace(elsewhere, patterns=pattern_databases.none()), options, 3).patterns
    assert list(fresh.potential) != list(table.patterns.potential)  # on its own that state has other potentials
    table = replace(elsewhere, patterns=replace(table.patterns, largest=2))
    assert list(search_tables.enlarged(table, options, 3).patterns.potential) == list(table.patterns.potential)


def key_of(boxes: Any, words: int) -> Any:
    """Return boxes as one bit each."""
    bits = sum(1 << int(b) for b in boxes)
    return np.array([bits >> 64 * w & (1 << 64) - 1 for w in range(words)], np.uint64)


def collected(items: Any, count: int, boxes: Any) -> list[tuple[list[int], int, int]]:
    """Return the patterns in a list by their boxes, with penalties and shares."""
    rows = items[:3, : max(count, 0)].T.tolist()
    return sorted((sorted(int(boxes[b]) for b in range(6) if m >> b & 1), v, s) for m, v, s in rows)


def test_patterns_after_a_move_are_those_of_the_whole_state(code: workspace.Kernels) -> None:
    packing = code.cost_partitioning
    found = dead = 0
    for seed in range(12):
        level = random_level(seed, width=6, height=5, boxes=6)
        numbers = push_board.build(level)
        if numbers.dead_start or numbers.live < 10:
            continue
        options, rng = Options(largest_pattern=4), random.Random(seed)
        table = search_tables.enlarged(search_tables.build(level, numbers, "pushes", options), options, 4)
        g, words = table.patterns, (numbers.live + 63) // 64
        if not g.largest:
            continue
        for _ in range(60):
            boxes = np.array([*sorted(rng.sample(range(numbers.live), 6)), 0], np.int32)
            key, scratch = key_of(boxes[:6], words), np.zeros((3, 8), np.int32)
            items = np.zeros((packing.PACKING, packing.ITEMS), np.int64)
            learned = Learned(np.zeros((1, 3), np.int32), np.zeros((1, 1), np.uint64), np.zeros((1, 1), np.int32))
            frozen = workspace.frozen_walls(numbers, used=False)
            b = Bound(numbers.side, table.dist, g.arrays, learned, frozen, items)
            r = Registers()
            r.boxes, r.patterns = 6, g.largest
            r.parents = packing.list_patterns(6, g.largest, boxes, key, b, scratch[0], scratch[1])
            moved = rng.randrange(6)
            boxes[moved] = to = rng.choice(sorted(set(range(numbers.live)) - set(boxes[:6].tolist())))
            key = key_of(boxes[:6], words)
            player = rng.choice(sorted(set(range(numbers.size)) - set(boxes[:6].tolist())))
            r.moved = moved
            count = packing.collect_moved(r, player, boxes, key, b, scratch[0], scratch[1])
            some = collected(items, count, boxes)
            anew = np.sort(boxes[:6])
            listed = packing.list_patterns(6, g.largest, anew, key, b, scratch[0], scratch[1])
            count = packing.collect_others(packing.NONE, listed, player, b) if count >= 0 else -count
            again = collected(items, count, anew)
            if count == 1 and not some:
                assert packing.collect_others(packing.NONE, listed, player, b) == -1
                dead += 1
            else:
                assert some == again, (seed, anew, to)
                found += len(some)
    assert found > 100 and dead > 50


def test_tables_take_no_more_memory_than_they_ask_for(code: workspace.Kernels) -> None:
    """Rows of components, potentials and queues included: what is refused is not taken, and smaller tables stay."""
    level = scrambled_level(4, width=11, height=10, boxes=6)
    numbers = push_board.build(level)
    dist = push_board.distances(level, numbers, lines=True, reverse=False)
    potentials = np.zeros(len(numbers.boxes), np.int32)
    kernels = code.database_kernels

    def build(most: float) -> tuple[int, float, float]:
        asked = [0.0]
        tracemalloc.start()
        try:
            found = pattern_databases.build(
                kernels,
                numbers,
                dist,
                potentials,
                4,
                lines=True,
                reverse=False,
                within_limits=partial(_below, most, asked),
            )
            return found.largest, max(asked), tracemalloc.get_traced_memory()[1] / 1e6
        finally:
            tracemalloc.stop()

    whole, asked, peak = build(1e9)
    assert (whole, asked > 3) == (4, True)
    assert 0.8 * peak < asked < 1.2 * peak, (asked, peak)
    seen = set()
    for part in (2, 11, 17):
        largest, _, peak = build(asked * part / 20)
        seen.add(largest)
        assert peak < asked * part / 20 + 0.3
    assert {0, 3} <= seen <= {0, 2, 3, 4}


def _below(most: float, asked: list[float], megabytes: float) -> bool:
    asked.append(megabytes if megabytes <= most else 0.0)
    return megabytes <= most


def test_the_board_of_the_documentation() -> None:
    """docs/native-patterns.md, "Pattern databases": a pair with a penalty of 2, and the same pair dead in a lower hall."""
    high, low = (
        formats.read(f"#######\n{rows}#@$$..#\n{rows}#######\n".encode())[0] for rows in ("#     #\n" * 2, "#     #\n")
    )
    for patterns, least, expanded in ((False, 4, True), (True, 6, False)):
        options = Options(patterns=patterns, learned_patterns=False, corral=False, freeze=False, walls=False)
        search = member.prepare(high, "pushes", options, bounds_of(high, "pushes"), reverse=False)
        assert search is not None and search.lower == least
        dead = solve(low, "pushes", engine="forward", options=options)
        assert dead.status is Status.UNSOLVABLE and (dead.counters["expanded"] > 0) is expanded
    assert solve(high, "pushes", engine="reference").value == 6


def test_larger_tables_take_a_tenth_of_the_time_that_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where they would take more they are not filled, then or later: other searches would have to wait."""
    monkeypatch.setattr(pattern_databases, "fits", lambda board, largest: 2)
    level, options = scrambled_level(5, boxes=4), Options(largest_pattern=4)
    table = search_tables.build(level, push_board.build(level), "pushes", options)
    monkeypatch.undo()
    monkeypatch.setattr(pattern_databases, "estimate", lambda board, largest: (6.0, 0.0))
    for seconds, largest in ((59, 2), (90, 3)):
        search = astar.begin(level, table, options)
        search._climb(Limits(seconds=seconds).start())
        assert search.tables.patterns.largest == largest
