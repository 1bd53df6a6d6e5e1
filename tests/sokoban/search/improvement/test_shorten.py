"""Shortening never lengthens, never goes below a proved optimum, and takes out what was planted."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import pytest

from sokoasp.core.limits import Limits
from sokoasp.core.result import Status
from sokoasp.sokoban import rules, validate
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.plan import OBJECTIVES, Plan
from sokoasp.sokoban.search import solve
from sokoasp.sokoban.search.model.options import Options
from sokoasp.sokoban.search.rosters import improve
from tests.levels import as_on_a_large_board, scrambled_level

if TYPE_CHECKING:
    from sokoasp.sokoban.search.improvement.plan_segments import PlanImprover

pytestmark = pytest.mark.usefixtures("native")


def shortened(level: Level, plan: Plan, objective: str, windows: int = 10_000) -> Plan:
    from sokoasp.sokoban.search.improvement.plan_segments import PlanImprover
    from sokoasp.sokoban.search.model import workspace

    workspace.compiled(Options())
    shortener = PlanImprover(level, (objective,), Options())
    shortener.take(plan)
    while not shortener.finished and shortener.tried < windows:
        shortener.advance(Limits().start(), 5)
    assert shortener.best is not None
    return shortener.best


@cache
def planned(level: Level) -> Plan:
    """Return a plan that is not the best: that of a satisficing search."""
    with pytest.MonkeyPatch.context() as patch:
        as_on_a_large_board(patch)
        patch.setattr("sokoasp.sokoban.search.rosters._improving", lambda race: None)
        found = solve(level, "pushes", engine="any")
    assert found.plan is not None
    return found.plan


def test_any_shortens_the_best_of_its_plans(monkeypatch: pytest.MonkeyPatch) -> None:
    as_on_a_large_board(monkeypatch)
    monkeypatch.setattr("sokoasp.sokoban.search.rosters.LEAST_IMPROVING", 60)
    monkeypatch.setattr("sokoasp.sokoban.search.rosters.MOST_IMPROVING", 60)
    gained = 0
    for seed in range(3):
        level = scrambled_level(seed, boxes=3, pulls=60)
        first, best = planned(level), solve(level, "pushes", engine="forward")
        found = solve(level, "pushes", engine="any")
        # it goes on until the whole plan is proved tight
        assert (found.status, found.value) == (Status.OPTIMAL, best.value)
        assert found.plan is not None and validate.validate(level, found.plan).pushes == found.value
        assert found.counters["found"] == first.pushes
        assert ("the shortening search" in str(found.proof)) or first.pushes == found.value
        gained += first.pushes - found.plan.pushes
    assert gained > 0


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_small_plans_come_out_at_the_optimum(objective: str) -> None:
    gained = 0
    for seed in range(3):
        level = scrambled_level(seed, boxes=3, pulls=60)
        plan, best = planned(level), solve(level, objective, engine="forward")
        short = shortened(level, plan, objective)
        validate.validate(level, short)
        assert best.status is Status.OPTIMAL
        # a window over the whole plan is the last one tried
        assert short.cost(objective) == best.value
        gained += plan.cost(objective) - short.cost(objective)
    assert gained > 0


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_ends_of_a_plan_are_solved_as_levels_of_their_own(objective: str) -> None:
    from sokoasp.sokoban.search.improvement.prefixes_suffixes import PrefixOrSuffix

    gained = 0
    for seed in range(2):
        level = scrambled_level(seed, boxes=3, pulls=60)
        shortener = _at_work(level, objective)
        count, affix = len(shortener._states) - 1, PrefixOrSuffix(level, objective, Options(), reverse=False)
        for at in {1, count // 2, count - 1} - {0, count}:
            state = shortener._states[at]
            rest = replace(level, boxes=frozenset(state.boxes), player=state.player)
            search = affix.search(state)
            assert search is not None
            search.advance(Limits().start(), 60)
            affix.keep(search)
            plan, best = search.plan(), solve(rest, objective, engine="reference")
            assert search.finished and plan is not None and plan.cost(objective) == best.value
            assert validate.validate(rest, plan)
            assert shortener.best is not None
            gained += sum(a.length for a in shortener.best.actions[at:]) > plan.pushes
    assert gained > 0


@pytest.mark.parametrize("objective", ["lines", "pushes"])
def test_beginnings_of_a_plan_lead_to_its_state_and_region(objective: str) -> None:
    from sokoasp.sokoban.search.improvement.prefixes_suffixes import PrefixOrSuffix
    from sokoasp.sokoban.search.improvement.windows import window_search

    looked = 0
    for seed in range(3):
        level = scrambled_level(seed, boxes=3, pulls=60)
        shortener = _at_work(level, objective)
        states, affix = shortener._states, PrefixOrSuffix(level, objective, Options(), reverse=True)
        for at in {2, len(states) // 2, len(states) - 2}:
            search = affix.search(states[at])
            window = window_search(level, states[0], states[at], frozenset(), objective, Options(), final=False)
            assert search is not None and window is not None
            for one in (search, window):
                one.advance(Limits().start(), 60)
            plan, other = search.plan(), window.plan()
            assert plan is not None and other is not None and plan.cost(objective) == other.cost(objective)
            last = rules.initial(level)
            for push in rules.plan_from_pushes(level, plan.actions).actions:
                last = rules.State(last.boxes - {push.box} | {push.to}, push.to.step(push.direction.opposite))
            assert rules.canonical(level, last) == rules.canonical(level, states[at])
            looked += 1
    assert looked > 6


def test_a_search_that_is_given_up_leaves_no_larger_tables_to_the_learner() -> None:
    """A better plan of another search ends a search before anything is kept of it; the learner is shared by all of them."""
    from sokoasp.sokoban.search.improvement.prefixes_suffixes import PrefixOrSuffix

    level = scrambled_level(0, boxes=8, pulls=60)
    affix, start = PrefixOrSuffix(level, "lines", Options(), reverse=False), rules.initial(level)
    first = affix.search(start)
    assert first is not None and first.learner is not None
    affix.keep(first)
    given_up = affix.search(start)
    assert given_up is not None and given_up.learner is first.learner
    given_up._climb(Limits(seconds=600).start())
    again = affix.search(start)
    assert again is not None and again.learner is first.learner
    assert again.learner.tables is again.tables
    assert again.tables.patterns.largest < given_up.tables.patterns.largest


def _at_work(level: Level, objective: str) -> PlanImprover:
    """Return a shortener that has its plan and has not begun."""
    from sokoasp.sokoban.search.improvement.plan_segments import PlanImprover
    from sokoasp.sokoban.search.model import workspace

    workspace.compiled(Options())
    shortener = PlanImprover(level, (objective,), Options())
    shortener.take(planned(level))
    return shortener


@pytest.mark.parametrize("kind", ["vicinity", "segments", "suffixes", "prefixes"])
def test_each_kind_alone_shortens_plans(kind: str) -> None:
    """The last two come down to the optimum: the longest of them are the whole plan."""
    gained = 0
    for seed in range(2):
        level = scrambled_level(seed, boxes=3, pulls=60)
        plan, best = planned(level), solve(level, "pushes", engine="forward")
        shortener = _at_work(level, "pushes")
        shortener.kinds = [shortener.kinds[("vicinity", "segments", "suffixes", "prefixes").index(kind)]]
        while not shortener.finished:
            shortener.advance(Limits().start(), 5)
        assert shortener.best is not None
        if kind in ("suffixes", "prefixes"):
            assert shortener.best.pushes == best.value
        gained += plan.pushes - shortener.best.pushes
    assert gained > 0


@pytest.mark.parametrize("objective", ["lines", "pushes"])
def test_prefixes_and_suffixes_called_tight_are_optimal(objective: str) -> None:
    looked = 0
    for seed in range(4):
        level = scrambled_level(seed, boxes=3, pulls=60)
        shortener = _at_work(level, objective)
        for _ in range(40):
            shortener.advance(Limits().start(), 0.01)
        for kind in shortener.kinds:
            for state, cost in () if kind.affix is None or kind.affix.reverse else kind.affix.tight.items():
                rest = replace(level, boxes=frozenset(state.boxes), player=state.player)
                assert solve(rest, objective, engine="forward", switches={"matching"}).value == cost
                looked += 1
    assert looked > 4


DOORS = """\
#########
#   #   #
#  $.   #
#@  #   #
#   . $ #
#   #   #
#########
"""


def test_the_longest_beginning_may_end_with_the_player_anywhere() -> None:
    """The best plan ends on the right; one that ends on the left must push the box before the upper door aside."""
    from sokoasp.sokoban import formats
    from sokoasp.sokoban.search.improvement.plan_segments import PlanImprover

    level = formats.read(DOORS.encode())[0]
    left = rules.plan_from_lurd(level, "rrdrrurrdLLuulLulldRR")
    shortener = PlanImprover(level, ("pushes",), Options())
    shortener.take(left)
    shortener.kinds = [kind for kind in shortener.kinds if kind.affix is not None and kind.affix.reverse]
    while not shortener.finished:
        shortener.advance(Limits().start(), 5)
    assert left.pushes == 5
    assert shortener.best is not None and shortener.best.pushes == shortener.lower == 3
    assert solve(level, "pushes", engine="reference").value == 3


def test_no_kind_falls_behind_the_others() -> None:
    """Prefixes and suffixes have spent as much as each other, half of what the others have, but for one turn of their own."""
    from sokoasp.sokoban.search.improvement.effort import TURN

    shortener = _at_work(scrambled_level(8, boxes=6, pulls=2000), "pushes")
    while not shortener.finished and shortener.expanded < 20_000:
        shortener.advance(Limits().start(), 0.05)
        spent = [kind.spent / kind.share for kind in shortener.kinds if not kind.finished]
        assert len(spent) < 2 or max(spent) - min(spent) <= 1.5 * TURN
    assert len(shortener.kinds) == 4 and all(kind.spent for kind in shortener.kinds)


def test_a_long_search_of_one_kind_holds_up_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sokoasp.sokoban.search.improvement.plan_segments.TURN", 50)
    shortener, at_once = _at_work(scrambled_level(8, boxes=6, pulls=2000), "pushes"), 0
    while not shortener.finished and shortener.expanded < 5_000:
        shortener.advance(Limits().start(), 0.01)
        at_once = max(at_once, sum(kind.trial is not None for kind in shortener.kinds))
    assert at_once > 2


def test_the_improver_learns_with_the_searches_that_prove() -> None:
    """Both have one set of tables and of learned patterns; what the improver learns lifts the states of the other search."""
    from sokoasp.sokoban.search.model.referee import bounds_of
    from sokoasp.sokoban.search.race import Race, enter

    level = scrambled_level(8, boxes=6, pulls=2000)
    race = Race(bounds_of(level, "pushes"), Limits().start(), options=Options(largest_pattern=2))
    enter(race, "forward", "reverse", "improvement")
    *proving, improver = race.solvers
    for kind in improver.kinds:
        if kind.affix is not None:
            (search,) = (one.search for one in proving if one.search.tables.reverse == kind.affix.reverse)
            other = kind.affix.search(rules.initial(level) if not kind.affix.reverse else _end(level))
            assert other.learned is search.learned
            assert other.tables.patterns is search.tables.patterns


def _end(level: Level) -> rules.State:
    *_, (_, _, state) = rules.replay(level, planned(level).lurd)
    return state


def test_a_planted_detour_is_taken_out() -> None:
    rows = "#######\n#  .  #\n#  $  #\n#  @  #\n#     #\n#######"
    from sokoasp.sokoban import formats

    level = formats.read(rows.encode())[0]
    straight = rules.plan_from_lurd(level, "U")
    around = rules.plan_from_lurd(level, "luRurrdLdlU")
    assert around.pushes == 3
    assert shortened(level, around, "pushes").lurd == straight.lurd


def test_improve_proves_what_it_says() -> None:
    level = scrambled_level(4, boxes=4, pulls=120)
    plan, best = planned(level), solve(level, "pushes", engine="forward")
    result = improve(level, plan, "pushes", Limits(seconds=60))
    assert result.status is Status.OPTIMAL
    assert result.value == best.value
    assert result.plan is not None
    assert result.plan.pushes == best.value


def test_what_prefixes_and_suffixes_prove_counts_as_a_bound() -> None:
    from sokoasp.core.schedule import Schedule
    from sokoasp.sokoban.search.model.referee import bounds_of

    for seed in range(2):
        level = scrambled_level(seed, boxes=3, pulls=60)
        plan, best = planned(level), solve(level, "pushes", engine="forward")
        shortener = _at_work(level, "pushes")
        race = Schedule(bounds_of(level, "pushes"), Limits(seconds=60).start(), shortening=True)
        race.solvers.append(shortener)
        race.bounds.offer(plan, "given")
        race.run()
        assert race.bounds.closed() and race.bounds.lower == best.value == shortener.lower
        assert race.bounds.lower_by == "the shortening search"


def test_a_limit_keeps_the_plan() -> None:
    level = scrambled_level(4, boxes=4, pulls=120)
    plan = planned(level)
    result = improve(level, plan, "pushes", Limits(seconds=0))
    assert result.stopped_by == "time"
    assert result.value == plan.pushes
