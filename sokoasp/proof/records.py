"""Lists of states as they are written: for each the bits of its boxes, the player's cell and numbers, 16 bits each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from sokoasp.core.kernels.arrays import I4, U8
from sokoasp.proof.refusals import Refused
from sokoasp.proof.unpack import Unpacked

CHUNK = 1 << 16
"""Records that are written or read at a time."""


def packed_records(keys: U8, live: int, *numbers: I4) -> bytes:
    """Return records as they are written: for each the bits of its boxes, the player's cell and numbers, 16 bits each."""
    count, words = len(keys), keys.shape[1] - 1
    width = (live + 7) // 8
    table = np.zeros((count, width + 2 + 2 * len(numbers)), dtype=np.uint8)
    table[:, :width] = (
        np.ascontiguousarray(keys[:, :words]).astype("<u8").view(np.uint8).reshape(count, 8 * words)[:, :width]
    )
    table[:, width : width + 2] = keys[:, words].astype("<u2").view(np.uint8).reshape(count, 2)
    # without a value costs do not matter: a list that goes further than 16 bits count says 65,535
    for at, column in enumerate(numbers):
        words_ = column.clip(0, 65_535).astype("<u2").view(np.uint8).reshape(count, 2)
        table[:, width + 2 + 2 * at : width + 4 + 2 * at] = words_
    return table.tobytes()


def records(path: Path, live: int, words: int, columns: int = 1) -> Iterator[tuple[Any, ...]]:
    """Yield the keys of such records, (count, words+1), and each of their numbers, (count), some at a time.

    Raises Refused: the file is none of these.
    """
    width = (live + 7) // 8
    file = Unpacked(path)
    whole = width + 2 + 2 * columns
    while data := file.take(CHUNK * whole):
        if len(data) % whole:
            raise Refused("the list of states ends in the middle of one")
        table = np.frombuffer(data, dtype=np.uint8).reshape(-1, whole)
        if live % 8 and (table[:, width - 1] >> (live % 8)).any():
            raise Refused("a state of the list has a box on a cell that there is not")
        keys = np.zeros((len(table), words + 1), dtype=np.uint64)
        padded = np.zeros((len(table), 8 * words), dtype=np.uint8)
        padded[:, :width] = table[:, :width]
        keys[:, :words] = padded.view("<u8")
        keys[:, words] = np.ascontiguousarray(table[:, width : width + 2]).view("<u2")[:, 0]
        yield keys, *np.ascontiguousarray(table[:, width + 2 :]).view("<u2").astype(np.int32).T.copy()
