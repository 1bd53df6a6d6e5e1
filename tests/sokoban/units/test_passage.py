from itertools import product

from sokoasp.sokoban.deadlock.bitboard import Bitboard, BitState, flood, scene, shift
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.units.passage import BLOCKED, FREE, PUSH, UNKNOWN, inside, passability, positions
from sokoasp.sokoban.units.split import Unit, splits
from tests.instances import level
from tests.sokoban.units.corridor import corridor

HALL = """
    #########
    #.  @  .#
    #       #
    ##$###$##
    ##     ##
    #########"""
ROOM = """
    ###########
    #         #
    #  @      #
    #    $    #
    #         #
    #        .#
    ###########"""


def only_unit(made: Level) -> tuple[Bitboard, Unit]:
    at = scene(made)
    split = next(iter(splits(at)))
    assert len(split.units) == 1
    return at.board, split.units[0]


def test_an_open_box_is_walked_around() -> None:
    board, unit = only_unit(level(ROOM))
    kinds = passability(board, unit, spare=0, states=500)
    assert set(kinds.values()) == {FREE}
    assert len(kinds) == len(unit.gates) * (len(unit.gates) - 1)


def door() -> tuple[BitState, Unit, list[int], list[int]]:
    at = scene(level(HALL))
    unit = next(iter(splits(at))).units[0]
    above = [n for n, (cell, by) in enumerate(unit.gates) if at.region & shift(cell, by)]
    below = [n for n, (cell, by) in enumerate(unit.gates) if not at.region & shift(cell, by)]
    return at, unit, above, below


def test_a_door_is_opened_from_behind_only() -> None:
    at, unit, above, below = door()
    assert above and below
    kinds = passability(at.board, unit, spare=0, states=500)
    assert {kinds[a, b] for a, b in product(above, below)} == {BLOCKED}
    assert {kinds[b, a] for a, b in product(above, below)} == {PUSH}
    assert FREE in {kinds[a, b] for a, b in product(above, above) if a != b}


def test_cut_short_is_unknown_never_blocked() -> None:
    at, unit, above, below = door()
    kinds = passability(at.board, unit, spare=0, states=1)
    assert BLOCKED not in {kinds[b, a] for a, b in product(above, below)}
    assert UNKNOWN in kinds.values()


def test_cut_short_everything_is_possible() -> None:
    at, unit, _above, below = door()
    entry = shift(*unit.gates[below[0]])
    met = inside(at.board, unit, entry, entry, spare=0, states=1)
    assert not met.complete
    assert met.least_off == 0
    assert flood(unit.cells & -unit.cells, unit.cells, at.board.stride) == unit.cells


def test_the_player_can_walk_back_when_a_box_slides_out_through_a_tunnel() -> None:
    at = scene(corridor(6, right=False))
    unit = next(iter(splits(at))).units[0]
    around = unit.ways_out & at.region
    met = list(positions(at.board, unit, at.region, around, spare=0, states=100))
    gone = [position[1] for position in met if position is not None and not position[0]]
    assert gone
    assert all(area & unit.cells for area in gone)
