import pytest

from sokoasp.sokoban.level import Cell
from tests.instances import level
from tests.sokoban.deadlock.cases import detector, is_dead

corner_pair = detector("corner_pair")

BASE = "######\n# $ .#\n#$   #\n#   @#\n#.   #\n######"
GOAL_IN_CORNER = "######\n#.$  #\n#$   #\n#   @#\n#.   #\n######"


@pytest.mark.parametrize("text", [BASE, GOAL_IN_CORNER], ids=["plain", "corner is a goal"])
@pytest.mark.parametrize("turn", range(4))
def test_all_four_corners(text: str, turn: int) -> None:
    rows = text.split("\n")
    for _ in range(turn):
        rows = ["".join(row[i] for row in reversed(rows)) for i in range(len(rows[0]))]
    found = corner_pair(level("\n".join(rows)))
    assert found is not None
    assert len(found.boxes) == 2
    assert len(found.cells) == 3


def test_cells_are_the_boxes_and_the_corner() -> None:
    found = corner_pair(level(BASE))
    assert found is not None
    assert found.boxes == (Cell(1, 2), Cell(2, 1))
    assert found.cells == (Cell(1, 1), Cell(1, 2), Cell(2, 1))


@pytest.mark.parametrize(
    "text",
    [
        "######\n#@$ .#\n#$   #\n#    #\n#.   #\n######",
        "######\n# *  #\n#*   #\n# $. #\n#  @ #\n######",
        "######\n#.$  #\n#*   #\n#    #\n#  @ #\n######",
        "#######\n#  $ .#\n#$    #\n#   @ #\n#.    #\n#######",
    ],
    ids=["player in the corner", "both on goals", "corner is a goal, other on goal", "a gap"],
)
def test_not_a_corner_pair(text: str) -> None:
    made = level(text)
    assert not is_dead(made)
    assert corner_pair(made) is None


def test_a_box_that_can_leave_sideways_bars_nothing() -> None:
    # the lower box stands beside open floor on both sides and is pushed off along the row
    made = level("#######\n#  ####\n#    .#\n## $  #\n# $ @ #\n#  .  #\n#######")
    assert corner_pair(made) is None
