"""Each detector on boards drawn for it: the boxes it blames, and the living boards next to them that it lets alone."""

from typing import Any

import pytest

from sokoasp.sokoban.deadlock.bitboard import scene
from sokoasp.sokoban.deadlock.local import Budget
from sokoasp.sokoban.deadlock.region import closed_regions
from sokoasp.sokoban.deadlock.simple import frozen
from sokoasp.sokoban.level import Cell, Level
from tests.instances import level, levels
from tests.sokoban.deadlock.cases import detector, is_dead

BEND = level("#########\n#   #####\n# $  ####\n#  # @ .#\n#########")
"""A room whose only door leads into a bend: nothing pushed into the door ever comes out."""
CORNER = level("#####\n#  $#\n#@$ #\n#. .#\n#####")
CORNERS = level("######\n#   $#\n#@ $ #\n#. ..#\n#$   #\n######")
CROWD = level("########\n#   .  #\n#@     #\n#.$  $ #\n########")
GROUP = level("########\n# **   #\n#@     #\n#   .. #\n#   $$ #\n########")
LANE = level("############\n#   ####   #\n#   #### ..#\n# @ $  $   #\n#   ####   #\n############")
ONE_WALL = level("########\n#      #\n#  #$  #\n#  $$  #\n#@...  #\n########")
OTHERS = level("#########\n#. $@  .#\n# .   $ #\n##$###$##\n##     ##\n#### ####\n##   .###\n#########")
PAIR = "######\n# $ .#\n#$   #\n#   @#\n#.   #\n######"
PAIR_AT_GOAL = "######\n#.$  #\n#$   #\n#   @#\n#.   #\n######"
REGION = levels("deadlocks/region.xsb")[0]
SQUARE = level("########\n#      #\n# $* . #\n# $$ . #\n#@   . #\n########")
THREE = level("#########\n#   .   #\n# $ .   #\n#@      #\n#.$.$ $ #\n#########")
TWO_WALLS = level("########\n# $.$  #\n#  .   #\n# @ .  #\n# $.$  #\n########")


def but(made: Level, *goals: Cell) -> Level:
    """Return a level without some of its goals: it has spare boxes."""
    return Level(made.floor, made.boxes, made.goals - set(goals), made.player)


FOUND: dict[str, tuple[Any, ...]] = {
    "no wall run covers it": ("dead_square", BEND, [(2, 2)]),
    "only the group that is dead": ("freeze", GROUP, [(4, 4), (4, 5)]),
    "crowd": ("matching", CROWD, [(3, 2), (3, 5)], "only 1 goal"),
    "corner": ("corner", CORNER, [(1, 3)]),
    "two corners, one spare box": ("corner", but(CORNERS, Cell(3, 4)), [(1, 4), (4, 1)]),
    "wall": ("wall", THREE, [(4, 2), (4, 4), (4, 6)], "3 boxes", "2 goals"),
    "two walls, one spare box": ("wall", but(TWO_WALLS, Cell(3, 4)), [(1, 2), (1, 4), (4, 2), (4, 4)]),
    "block of four": ("block", SQUARE, [(2, 2), (2, 3), (3, 2), (3, 3)]),
    "wall beside a block": ("block", level("########\n# $*   #\n#@  .  #\n########"), [(1, 2), (1, 3)]),
    "block with one wall": ("block", ONE_WALL, [(2, 4), (3, 3), (3, 4)]),
    "block in a corner": ("block", level("#####\n#  $#\n#@ .#\n#####"), [(1, 3)]),
    "corner pair": ("corner_pair", level(PAIR), [(1, 2), (2, 1)]),
    "region": ("region", REGION, [(3, 2), (3, 6)], "region of 5 cells"),
    "region, other boxes": ("region", OTHERS, [(3, 2), (3, 6)]),
    "near box first": ("doorway", levels("deadlocks/doorway.xsb")[3], [(3, 4), (3, 5)], "(3,5) behind it"),
    "box further down the lane": ("doorway", LANE, [(3, 4), (3, 7)]),
}


@pytest.mark.parametrize("case", FOUND)
def test_found_with_the_boxes_that_are_dead(case: str) -> None:
    kind, made, boxes, *words = FOUND[case]
    found = detector(kind)(made)
    assert found.boxes == tuple(boxes)
    assert all(word in found.reason for word in words)


LIVING: dict[str, tuple[str, Level | str]] = {
    "free on one axis": ("freeze", "########\n#      #\n# @$$  #\n#  ..  #\n########"),
    "goal in the corner": ("corner", "#####\n#  *#\n#@$ #\n#.  #\n#####"),
    "spare box in a corner": ("corner", but(CORNER, Cell(3, 3))),
    "as many goals as boxes": ("wall", "#########\n#   .   #\n#   $   #\n#@      #\n#.$.$   #\n#########"),
    "niche": ("wall", "#######\n###.###\n# $   #\n#@    #\n#######"),
    # at the right end the wall turns away upwards: the box goes on, and up the shaft
    "open end": ("wall", "#######\n####.##\n# $   #\n#@    #\n#######"),
    "spare box at a wall": ("wall", but(THREE, Cell(1, 4))),
    "two walls, two spare boxes": ("wall", but(TWO_WALLS, Cell(3, 4), Cell(2, 3))),
    "block on goals": ("block", "########\n#      #\n# ** $.#\n# **   #\n#@     #\n########"),
    "wall beside a block on goals": ("block", "########\n# **   #\n#@ $.  #\n########"),
    "block with a gap": ("block", "########\n#      #\n#  #$  #\n#  $ $ #\n#@...  #\n########"),
    "block of spare boxes": ("block", but(SQUARE, Cell(2, 5), Cell(3, 5), Cell(4, 5))),
    "player in the corner": ("corner_pair", "######\n#@$ .#\n#$   #\n#    #\n#.   #\n######"),
    "pair on goals": ("corner_pair", "######\n# *  #\n#*   #\n# $. #\n#  @ #\n######"),
    "corner and one of the pair on goals": ("corner_pair", "######\n#.$  #\n#*   #\n#    #\n#  @ #\n######"),
    "pair with a gap": ("corner_pair", "#######\n#  $ .#\n#$    #\n#   @ #\n#.    #\n#######"),
    # the lower box stands beside open floor on both sides and is pushed off along the row
    "sideways": ("corner_pair", "#######\n#  ####\n#    .#\n## $  #\n# $ @ #\n#  .  #\n#######"),
    # both boxes go into the hall: two goals below the doors
    "goals inside": ("region", "#########\n#   @   #\n#       #\n##$###$##\n##.   .##\n#########"),
    "second way": ("doorway", "#########\n#   #   #\n#   #   #\n# @ $$  #\n#   #   #\n#     ..#\n#########"),
    "player behind": ("doorway", "#########\n#   #   #\n#   #   #\n#   $$ @#\n#   #   #\n#   #.. #\n#########"),
}


@pytest.mark.parametrize("case", LIVING)
def test_a_living_board_is_let_alone(case: str) -> None:
    kind, drawn = LIVING[case]
    made = level(drawn) if isinstance(drawn, str) else drawn
    assert not is_dead(made)
    assert detector(kind)(made) is None


@pytest.mark.parametrize("text", [PAIR, PAIR_AT_GOAL], ids=["plain", "corner is a goal"])
@pytest.mark.parametrize("turn", range(4))
def test_a_corner_pair_in_all_four_corners(text: str, turn: int) -> None:
    rows = text.split("\n")
    for _ in range(turn):
        rows = ["".join(row[i] for row in reversed(rows)) for i in range(len(rows[0]))]
    found = detector("corner_pair")(level("\n".join(rows)))
    assert len(found.boxes) == 2
    assert len(found.cells) == 3


def test_cells_are_the_boxes_and_the_corner_or_the_region() -> None:
    found = detector("corner_pair")(level(PAIR)), detector("region")(REGION)
    assert found[0] is not None and found[1] is not None
    assert found[0].cells == ((1, 1), (1, 2), (2, 1))
    assert found[1].cells == ((3, 2), (3, 6), *((4, c) for c in range(2, 7)))


@pytest.mark.parametrize("kind", ["dead_square", "freeze", "matching"])
def test_the_simple_rules_together_miss_a_corner_pair(kind: str) -> None:
    assert detector(kind)(level(PAIR)) is None


def test_no_wall_run_covers_a_room_with_a_bend() -> None:
    assert detector("wall")(BEND) is None


def test_frozen_chain() -> None:
    at = scene(level("########\n#  $$  #\n#   $$ #\n#@   $##\n#..... #\n########"))
    held = at.board.cells(frozen(at.board, at.boxes))
    assert Cell(1, 3) in held and Cell(2, 4) in held


def test_closed_regions_are_the_cells_out_of_reach() -> None:
    at = scene(REGION)
    assert [at.board.cells(part) for part in closed_regions(at)] == [tuple(Cell(4, c) for c in range(2, 7))]
    assert not list(closed_regions(scene(level("#####\n#@$.#\n#   #\n#####"))))


def test_no_budget_finds_nothing() -> None:
    assert detector("region")(REGION, budget=Budget(states=150, searches=0)) is None
