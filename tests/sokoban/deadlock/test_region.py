from sokoasp.sokoban.deadlock.bitboard import scene
from sokoasp.sokoban.deadlock.local import Budget
from sokoasp.sokoban.deadlock.region import closed_regions
from sokoasp.sokoban.level import Cell
from tests.instances import level, levels
from tests.sokoban.deadlock.cases import detector

region = detector("region")


def test_region_and_its_boxes_are_shown() -> None:
    found = region(levels("deadlocks/region.xsb")[0])
    assert found is not None
    assert found.boxes == (Cell(3, 2), Cell(3, 6))
    assert found.cells == (Cell(3, 2), Cell(3, 6), *(Cell(4, c) for c in range(2, 7)))
    assert "region of 5 cells" in found.reason


def test_other_boxes_do_not_matter() -> None:
    made = level("#########\n#. $@  .#\n# .   $ #\n##$###$##\n##     ##\n#### ####\n##   .###\n#########")
    found = region(made)
    assert found is not None
    assert found.boxes == (Cell(3, 2), Cell(3, 6))


def test_closed_regions_are_the_cells_out_of_reach() -> None:
    at = scene(levels("deadlocks/region.xsb")[0])
    assert [at.board.cells(part) for part in closed_regions(at)] == [tuple(Cell(4, c) for c in range(2, 7))]
    assert not list(closed_regions(scene(level("#####\n#@$.#\n#   #\n#####"))))


def test_enough_goals_inside() -> None:
    # both boxes go into the hall: two goals below the doors
    assert region(level("#########\n#   @   #\n#       #\n##$###$##\n##.   .##\n#########")) is None


def test_no_budget_finds_nothing() -> None:
    assert region(levels("deadlocks/region.xsb")[0], budget=Budget(states=150, searches=0)) is None
