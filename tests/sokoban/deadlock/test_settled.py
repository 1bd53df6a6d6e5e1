from sokoasp.sokoban.deadlock.bitboard import scene
from sokoasp.sokoban.deadlock.settled import settle
from sokoasp.sokoban.level import Cell, Level
from sokoasp.sokoban.units import find_deadlock
from tests.instances import level, levels


def test_settled_boxes_become_walls() -> None:
    at = scene(levels("deadlocks/settled.xsb")[0])
    settled = settle(at)
    assert settled is not None
    assert at.board.cells(at.boxes & ~settled.boxes) == (Cell(5, 5),)
    assert Cell(5, 5) not in settled.board.cells(settled.board.floor)


def test_nothing_settles_without_frozen_boxes_or_with_spare_ones() -> None:
    made = level("######\n#* $.#\n#@ $.#\n#    #\n######")
    assert settle(scene(made)) is not None
    assert settle(scene(Level(made.floor, made.boxes, made.goals - {Cell(1, 4)}, made.player))) is None
    assert settle(scene(level("######\n#    #\n# *$.#\n#@   #\n######"))) is None


def test_verdict_names_the_settled_boxes_too() -> None:
    made = levels("deadlocks/settled.xsb")[0]
    found = find_deadlock(made, detectors=["settled"])
    assert found is not None
    assert set(found.boxes) == made.boxes
    assert "no solution moves from" in found.reason
