"""PI-corrals against the definition on sets: random states, a corral at a wall, counts on the states of one search."""

import random
from types import ModuleType

import numpy as np
import pytest

from sokoasp.core.limits import Limits
from sokoasp.sokoban import formats
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.search import Options
from sokoasp.sokoban.search.bounds import search_tables
from sokoasp.sokoban.search.exact import astar
from sokoasp.sokoban.search.model import push_board, workspace
from sokoasp.sokoban.search.model.records import Areas, Ground
from tests.levels import random_level, scrambled_level

Pushes = set[tuple[int, int]]
"""Box cell and direction."""


@pytest.fixture(scope="module")
def corral() -> ModuleType:
    return workspace.compiled().corral


def floods(numbers: push_board.PushBoard, boxes: list[int], starts: list[int]) -> list[set[int]]:
    """Return the areas without boxes that contain these cells, each once, in the order of the cells."""
    found: list[set[int]] = []
    for start in starts:
        if start >= numbers.size or start in boxes or any(start in area for area in found):
            continue
        area, stack = {start}, [start]
        while stack:
            fresh = {int(to) for to in numbers.neighbour[stack.pop()]} - area - set(boxes) - {numbers.size}
            area |= fresh
            stack += fresh
        found.append(area)
    return found


def opened_first(
    numbers: push_board.PushBoard, goals: set[int], boxes: list[int], player: int, spare: int
) -> Pushes | None:
    """Return the pushes of the best corral of a state, None if there is no corral: the rule of docs/native.md on sets."""
    (reach,) = floods(numbers, boxes, [player])
    beside = [int(c) for b in boxes for c in numbers.neighbour[b]]
    areas = [area for area in floods(numbers, boxes, beside) if not area & reach]
    best: Pushes | None = None
    for seed in areas:
        inside: set[int] | None = set(seed)
        pushes: Pushes = set()
        while inside is not None:
            around = {b for b in boxes if {int(c) for c in numbers.neighbour[b]} & inside}
            pushes, joined = set(), None
            for b in sorted(around):
                for d in range(4):
                    stand, to = int(numbers.neighbour[b, d ^ 1]), int(numbers.neighbour[b, d])
                    wall = stand == numbers.size or to >= numbers.live
                    if joined is not None or wall or stand in around or to in around or stand in inside:
                        continue
                    elsewhere = to if to not in inside else stand if stand not in reach else None
                    if elsewhere is not None:
                        joined = next((area for area in areas if elsewhere in area), set())
                    pushes.add((b, d))
            if joined is None:
                break
            inside = inside | joined if joined else None
        if inside is None:
            continue
        around = {b for b in boxes if {int(c) for c in numbers.neighbour[b]} & inside}
        unfinished = (spare >= 0 and bool(goals & inside)) or (spare <= 0 and not around <= goals)
        if unfinished and (best is None or len(pushes) < len(best)):
            best = pushes
    return best


def ask(
    corral: ModuleType, numbers: push_board.PushBoard, boxes: list[int], player: int, goals: set[int], spare: int
) -> Pushes | None:
    """Return what the kernel says, and check that it leaves its scratch as it was."""
    n, k = numbers.size, len(boxes)
    (reach,) = floods(numbers, boxes, [player])
    # longer by a few cells than the board: scratch rows are, and their length says nothing about walls
    mark, area, queue, chosen, member, masks, allowed = (np.zeros(n + 5, np.int32) for _ in range(7))
    occ, target = np.zeros(n + 1, np.uint8), np.zeros(n + 1, np.uint8)
    occ[[*boxes, n]], target[list(goals)], mark[list(reach)] = 1, 1, 1
    cells = np.array(boxes, np.int32)
    areas = Areas(cells, occ, mark, area, chosen, member, masks, allowed, queue)
    found = corral.corral(k, numbers.live, spare, Ground(numbers.neighbour, target), areas, 1)
    assert not area.any() and not member[boxes].any()
    pushes = {(b, d) for i, b in enumerate(boxes) for d in range(4) if int(allowed[i]) >> d & 1}
    if found == 0:
        assert len(pushes) == 4 * k
        return None
    assert found == (1 if pushes else -1) or found == -1
    return set() if found == -1 else pushes


AT_THE_WALL = """
########
# @$ ..#
# $ ####
#   #
#####
"""


def test_a_corral_box_with_a_wall_behind_it(corral: ModuleType) -> None:
    """The upper box cannot be pushed down, as a wall is behind it; so the way to the goals is opened first."""
    level = formats.read(AT_THE_WALL.encode())[0]
    numbers = push_board.build(level)
    upper = min(numbers.boxes, key=lambda box: numbers.cells[box])
    below = int(numbers.neighbour[upper, 3])
    assert below < numbers.live, "a push down would be considered if there were no wall above"
    found = ask(corral, numbers, list(numbers.boxes), numbers.player, set(numbers.goals), 0)
    assert found == {(upper, next(d for d in range(4) if numbers.cells[numbers.neighbour[upper, d]].col == 4))}


def test_random_states_against_the_rule_on_sets(corral: ModuleType) -> None:
    seen = {"none": 0, "dead": 0, "open": 0, "wall behind": 0}
    for seed in range(75):
        level = random_level(seed, width=7, height=5, boxes=2 + seed % 5, spare=int(seed % 3 == 2))
        numbers = push_board.build(level)
        rng = random.Random(seed)
        for _ in range(20 if numbers.live >= 8 else 0):
            boxes = sorted(rng.sample(range(numbers.live), rng.randint(2, 7)))
            player = rng.choice(sorted(set(range(numbers.size)) - set(boxes)))
            goals, spare = set(numbers.goals), seed % 3 - 1  # -1: more goals than boxes
            truth = opened_first(numbers, goals, boxes, player, spare)
            found = ask(corral, numbers, boxes, player, goals, spare)
            assert found == truth, f"seed {seed} boxes {boxes} player {player}\n{level}"
            seen["none" if truth is None else "open" if truth else "dead"] += 1
            seen["wall behind"] += any(numbers.size in numbers.neighbour[b].tolist() for b, _ in truth or ())
    assert min(seen.values()) > 50, seen


def corrals_of_a_search(level: Level, corral: ModuleType) -> tuple[int, int]:
    """Return how many of the first 300 stored states of an unpruned search have a corral, and how many more are dead by one."""
    options = Options().only("matching")
    search = astar.begin(level, search_tables.build(level, push_board.build(level), "pushes", options), options)
    search.advance(Limits(seconds=60).start(), 60, most_expanded=300)
    numbers, k = search.tables.board, len(level.boxes)
    row, opened, dead = np.zeros(k + 1, np.int32), 0, 0
    for index in range(min(300, search.counters["states"])):
        player = search.code.primitives.unpack(search.store.states.keys, index, numbers.live, search.store.words, row)
        found = ask(corral, numbers, row[:k].tolist(), player, set(numbers.goals), 0)
        opened += bool(found)
        dead += found == set()
    return opened, dead


@pytest.mark.parametrize(("seed", "counted"), [(3, (2, 0)), (5, (9, 0)), (8, (13, 26)), (10, (39, 0)), (12, (19, 8))])
def test_corrals_on_golden_states(seed: int, counted: tuple[int, int], corral: ModuleType) -> None:
    assert corrals_of_a_search(scrambled_level(seed, boxes=6, pulls=2000), corral) == counted
