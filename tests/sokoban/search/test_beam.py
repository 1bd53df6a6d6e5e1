"""The beam search: whose turn it is, that it ends, and that no plan is lost by its order."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from sokoasp.core.limits import Limits
from sokoasp.core.result import Status
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.search import Options, solve
from sokoasp.sokoban.search.exact import astar, member, reference
from sokoasp.sokoban.search.model import workspace
from sokoasp.sokoban.search.model.records import SWEEPS_A_STEP
from sokoasp.sokoban.search.model.referee import bounds_of
from sokoasp.sokoban.search.race import Race, a_star, enter
from tests.levels import random_level, scrambled_level, warehouse

pytestmark = pytest.mark.usefixtures("native")
CLOSED = -2
SMALL = random_level(1, width=5, height=5, boxes=2)


def beam(
    level: Level, objective: str = "pushes", *, reverse: bool = True, without: tuple[str, ...] = ()
) -> astar.Search:
    """Return a beam search that has expanded nothing yet."""
    bounds = bounds_of(level, objective)
    search = member.prepare(level, objective, Options().without(*without), bounds, reverse=reverse, beam=True)
    assert search is not None
    # buckets enough: a state whose children need more goes back to the open list
    for _ in range(11):
        search.store.widen()
    return search


def open_states(search: astar.Search) -> dict[int, tuple[int, int]]:
    """Return depth and bound of each open state by its number."""
    s, count = search.store.states, search.r.count
    return {i: (int(s.spent[i]), int(s.ahead[i])) for i in range(count) if s.previous[i] != CLOSED}


def first_states(search: astar.Search) -> list[tuple[int, int, bool, int]]:
    """Return depth, bound, whether they are familiar, and number of the first states of all buckets."""
    s, stride = search.store.states, search.r.stride
    firsts = [(int(s.bucket_of[i]) % stride, int(i)) for i in s.head[s.head >= 0]]
    return [(int(s.spent[i]), int(s.ahead[i]), place >= stride // 2, i) for place, i in firsts]


def boxes_of(search: astar.Search, index: int) -> list[int]:
    """Return the cells of the boxes of a stored state, sorted."""
    return [c for c in range(search.tables.board.live) if int(search.store.states.keys[index, c // 64]) >> c % 64 & 1]


@pytest.mark.parametrize("reverse", [True, False])
def test_depths_take_turns_and_of_each_the_least_bound_comes_first(reverse: bool) -> None:
    """Against a few lines of Python: the next depth with an open state below the horizon, a sweep ends behind the last."""
    search, clock = beam(warehouse(), reverse=reverse), Limits().start()
    horizon, depth, sweeps, wrapped = search.r.horizon, -1, 0, 0
    for _ in range(700):
        before = first_states(search)
        if member.plan_found(search) is not None or not before:
            break
        while True:
            limit = horizon + sweeps // SWEEPS_A_STEP
            # by bound alone, unfamiliar ones first where these are equal; in every second sweep the other way round
            due = [
                (d, *((late, h) if sweeps % 2 else (h, late)), i)
                for d, h, late, i in before
                if d > depth and d + h <= limit
            ]
            if due:
                break
            assert depth >= 0, "a sweep has taken nothing, though some lie below the horizon"
            depth, sweeps, wrapped = -1, sweeps + 1, wrapped + 1
        depth, _, _, taken = min(due)
        search.advance(clock, 60, most_expanded=search.r.expanded + 1)
        # a state that is met again, and cheaper, is open again
        assert int(search.store.states.previous[taken]) == CLOSED or int(search.store.states.spent[taken]) < depth
        assert search.r.sweeps == sweeps
    assert wrapped > 3 and depth >= 0


def test_in_every_second_sweep_unfamiliar_states_come_first() -> None:
    """A drawn open list, taken to its end: against sorting in Python what is due at each depth."""
    rng, search = random.Random(7), beam(SMALL)
    r, half = search.r, 8
    s = search.store.states._replace(head=np.full(2 * half * 30, -1, np.int32))
    r.stride, r.horizon, r.sweeps, r.bucket, r.taken = 2 * half, 6, 0, 0, 0
    # more states of the first depth and bound than one, so that a bucket stays open; one depth alone at the far end
    waiting = {i: (rng.randrange(20), rng.randrange(half), rng.random() < 0.5) for i in range(500)}
    waiting |= {500 + i: (0, 0, i % 2 == 0) for i in range(8)} | {508: (29, half - 1, True)}
    for index, (depth, bound, late) in waiting.items():
        place = (2 * depth + late) * half + bound
        search.code.buckets.link(index, place, s.bucket_of, s.following, s.previous, s.head)
    depth, sweeps, horizon, ties = -1, 0, 6, 0
    while waiting:
        limit = horizon + sweeps // SWEEPS_A_STEP
        due = [one for one in waiting.values() if one[0] > depth and one[0] + one[1] <= limit]
        least = min(one[0] + one[1] for one in waiting.values())
        assert search.code.beam.least_cost(2 * half, s) == least
        if not due:
            horizon += max(least - limit, 0) if depth < 0 else 0
            depth, sweeps = -1, sweeps + 1
            continue
        depth = min(due)[0]
        here = [one for one in due if one[0] == depth]
        first = min(here, key=lambda one: (one[2], one[1]) if sweeps % 2 else (one[1], one[2]))
        ties += first != min(here, key=lambda one: (one[1], one[2]))
        assert waiting.pop(search.code.beam.next_in_beam(r, s)) == first
        assert (r.sweeps, r.horizon, r.taken, r.bucket) == (sweeps, horizon, 1, (depth + 1) * 2 * half)
    assert search.code.beam.least_cost(2 * half, s) == search.code.beam.next_in_beam(r, s) == -1
    assert ties > 50, "the two kinds of sweep take the same states"


def test_the_first_state_alone_above_the_horizon_is_no_end() -> None:
    """Its number is 0, which is a state's as any other; taken for none it would end the search without a plan."""
    search, half = beam(SMALL), 8
    r, s = search.r, search.store.states._replace(head=np.full(2 * half * 30, -1, np.int32))
    r.stride, r.horizon, r.sweeps, r.bucket, r.taken = 2 * half, 0, 0, 0, 0
    search.code.buckets.link(0, (2 * 5 + 1) * half + 2, s.bucket_of, s.following, s.previous, s.head)
    assert (search.code.beam.least_cost(2 * half, s), search.code.beam.next_in_beam(r, s)) == (7, 0)
    assert (r.horizon, search.code.beam.next_in_beam(r, s)) == (7, -1)


def test_pairs_are_noted_by_their_bound() -> None:
    """Drawn states of four boxes, of which one has moved: against a set of pairs for each class of bounds."""
    rng, search = random.Random(8), beam(SMALL)
    r, s = search.r, search.store.states
    r.live, r.boxes = 20, 4
    s = s._replace(pairs=np.zeros((3, 20 * 20 // 64 + 1), np.uint64))
    known, seen = [set[tuple[int, ...]]() for _ in range(3)], {False: 0, True: 0}
    for _ in range(400):
        boxes = rng.sample(range(r.live), 4)
        r.moved, bound = rng.randrange(4), rng.randrange(7)
        pairs = {tuple(sorted((boxes[r.moved], other))) for other in boxes}
        old = pairs <= known[bound % 3]
        known[bound % 3] |= pairs
        assert search.code.beam.familiar(r, s, np.array(boxes, np.int32), bound) == old
        seen[old] += 1
    assert min(seen.values()) > 50


@pytest.mark.parametrize("objective", ["pushes", "lines"])
def test_states_without_a_new_pair_of_cells_are_familiar(objective: str) -> None:
    """Against sets of pairs for each bound: the box that has moved, and each other box."""
    search, known = beam(warehouse(), objective), dict[int, set[tuple[int, ...]]]()
    s, stride, seen, first = search.store.states, search.r.stride, {False: 0, True: 0}, search.r.count
    while member.plan_found(search) is None and first < 3000:
        search.advance(Limits().start(), 60, most_expanded=search.r.expanded + 1)
        s, last = search.store.states, search.r.count
        for index in (one for one in range(first, last) if one != search.r.best):
            boxes, bound, before = boxes_of(search, index), int(s.ahead[index]), boxes_of(search, int(s.came[index]))
            (moved,) = set(boxes) - set(before)
            pairs = {tuple(sorted((moved, other))) for other in boxes}
            late = pairs <= known.setdefault(bound, set())
            known[bound] |= pairs
            assert int(s.bucket_of[index]) == int(s.spent[index]) * stride + late * stride // 2 + bound
            seen[late] += 1
        first = last
    assert min(seen.values()) > 50


def test_without_novelty_no_state_is_familiar() -> None:
    search = beam(warehouse(), without=("novelty",))
    search.advance(Limits().start(), 60, most_expanded=500)
    s, stride = search.store.states, search.r.stride
    assert not len(s.pairs)
    assert all(int(s.bucket_of[i]) == int(s.spent[i]) * stride + int(s.ahead[i]) for i in range(search.r.count))


def test_bounds_share_a_class_where_memory_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wide board has fewer classes than bounds: the order is another one, and the optimum the same."""
    monkeypatch.setattr(workspace, "PAIR_BYTES", 1)
    search, clock = beam(warehouse()), Limits().start()
    assert search.store.states.pairs.shape == (1, search.tables.board.live**2 // 64 + 1)
    while not search.finished:
        search.advance(clock, 60)
    plan = member.plan_found(search)
    assert plan is not None and plan.cost("pushes") == solve(warehouse(), "pushes", engine="reverse").value


def test_states_above_the_horizon_wait() -> None:
    """It begins a little above the least bound of the starts, and rises by one in some sweeps."""
    search = beam(warehouse())
    assert search.r.horizon == min(h for _, h in open_states(search).values()) + astar.SLACK
    search.r.horizon = least = min(h for _, h in open_states(search).values())
    search.advance(Limits().start(), 60, most_expanded=1000)
    horizon = least + search.r.sweeps // SWEEPS_A_STEP
    states, count = search.store.states, search.r.count
    closed = [int(states.spent[i] + states.ahead[i]) for i in range(count) if states.previous[i] == CLOSED]
    assert search.r.sweeps > SWEEPS_A_STEP, "the horizon has not risen"
    assert max(closed) <= horizon < max(g + h for g, h in open_states(search).values())


@pytest.mark.parametrize("objective", ["pushes", "lines"])
def test_run_to_its_end_it_has_the_best_plan_or_there_is_none(objective: str) -> None:
    """Nothing is dropped but what costs too much: the order decides when a plan is found, not whether."""
    seen = {Status.OPTIMAL: 0, Status.UNSOLVABLE: 0}
    for seed in range(16):
        level = random_level(seed, width=5, height=5, boxes=3)
        truth = reference.solve(level, objective)
        for reverse in (True, False):
            race = Race(bounds_of(level, objective), Limits().start(), options=Options())
            a_star(race, "beam", reverse=reverse, beam=True)
            race.run()
            assert not race.solvers, "it has not ended"
            assert race.bounds.upper == truth.value and (race.bounds.plan is None) == (truth.plan is None)
        seen[truth.status] += 1
    assert min(seen.values()) > 1


def test_where_all_open_states_lie_above_the_horizon_it_rises_at_once() -> None:
    search = beam(warehouse())
    least = min(h for _, h in open_states(search).values())
    search.r.horizon = 0
    search.advance(Limits().start(), 60, most_expanded=1)
    assert (search.r.expanded, search.r.horizon) == (1, least)
    assert search.r.sweeps == 1


def test_bounds_above_the_stride_share_its_last_bucket() -> None:
    """Where there are more bounds than buckets of a depth no state gets among those of the next depth."""
    level = scrambled_level(3, boxes=6, pulls=300)
    best = solve(level, "pushes", engine="forward").value
    search, clock = beam(level), Limits().start()
    search.r.stride = 4
    search.store.states.head[:] = -1
    search.r.count = 0
    search.store.states.slots[:] = -1
    for start in search.tables.starts:
        astar._seed(search, *start)
    while not search.finished:
        search.advance(clock, 60, most_expanded=search.r.expanded + 100)
        states, count = search.store.states, search.r.count
        waiting = [i for i in range(count) if states.previous[i] != CLOSED]
        assert all(int(states.bucket_of[i]) // 4 == states.spent[i] for i in waiting)
    plan = member.plan_found(search)
    assert plan is not None and plan.cost("pushes") == best


def test_a_beam_search_with_spare_boxes_begins_at_the_start() -> None:
    level = scrambled_level(5, boxes=4)
    for one, reverse in ((level, True), (replace(level, goals=frozenset(sorted(level.goals)[1:])), False)):
        race = Race(bounds_of(one, "moves"), Limits().start(), options=Options())
        enter(race, "beam")
        (search,) = race.of("beam")
        assert (search.search.tables.reverse, search.search.tables.objective) == (
            reverse,
            "pushes" if reverse else "moves",
        )


def test_two_beam_searches_meet() -> None:
    """What both have seen is a plan before either is through."""
    level = scrambled_level(30, boxes=5)
    race = Race(bounds_of(level, "pushes"), Limits().start(), first_plan=True, options=Options())
    enter(race, "beam")
    a_star(race, "there", beam=True)
    while race.bounds.plan is None:
        for one in race.solvers:
            one.search.advance(race.clock, 60, most_expanded=one.search.counters["expanded"] + 5)
            one.exchange(race.bounds)
    assert race.bounds.plan_by == "the meeting of forward and reverse search"


@pytest.mark.parametrize("reverse", [True, False])
def test_it_proves_no_bound_before_its_end(reverse: bool) -> None:
    """Its buckets go by depth: the first one that holds a state says nothing of the cost of a plan."""
    search, bounds = beam(warehouse(), reverse=reverse), bounds_of(warehouse(), "pushes")
    before = bounds.lower
    for expanded in (1, 50, 500):
        search.advance(Limits().start(), 60, most_expanded=expanded)
        member.harvest(search, bounds, "beam")
        assert not search.finished and (search.lower, bounds.lower) == (0, before)
