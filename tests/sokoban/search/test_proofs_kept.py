"""The two certificates of an answer: bound and plan, each kept only when it is better, the plan only after the referee."""

import pytest

from sokoasp.core.errors import IllegalPlan
from sokoasp.core.result import Status
from sokoasp.sokoban.formats import level_from_rows
from sokoasp.sokoban.plan import Plan
from sokoasp.sokoban.rules import merged, plan_from_lurd, plan_from_pushes
from sokoasp.sokoban.search.model.referee import bounds_of

LEVEL = level_from_rows(["#######", "#@ $ .#", "#######"])
STRAIGHT = plan_from_lurd(LEVEL, "rRR")


def test_the_better_bound_and_the_better_plan_are_kept() -> None:
    proofs = bounds_of(LEVEL, "moves")
    detour = plan_from_lurd(LEVEL, "rlrRR")
    assert proofs.offer(detour, "one") and proofs.upper == 5
    assert proofs.offer(STRAIGHT, "another") and proofs.upper == 3
    assert not proofs.offer(detour, "one again")
    proofs.raise_lower(2, "a")
    proofs.raise_lower(1, "b")
    assert (proofs.lower, proofs.lower_by) == (2, "a") and not proofs.closed()
    result = proofs.result("some", stopped_by="time")
    assert (result.status, result.lower_bound, result.value, result.stopped_by) == (Status.SOLVED, 2, 3, "time")
    proofs.raise_lower(3, "c")
    result = proofs.result("some", stopped_by="time")
    assert proofs.closed() and (result.status, result.stopped_by) == (Status.OPTIMAL, None)
    assert result.proof == "lower bound 3 (c) = plan of 3 (another)"


def test_searching_everything_proves_the_plan_or_that_there_is_none() -> None:
    proofs = bounds_of(LEVEL, "pushes")
    proofs.offer(STRAIGHT, "one")
    proofs.exhausted("a search")
    assert proofs.result("some").status is Status.OPTIMAL
    nothing = bounds_of(LEVEL, "pushes")
    nothing.exhausted("a search")
    assert nothing.result("some").status is Status.UNSOLVABLE
    assert bounds_of(LEVEL, "pushes").result("some", stopped_by="interrupt").status is Status.INTERRUPTED


def test_the_referee_sees_every_plan() -> None:
    proofs = bounds_of(LEVEL, "pushes")
    for wrong in ("rR", "lR", "rRRR"):
        with pytest.raises(IllegalPlan):
            proofs.offer(Plan(STRAIGHT.actions, wrong), "somebody")
    assert proofs.plan is None


def test_pushes_in_pieces_are_merged() -> None:
    (whole,) = STRAIGHT.actions
    middle = whole.box.step(whole.direction)
    pieces = plan_from_pushes(
        LEVEL, [type(whole)(whole.box, whole.direction, middle), type(whole)(middle, whole.direction, whole.to)]
    )
    assert pieces.cost("lines") == 2
    assert merged(LEVEL, pieces) == STRAIGHT
