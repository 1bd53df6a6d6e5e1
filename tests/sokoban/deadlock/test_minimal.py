import pytest

from sokoasp.sokoban.deadlock import Verdict
from sokoasp.sokoban.deadlock.bitboard import scene
from sokoasp.sokoban.deadlock.local import THOROUGH, dead_alone
from sokoasp.sokoban.deadlock.minimal import minimal_boxes
from sokoasp.sokoban.level import Cell, Level
from sokoasp.sokoban.rules import State
from sokoasp.sokoban.units import find_deadlock
from tests.instances import level
from tests.sokoban.deadlock.cases import Case, cases
from tests.studies.labels import labels
from tests.studies.samples import labelled_states

DEAD = [case for case in cases() if case.dead and case.start is None]


def dead_by_itself(made: Level, state: State | None, boxes: tuple[Cell, ...]) -> bool | None:
    """Decide over the whole floor whether these boxes, the others taken away, can never do their part; None is undecided."""
    at = scene(made, state)
    return dead_alone(at, at.board.mask(boxes), zone=at.board.floor, states=THOROUGH.states)


def everything(made: Level) -> Verdict:
    boxes = tuple(sorted(made.boxes))
    return Verdict("test", boxes, boxes, "all boxes", "test")


@pytest.mark.parametrize("case", DEAD, ids=lambda case: case.name)
def test_minimal_sets_are_dead_and_none_smaller_is(case: Case) -> None:
    found = minimal_boxes(case.level, None, everything(case.level))
    assert found
    assert dead_by_itself(case.level, None, found) is True
    for box in found:
        assert dead_by_itself(case.level, None, tuple(b for b in found if b != box)) is False


def test_the_bystander_is_left_out() -> None:
    made = level("########\n# $   .#\n#$   $ #\n# .   @#\n#.     #\n########")
    assert minimal_boxes(made, None, everything(made)) == (Cell(1, 2), Cell(2, 1))


def test_a_living_set_is_returned_as_it_is() -> None:
    made = level("#######\n#@$ $.#\n#    .#\n#######")
    assert minimal_boxes(made, None, Verdict("test", (), (Cell(1, 2),), "", "")) == (Cell(1, 2),)


def test_every_verdict_names_boxes_that_are_dead_by_themselves() -> None:
    # the fewer boxes alone on the board, with as many goals added up as the rule of the whole level asks for
    checked = 0
    for made, state, _alive in labelled_states(31, 300, per_level=30, states=600):
        found = find_deadlock(made, state)
        if found is None:
            continue
        assert set(found.boxes) <= state.boxes
        assert dead_by_itself(made, state, found.boxes) is True
        checked += 1
    assert checked > 100


def test_dead_by_itself_with_all_boxes_is_dead() -> None:
    for made, state, alive in labelled_states(32, 100, per_level=20, states=400):
        answer = dead_by_itself(made, state, tuple(state.boxes))
        assert answer is not None and answer is not alive
        truth = labels(made.with_state(state.boxes, state.player))
        assert truth is not None
