from sokoasp.sokoban.level import Cell, Direction
from sokoasp.sokoban.units.draw import GateView, describe, draw
from tests.instances import level, levels
from tests.sokoban.units.corridor import corridor


def test_drawing_of_a_hall() -> None:
    made = levels("deadlocks/region.xsb")[0]
    text = draw(made, describe(made))
    picture = text.split("\n\n")[0].splitlines()
    assert picture == ["#########", "#.  @  .#", "#AAA BBB#", "##$###$##", " #aA~Bb#", " #######"]
    assert "push    g4 -> g0 g1 g2 g3" in text
    assert "blocked g0 -> g4" in text
    assert text.endswith("dead: a, b never done")


def test_description_of_a_hall() -> None:
    made = levels("deadlocks/region.xsb")[0]
    view = describe(made)
    assert [unit.boxes for unit in view.units] == [(Cell(3, 2),), (Cell(3, 6),)]
    assert GateView(Cell(4, 3), Direction.right, usable=False) in view.units[0].gates
    assert [(p.cells, p.reached) for p in view.passages if not p.reached] == [((Cell(4, 4),), False)]


def test_every_cell_is_in_one_part() -> None:
    made = corridor(7, bay=3)
    view = describe(made)
    parts = [cell for part in (*view.units, *view.passages) for cell in part.cells]
    assert sorted(parts) == sorted(made.floor)
    assert not view.dead and draw(made, view).endswith("no deadlock found (which proves nothing)")


def test_no_boxes() -> None:
    made = level("#####\n#@ *#\n#####")
    bare = made.__class__(made.floor, frozenset(), frozenset(), made.player)
    assert draw(bare, describe(bare)).endswith("no deadlock found (which proves nothing)")
