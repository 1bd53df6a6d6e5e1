from sokoasp.sokoban.level import Cell, Level
from tests.instances import level
from tests.sokoban.deadlock.cases import detector

wall = detector("wall")

THREE = """
    #########
    #   .   #
    #       #
    #@      #
    #.$.$ $ #
    #########"""


def test_counts_boxes_against_goals_of_the_wall() -> None:
    found = wall(level(THREE))
    assert found is not None
    assert found.boxes == (Cell(4, 2), Cell(4, 4), Cell(4, 6))
    assert "3 boxes" in found.reason and "2 goals" in found.reason


def test_as_many_goals_as_boxes_is_fine() -> None:
    assert wall(level("#########\n#   .   #\n#   $   #\n#@      #\n#.$.$   #\n#########")) is None


def test_niche_lets_a_box_off_the_wall() -> None:
    assert wall(level("#######\n###.###\n# $   #\n#@    #\n#######")) is None


def test_open_end_lets_a_box_off_the_wall() -> None:
    # at the right end the wall turns away upwards: the box goes on, and up the shaft
    assert wall(level("#######\n####.##\n# $   #\n#@    #\n#######")) is None


def test_spare_boxes_count() -> None:
    made = level(THREE)
    one_spare = Level(made.floor, made.boxes, made.goals - {Cell(1, 4)}, made.player)
    assert wall(one_spare) is None


def test_surplus_of_two_walls_adds_up() -> None:
    made = level("########\n# $.$  #\n#  .   #\n# @ .  #\n# $.$  #\n########")
    one_spare = Level(made.floor, made.boxes, made.goals - {Cell(3, 4)}, made.player)
    found = wall(one_spare)
    assert found is not None
    assert found.boxes == (Cell(1, 2), Cell(1, 4), Cell(4, 2), Cell(4, 4))
    two_spare = Level(made.floor, made.boxes, made.goals - {Cell(3, 4), Cell(2, 3)}, made.player)
    assert wall(two_spare) is None
