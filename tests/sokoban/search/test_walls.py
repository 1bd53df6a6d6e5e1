"""Frozen boxes as walls: the table against a plain search, plans never bounded too high, answers against the oracle."""

import random
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from sokoasp.core.limits import Limits
from sokoasp.core.result import Status
from sokoasp.sokoban import formats
from sokoasp.sokoban.level import Level, spread
from sokoasp.sokoban.search import Options, solve
from sokoasp.sokoban.search.bounds import search_tables
from sokoasp.sokoban.search.exact import astar, reference
from sokoasp.sokoban.search.model import push_board
from tests.levels import DETOUR, packed_level, random_level, some_now
from tests.sokoban.search.known_plans import states

WALLS = Options().only("matching", "walls")


def begun(level: Level, options: Options = WALLS) -> astar.Search | None:
    """Return the forward search of a level, None where a box is dead from the start."""
    board = push_board.build(level)
    if board.dead_start:
        return None
    return astar.begin(level, search_tables.build(level, board, "pushes", options), options)


def ways(board: push_board.PushBoard, still: set[int], goal: int) -> dict[int, int]:
    """Return the fewest pushes of a lone box from each cell to a goal, the player anywhere, with ``still`` as walls."""
    near, free = board.neighbour.tolist(), {*range(board.size)} - still

    def area(box: int, cell: int) -> frozenset[int]:
        return frozenset(spread([cell], near.__getitem__, free - {box}))

    def after(state: tuple[int, frozenset[int]]) -> Iterator[tuple[int, frozenset[int]]]:
        box, side = state
        for d in range(4):
            to, stand = near[box][d], near[box][d ^ 1]
            if to < board.live and to in free and stand in side:
                yield to, area(to, box)

    least = {goal: 0}
    for start in free & {*range(board.live)} - {goal}:
        sides = {(start, area(start, cell)) for cell in near[start] if cell in free}
        if costs := [cost for (box, _), cost in spread(sides, after).items() if box == goal]:
            least[start] = min(costs)
    return least


@pytest.mark.parametrize("seed", range(12))
def test_detours_against_a_plain_search(seed: int) -> None:
    search = begun(packed_level(seed, boxes=3))
    board, b, rng = search.tables.board, search.bounding(), random.Random(seed)
    for _ in range(6):
        still = set(rng.sample(range(board.live), rng.randrange(1, 4)))
        search.scratch.flag[list(still)] = 1
        slot = search.code.frozen_walls.slot_of(search.r, b, search.scratch)
        search.scratch.flag[list(still)] = 0
        found = b.frozen.detours[slot].reshape(board.live, -1)
        for column, goal in enumerate(board.goals):
            truth = {} if goal in still else ways(board, still, goal)
            assert {c: int(found[c, column]) for c in range(board.live) if found[c, column] < 30000} == truth


def follow(level: Level, spoil: Callable[[astar.Search], None] | None = None) -> int:
    """Follow a best plan of a level; return how many states the walls bound higher than the matching alone.

    None may be bounded by more than the plan still costs.
    ``spoil``: what is done to the search when its table is filled, before it is asked once more.
    """
    search, plain = begun(level), begun(level, Options().only("matching"))
    plan = solve(level, "pushes", Limits(states=20_000), engine="forward").plan
    if search is None or plain is None or plan is None:
        return 0
    line = list(states(level, search.tables.board, plan))
    for number, (boxes, player) in enumerate(line):
        rest, found = len(line) - 1 - number, search.bound(boxes, player)
        assert found <= rest, f"state {number} costs {rest} and is bounded by {found}\n{level}"
    higher = sum(search.bound(*state) > plain.bound(*state) for state in line)
    if spoil is not None:
        spoil(search)
        for number, state in enumerate(line):
            assert search.bound(*state) <= len(line) - 1 - number, "a spoilt table bounds a state too high"
    return higher


(AROUND,) = formats.read(DETOUR.encode())
LEVELS = [AROUND, *(packed_level(seed, boxes=3) for seed in range(20))]


def test_no_state_of_a_plan_is_bounded_too_high() -> None:
    assert sum(follow(level) for level in LEVELS) > 0


def test_a_box_goes_around_a_pair_that_never_moves() -> None:
    search, plain = begun(AROUND), begun(AROUND, Options().only("matching"))
    assert (plain.lower, search.lower, solve(AROUND, "pushes", engine="forward").value) == (5, 7, 7)


def test_a_goal_behind_a_pair_that_never_moves_is_out_of_reach() -> None:
    rows = DETOUR.split()
    (level,) = formats.read("\n".join([rows[0], *DETOUR.splitlines()[3:]]).encode())
    found, without = (
        solve(level, "pushes", engine="forward", switches=s) for s in (("matching", "walls"), ("matching",))
    )
    assert found.status is without.status is Status.UNSOLVABLE
    assert found.counters["expanded"] == 0 < without.counters["expanded"]


def lengthen(search: astar.Search) -> None:
    """Make every way of the table two pushes longer."""
    detours = search.bounding().frozen.detours
    detours[detours < 30000] += 2


def fill(search: astar.Search) -> None:
    """Say of every set that all goals must be filled already."""
    b = search.bounding()
    words = b.frozen.sets.shape[1] // 2
    for goal in search.tables.board.goals:
        b.frozen.sets[:, words + (goal >> 6)] |= np.uint64(1 << (goal & 63))


def cut(search: astar.Search) -> None:
    """Take all ways away."""
    search.bounding().frozen.detours.fill(30000)


@pytest.mark.parametrize("spoil", [lengthen, fill, cut])
def test_a_spoilt_table_is_noticed(spoil: Callable[[astar.Search], None]) -> None:
    with pytest.raises(AssertionError, match="spoilt"):
        for level in LEVELS:
            follow(level, spoil)


@pytest.mark.parametrize("block", some_now(4, 1))
def test_answers_agree_with_the_oracle(block: int) -> None:
    assert agree(range(12 * block, 12 * block + 12)) > 10


def agree(seeds: range) -> int:
    """Compare with the oracle, walls alone and with everything; return how many levels were compared."""
    compared = 0
    for seed in seeds:
        spare = 1 if seed % 7 == 0 else 0
        level = packed_level(seed, boxes=3 + seed % 2, spare=spare) if seed % 3 else random_level(seed, boxes=3)
        for objective in ("pushes", "lines", "moves"):
            truth = reference.solve(level, objective, Limits(states=1_000))
            if truth.stopped_by:
                continue
            for options in (WALLS, Options()):
                found = solve(level, objective, engine="forward", options=options)
                assert (found.status, found.value) == (truth.status, truth.value), f"seed {seed} {objective}\n{level}"
            compared += 1
    return compared


@pytest.mark.slow
@pytest.mark.parametrize("block", range(20))
def test_five_thousand_levels(block: int) -> None:
    assert agree(range(1000 + 250 * block, 1250 + 250 * block)) > 100
