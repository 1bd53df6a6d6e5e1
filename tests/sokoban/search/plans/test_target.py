"""The target-board seeker: its plans are legal, it finds one where there is one, and it joins two halves with care."""

from __future__ import annotations

import pytest

from sokoasp.core.errors import IllegalPlan
from sokoasp.core.limits import Limits
from sokoasp.sokoban import validate
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.search import push_board, solve
from sokoasp.sokoban.search.options import Options
from tests.levels import random_level, scrambled_level, warehouse

pytestmark = pytest.mark.usefixtures("native")


def seeker_of(level: Level, *, patient: bool = False):  # type: ignore[no-untyped-def]
    from sokoasp.sokoban.search.plans.entrant import FillingSeeker
    from sokoasp.sokoban.search.plans.target import TargetSeeker

    board = push_board.build(level)
    if level.solved or board.dead_start:
        return None
    return TargetSeeker(level, board, FillingSeeker(level, board, Options()), patient=patient)


def plan_exists(level: Level) -> bool:
    """Let the seeker search to the end; return whether there is a plan, which it must then have found."""
    truth = solve(level, "pushes", engine="reference")
    seeker = seeker_of(level)
    if seeker is None:
        return truth.plan is not None
    seeker.advance(Limits().start(), 60)
    assert seeker.finished
    assert (seeker.plan() is None) == (truth.plan is None)
    if seeker.plan() is not None:
        validate.validate(level, seeker.plan())
        assert seeker.plan().pushes >= truth.value
    return truth.plan is not None


@pytest.mark.parametrize(("boxes", "levels"), [(2, 12), (3, 4)])
def test_it_finds_a_plan_where_there_is_one(boxes: int, levels: int) -> None:
    solvable = sum(plan_exists(random_level(seed, boxes=boxes)) for seed in range(levels))
    assert 0 < solvable < levels


def small_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the rounds so short that the halves meet in all sorts of ways."""
    from sokoasp.sokoban.search.plans import target

    monkeypatch.setattr(target, "FIRST", 6)
    monkeypatch.setattr(target, "AROUND", 3)
    monkeypatch.setattr(target, "TURNS", 1)


def plans_of(levels: range, boxes: int = 5) -> list[str]:
    """Search larger levels to the end; return how each was solved: by which half of which round."""
    ways = []
    for seed in levels:
        level = scrambled_level(seed, boxes=boxes, pulls=150)
        seeker = seeker_of(level)
        seeker.advance(Limits().start(), 60)
        assert seeker.plan() is not None
        validate.validate(level, seeker.plan())
        ways.append(f"{seeker.rounds} {len(seeker.back)} {len(seeker.forth)}")
    return ways


def test_halves_that_meet_anywhere_make_a_legal_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    small_rounds(monkeypatch)
    assert len(set(plans_of(range(25)))) > 3, "they should meet in many ways"


def leave_regions_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plant a fault: the hash of a state tells its boxes only."""
    from sokoasp.sokoban.search.plans import branching

    def blind(self: branching.Branching) -> None:
        rightly(self)
        self.zobrist[1] = 1

    rightly = branching.Branching.__post_init__
    monkeypatch.setattr(branching.Branching, "__post_init__", blind)


def test_the_same_boxes_with_the_player_elsewhere_are_no_joint(monkeypatch: pytest.MonkeyPatch) -> None:
    small_rounds(monkeypatch)
    leave_regions_out(monkeypatch)
    plans_of(range(20))


def test_a_joint_that_ignores_the_region_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    from sokoasp.sokoban.search.plans import target

    small_rounds(monkeypatch)
    leave_regions_out(monkeypatch)
    monkeypatch.setattr(target.TargetSeeker, "_region", lambda *_: 0)
    with pytest.raises(IllegalPlan):
        plans_of(range(20))


def test_two_runs_do_the_same() -> None:
    first, second = seeker_of(warehouse()), seeker_of(warehouse())
    for seeker in (first, second):
        while seeker.counters["expanded"] < 3000 and not seeker.finished:
            seeker.step()
    assert first.counters == second.counters
    assert first.counters["expanded"] > 0


def test_it_waits_for_the_filling_seeker_by_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    from sokoasp.sokoban.search.plans import target

    seeker = seeker_of(warehouse(), patient=True)
    assert seeker.idle
    seeker.advance(Limits().start(), 60)
    assert seeker.counters["expanded"] == 0
    monkeypatch.setattr(target, "WAIT", 20)
    monkeypatch.setattr(target, "PRELUDE", 100)
    while seeker.idle:
        seeker.beside.step()
    assert not seeker.beside.finished
    seeker.advance(Limits().start(), 60)
    assert 100 <= target.effort(seeker.counters) < 300
    assert seeker.idle
    monkeypatch.setattr(target, "LATER", 20)
    assert not seeker.idle


def test_it_obeys_the_clock_and_leaves_when_others_have_a_plan() -> None:
    seeker = seeker_of(warehouse())
    assert seeker.advance(Limits(seconds=0.0).start(), 5) == "time"
    assert not seeker.finished
    seeker.take(solve(scrambled_level(1, boxes=2, pulls=20), "pushes").plan)
    assert seeker.finished


def test_what_may_be_seen_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    from sokoasp.sokoban.search.plans import target

    small_rounds(monkeypatch)
    monkeypatch.setattr(target, "MOST", 60)
    monkeypatch.setattr(target.TargetSeeker, "_joined", lambda *_: None)
    seeker = seeker_of(warehouse())
    seeker.advance(Limits().start(), 60)
    assert seeker.finished
    assert 60 <= seeker.back[0].expanded < 120
    assert seeker.plan() is None
