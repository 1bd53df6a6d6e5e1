from sokoasp.sokoban.level import Cell
from tests.instances import level, levels
from tests.sokoban.deadlock.cases import detector

doorway = detector("doorway")


def test_near_box_first_and_the_far_one_is_blamed() -> None:
    found = doorway(levels("deadlocks/doorway.xsb")[3])
    assert found is not None
    assert found.boxes == (Cell(3, 4), Cell(3, 5))
    assert "(3,5) behind it" in found.reason


def test_box_further_down_the_lane() -> None:
    made = level(
        "############\n#   #  #   #\n#   #### ..#\n# @ $  $   #\n#   ####   #\n############".replace("#  #", "####", 1)
    )
    assert doorway(made) is not None


def test_door_with_a_second_way_is_no_deadlock() -> None:
    made = level("#########\n#   #   #\n#   #   #\n# @ $$  #\n#   #   #\n#     ..#\n#########")
    assert doorway(made) is None


def test_player_behind_the_door() -> None:
    made = level("#########\n#   #   #\n#   #   #\n#   $$ @#\n#   #   #\n#   #.. #\n#########")
    assert doorway(made) is None
