"""What one compiled search is made of: the modules of kernels by name, its registers and its scratch."""

from __future__ import annotations

from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np

from sokoasp.core import kernels
from sokoasp.sokoban.search.model.options import LAYER_MODULES, MODULES, MOVE_MODULES, PATTERN_MODULES, SHARED, Options
from sokoasp.sokoban.search.model.push_board import PushBoard
from sokoasp.sokoban.search.model.records import Augmenting, FrozenWalls, Matching, Registers, Scratch, W

if TYPE_CHECKING:
    from sokoasp.sokoban.search.bounds.search_tables import SearchTables

NEVER = 1 << 62
"""More states than are ever generated."""
WALL_BYTES, MOST_WALLS = 16_000_000, 1 << 14
"""Size of the table of frozen walls, and most sets of boxes in it."""
DRAWS = 128
"""Random numbers that a search is given at a time: two for each change of depth."""
PLACES = 7
"""Rows of ``records.FrozenWalls.places``."""
UNBOUNDED = 32000
"""Cutoff while no plan is known; costs are stored in 16 bits."""


class Kernels(SimpleNamespace):
    """Compiled modules by the last part of their names: those that are loaded, and those loaded when they are asked for."""

    @property
    def breadth_first_kernels(self) -> ModuleType:
        """Return the kernels of search in layers; they are compiled when they are first asked for."""
        return kernels.named(LAYER_MODULES)["breadth_first_kernels"]

    @property
    def move_layers_kernels(self) -> ModuleType:
        """Return the kernels of search in layers of moves; they are compiled when they are first asked for."""
        return kernels.named(MOVE_MODULES)["move_layers_kernels"]

    @property
    def pattern_search(self) -> ModuleType:
        """Return the kernels that learn; they are compiled when they are first asked for."""
        return kernels.named(PATTERN_MODULES)["pattern_search"]


def compiled() -> Kernels:
    """Load the compiled modules."""
    kernels.load(SHARED)
    return Kernels(**kernels.named(MODULES))


def registers(tables: SearchTables, options: Options, *, words: int) -> Registers:
    """Return the registers of a new search, ``words`` 64-bit words a key; nobody else fills what stays as it is."""
    board, moves, lines = tables.board, tables.objective == "moves", tables.objective == "lines"
    forward, k, tuned = not tables.reverse, len(board.boxes), options.tuning.proving
    return Registers(
        best=-1,
        layer=-1,
        drawn=DRAWS,
        counted=-1,
        vary_at=NEVER,
        lasting=tuned.lasting,
        stretch=tuned.stretch,
        stretches=tuned.stretches,
        cutoff=UNBOUNDED,
        pause_at=NEVER,
        patterns=tables.patterns.largest,
        paid=tables.patterns.total,
        room=4 * k * (max(1, longest(board)) if lines else 1),
        reverse=tables.reverse,
        lines=lines,
        by_cell=moves,
        matching=options.matching,
        freeze=options.freeze and forward,
        corral=options.corral and forward and not moves,
        walls=options.walls and options.matching and forward and not board.spare,
        parity=options.matching and not (moves or lines),
        unit=tables.unit if options.covering else 0,
        boxes=k,
        goals=len(board.goals),
        live=board.live,
        words=words,
        wanted=tables.wanted,
    )


def scratch(board: PushBoard, words: int) -> Scratch:
    """Return the working memory of a new search: no box stands, the wall does."""
    return Scratch(
        w=np.zeros((len(W), board.size + 2), dtype=np.int32),
        occ=board.no_boxes(),
        flag=board.no_boxes(),
        key=np.zeros(words, dtype=np.uint64),
        draws=np.zeros(DRAWS, dtype=np.int32),
        depths=np.zeros(UNBOUNDED, dtype=np.int32),
    )


def frozen_walls(board: PushBoard, *, used: bool) -> FrozenWalls:
    """Return the table of what follows from boxes that never move again, and its scratch."""
    k, n, words = len(board.boxes), board.size, max(1, (board.live + 63) // 64)
    slots, row = 1, board.live * k if used else 1
    while used and 2 * slots * 2 * row <= WALL_BYTES and slots < MOST_WALLS:
        slots *= 2
    return FrozenWalls(
        board.neighbour,
        np.array(board.goals, dtype=np.int32),
        np.zeros((slots, 2 * words), dtype=np.uint64),
        np.zeros((slots, row), dtype=np.int16),
        board.no_boxes(),
        np.zeros((PLACES, 4 * (n + 1) if used else 1), dtype=np.int32),
        np.zeros((k, k) if used else (1, 1), dtype=np.int32),
    )


def empty_matching(boxes: int) -> tuple[Matching, Augmenting]:
    """Return an empty matching of ``boxes`` boxes, and the scratch to fill it."""
    rows = np.zeros((6, boxes + 1), dtype=np.int32)
    return Matching(np.zeros(boxes, dtype=np.int32), *rows[:3]), Augmenting(*rows[3:])


def longest(board: PushBoard) -> int:
    """Return the length of the longest straight run of floor cells."""
    longest, neighbour, n = 0, board.neighbour, board.size
    for d in (1, 3):
        for start in range(n):
            if neighbour[start, d ^ 1] == n:
                length, cell = 0, start
                while cell < n:
                    length, cell = length + 1, int(neighbour[cell, d])
                longest = max(longest, length)
    return longest
