"""Shortening never lengthens, never goes below a proved optimum, and takes out what was planted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sokoasp.core.limits import Limits
from sokoasp.core.result import Status
from sokoasp.sokoban import rules, validate
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.plan import OBJECTIVES, Plan
from sokoasp.sokoban.search import solve
from sokoasp.sokoban.search.anyplan import improve
from sokoasp.sokoban.search.options import Options
from tests.levels import scrambled_level

pytestmark = pytest.mark.usefixtures("native")


def shortened(level: Level, plan: Plan, objective: str, windows: int = 10_000) -> Plan:
    from sokoasp.sokoban.search import machine
    from sokoasp.sokoban.search.plans.shorten import Shortener

    machine.compiled(Options())
    shortener = Shortener(level, (objective,), Options())
    shortener.take(plan)
    while not shortener.finished and shortener.tried < windows:
        shortener.advance(Limits().start(), 5)
    assert shortener.best is not None
    return shortener.best


def planned(level: Level) -> Plan:
    """Return a plan that is not the best: that of a seeker."""
    found = solve(level, "pushes", engine="any")
    assert found.plan is not None
    return found.plan


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_small_plans_come_out_at_the_optimum(objective: str) -> None:
    gained = 0
    for seed in range(6):
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
    from sokoasp.sokoban.search import machine
    from sokoasp.sokoban.search.plans.shorten import Shortener

    machine.compiled(Options())
    gained = 0
    for seed in range(2):
        level = scrambled_level(seed, boxes=3, pulls=60)
        shortener = Shortener(level, (objective,), Options())
        shortener.take(planned(level))
        count = len(shortener._states) - 1
        for at in {1, count // 2, count - 1} - {0, count}:
            state = shortener._states[at]
            rest = replace(level, boxes=frozenset(state.boxes), player=state.player)
            search = shortener._ending(state, objective)
            assert search is not None
            search.advance(Limits().start(), 60)
            plan, best = search.plan(), solve(rest, objective, engine="reference")
            assert search.finished and plan is not None and plan.cost(objective) == best.value
            assert validate.validate(rest, plan)
            assert shortener.best is not None
            gained += sum(a.length for a in shortener.best.actions[at:]) > plan.pushes
    assert gained > 0


def test_ends_of_a_plan_alone_shorten_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from sokoasp.sokoban.search.plans import shorten

    monkeypatch.setattr(shorten, "_search", lambda *_, **__: None)  # no other windows
    gained, looked, every = 0, 0, shorten.ENDS
    for seed in range(4):
        level = scrambled_level(seed, boxes=3, pulls=60)
        plan = planned(level)
        gained += plan.pushes - shortened(level, plan, "pushes").pushes
        shortener = shorten.Shortener(level, ("pushes",), Options())
        shortener.take(plan)
        count = len(shortener._states) - 1
        with monkeypatch.context() as short:
            short.setattr(shorten, "LENGTHS", ())
            begins = {begin for begin, end, still, _ in shortener._all_windows() if end == count and not still}
        due = set(range(count - every, 0, -every))
        assert begins >= due
        looked += len(due)
    assert gained > 0 and looked > 4


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


def test_a_limit_keeps_the_plan() -> None:
    level = scrambled_level(4, boxes=4, pulls=120)
    plan = planned(level)
    result = improve(level, plan, "pushes", Limits(seconds=0))
    assert result.stopped_by == "time"
    assert result.value == plan.pushes
