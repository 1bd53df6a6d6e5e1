"""Rewritten plans are legal, never longer, never below the optimum; macro pushes are those of single pushes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial, partialmethod
from typing import TYPE_CHECKING

import pytest

from sokoasp.core.errors import IllegalPlan
from sokoasp.core.limits import Limits
from sokoasp.sokoban import rules, validate
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.plan import Plan
from sokoasp.sokoban.search import solve
from sokoasp.sokoban.search.model import push_board
from sokoasp.sokoban.search.model.options import Options
from tests.levels import as_on_a_large_board, scrambled_level
from tests.sokoban.search.improvement.test_shorten import planned
from tests.sokoban.search.satisficing.test_macros import places

if TYPE_CHECKING:
    from sokoasp.sokoban.search.improvement.macro_rewriting import MacroRewriter

Push = Callable[..., tuple[int, int]]

pytestmark = pytest.mark.usefixtures("native")

LEVELS = [scrambled_level(seed, boxes=4, pulls=200) for seed in (1, 2, 3, 5, 6, 8)]


@pytest.fixture(scope="module")
def plans() -> list[Plan]:
    """Return a plan of each level that is not the best."""
    return [wandering(level, planned(level)) for level in LEVELS]


def rewriter_of(level: Level, plan: Plan) -> MacroRewriter:
    from sokoasp.sokoban.search.improvement.macro_rewriting import MacroRewriter

    rewriter = MacroRewriter(level, Options())
    assert rewriter.take(plan)
    return rewriter


def wandering(level: Level, plan: Plan) -> Plan:
    """Return a longer plan: every line push that can be undone at once is, and is done again."""
    state, pushes = rules.initial(level), []
    for push in plan.actions:
        there = rules.State(state.boxes - {push.box} | {push.to}, push.to.step(push.direction.opposite))
        pushes.append(push)
        for back, home in rules.line_pushes(level, there):
            again = [one for one, _ in rules.line_pushes(level, home) if (one.box, one.to) == (push.box, push.to)]
            if (back.box, back.to) == (push.to, push.box) and again:
                pushes += [back, again[0]]
        state = there
    return rules.plan_from_pushes(level, pushes)


def shortest(level: Level, plan: Plan, spoil: Callable[[MacroRewriter], None] = lambda rewriter: None) -> int:
    """Rewrite a plan to the end, hold it to the referee and to its own count, and return its pushes."""
    rewriter = rewriter_of(level, plan)
    spoil(rewriter)
    costs = [rewriter.cost]
    for better in rewriter.rounds():
        assert (rewriter.cost < costs[-1]) == better
        costs.append(rewriter.cost)
    found = rewriter.plan()
    validate.validate(level, found)
    assert found.pushes == rewriter.cost == min(costs) <= plan.pushes
    return found.pushes


def test_rewritten_plans_are_legal_and_detours_go(plans: list[Plan]) -> None:
    gained = 0
    for level, plan in zip(LEVELS, plans, strict=True):
        best, short = solve(level, "pushes", engine="forward").value, shortest(level, plan)
        assert best is not None
        assert best <= short
        gained += plan.pushes - short
    assert gained > 20


def test_macro_pushes_against_single_pushes(plans: list[Plan]) -> None:
    """Every macro push of the start: as many pushes as a plain search needs, and no others."""
    compared = 0
    for level, plan in zip(LEVELS, plans, strict=True):
        board, rewriter = push_board.build(level), rewriter_of(level, plan)
        for box in board.boxes:
            true = places(level, board, box, False)
            for to in range(board.live):
                if to in board.boxes:
                    continue
                ways = [pushes for (cell, _low), pushes in true.items() if cell == to]
                played = rewriter._play(0, [(box, to, -1)], 1000)
                assert (played[1] if played else []) == ([min(ways)] if ways else [])
                compared += len(ways)
    assert compared > 40


def through(right: Push, one: MacroRewriter, player: int, *push: int) -> tuple[int, int]:
    """Plant a fault: the player may walk through boxes."""
    board, pushed = one.workspace.board, right(one, player, *push)
    ways = (right(one, int(cell), *push) for cell in board.neighbour[push[0]] if cell < board.size)
    return pushed if pushed[0] else next((way for way in ways if way[0]), pushed)


def cheap(right: Push, one: MacroRewriter, player: int, *push: int) -> tuple[int, int]:
    """Plant a fault: long macro pushes cost one push less."""
    pushes, after = right(one, player, *push)
    return pushes - (pushes > 1), after


@pytest.mark.parametrize("fault", [through, cheap])
def test_a_planted_fault_is_noticed(
    fault: Callable[..., tuple[int, int]], plans: list[Plan], monkeypatch: pytest.MonkeyPatch
) -> None:
    from sokoasp.sokoban.search.improvement.macro_rewriting import MacroRewriter

    monkeypatch.setattr(MacroRewriter, "_push", partialmethod(partial(fault, MacroRewriter._push)))
    noticed = 0
    for level, plan in zip(LEVELS, plans, strict=True):
        try:
            shortest(level, plan)
        except (AssertionError, ValueError, IllegalPlan):
            noticed += 1
    assert noticed


def test_spare_boxes_end_where_the_plan_leaves_them(plans: list[Plan]) -> None:
    from sokoasp.sokoban.search.improvement.macro_rewriting import rewritten

    shorter = 0
    for level, plan in zip(LEVELS, plans, strict=True):
        spare = replace(level, goals=frozenset(sorted(level.goals)[1:]))
        *_, best = rewritten(spare, plan, Options())
        *_, same = rewritten(level, plan, Options())
        assert validate.validate(spare, best).pushes == validate.validate(level, same).pushes <= plan.pushes
        shorter += best.pushes < plan.pushes
    assert shorter


def test_a_small_effort_is_the_beginning_of_a_large_one(plans: list[Plan], monkeypatch: pytest.MonkeyPatch) -> None:
    from sokoasp.sokoban.search.improvement import macro_rewriting

    level, plan = max(zip(LEVELS, plans, strict=True), key=lambda pair: pair[1].pushes)
    monkeypatch.setattr(macro_rewriting, "LOOK", 5)
    found = [macro_rewriting.rewritten(level, plan, Options()) for _ in range(2)]
    first, again = ([one.pushes for one in plans] for plans in found)
    assert first == again == sorted(first, reverse=True)
    monkeypatch.setattr(macro_rewriting, "QUICK", 3)
    assert macro_rewriting.quickly(level, plan, Options(), Limits().start()).pushes == first[3] < plan.pushes
    assert macro_rewriting.quickly(level, plan, Options(), Limits(seconds=0).start()).pushes == first[0]


def test_any_rewrites_its_first_plan_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    from sokoasp.sokoban.search import rosters

    given: list[Plan] = []
    right = rosters.quickly
    as_on_a_large_board(monkeypatch)
    monkeypatch.setattr(rosters, "quickly", lambda level, plan, *rest: given.append(plan) or right(level, plan, *rest))
    monkeypatch.setattr(rosters, "_improving", lambda race: None)
    gained = 0
    for level in LEVELS[:3]:
        found = solve(level, "pushes", engine="any")
        if not given:
            continue  # the first plan was the best
        first, plans = given[0], [plan.pushes for plan in given]
        given.clear()
        assert found.value is not None and found.plan is not None and found.plan.pushes == found.value
        assert found.counters["found"] == first.pushes >= found.value
        assert ("macro pushes rewritten" in str(found.proof)) == (found.value < min(plans))
        gained += first.pushes - found.value
    assert gained > 0
