"""No test of the satisficing searches calls a state lost from which a plan goes on, and a test spoilt on purpose is noticed."""

import random
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from sokoasp.bench.define.instances import solution
from sokoasp.sokoban import formats
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.plan import Plan
from sokoasp.sokoban.search import solve
from sokoasp.sokoban.search.exact import astar
from sokoasp.sokoban.search.model import push_board
from sokoasp.sokoban.search.model.options import Options
from sokoasp.sokoban.search.satisficing.macro_registers import C
from tests.levels import scrambled_level
from tests.sokoban.search.known_plans import states

SOLUTIONS = 1011
"""Levels of Debian's package with a solution beside them."""
OTHER_RULES = ("multiplayer0001",)
"""Files of the package that are no Sokoban: two players."""
PARTS = 24
"""Pieces in which all of them are followed, of about one CPU minute each."""
OPENED = 40
"""States of each whose children are listed: the large boards have thousands."""


def follow(
    level: Level, plan: Plan, spoil: Callable[[Any], None] = lambda dead_ends: None, most: int = 1 << 30
) -> Counter[str]:
    """Ask all tests about all states of a plan, learning from it and from its children; count what was asked.

    No state of the plan may be called lost.
    ``most``: of how many states the children are listed; in a longer plan of pairs of neighbours, evenly spread.
    """
    from sokoasp.sokoban.search.satisficing.dead_ends import BoundOracle
    from sokoasp.sokoban.search.satisficing.macro_workspace import MacroWorkspace, any_order, load
    from sokoasp.sokoban.search.satisficing.packing_order_search import PackingOrderSearch

    board, code = push_board.build(level), load()
    dead_ends = PackingOrderSearch(level, board, Options()).dead_ends
    back = BoundOracle(level, board, Options(), reverse=True)
    oracle = dead_ends.oracle
    proving = astar.begin(level, oracle.search.tables, Options())
    spoil(dead_ends)
    b, passed, dropped, reported = MacroWorkspace(board, code, any_order(board)), set(), set(), Counter[str]()
    line = list(states(level, board, plan))
    stride = max(2, -(-2 * len(line) // most))
    for number, (boxes, player) in enumerate(line):
        assert not dead_ends.lost(boxes, player), f"state {number} is called lost: {dead_ends.counts}"
        assert not back.lost(boxes, player), f"state {number} is called lost backwards"
        bounded = proving.bound(boxes, player)
        assert bounded < len(line) - number, f"state {number} is called lost or bounded too high: {bounded}"
        moved = boxes[number % len(boxes)]
        assert not oracle.study(boxes, player, moved), f"state {number} is learnt to be lost"
        reported["states"] += 1
        if set(boxes) == set(board.goals) or number % stride > 1:
            continue
        count = b.children(boxes, player)
        assert count >= 0, f"state {number} is called lost by its corrals"
        passed.add(b.r.key)
        keys = b.kids.keys[:count, 0].tolist()
        for cell, to, stand in b.kids.out[number % count : number % count + 1, [C.FROM, C.TO, C.STAND]].tolist():
            child = tuple(sorted([*(c for c in boxes if c != cell), to]))
            reported["learnt"] += oracle.study(child, stand, to)
        kept = oracle.sift(boxes, player, count, b)
        assert kept >= 0
        dropped |= set(keys) - set(b.kids.keys[:kept, 0].tolist())
        reported += {"opened": 1, "children": count, "dropped": count - kept}
    assert dropped.isdisjoint(passed), "a child that a plan goes through was dropped"
    return reported


LEVELS = [scrambled_level(seed, boxes=5, pulls=150) for seed in range(5)]


@cache
def solved() -> list[tuple[Level, Plan]]:
    plans = [solve(level, "pushes", engine="forward").plan for level in LEVELS]
    return [(level, plan) for level, plan in zip(LEVELS, plans, strict=True) if plan is not None]


def test_plans_of_random_levels() -> None:
    assert len(solved()) == len(LEVELS)
    reported = sum((follow(level, plan) for level, plan in solved()), Counter[str]())
    assert min(reported[what] for what in ("states", "children", "dropped")) > 0


def package(folder: Path, names: str, part: int = 0, parts: int = 1, most: int = 1 << 30) -> Counter[str]:
    """Follow the solutions of every file named so, of every ``parts``-th only from number ``part`` on."""
    reported = Counter[str]()
    for path in sorted(folder.rglob(names))[part::parts]:
        for level in () if path.stem in OTHER_RULES else formats.read(path.read_bytes(), source=str(path)):
            if len(level.boxes) == len(level.goals) and (plan := solution(level, path)) is not None:
                reported += follow(level, plan, most=most)
                reported["plans"] += 1
    return reported


def test_known_solutions(cavepacker: Path) -> None:
    reported = package(cavepacker, "microban01_00[0-2]1.sok") + package(cavepacker, "xsokoban000[1-2].sok")
    assert reported["plans"] == 5
    assert min(reported[what] for what in ("learnt", "dropped")) > 0


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_all_known_solutions(cavepacker: Path, part: int) -> None:
    reported = package(cavepacker, "*.sok", part, PARTS, OPENED)
    print(f"part {part}: {dict(reported)}")
    assert reported["plans"] >= SOLUTIONS // PARTS - 4


def solve_wrongly(patch: pytest.MonkeyPatch, learner: Any) -> None:
    """Say of every set of two boxes or more that it has no way."""
    rightly = learner.solve

    def wrongly(self: Any, cells: tuple[int, ...], *arguments: Any) -> tuple[int, int, int]:
        status, price, root = rightly(self, cells, *arguments)
        return (self.code.pattern_search.IMPOSSIBLE if len(cells) > 1 else status), price, root

    patch.setattr(learner, "solve", wrongly)


FAULTS: dict[str, Callable[[pytest.MonkeyPatch, Any], None]] = {
    "no goal is reached beside boxes that stay": lambda m, v: m.setattr(
        v.branching.compiled.dead_end_kernels, "served", lambda *arguments: False
    ),
    "every goal must be filled already": lambda m, v: m.setattr(
        v.branching.compiled.freeze, "peel", lambda near, walls, live, goals, stays: stays.fill(1)
    ),
    "all patterns are dead": lambda m, v: v.oracle.search.tables.patterns.arrays.penalty.fill(
        v.oracle.search.code.cost_partitioning.DEAD
    ),
    "a set that was solved has no way": lambda m, v: solve_wrongly(m, type(v.oracle.search.learner)),
    "the first child is dropped": lambda m, v: m.setattr(
        v.branching.compiled.bound_filter,
        "sift",
        lambda count, player, r, bound, scratch, children: (
            children.keys.__setitem__(slice(0, count), children.keys[::-1][:count]) or 0
        ),
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_spoilt_test_is_noticed(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = solved()
    with pytest.raises(AssertionError, match=r"lost|learnt|dropped"):
        for level, plan in pairs:
            follow(level, plan, lambda dead_ends: FAULTS[fault](monkeypatch, dead_ends))


def test_nothing_is_learnt_from_a_cell_without_a_box() -> None:
    """The start of a search has no box just moved; its state was once called lost for a box that was not there."""
    from sokoasp.sokoban.search.satisficing.dead_ends import BoundOracle

    board = push_board.build(LEVELS[0])
    empty = min(set(range(board.live)) - set(board.boxes))
    with pytest.raises(ValueError, match="no box stands"):
        BoundOracle(LEVELS[0], board, Options()).study(board.boxes, board.player, empty)


def test_children_are_dropped_where_boxes_cannot_be_matched_to_goals() -> None:
    """A child keeps its parent's matching where that still holds, else another is looked for; the cost of none is asked."""
    from sokoasp.sokoban.search.satisficing import macro_workspace
    from sokoasp.sokoban.search.satisficing.dead_ends import BoundOracle

    plain, rng, seen = Options(patterns=False, learned_patterns=False), random.Random(52), Counter[str]()
    for level in [scrambled_level(seed, boxes=6, pulls=60) for seed in range(12)]:
        board = push_board.build(level)
        oracle, code = BoundOracle(level, board, plain), macro_workspace.load()
        b = macro_workspace.MacroWorkspace(board, code, macro_workspace.any_order(board), corral=False)
        boxes, player = board.boxes, board.player
        for _ in range(30):
            count = b.children(boxes, player)
            rows, keys = b.kids.out[:count, [C.FROM, C.TO, C.STAND]].tolist(), b.kids.keys[:count, 0].tolist()
            wanted = {}
            for key, (cell, to, stand) in zip(keys, rows, strict=True):
                child = tuple(sorted([*(c for c in boxes if c != cell), to]))
                wanted[key] = not oracle.lost(child, stand)
            kept = oracle.sift(boxes, player, count, b)
            assert b.kids.keys[: max(kept, 0), 0].tolist() == [key for key in keys if wanted[key]]
            seen += {"kept": kept, "dropped": count - kept}
            start, to, player = b.kids.out[rng.randrange(kept), :3].tolist() if kept > 0 else (-1, -1, board.player)
            boxes = tuple(sorted([*(c for c in boxes if c != start), to])) if kept > 0 else board.boxes
    assert min(seen["kept"], seen["dropped"]) > 100, seen
