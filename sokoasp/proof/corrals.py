"""The file of a list's corrals: for each state how many components its area has, one byte, and a cell of each, 16 bits."""

from __future__ import annotations

import lzma
from pathlib import Path

import numpy as np

from sokoasp.core.kernels.arrays import I4
from sokoasp.proof.refusals import Refused
from sokoasp.proof.unpack import Unpacked


def write(path: Path, areas: I4) -> None:
    """Write areas, (states, width) cells with -1 behind them, compressed."""
    out = bytearray()
    for cells in areas.tolist():
        here = [cell for cell in cells if cell >= 0]
        out.append(len(here))
        for cell in here:
            out += cell.to_bytes(2, "little")
    path.write_bytes(lzma.compress(bytes(out), preset=2))


def read(path: Path, states: int, size: int) -> I4:
    """Read the areas of ``states`` states on a floor of ``size`` cells.

    Returns (states, width): the cells, -1 behind them.

    Raises Refused: it is no such file.
    """
    file, areas = Unpacked(path), list[list[int]]()
    for number in range(states):
        head = file.take(1)
        data = file.take(2 * head[0]) if head else b""
        if not head or len(data) < 2 * head[0]:
            raise Refused("the corrals end too soon")
        cells = [int.from_bytes(data[i : i + 2], "little") for i in range(0, len(data), 2)]
        if any(cell >= size for cell in cells):
            raise Refused(f"the corral of state {number + 1} is off the floor")
        areas.append(cells)
    if file.take(1):
        raise Refused("there are more corrals than states")
    table = np.full((states, max(map(len, areas), default=1) or 1), -1, np.int32)
    for row, cells in zip(table, areas, strict=True):
        row[: len(cells)] = cells
    return table
