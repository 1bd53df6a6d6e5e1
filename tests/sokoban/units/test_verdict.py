"""Units: what the paper claims, on levels of our own, and size-independence."""

import pytest

from sokoasp.core.limits import Limits
from sokoasp.core.result import Status
from sokoasp.sokoban import deadlock
from sokoasp.sokoban.deadlock import PRUNING
from sokoasp.sokoban.deadlock.bitboard import scene
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.search.exact import reference
from sokoasp.sokoban.units import DETECTORS, find_deadlock
from sokoasp.sokoban.units.passage import Inside
from sokoasp.sokoban.units.split import splits
from sokoasp.sokoban.units.unit_verdict import Range, movable_range
from tests.instances import level, levels
from tests.sokoban.deadlock.cases import detector
from tests.sokoban.units.corridor import corridor

units = detector("units")


def is_dead(made: Level) -> bool:
    status = reference.solve(made, "pushes", Limits(states=60_000)).status
    assert status in (Status.OPTIMAL, Status.UNSOLVABLE)
    return status is Status.UNSOLVABLE


@pytest.mark.parametrize("between", range(51))
def test_two_boxes_close_a_corridor_of_any_length(between: int) -> None:
    for name in ("units", "region"):
        found = find_deadlock(corridor(between), budget=PRUNING, detectors=[name])
        assert set(found.boxes) == corridor(between).boxes
    assert find_deadlock(corridor(between, right=False), budget=PRUNING) is None
    assert find_deadlock(corridor(between, left=False), budget=PRUNING) is None


BAYS = (({"bay": 2}, True), ({"bay": 3}, False), ({"inside": 1}, True), ({"inside": 2}, False))
ENDS = (({}, True), ({"right": False}, False), ({"left": False}, False))


@pytest.mark.parametrize("between", range(3, 51))
def test_bays_and_goals_of_any_length(between: int) -> None:
    for shape, dead in BAYS:
        assert (find_deadlock(corridor(between, **shape), budget=PRUNING) is not None) is dead, shape


@pytest.mark.parametrize(("between", "shapes"), [(0, ENDS), (1, ENDS), (4, ENDS), (3, BAYS), (4, BAYS)])
def test_corridors_bays_and_goals_are_what_we_say(
    between: int, shapes: tuple[tuple[dict[str, int], bool], ...]
) -> None:
    for shape, dead in shapes:
        assert is_dead(corridor(between, **shape)) is dead, shape


def test_the_search_in_a_corridor_does_not_grow_with_its_length() -> None:
    few = deadlock.Budget(states=12, searches=4, cuts=2)
    assert all(units(corridor(between), budget=few) is not None for between in (0, 1, 10, 50, 150))


def test_simple_rules_miss_the_corridor() -> None:
    assert find_deadlock(corridor(4), detectors=deadlock.SIMPLE_RULES) is None


def test_units_far_apart_are_judged_together() -> None:
    # two halls, each with boxes in both its doors
    made = level("""
        ###################
        #.   @   .#.     .#
        #                 #
        ##$###$#####$###$##
        ##     #####     ##
        ###################
    """)
    found = units(made)
    assert "never" in found.reason
    assert find_deadlock(made, detectors=["region"]) is not None


def test_movable_range_grows_by_passability() -> None:
    # the first door is pushed open from the left; only then can the second unit be entered from behind
    made = levels("deadlocks/region.xsb")[1]
    at = scene(made)
    for split in splits(at):
        met = movable_range(at, split, states=1_000)
        assert all(passage & met.reached == passage for passage in split.passages)
        assert not met.stuck(at.spare)


def test_registry_is_the_thesis_and_the_units() -> None:
    assert list(DETECTORS) == [*deadlock.DETECTORS, "units", "alone"]


def test_solved_is_not_dead() -> None:
    assert find_deadlock(level("#####\n#*@ #\n#####")) is None


@pytest.mark.parametrize("goals", [0, 1, 2])
def test_more_boxes_than_goals(goals: int) -> None:
    made = corridor(3)
    spare = Level(made.floor, made.boxes, frozenset(sorted(made.goals)[:goals]), made.player)
    assert (find_deadlock(spare) is not None) is is_dead(spare)


def test_as_many_boxes_off_goals_as_there_are_spare_ones_are_no_deadlock() -> None:
    met = Range(0, (Inside(0, 1, True), Inside(0, 1, True)))
    assert [met.stuck(spare) for spare in (0, 1, 2)] == [True, True, False]
