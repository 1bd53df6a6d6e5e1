"""The beam search: whose turn it is, that it ends, and that no plan is lost by its order."""

import random
from dataclasses import replace

import numpy as np
import pytest

from sokoasp.core.limits import Limits
from sokoasp.core.result import Status
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.search import Options, solve
from sokoasp.sokoban.search.exact import astar, member
from sokoasp.sokoban.search.improvement import PlanImprover
from sokoasp.sokoban.search.model.records import SWEEPS_A_STEP
from sokoasp.sokoban.search.model.referee import bounds_of
from sokoasp.sokoban.search.race import a_star
from tests.levels import random_level, scrambled_level, truth, warehouse
from tests.sokoban.search.racing import raced

CLOSED = -2
SMALL = random_level(1, width=5, height=5, boxes=2)


def beam(level: Level, *, reverse: bool = True) -> astar.Search:
    """Return a beam search that has expanded nothing yet."""
    bounds = bounds_of(level, "pushes")
    search = member.prepare(level, "pushes", Options(), bounds, reverse=reverse, beam=True)
    # buckets enough: a state whose children need more goes back to the open list
    for _ in range(11):
        search.store.widen()
    return search


def open_states(search: astar.Search) -> dict[int, tuple[int, int]]:
    """Return depth and bound of each open state by its number."""
    s, count = search.store.states, search.r.count
    return {i: (int(s.spent[i]), int(s.ahead[i])) for i in range(count) if s.previous[i] != CLOSED}


def first_states(search: astar.Search) -> list[tuple[int, int, int]]:
    """Return depth, bound and number of the first states of all buckets."""
    s = search.store.states
    return [(int(s.spent[i]), int(s.ahead[i]), int(i)) for i in s.head[s.head >= 0]]


@pytest.mark.parametrize("reverse", [True, False])
def test_depths_take_turns_and_of_each_the_least_bound_comes_first(reverse: bool) -> None:
    """Against a few lines of Python: the next depth with an open state below the horizon, a sweep ends behind the last."""
    search, clock = beam(warehouse(), reverse=reverse), Limits().start()
    horizon, depth, sweeps, wrapped = search.r.horizon, -1, 0, 0
    for _ in range(550):
        before = first_states(search)
        if member.plan_found(search) is not None or not before:
            break
        while True:
            limit = horizon + sweeps // SWEEPS_A_STEP
            due = [(d, h, i) for d, h, i in before if d > depth and d + h <= limit]
            if due:
                break
            assert depth >= 0, "a sweep has taken nothing, though some lie below the horizon"
            depth, sweeps, wrapped = -1, sweeps + 1, wrapped + 1
        depth, _, taken = min(due)
        search.advance(clock, 60, most_expanded=search.r.expanded + 1)
        # a state that is met again, and cheaper, is open again
        assert int(search.store.states.previous[taken]) == CLOSED or int(search.store.states.spent[taken]) < depth
        assert search.r.sweeps == sweeps
    assert wrapped > 2 and depth >= 0


def test_the_least_bound_comes_first_at_each_depth() -> None:
    """A drawn open list, taken to its end: against sorting in Python what is due at each depth."""
    rng, search = random.Random(7), beam(SMALL)
    r, stride = search.r, 8
    s = search.store.states._replace(head=np.full(stride * 30, -1, np.int32))
    r.stride, r.horizon, r.sweeps, r.bucket, r.taken = stride, 6, 0, 0, 0
    # more states of the first depth and bound than one, so that a bucket stays open; at the far end state 0 alone
    waiting = {i: (rng.randrange(20), rng.randrange(stride)) for i in range(500)}
    waiting |= {500 + i: (0, 0) for i in range(8)} | {0: (29, stride - 1)}
    for index, (depth, bound) in waiting.items():
        search.code.buckets.link(index, depth * stride + bound, s.bucket_of, s.following, s.previous, s.head)
    depth, sweeps, horizon = -1, 0, 6
    while waiting:
        limit = horizon + sweeps // SWEEPS_A_STEP
        due = [one for one in waiting.values() if one[0] > depth and one[0] + one[1] <= limit]
        least = min(map(sum, waiting.values()))
        assert search.code.beam.least_cost(stride, s) == least
        if not due:
            horizon += max(least - limit, 0) if depth < 0 else 0
            depth, sweeps = -1, sweeps + 1
            continue
        depth = min(due)[0]
        assert waiting.pop(search.code.beam.next_in_beam(r, s)) == min(due)
        assert (r.sweeps, r.horizon, r.taken, r.bucket) == (sweeps, horizon, 1, (depth + 1) * stride)
    assert search.code.beam.least_cost(stride, s) == search.code.beam.next_in_beam(r, s) == -1


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
    for seed in range(12):
        level = random_level(seed, width=5, height=4, boxes=3)
        best = truth(level, objective)
        for reverse in (True, False):
            race = raced(level, objective=objective)
            a_star(race, "beam", reverse=reverse, beam=True)
            race.run()
            assert not race.solvers, "it has not ended"
            assert race.bounds.upper == best.value and (race.bounds.plan is None) == (best.plan is None)
        seen[best.status] += 1
    assert min(seen.values()) > 1


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
        (search,) = raced(one, "beam", objective="moves").of("beam")
        tables = search.search.tables
        assert (tables.reverse, tables.objective) == (reverse, "pushes" if reverse else "moves")


def test_each_plan_is_replayed_once() -> None:
    """Neither the search that has found it nor the improver hands it in again."""
    level, costs = scrambled_level(5, boxes=5, pulls=2000), list[int]()
    search, bounds = beam(level), bounds_of(level, "pushes")
    members = member.Member("beam", search, list), PlanImprover(level, ("pushes",), Options())
    replay, bounds.referee = bounds.referee, lambda plan: costs.append(plan.pushes) or replay(plan)
    while not search.finished:
        search.advance(Limits().start(), 60, most_expanded=search.counters["expanded"] + 1)
        for one in members:
            one.exchange(bounds)
    assert costs == [16, 14]


def test_two_beam_searches_meet() -> None:
    """What both have seen is a plan before either is through."""
    level = scrambled_level(30, boxes=5)
    race = raced(level, "beam", first_plan=True)
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
        member.Member("beam", search, list).exchange(bounds)
        assert not search.finished and (search.lower, bounds.lower) == (0, before)
