"""What the cells of boxes cost at least, added up by the bytes of a key: a cheap bound for layers (docs/native-layers.md)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sokoasp.sokoban.level import Level
from sokoasp.sokoban.search.bounds import search_tables
from sokoasp.sokoban.search.model.options import Options
from sokoasp.sokoban.search.model.push_board import PushBoard

if TYPE_CHECKING:
    import numpy.typing as npt

NO_WAY = 1 << 20
"""Price of a cell from which there is no way: eight of them fit into 32 bits, and no plan is as long."""


def prices(
    level: Level, board: PushBoard, objective: str, options: Options, *, reverse: bool
) -> tuple[npt.NDArray[np.int32], int] | None:
    """Return what each byte of a key costs at least, (rows of 256), and what is to be taken off the sum.

    The price of a cell is the least sum of a lone box's way to a target, the player on any side, and the target's dual potential;
    the sum of the boxes' prices less that of the potentials is a bound. None where the boxes cannot be matched to the targets.
    """
    tables = search_tables.build(level, board, objective, replace(options, patterns=False), reverse=reverse)
    potentials = search_tables.dual_potentials(tables, options)
    if potentials is None:
        return None
    ways = np.minimum(tables.dist + potentials, NO_WAY).min(axis=1)
    cells = [ways[side[side >= 0]].min(initial=NO_WAY) for side in board.side[: board.live]]
    rows = 8 * ((board.live + 16 + 63) // 64 - 1) + 6
    eights = np.zeros(rows * 8, np.int32)
    eights[: board.live] = cells
    table = eights.reshape(rows, 1, 8) * (np.arange(256)[:, None] >> np.arange(8) & 1)
    return table.sum(axis=2, dtype=np.int32).reshape(-1), int(potentials.sum())
