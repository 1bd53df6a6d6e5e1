import pytest

from sokoasp.sokoban.level import Cell, Level
from tests.instances import level
from tests.sokoban.deadlock.cases import detector

block = detector("block")


@pytest.mark.parametrize(
    ("text", "boxes"),
    [
        ("########\n#      #\n# $* . #\n# $$ . #\n#@   . #\n########", 4),
        ("########\n# $*   #\n#@  .  #\n########", 2),
        ("########\n#      #\n#  #$  #\n#  $$  #\n#@...  #\n########", 3),
        ("#####\n#  $#\n#@ .#\n#####", 1),
    ],
    ids=["four", "wall beside", "one wall", "corner"],
)
def test_full_square(text: str, boxes: int) -> None:
    found = block(level(text))
    assert found is not None
    assert len(found.boxes) == boxes


@pytest.mark.parametrize(
    "text",
    [
        "########\n#      #\n# ** $.#\n# **   #\n#@     #\n########",
        "########\n# **   #\n#@ $.  #\n########",
        "########\n#      #\n#  #$  #\n#  $ $ #\n#@...  #\n########",
    ],
    ids=["on goals", "wall, on goals", "gap"],
)
def test_no_full_square_off_goal(text: str) -> None:
    assert block(level(text)) is None


def test_spare_boxes_count() -> None:
    made = level("########\n#      #\n# $* . #\n# $$ . #\n#@   . #\n########")
    goals = frozenset({Cell(2, 3)})
    assert block(Level(made.floor, made.boxes, goals, made.player)) is None
