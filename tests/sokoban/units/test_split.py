import random

from hypothesis import given
from hypothesis import strategies as st

from sokoasp.sokoban.deadlock.bitboard import flood, scene, shift
from sokoasp.sokoban.level import Cell
from sokoasp.sokoban.units.split import splits
from tests.sokoban.units.corridor import corridor
from tests.studies.samples import random_level


@given(st.integers(0, 10_000))
def test_a_split_parts_the_floor(seed: int) -> None:
    made = random_level(random.Random(seed))
    if made is None:
        return
    at = scene(made)
    board = at.board
    for split in splits(at):
        parts = [*(unit.cells for unit in split.units), *split.passages]
        assert sum(part.bit_count() for part in parts) == board.floor.bit_count()
        total = 0
        for part in parts:
            assert flood(part & -part, part, board.stride) == part
            total |= part
        assert total == board.floor
        assert not any(passage & at.boxes for passage in split.passages)
        for unit in split.units:
            assert unit.boxes == unit.cells & at.boxes != 0
            for cell, by in unit.gates:
                assert cell & unit.cells
                assert any(shift(cell, by) & passage for passage in split.passages)


def test_far_boxes_are_units_of_their_own_then_the_closed_corridor_joins_them() -> None:
    at = scene(corridor(10))
    cuts = {split.name: split for split in splits(at)}
    assert len(cuts["around 1"].units) == 2
    assert len(cuts["closed in 1"].units) == 1
    assert Cell(2, 8) in at.board.cells(cuts["closed in 1"].units[0].cells)
