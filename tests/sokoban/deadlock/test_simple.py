from sokoasp.sokoban.deadlock.bitboard import scene
from sokoasp.sokoban.deadlock.simple import frozen
from sokoasp.sokoban.level import Cell
from tests.instances import level
from tests.sokoban.deadlock.cases import detector

dead_square = detector("dead_square")
freeze = detector("freeze")
matching = detector("matching")
wall = detector("wall")


def test_dead_square_that_no_wall_run_covers() -> None:
    # a room whose only door leads into a bend: nothing pushed into the door ever comes out
    made = level("#########\n#   #####\n# $  ####\n#  # @ .#\n#########")
    found = dead_square(made)
    assert found is not None
    assert found.boxes == (Cell(2, 2),)
    assert wall(made) is None


def test_frozen_chain() -> None:
    at = scene(level("########\n#  $$  #\n#   $$ #\n#@   $##\n#..... #\n########"))
    held = at.board.cells(frozen(at.board, at.boxes))
    assert Cell(1, 3) in held and Cell(2, 4) in held


def test_freeze_shows_only_the_group_that_is_dead() -> None:
    found = freeze(level("########\n# **   #\n#@     #\n#   .. #\n#   $$ #\n########"))
    assert found is not None
    assert found.boxes == (Cell(4, 4), Cell(4, 5))


def test_box_free_on_one_axis_is_not_frozen() -> None:
    assert freeze(level("########\n#      #\n# @$$  #\n#  ..  #\n########")) is None


def test_matching_counts_a_crowd() -> None:
    made = level("########\n#   .  #\n#@     #\n#.$  $ #\n########")
    found = matching(made)
    assert found is not None
    assert found.boxes == (Cell(3, 2), Cell(3, 5))
    assert "only 1 goal" in found.reason


def test_the_simple_rules_together_miss_a_corner_pair() -> None:
    made = level("######\n# $ .#\n#$   #\n#   @#\n#.   #\n######")
    assert dead_square(made) is freeze(made) is matching(made) is None
