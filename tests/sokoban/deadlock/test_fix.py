import pytest

from sokoasp.core.errors import IllegalPlan
from sokoasp.sokoban.deadlock.fix import fix, states_along
from sokoasp.sokoban.level import Cell, Direction
from sokoasp.sokoban.plan import Push
from sokoasp.sokoban.units import find_deadlock
from tests.instances import level

DOOR = level("#########\n#   #   #\n#   #   #\n#@ $ $  #\n#   #   #\n#   #.. #\n#########")


def test_last_push_did_it() -> None:
    found = fix(DOOR, "rR", find_deadlock)
    assert found is not None and found.undo == 1
    assert (found.blamed, found.state.boxes) == (Push(Cell(3, 3), Direction.right, Cell(3, 4)), DOOR.boxes)
    assert found.blamed not in found.instead and Push(Cell(3, 3), Direction.up, Cell(2, 3)) in found.instead


def test_an_earlier_push_did_it() -> None:
    # the first push spoils a box, the second only moves the other one
    made = level("########\n#      #\n#@ $   #\n#   $  #\n#.   . #\n########")
    found = fix(made, "drrUdR", find_deadlock)
    assert found is not None and found.undo == 2
    assert (found.blamed, found.state.boxes) == (Push(Cell(2, 3), Direction.up, Cell(1, 3)), made.boxes)
    assert Push(Cell(2, 3), Direction.down, Cell(3, 3)) in found.instead


def test_dead_from_the_start_or_never_has_no_fix() -> None:
    made = level("######\n#@ $ #\n# $  #\n#. . #\n######")
    assert find_deadlock(made) is not None and fix(made, "dR", find_deadlock) is None
    assert fix(DOOR, "r", find_deadlock) is fix(DOOR, "", find_deadlock) is None


def test_states_along_are_those_around_each_push() -> None:
    pushes, states = states_along(DOOR, "rRl")
    assert pushes == [Push(Cell(3, 3), Direction.right, Cell(3, 4))]
    assert [one.player for one in states] == [Cell(3, 2)] * 2 and states[1].boxes == DOOR.boxes - {Cell(3, 3)} | {
        Cell(3, 4)
    }


def test_quick_judge_for_the_pushes_to_make_instead() -> None:
    found = fix(DOOR, "rR", find_deadlock, find_quickly=lambda _level, _state: None)
    assert found is not None and found.blamed in found.instead


def test_impossible_move() -> None:
    with pytest.raises(IllegalPlan, match="move 1"):
        states_along(DOOR, "ll")
