"""Shortening never lengthens, never goes below a proved optimum, and takes out what was planted."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import pytest

from sokoasp.core.limits import Limits
from sokoasp.core.result import Status
from sokoasp.core.schedule import Schedule
from sokoasp.sokoban import formats, rules, validate
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.plan import OBJECTIVES, Plan
from sokoasp.sokoban.search import solve
from sokoasp.sokoban.search.model.options import Options
from sokoasp.sokoban.search.rosters import improve
from tests.levels import as_on_a_large_board, scrambled_level

if TYPE_CHECKING:
    from sokoasp.sokoban.search.improvement import PlanImprover

SEEDS = range(3)


def begun(level: Level, plan: Plan, *objectives: str) -> PlanImprover:
    """Return an improver that has its plan and has not begun."""
    from sokoasp.sokoban.search.improvement import PlanImprover
    from sokoasp.sokoban.search.model import workspace

    workspace.compiled()
    improver = PlanImprover(level, objectives, Options())
    improver.take(plan)
    return improver


def ended(improver: PlanImprover) -> Plan:
    """Go on to the end; return the plan."""
    while not improver.finished:
        improver.advance(Limits().start(), 5)
    assert improver.best is not None
    return improver.best


def small(seed: int) -> Level:
    return scrambled_level(seed, boxes=3, pulls=60)


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
    for level in map(small, SEEDS):
        best = solve(level, "pushes", engine="forward")
        # on a busy machine the beam search has the best plan at once
        found = solve(level, "pushes", engine="any", options=Options().without("beam"))
        # it goes on until the plan is proved best
        assert (found.status, found.value) == (Status.OPTIMAL, best.value)
        assert found.plan is not None and validate.validate(level, found.plan).pushes == found.value
        gained += int(found.counters["found"]) - found.plan.pushes
    assert gained > 0


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_small_plans_come_out_at_the_optimum_and_that_is_proved(objective: str) -> None:
    """The longest segment is the whole plan; searched to the end it is a bound of every plan."""
    gained = 0
    for level in map(small, SEEDS):
        plan, best = planned(level), solve(level, objective, engine="reference")
        improver = begun(level, plan, objective)
        short = ended(improver)
        validate.validate(level, short)
        assert short.cost(objective) == best.value == improver.lower
        gained += plan.cost(objective) - short.cost(objective)
    assert gained > 0


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_segments_called_tight_are_optimal(objective: str) -> None:
    """Those that end the plan are levels of their own: against plain breadth-first search."""
    looked = 0
    for level in map(small, SEEDS[:2]):
        improver = begun(level, planned(level), objective)
        ended(improver)
        for (first, last, walled, _), cost in list(improver.tight.items())[::2]:
            if last.boxes == level.goals and not walled:
                rest = replace(level, boxes=frozenset(first.boxes), player=first.player)
                assert solve(rest, objective, engine="reference").value == cost
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


def test_the_whole_plan_may_end_with_the_player_anywhere() -> None:
    """The best plan ends on the right; one that ends on the left must push the box before the upper door aside."""
    level = formats.read(DOORS.encode())[0]
    left = rules.plan_from_lurd(level, "rrdrrurrdLLuulLulldRR")
    improver = begun(level, left, "pushes")
    assert left.pushes == 5 and ended(improver).pushes == improver.lower == 3
    assert solve(level, "pushes", engine="reference").value == 3


def test_with_spare_boxes_no_bound_is_claimed() -> None:
    """A plan that fills the goal with the far box: every way to its last state is dearer than the best plan."""
    level = formats.read(b"#########\n#@$  .$ #\n#  .    #\n#########")[0]
    level = replace(level, goals=frozenset(goal for goal in level.goals if goal.row == 1))
    far = rules.plan_from_lurd(level, "RRR")
    improver = begun(level, far, "pushes")
    ended(improver)
    assert improver.tight and improver.lower == 0
    assert solve(level, "pushes", engine="reference").value == 1


def test_a_planted_detour_is_taken_out() -> None:
    level = formats.read(b"#######\n#  .  #\n#  $  #\n#  @  #\n#     #\n#######")[0]
    straight = rules.plan_from_lurd(level, "U")
    around = rules.plan_from_lurd(level, "luRurrdLdlU")
    assert around.pushes == 3
    assert ended(begun(level, around, "pushes")).lurd == straight.lurd


def test_equal_costs_are_decided_by_the_other_objectives() -> None:
    gained = 0
    for level in map(small, SEEDS):
        best = solve(level, "pushes", engine="forward").plan
        assert best is not None
        short = ended(begun(level, best, "pushes", "moves"))
        assert short.pushes == best.pushes and short.moves <= best.moves
        gained += best.moves - short.moves
    assert gained > 0


def test_a_search_goes_on_in_the_next_slice() -> None:
    """Slices shorter than any search: the same plan as in one go, by as many expansions."""
    level = scrambled_level(4, boxes=4, pulls=120)
    at_once, sliced = (begun(level, planned(level), "pushes") for _ in range(2))
    ended(at_once)
    while not sliced.finished:
        sliced.advance(Limits().start(), 0.0002)
    assert sliced.best is not None and at_once.best is not None and sliced.best.pushes == at_once.best.pushes
    assert (sliced.lower, sliced.tried) == (at_once.lower, at_once.tried)


def test_improve_proves_what_it_says() -> None:
    level = scrambled_level(4, boxes=4, pulls=120)
    plan, best = planned(level), solve(level, "pushes", engine="forward")
    result = improve(level, plan, "pushes", Limits(seconds=60))
    assert result.status is Status.OPTIMAL
    assert result.plan is not None and result.value == result.plan.pushes == best.value


def test_what_the_improver_proves_counts_as_a_bound() -> None:
    from sokoasp.sokoban.search.model.referee import bounds_of

    level = small(1)
    plan, best = planned(level), solve(level, "pushes", engine="forward")
    race = Schedule(bounds_of(level, "pushes"), Limits(seconds=60).start(), shortening=True)
    race.solvers.append(begun(level, plan, "pushes"))
    race.bounds.offer(plan, "given")
    race.run()
    assert race.bounds.closed() and race.bounds.lower == best.value
    assert race.bounds.lower_by == "the shortening search"


def test_a_limit_keeps_the_plan() -> None:
    level = scrambled_level(4, boxes=4, pulls=120)
    plan = planned(level)
    result = improve(level, plan, "pushes", Limits(seconds=0))
    assert result.stopped_by == "time"
    assert result.value == plan.pushes
