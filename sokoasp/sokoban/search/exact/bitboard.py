"""Bit boards: cells numbered so that a step in one direction is the same number of bits everywhere (``bitboard_kernels``)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from sokoasp.core.kernels.arrays import I4, U1, Array
from sokoasp.sokoban.level import Cell
from sokoasp.sokoban.search.model.push_board import PushBoard, least_cells, numbered
from sokoasp.sokoban.search.model.records import Bitboard

BITS = 128
WORD = (1 << 64) - 1
DE_BRUIJN = 0x03F79D71B4CB0A89
MOST_POOLS = 64
"""The pools of a region are bits of a word."""
DIRECTIONS = 4
TOWARDS = (5, 3, 7, 1)
"""Of three by three, row by row, the cells beside the middle: a bit up, a bit down, a row up, a row down."""
WAY_ROUND = (0, 1, 2, 5, 8, 7, 6, 3)
"""The cells around the middle of three by three, in a circle; the even ones of these eight are corners."""


def fits(board: PushBoard) -> bool:
    """Return whether all cells of a board have a bit, or the live ones have and the others form no more than 64 pools."""
    span, fitted = numbered_cells(board)
    return span > 0 and len(_pooled(board, fitted)[1]) <= MOST_POOLS


def build(board: PushBoard, words: int) -> tuple[Bitboard, int]:
    """Return a board that fits as bits, and its span; a packed state has so many 64-bit words."""
    span, fitted = numbered_cells(board)
    places, pools = _pooled(board, fitted)
    live = fitted[: board.live]
    number = np.zeros(BITS, np.int32)
    number[fitted] = range(len(fitted))
    bits = np.array([words_of(1 << bit) for bit in range(BITS)], np.uint64)
    # what each byte of a key stands for: the bits of eight live cells, or of some
    rows = 8 * (words - 1) + 6
    eights = np.zeros((rows * 8, 2), np.uint64)
    eights[: len(live)] = bits[live]
    values = np.arange(256)[:, None] >> np.arange(8) & 1
    spread = np.bitwise_or.reduce(eights.reshape(rows, 1, 8, 2) * values[None, :, :, None].astype(np.uint64), axis=2)
    alive = sum(1 << place for place in live)
    beside_live = [alive << shift | alive >> shift for shift in (1, 1, span, span)]
    bit_of = np.zeros(64, np.int32)
    for bit in range(64):
        bit_of[((DE_BRUIJN << bit) & WORD) >> 58] = bit
    made = Bitboard(
        floor=np.array(words_of(sum(1 << place for place in fitted)), np.uint64),
        live=np.array(words_of(alive), np.uint64),
        goals=np.array(words_of(sum(1 << fitted[goal] for goal in board.goals if goal < len(fitted))), np.uint64),
        bits=bits,
        spread=np.ascontiguousarray(spread.reshape(rows * 256, 2)),
        number=number,
        place=np.array([*places, 0], np.int32),
        bit_of=bit_of,
        cut=cut().copy(),
        area=np.zeros(3, np.uint64),
        ends=np.array([words_of(cells & (1 << BITS) - 1) for cells in beside_live], np.uint64),
        **_beside(board, fitted, places, pools, number, span),
    )
    return made, span


def numbered_cells(board: PushBoard) -> tuple[int, list[int]]:
    """Return the span and the bit of each cell; or of the live ones alone, what else the player walks on is in pools; (0, [])."""
    for count in (board.size, board.live):
        span, fitted = _numbered(board.cells[:count])
        if span:
            break
    return span, fitted


def words_of(bits: int) -> tuple[int, int]:
    """Return the two words of a board whose bits are one number."""
    return bits & WORD, bits >> 64


def _pooled(board: PushBoard, bit: list[int]) -> tuple[list[int], list[int]]:
    """Return the place of each cell, its bit or BITS and the number of its pool, and the least cell of each pool.

    A pool is an area of cells without a bit: no box enters it, so the player who is in it may walk through all of it.
    """
    pool = numbered(board, set(range(len(bit), board.size)))
    return [*bit, *(pool[len(bit) : -1] + BITS - 1).tolist()], least_cells(pool)


def _beside(
    board: PushBoard, bit: list[int], places: list[int], pools: list[int], number: I4, span: int
) -> dict[str, Array]:
    """Return where pools are: from each cell with a bit, in each direction of the kernels, and around it."""
    at = {(cell.row, cell.col): place for cell, place in zip(board.cells, places, strict=True)} if pools else {}
    around = np.full((BITS, 9), -1, np.int32)
    shore, beside = [0] * len(pools), [0] * BITS
    facing = [[0] * DIRECTIONS for _ in pools]
    turned = bool(pools) and _turned(board, bit, span)
    for place in bit if pools else ():
        row, col = board.cells[number[place]].row, board.cells[number[place]].col
        for nine in range(9):
            across, along = nine // 3 - 1, nine % 3 - 1
            pool = at.get((row + along, col + across) if turned else (row + across, col + along), 0) - BITS
            if pool < 0:
                continue
            around[place, nine] = pool
            if nine in TOWARDS:
                shore[pool] |= 1 << place
                beside[place] |= 1 << pool
                facing[pool][TOWARDS.index(nine)] |= 1 << place
    faces = np.array([words_of(bits) for some in facing for bits in some], np.uint64).reshape(-1, 2)
    return {
        "pool": np.array(pools, np.int32),
        "shore": np.array([words_of(bits) for bits in shore], np.uint64).reshape(-1, 2),
        "facing": faces,
        "faced": np.bitwise_or.reduce(faces.reshape(-1, DIRECTIONS, 2), axis=0),
        "beside": np.array(beside, np.uint64),
        "around": around,
    }


def _turned(board: PushBoard, bit: list[int], span: int) -> bool:
    """Return whether columns lie one behind the other: a step along a column is one bit."""
    down = {
        (cell.row, cell.col): place - span * cell.row - cell.col for cell, place in zip(board.cells, bit, strict=False)
    }
    return len(set(down.values())) > 1


def _numbered(cells: Sequence[Cell]) -> tuple[int, list[int]]:
    """Return the least span that fits and the bit of each cell, rows one behind the other or columns; (0, []) if none does.

    Rows may overlap: what counts is that no two cells share a bit, and that no cell looks as if it stood beside another.
    """
    best: tuple[int, int, list[int]] | None = None
    if not 0 < len(cells) <= BITS:
        return 0, []
    for turned in (False, True):
        at = [(c.col, c.row) if turned else (c.row, c.col) for c in cells]
        for span in range(2, 64):
            bits = [span * row + col for row, col in at]
            low, high = min(bits), max(bits)
            if high - low < BITS and (best is None or high - low < best[0]) and _faithful(at, bits, span):
                best = high - low, span, [bit - low for bit in bits]
    return (0, []) if best is None else best[1:]


def _faithful(at: list[tuple[int, int]], bits: list[int], span: int) -> bool:
    """Return whether each cell has a bit of its own, and the bits around it belong to the cells around it or to walls."""
    cell_of = dict(zip(bits, at, strict=True))
    return len(cell_of) == len(at) and all(
        cell_of.get(bit + span * down + right, (row + down, col + right)) == (row + down, col + right)
        for bit, (row, col) in cell_of.items()
        for down in (-1, 0, 1)
        for right in (-1, 0, 1)
    )


@cache
def cut() -> U1:
    """Return (512) for each set of cells of three by three: 1 if those beside the middle do not hang together around it."""
    found = np.zeros(512, np.uint8)
    for cells in range(512):
        ring = [cells >> place & 1 for place in WAY_ROUND]
        sides = sum(ring[1::2])
        links = sum(ring[i] and ring[(i + 1) % 8] and ring[(i + 2) % 8] for i in (1, 3, 5, 7))
        found[cells] = sides - links > 1
    return found
