"""Type 6, the special type: a box in a door that cannot go on because of a box behind it."""

from __future__ import annotations

from sokoasp.sokoban.deadlock.bitboard import BitState, bits, flood, grow, shift
from sokoasp.sokoban.deadlock.local import Budget, dead_alone
from sokoasp.sokoban.deadlock.verdict import Verdict, never_done
from sokoasp.sokoban.level import Cell

SOURCE = "thesis §2.2, special type (figure 2-6)"
REACH = 3
"""How far around the two boxes they are followed, in cells."""


def examine(at: BitState, budget: Budget) -> Verdict | None:
    """Find a box in a one-wide door which, with one box on the far side, shuts the player out for good (thesis §2.2).

    The far side must be out of the player's reach. The far box is the one to blame: had it been moved on before the door was
    filled, the near box could have gone through, if the room behind has the space. The first of ``boxes`` is the near one.
    """
    searches = 0
    for near, by in _shut(at):
        for far in bits(_behind(at, near, by)):
            if searches >= budget.searches:
                return None
            searches += 1
            pair = near | far
            zone = grow(pair, at.board.floor, at.board.stride, REACH)
            if dead_alone(at, pair, zone=zone, states=budget.states):
                return _verdict(at, near, far)
    return None


def _shut(at: BitState) -> list[tuple[int, int]]:
    """Return (box, direction) of the boxes in doors with the player's side behind them and an unreached side ahead."""
    board = at.board
    found = []
    for by in board.shifts:
        across = board.stride if abs(by) == 1 else 1
        doors = at.boxes & board.walls << across & board.walls >> across
        doors &= shift(at.region, by) & shift(board.floor & ~at.region, -by)
        found += [(box, by) for box in bits(doors)]
    return found


def _behind(at: BitState, near: int, by: int) -> int:
    """Return the boxes beyond the door: those within reach, and the next one straight ahead; none if there is another way round.

    Beyond it is what the box in the door, alone on the board, keeps from the player.
    """
    board = at.board
    ahead = shift(near, by)
    beyond = flood(ahead, board.floor & ~near, board.stride)
    if beyond & at.player:
        return 0
    close = grow(ahead, board.floor, board.stride, REACH - 1)
    while ahead & board.floor & ~at.boxes:
        ahead = shift(ahead, by)
    return (close | ahead) & at.boxes & beyond


def place(box: Cell) -> str:
    """Return how a sentence names a box."""
    return f"the box at ({box.row},{box.col})"


def _verdict(at: BitState, near: int, far: int) -> Verdict:
    board = at.board
    (near_cell,), (far_cell,) = board.cells(near), board.cells(far)
    reason = (
        f"{place(near_cell)} fills a door and shuts the player out, and with {place(far_cell)} behind it "
        f"the two {never_done(2, at.spare)}"
    )
    return Verdict("doorway", board.cells(near | far), (near_cell, far_cell), reason, SOURCE)
