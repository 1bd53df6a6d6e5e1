import random

from hypothesis import given
from hypothesis import strategies as st

from sokoasp.sokoban import rules
from sokoasp.sokoban.deadlock.bitboard import bits, board_of, grow, scene, shift
from sokoasp.sokoban.level import DIRECTIONS, Cell, Level
from tests.instances import level
from tests.studies.samples import random_level


def drawn(seed: int) -> Level:
    rng = random.Random(seed)
    while True:
        made = random_level(rng)
        if made is not None:
            return made


@given(st.integers(0, 10_000))
def test_cells_and_masks_round_trip(seed: int) -> None:
    made = drawn(seed)
    board = board_of(made)
    assert set(board.cells(board.mask(made.boxes))) == made.boxes
    assert set(board.cells(board.floor)) == made.floor
    assert set(board.cells(board.goals)) == made.goals


@given(st.integers(0, 10_000))
def test_shift_is_a_step(seed: int) -> None:
    made = drawn(seed)
    board = board_of(made)
    for direction, by in zip(DIRECTIONS, board.shifts, strict=True):
        steps = {cell.step(direction) for cell in made.floor} & made.floor
        assert set(board.cells(shift(board.floor, by) & board.floor)) == steps
        for bit in bits(board.floor):
            out = board.cell(bit).step(direction) not in made.floor
            assert (shift(bit, by) & board.walls != 0) is out


@given(st.integers(0, 10_000))
def test_flood_is_the_region_of_the_rules(seed: int) -> None:
    made = drawn(seed)
    at = scene(made)
    assert set(at.board.cells(at.region)) == rules.region(made, rules.initial(made))


@given(st.integers(0, 10_000), st.integers(1, 3))
def test_grow_is_the_neighbourhood(seed: int, times: int) -> None:
    made = drawn(seed)
    board = board_of(made)
    near = set(made.boxes)
    for _ in range(times):
        near |= {Cell(c.row + dr, c.col + dc) for c in near for dr in (-1, 0, 1) for dc in (-1, 0, 1)} & made.floor
    assert set(board.cells(grow(board.mask(made.boxes), board.floor, board.stride, times))) == near


def test_tunnels_have_no_goal_and_two_ends() -> None:
    made = level("###########\n#   ###   #\n#@$     . #\n#   ###   #\n#  ##### ##\n###########")
    board = board_of(made)
    assert [board.cells(tunnel) for tunnel in {*board.tunnel_of.values()}] == [(Cell(2, 4), Cell(2, 5), Cell(2, 6))]
    with_goal = board_of(level("##########\n#  ####  #\n#@$  .   #\n#  ####  #\n##########"))
    assert [with_goal.cells(tunnel) for tunnel in {*with_goal.tunnel_of.values()}] == [(Cell(2, 3), Cell(2, 4))]
    assert {board.cell_at[number] for number in board.tunnel_of} == {Cell(2, 4), Cell(2, 5), Cell(2, 6)}


def test_far_floods_are_those_of_one_step_at_a_time() -> None:
    import random

    from sokoasp.sokoban.deadlock.bitboard import flood

    rng = random.Random(4)
    for _ in range(60):
        stride, rows = rng.choice((3, 17, 90)), rng.randint(2, 60)
        free = sum(
            1 << bit for bit in range(stride, stride * rows) if bit % stride and rng.random() < rng.choice((0.7, 0.98))
        )
        start = free & -free
        plain = start
        while True:
            grown = (plain << 1 | plain >> 1 | plain << stride | plain >> stride) & free | plain
            if grown == plain:
                break
            plain = grown
        assert flood(start, free, stride) == plain
