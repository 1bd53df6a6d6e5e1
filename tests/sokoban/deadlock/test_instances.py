"""Every deadlock instance: the verdict in the file is the truth, its detector finds it, and its living twin is let alone."""

import pytest

from sokoasp.core.result import Status
from sokoasp.sokoban import deadlock, rules, units
from sokoasp.sokoban.deadlock.pulled_region import pulled_region
from sokoasp.sokoban.rules import State
from sokoasp.sokoban.search.exact import reference
from tests.sokoban.deadlock.cases import Case, cases, is_dead
from tests.studies.labels import labels

PLAY = [case for case in cases() if case.start is None]
PULLED = [case for case in cases() if case.start is not None]
THESIS = ("corner", "wall", "block", "corner_pair", "region", "doorway")


@pytest.mark.parametrize("case", PLAY, ids=lambda case: case.name)
def test_verdict_is_the_truth(case: Case) -> None:
    assert is_dead(case.level) is case.dead
    status = reference.solve(case.level, "pushes").status
    assert status is (Status.UNSOLVABLE if case.dead else Status.OPTIMAL)


@pytest.mark.parametrize("case", PULLED, ids=lambda case: case.name)
def test_reverse_verdict_is_the_truth(case: Case) -> None:
    # a position of the pull game leads back to the start exactly when play from the start can come to it
    truth = labels(case.start)
    position = State(case.level.boxes, case.level.player)
    assert (rules.canonical(case.start, position) not in truth) is case.dead
    assert (pulled_region(case.start, position) is not None) is case.dead


@pytest.mark.parametrize("budget", [deadlock.PRUNING, deadlock.THOROUGH], ids=["pruning", "thorough"])
@pytest.mark.parametrize("case", PLAY, ids=lambda case: case.name)
def test_detectors(case: Case, budget: deadlock.Budget) -> None:
    if case.dead:
        found = units.find_deadlock(case.level, budget=budget, detectors=[case.kind])
        assert found is not None and found.kind == case.kind
        assert set(found.boxes) <= case.level.boxes
        assert set(found.cells) <= case.level.floor
        assert units.find_deadlock(case.level, budget=budget) is not None
    else:
        for name in units.DETECTORS:
            assert units.find_deadlock(case.level, budget=budget, detectors=[name]) is None, name


@pytest.mark.parametrize("kind", ["corner_pair", "region", "doorway", "units", "alone"])
def test_beyond_the_simple_rules(kind: str) -> None:
    dead = [case for case in PLAY if case.dead and case.kind == kind]
    missed = [c for c in dead if units.find_deadlock(c.level, detectors=deadlock.SIMPLE_RULES) is None]
    assert missed, f"the simple rules find every {kind} instance"


def test_boxes_far_apart_are_found_by_no_other_detector() -> None:
    others = [name for name in units.DETECTORS if name != "alone"]
    for case in (case for case in PLAY if case.kind == "alone"):
        assert units.find_deadlock(case.level, detectors=others) is None


@pytest.mark.parametrize("kind", [*THESIS, "units", "pulled_region", "alone"])
def test_each_type_has_a_dead_level_and_a_living_twin(kind: str) -> None:
    its = [case for case in cases() if case.name.startswith(kind.replace("_", "-"))]
    assert {case.dead for case in its} == {True, False}
