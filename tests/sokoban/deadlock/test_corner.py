from sokoasp.sokoban.level import Cell, Level
from tests.instances import level
from tests.sokoban.deadlock.cases import detector

corner = detector("corner")


def with_fewer_goals(text: str, *goals: Cell) -> Level:
    made = level(text)
    return Level(made.floor, made.boxes, frozenset(goals), made.player)


def test_box_in_a_corner() -> None:
    found = corner(level("#####\n#  $#\n#@$ #\n#. .#\n#####"))
    assert found is not None
    assert found.boxes == (Cell(1, 3),)


def test_goal_in_the_corner() -> None:
    assert corner(level("#####\n#  *#\n#@$ #\n#.  #\n#####")) is None


def test_spare_box_may_rot_in_a_corner() -> None:
    text = "#####\n#  $#\n#@$ #\n#. .#\n#####"
    assert corner(with_fewer_goals(text, Cell(3, 1))) is None


def test_two_boxes_in_corners_are_one_too_many_for_one_spare() -> None:
    text = "######\n#   $#\n#@ $ #\n#. ..#\n#$   #\n######"
    found = corner(with_fewer_goals(text, Cell(3, 1), Cell(3, 3)))
    assert found is not None
    assert found.boxes == (Cell(1, 4), Cell(4, 1))
