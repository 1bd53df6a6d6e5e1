"""Bounds on moves that are sums over the cells of boxes and player: what layers of moves are cut by (docs/native.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sokoasp.sokoban.level import Level
from sokoasp.sokoban.search.exact import bitboard, cell_prices
from sokoasp.sokoban.search.model.options import Options
from sokoasp.sokoban.search.model.push_board import PushBoard
from sokoasp.sokoban.search.model.records import Bitboard

if TYPE_CHECKING:
    import numpy.typing as npt

WITHIN = 256
"""As in the kernels: what is left for the player in a row each."""


@dataclass(frozen=True, slots=True)
class MoveBounds:
    """Bounds of one side, in the form ``records.MoveLayers`` has them."""

    price: npt.NDArray[np.int32]
    apart: npt.NDArray[np.int32]
    player: npt.NDArray[np.int32]
    within: npt.NDArray[np.uint64]
    scale: npt.NDArray[np.int64]
    """(bounds): units of a move."""
    offset: npt.NDArray[np.int64]
    """(bounds): what is to be taken off the sums."""


def bounds_of_moves(
    level: Level, board: PushBoard, bits: Bitboard, options: Options, *, reverse: bool
) -> MoveBounds | None:
    """Return the bounds of one side, None where the boxes cannot be matched to the targets."""
    found = cell_prices.of_cells(level, board, "pushes", options, reverse=reverse)
    if found is None:
        return None
    cells, paid = found
    return tabulated(board, bits, [(cells, np.zeros(board.size, np.int64), 1, paid)])


def tabulated(
    board: PushBoard,
    bits: Bitboard,
    bounds: list[tuple[npt.NDArray[Any], npt.NDArray[Any], int, int]],
) -> MoveBounds:
    """Tabulate bounds given as prices of live cells and of the player's cells, units of a move, and what is taken off."""
    apart, player = (np.zeros((len(bounds), bitboard.BITS), np.int32) for _ in range(2))
    within = np.zeros((len(bounds) * WITHIN, 2), np.uint64)
    place = bits.place[: board.size]
    for x, (cells, walks, _, _) in enumerate(bounds):
        apart[x, place[: board.live]] = cells
        least = int(walks.min())
        player[x, place] = walks
        for left in range(WITHIN):
            allowed = sum(1 << int(bit) for bit, walk in zip(place, walks, strict=True) if walk <= left)
            within[x * WITHIN + left] = allowed & (1 << 64) - 1, allowed >> 64
        assert least >= 0
    values = np.arange(256)[:, None] >> np.arange(8) & 1
    price = (apart.reshape(len(bounds), 16, 1, 8) * values).sum(axis=3, dtype=np.int32)
    return MoveBounds(
        price=np.ascontiguousarray(price.reshape(len(bounds), 16 * 256)),
        apart=apart,
        player=player,
        within=within,
        scale=np.array([scale for *_, scale, _ in bounds], np.int64),
        offset=np.array([paid for *_, paid in bounds], np.int64),
    )
