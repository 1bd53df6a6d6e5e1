"""Learned patterns: each against the exact cost of its set, along plans; answers with learning forced on against the oracle."""

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sokoasp.core.limits import Limits
from sokoasp.core.result import Status
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.plan import Plan
from sokoasp.sokoban.search import Options, solve
from sokoasp.sokoban.search.bounds import pattern_learning, search_tables
from sokoasp.sokoban.search.exact import astar
from sokoasp.sokoban.search.model import push_board
from sokoasp.sokoban.search.model.options import Proving, Tuning
from sokoasp.sokoban.validate import validate
from tests.levels import random_level, scrambled_level, truth
from tests.sokoban.search.known_plans import solved, states
from tests.sokoban.search.test_pattern_databases import FAR, State, key_of, least_cell, prices_of_states

UNSPARED = 1 << 19


def begun(level: Level, objective: str, *, largest: int = 2, options: Options | None = None) -> astar.Search:
    options = replace(options or Options(), largest_pattern=largest)
    tables = search_tables.build(level, push_board.build(level), objective, options)
    return astar.begin(level, tables, options)


def exact_costs(search: astar.Search, sizes: tuple[int, ...]) -> dict[State, int]:
    t = search.tables
    paid = {g: int(t.patterns.potential[g]) for g in t.board.goals}
    found: dict[State, int] = {}
    for size in sizes:
        found |= prices_of_states(t.board, paid, size, lines=t.objective == "lines")
    return found


def taught(search: astar.Search, exact: dict[State, int], seed: int) -> tuple[int, int]:
    """Learn from random states, compared with exact costs; return numbers of sets (of over two) and of patterns."""
    rng, board = random.Random(seed), search.tables.board
    solved = 0
    for _ in range(30):
        boxes = tuple(sorted(rng.sample(range(board.live), len(board.boxes))))
        player = rng.choice(sorted(set(range(board.size)) - set(boxes)))
        for box in boxes:
            search.learner.grow(box, boxes, player, search.bounding(), rng.choice((2, UNSPARED)))
    for (cells, player), known in search.learner.cache.items():
        cost = exact.get((frozenset(cells), player), FAR)
        if known.status == search.learner.code.pattern_search.EXACT:
            assert known.cost == cost
            solved += len(cells) > 2
        elif known.status == search.learner.code.pattern_search.IMPOSSIBLE:
            assert cost == FAR
        else:
            assert known.cost <= cost
    return solved, assert_learned(search, exact)


def assert_learned(search: astar.Search, exact: dict[State, int]) -> int:
    """Compare every lesson with the exact cost of its set; return how many there are."""
    board, useful = search.tables.board, 0
    for learned_one in search.learner.listed():
        assert least_cell(board, frozenset(learned_one.boxes), learned_one.player[0]) == learned_one.player[0]
        cost = exact.get((frozenset(learned_one.boxes), learned_one.player[0]), FAR)
        assert cost == FAR if learned_one.cost is None else learned_one.cost <= cost, learned_one
        area = {least_cell(board, frozenset(learned_one.boxes), cell) for cell in learned_one.player}
        assert area == {learned_one.player[0]}, "all cells of one region"
        useful += 1
    return useful


@pytest.mark.parametrize("objective", ["lines", "pushes"])
def test_learned_patterns_against_a_search_on_sets(objective: str) -> None:
    solved = useful = dead = 0
    for seed in range(30):
        level = random_level(seed, width=4, height=4, boxes=4)
        if push_board.build(level).dead_start:
            continue
        search = begun(level, objective)
        if search.learner is None:
            continue
        counts = taught(search, exact_costs(search, (1, 2, 3, 4)), seed)
        solved, useful = solved + counts[0], useful + counts[1]
        status = search.learner.code.pattern_search.IMPOSSIBLE
        dead += sum(known.status == status and known.root < FAR for known in search.learner.cache.values())
    assert solved > 25 and useful > 50 and dead > 18, (solved, useful, dead)


def noted(at: int, cells: list[int], penalty: int, size: int, rng: random.Random, bound: Any, learned: Any) -> Any:
    """Note a pattern that holds while the player is in one half of the cells, drawn at random; return it with them."""
    from sokoasp.sokoban.search.bounds import pattern_index

    region = set(rng.sample(range(size), size // 2))
    mark = np.array([7 * (c in region) for c in range(size)], np.int32)
    pattern_index.note(at, len(cells), np.array(cells, np.int32), penalty, mark, 7, bound, learned.often)
    return cells, penalty, region


def test_learned_patterns_that_hold_are_recalled_with_their_boxes_and_penalties() -> None:
    from sokoasp.sokoban.search.bounds import cost_partitioning, pattern_index

    search = begun(scrambled_level(1, boxes=6, pulls=2000), "pushes")
    board, rng, held = search.tables.board, random.Random(14), 0
    for _ in range(40):
        learned = pattern_learning.none(board.live, board.size, read=True, used=True)
        bound = search.bounding()._replace(learned=learned.arrays())
        items = bound.items
        known = []
        boxes, player = sorted(rng.sample(range(board.live), 6)), rng.randrange(board.size)
        for at in range(40):
            among = boxes if rng.random() < 0.3 else range(board.live)
            cells, penalty = sorted(rng.sample(among, rng.randrange(2, 5))), rng.randrange(1, 9)
            known.append(noted(at, cells, penalty, board.size, rng, bound, learned))
        found = pattern_index.recall(
            6, np.array(boxes, np.int32), player, key_of(boxes, bound.patterns.bits.shape[1]), 0, bound
        )
        wanted = [(cells, penalty) for cells, penalty, region in known if set(cells) <= set(boxes) and player in region]
        reported = [([boxes[b] for b in range(6) if m >> b & 1], g) for m, g in items[:2, :found].T.tolist()]
        assert sorted(reported) == sorted(wanted)
        shares = [-(-penalty * cost_partitioning.SHARES // len(cells)) for cells, penalty in reported]
        assert items[cost_partitioning.I_SHARE, :found].tolist() == shares
        held += found
    assert 100 < held < 600


def test_what_is_learnt_to_be_dead_is_recalled_after_a_box_has_moved() -> None:
    """Pairs of boxes with learned patterns are listed before the move: those with the moved box are looked up anew."""
    from sokoasp.sokoban.search.bounds import pattern_index
    from sokoasp.sokoban.search.bounds.database_kernels import DEAD

    search = begun(scrambled_level(1, boxes=6, pulls=2000), "pushes")
    board, rng, seen = search.tables.board, random.Random(15), Counter[bool]()
    for _ in range(400):
        learned = pattern_learning.none(board.live, board.size, read=True, used=True)
        bound = search.bounding()._replace(learned=learned.arrays())
        boxes, player = rng.sample(range(board.live), 6), rng.randrange(board.size)
        moved, pairs, known = rng.randrange(6), np.zeros(36, np.int32), []
        child = [*boxes[:moved], rng.choice([c for c in range(board.live) if c not in boxes]), *boxes[moved + 1 :]]
        for at in range(6):
            cells, penalty = sorted(rng.sample(sorted({*boxes, *child}), rng.randrange(2, 5))), rng.choice((3, DEAD))
            known.append(noted(at, cells, penalty, board.size, rng, bound, learned))
        count = pattern_index.kept_pairs(6, np.array(boxes, np.int32), bound, pairs)
        among = np.array(child, np.int32)
        key = key_of(child, bound.patterns.bits.shape[1])
        found = pattern_index.recalled_dead(6, moved, among, player, key, bound, pairs, count)
        assert found == any(set(c) <= set(child) and p == DEAD and player in region for c, p, region in known)
        seen[bool(found)] += 1
    assert min(seen[True], seen[False]) > 50, seen


def first_taught() -> tuple[astar.Search, dict[State, int], int]:
    """Return a search that has learned, the exact costs, and the row of a lesson with a cost and with cells out of reach."""
    for seed in range(80):
        level = random_level(seed, width=5, height=4, boxes=4)
        if push_board.build(level).dead_start:
            continue
        search = begun(level, "lines")
        exact = exact_costs(search, (1, 2, 3, 4))
        if search.learner is not None and taught(search, exact, seed)[1]:
            for at, learned_one in enumerate(search.learner.listed()):
                split = len(learned_one.boxes) + len(learned_one.player) < search.tables.board.size
                if split and learned_one.cost is not None:
                    return search, exact, at
    raise AssertionError("no level taught a cost")


def test_a_wrong_lesson_is_noticed() -> None:
    search, exact, at = first_taught()
    words, learned = (search.tables.board.live + 63) // 64, search.learned
    facts, masks = learned.facts.copy(), learned.masks.copy()
    for fault in ("penalty", "region", "dead"):
        learned.facts[:], learned.masks[:] = facts, masks
        assert_learned(search, exact)
        if fault == "penalty":
            learned.facts[at, 0] = search.learner.code.pattern_search.MOST
        elif fault == "dead":
            learned.facts[at, 0] = search.learner.code.pattern_search.DEAD
        else:
            learned.masks[at, words] = (1 << search.tables.board.size) - 1
        with pytest.raises((AssertionError, KeyError)):
            assert_learned(search, exact)


def states_of(search: astar.Search, level: Level, plan: Plan) -> list[tuple[list[int], int, int]]:
    """Return the states after each push of a plan: box cells, player's region, pushes still to come."""
    board = search.tables.board
    return [
        (list(boxes), least_cell(board, frozenset(boxes), player), plan.pushes - done)
        for done, (boxes, player) in enumerate(states(level, board, plan))
        if done
    ]


def two_bounds(search: astar.Search, boxes: list[int], player: int, unit: int) -> tuple[int, int]:
    """Return a state's bound by disjoint patterns, and the one by patterns that share boxes, paid in a unit."""
    kept = search.r.unit
    try:
        search.r.unit = 0
        packed = search.bound(boxes, player)
        search.r.unit = unit
        return packed, search.bound(boxes, player)
    finally:
        search.r.unit = kept


def assert_never_too_high(level: Level, plan: Plan, largest: int, every: int = 1) -> tuple[int, int]:
    """Learn from states of a plan, then check the bounds of all of them; return how many were learned, and how many help."""
    search = begun(level, "pushes", largest=largest)
    states = states_of(search, level, plan)
    if search.learner is None:
        return 0, 0
    unit = search.r.unit
    before = [two_bounds(search, boxes, player, unit) for boxes, player, _ in states]
    for boxes, player, _ in states[::every]:
        for box in boxes:
            search.learner.grow(box, tuple(boxes), player, search.bounding(), UNSPARED)
    helped = 0
    for (boxes, player, left), old in zip(states, before, strict=True):
        now = two_bounds(search, boxes, player, unit)
        # more patterns may lower a covering alone: one that takes too long to find claims nothing
        assert old[0] <= now[0] <= now[1], f"{old} before, {now} with more patterns\n{level}"
        assert max(*old, *now) <= left, f"{old} and {now} said, {left} needed\n{level}"
        helped += now > old
    return search.learned.count, helped


def test_no_state_of_a_plan_is_bounded_too_high() -> None:
    known = helped = 0
    for seed in range(1, 80):
        level = scrambled_level(seed, boxes=8, pulls=2000)
        plan = solve(level, "pushes", Limits(states=3000), engine="forward").plan
        if plan is None:
            continue
        counts = assert_never_too_high(level, plan, 2)
        known, helped = known + counts[0], helped + counts[1]
    assert known > 20 and helped > 5, (known, helped)


def test_learning_is_the_same_twice() -> None:
    options = Options(largest_pattern=2, tuning=Tuning(Proving(first_round=200, unaided=200)))
    level = scrambled_level(8, boxes=6, pulls=2000)
    one, other = (solve(level, "pushes", engine="forward", options=options).counters for _ in range(2))
    assert one == other and one["learned_patterns"] > 0


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_no_state_of_a_known_solution_is_bounded_too_high(cavepacker: Path) -> None:
    known = helped = seen = 0
    for level, plan in solved(cavepacker):
        if level.solved:
            continue
        counts = assert_never_too_high(level, plan, 3, every=25)
        known, helped, seen = known + counts[0], helped + counts[1], seen + 1
    assert seen > 500 and known > 10_000 and helped > 1000


EAGER = Tuning(proving=Proving(first_round=24, unaided=24, hope=0.0, learning=4, longer=1.5, lasting=4, stretch=3))
"""Searches learn all the time, and change the depth in a layer all the time."""


def agree(seed: int, engines: tuple[str, ...], objectives: tuple[str, ...], **shape: int) -> dict[str, int]:
    """Compare searches that learn with the oracle on one level; return learned patterns and answers seen."""
    level, options = random_level(seed, **shape), Options(largest_pattern=2, tuning=EAGER)
    seen = {"learned_patterns": 0, "rounds": 0, Status.OPTIMAL: 0, Status.UNSOLVABLE: 0}
    for objective in objectives:
        best = truth(level, objective, Limits(states=8_000))
        if best.stopped_by:
            continue
        for engine in engines:
            if engine == "reverse" and objective == "moves":
                continue
            found = solve(level, objective, Limits(seconds=60), engine=engine, options=options)
            where = f"seed {seed} {shape} {objective} {engine}\n{level}"
            assert (found.status, found.value) == (best.status, best.value), where
            if found.plan is not None:
                assert getattr(validate(level, found.plan), objective) == found.value, where
            seen[found.status] += 1
            for key in ("learned_patterns", "rounds"):
                seen[key] += found.counters.get(key, 0)
    return seen


@pytest.mark.timeout(7200)
@pytest.mark.parametrize("first", [24, *(pytest.param(500 * block, marks=pytest.mark.slow) for block in range(20, 30))])
def test_answers_with_learning_forced_on(first: int) -> None:
    many, total = first > 24, {"learned_patterns": 0, "rounds": 0, Status.OPTIMAL: 0, Status.UNSOLVABLE: 0}
    for seed in range(first, first + (500 if many else 6)):
        more = [{"boxes": 4}, {"boxes": 5, "height": 4}] if many else [{"boxes": 4, "height": 4}]
        shapes = [{"boxes": 3}, {"boxes": 4, "width": 4, "height": 4}, *more]
        shape = shapes[seed % len(shapes)]
        objectives = ("pushes", "lines", "moves") if many else (("pushes", "lines")[seed % 2],)
        for key, value in agree(seed, ("forward", "reverse"), objectives, **shape).items():
            total[key] += value
    assert min(total.values()) > (100 if many else 5), total


def assert_layers(search: astar.Search, exact: dict[State, int]) -> None:
    """No state stands in a layer above what a cheapest plan through it costs."""
    boxes, paid, s = np.zeros(6, np.int32), search.tables.patterns.total, search.store.states
    for index in range(search.counters["states"]):
        player = search.code.primitives.unpack(s.keys, index, search.tables.board.live, search.store.words, boxes)
        left = exact.get((frozenset(boxes[:5].tolist()), player), FAR) - paid
        assert s.bucket_of[index] <= int(s.spent[index]) + left


def lifted_by_learning(objective: str, seed: int) -> int:
    """Let a search learn all the time; return how many states it lifted, none above the cost of a plan through it."""
    level, lifted = scrambled_level(seed, boxes=5, width=5, height=5), 0
    options = Options(tuning=EAGER).only("matching", "patterns", "learned_patterns")
    search = begun(level, objective, options=options)
    exact = exact_costs(search, (5,))
    best = solve(level, objective, engine="forward", options=Options(learned_patterns=False)).value
    search.cut(best + 1)
    while not search.finished:
        before = search.learning.rounds
        assert search.advance(Limits().start(), 60.0, search.counters["expanded"] + 5) is None
        s, learned = search.store.states, search.learning.rounds > before
        if learned or search.finished:
            assert_layers(search, exact)
        lifted += int((s.bucket_of[: search.counters["states"]] == best + 1).sum()) * learned
    assert search.lower == best
    return lifted


@pytest.mark.parametrize("objective", ["lines", "pushes"])
def test_no_state_is_lifted_above_what_a_plan_through_it_costs(objective: str) -> None:
    assert sum(lifted_by_learning(objective, seed) for seed in (25, 26)) > 1
