"""The target-board search: its plans are legal, it finds one where there is one, and it joins two halves with care."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sokoasp.core.errors import IllegalPlan
from sokoasp.core.limits import Limits
from sokoasp.sokoban import validate
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.search import solve
from sokoasp.sokoban.search.model import push_board
from sokoasp.sokoban.search.model.options import Options
from sokoasp.sokoban.search.model.referee import bounds_of
from sokoasp.sokoban.search.model.tuning import TargetBoards, Tuning
from tests.levels import random_level, scrambled_level, warehouse

pytestmark = pytest.mark.usefixtures("native")


def search_of(level: Level, *, patient: bool = False, tuned: TargetBoards | None = None):  # type: ignore[no-untyped-def]
    from sokoasp.sokoban.search.satisficing.bidirectional_macro import BidirectionalMacroSearch
    from sokoasp.sokoban.search.satisficing.packing_order_search import PackingOrderSearch

    board = push_board.build(level)
    if level.solved or board.dead_start:
        return None
    options = Options(tuning=Tuning(target=tuned or TargetBoards()))
    return BidirectionalMacroSearch(level, board, PackingOrderSearch(level, board, options), patient=patient)


def plan_exists(level: Level) -> bool:
    """Let the search search to the end; return whether there is a plan, which it must then have found."""
    truth = solve(level, "pushes", engine="reference")
    planner = search_of(level)
    if planner is None:
        return truth.plan is not None
    planner.advance(Limits().start(), 60)
    assert planner.finished
    assert (planner.found is None) == (truth.plan is None)
    if planner.found is not None:
        validate.validate(level, planner.found)
        assert planner.found.pushes >= truth.value
    return truth.plan is not None


@pytest.mark.parametrize(("boxes", "levels"), [(2, 12), (3, 4)])
def test_it_finds_a_plan_where_there_is_one(boxes: int, levels: int) -> None:
    solvable = sum(plan_exists(random_level(seed, boxes=boxes)) for seed in range(levels))
    assert 0 < solvable < levels


SHORT = TargetBoards(first=6, around=3)
"""Rounds so short that the halves meet in all sorts of ways, with a look after every turn."""


@pytest.fixture
def turn_by_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    from sokoasp.sokoban.search.satisficing import bidirectional_macro

    monkeypatch.setattr(bidirectional_macro, "TURNS", 1)


def plans_of(levels: range, boxes: int = 5) -> list[str]:
    """Search larger levels to the end; return how each was solved: by which half of which round."""
    ways = []
    for seed in levels:
        level = scrambled_level(seed, boxes=boxes, pulls=150)
        planner = search_of(level, tuned=SHORT)
        planner.advance(Limits().start(), 60)
        assert planner.found is not None
        validate.validate(level, planner.found)
        ways.append(f"{planner.rounds} {len(planner.back)} {len(planner.forth)}")
    return ways


@pytest.mark.usefixtures("turn_by_turn")
def test_halves_that_meet_anywhere_make_a_legal_plan() -> None:
    assert len(set(plans_of(range(25)))) > 3, "they should meet in many ways"


def leave_regions_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plant a fault: the hash of a state covers its boxes only."""
    from sokoasp.sokoban.search.satisficing import macro_workspace

    def blind(self: macro_workspace.MacroWorkspace) -> None:
        rightly(self)
        self.entered.zobrist[1] = 1

    rightly = macro_workspace.MacroWorkspace.__post_init__
    monkeypatch.setattr(macro_workspace.MacroWorkspace, "__post_init__", blind)


@pytest.mark.usefixtures("turn_by_turn")
def test_the_same_boxes_with_the_player_elsewhere_are_no_joint(monkeypatch: pytest.MonkeyPatch) -> None:
    leave_regions_out(monkeypatch)
    plans_of(range(20))


@pytest.mark.usefixtures("turn_by_turn")
def test_a_joint_that_ignores_the_region_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    from sokoasp.sokoban.search.satisficing import bidirectional_macro

    leave_regions_out(monkeypatch)
    monkeypatch.setattr(bidirectional_macro.BidirectionalMacroSearch, "_region", lambda *_: 0)
    with pytest.raises(IllegalPlan):
        plans_of(range(20))


def test_two_runs_do_the_same() -> None:
    first, second = search_of(warehouse()), search_of(warehouse())
    for planner in (first, second):
        while planner.counters["expanded"] < 3000 and not planner.finished:
            planner.step()
    assert first.counters == second.counters
    assert first.counters["expanded"] > 0


def test_it_waits_for_the_packing_order_search_by_counts() -> None:
    from sokoasp.sokoban.search.satisficing.bidirectional_macro import effort

    planner = search_of(warehouse(), patient=True)
    assert planner.idle
    planner.advance(Limits().start(), 60)
    assert planner.counters["expanded"] == 0
    planner.beside.options = Options(tuning=Tuning(target=TargetBoards(wait=20, prelude=100)))
    while planner.idle:
        planner.beside.step()
    assert not planner.beside.finished
    planner.advance(Limits().start(), 60)
    assert 100 <= effort(planner.counters) < 300
    assert planner.idle
    planner.beside.options = Options(tuning=Tuning(target=TargetBoards(wait=20, prelude=100, later=20)))
    assert not planner.idle


def test_it_obeys_the_clock_and_leaves_when_others_have_a_plan() -> None:
    planner = search_of(warehouse())
    assert planner.advance(Limits(seconds=0.0).start(), 5) == "time"
    assert not planner.finished
    known = bounds_of(level := scrambled_level(1, boxes=2, pulls=20), "pushes")
    planner.exchange(known)
    assert not planner.finished
    known.offer(solve(level, "pushes", engine="forward").plan, "somebody")
    planner.exchange(known)
    assert planner.finished


@pytest.mark.usefixtures("turn_by_turn")
def test_what_may_be_seen_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    from sokoasp.sokoban.search.satisficing import bidirectional_macro

    monkeypatch.setattr(bidirectional_macro.BidirectionalMacroSearch, "_joined", lambda *_: None)
    planner = search_of(warehouse(), tuned=replace(SHORT, most=60))
    planner.advance(Limits().start(), 60)
    assert planner.finished
    assert 60 <= planner.back[0].expanded < 120
    assert planner.found is None
