"""All tables of one search direction and objective, ready for the kernels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from sokoasp.core import jit
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.search import board as boards
from sokoasp.sokoban.search import group_tables
from sokoasp.sokoban.search.board import Board
from sokoasp.sokoban.search.group_tables import Groups
from sokoasp.sokoban.search.options import MODULES, Options

if TYPE_CHECKING:
    from types import ModuleType

    import numpy.typing as npt

PAIR_BYTES = 256_000_000
"""The pair tables are left out when they would be larger than this ..."""
FIRST_GROUPS = 3
"""Boxes of the largest groups whose tables are filled before a search begins."""
PAIR_VISITS = 200_000_000
"""... or when filling them would visit more two-box states than this (some seconds)."""


@dataclass(frozen=True, slots=True)
class Tables:
    """What one search needs to know about the level."""

    board: Board
    objective: str
    reverse: bool
    dist: npt.NDArray[np.int32]
    target: npt.NDArray[np.uint8]
    """(n+1): 1 on the cells the boxes must reach: goals, or the boxes' start cells in the reverse search."""
    starts: tuple[tuple[tuple[int, ...], int], ...]
    """Box cells and player cell of each start state."""
    wanted: int
    """Smallest cell of the region the player must end in, -1 for any."""
    any_pair: npt.NDArray[np.uint8]
    part: npt.NDArray[np.uint8]
    extra: npt.NDArray[np.int16]
    pairs: bool
    """Whether the pair tables are there."""
    groups: Groups


def modules(options: Options) -> tuple[ModuleType, ...]:
    """Load the kernels, telling ``options.progress`` when they must be compiled first."""
    return jit.load(MODULES, options.progress)


def build(level: Level, board: Board, objective: str, options: Options, *, reverse: bool = False) -> Tables:
    """Fill the tables; ``board`` must not be ``dead_start``, and the reverse search needs as many goals as boxes."""
    lines = objective == "lines"
    target = np.zeros(board.size + 1, dtype=np.uint8)
    target[list(board.boxes if reverse else board.goals)] = 1
    dist = boards.distances(level, board, lines=lines, reverse=reverse)
    pairs = options.pairs and options.matching and board.spare == 0 and len(board.goals) > 1 and _affordable(board)
    any_pair, part, extra = _pairs(board, dist, lines, reverse, options) if pairs else _no_pairs()
    if reverse:
        starts, wanted = _ends(board), board.reach
    else:
        starts, wanted = ((board.boxes, board.player if objective == "moves" else board.reach),), -1
    tables = Tables(
        board, objective, reverse, dist, target, starts, wanted, any_pair, part, extra, pairs, group_tables.none()
    )
    return enlarged(tables, options, FIRST_GROUPS) if options.groups and options.matching else tables


def enlarged(tables: Tables, options: Options, largest: int, going: Callable[[], bool] = lambda: True) -> Tables:
    """Return the tables with groups of up to ``largest`` boxes, as far as they fit and ``going`` lets them be filled.

    The prices are those of an optimal matching at the start (linear programming duality).
    """
    board, dist, k = tables.board, tables.dist, len(tables.board.boxes)
    size = group_tables.fits(board, min(largest, options.largest_group))
    kernels, _corral, groups, *_rest = modules(options)
    scratch = np.zeros((6, k + 1), dtype=np.int32)
    for boxes, player in tables.starts if size > tables.groups.largest else ():
        state = np.array([board.side[b, player] for b in boxes], dtype=np.int32)
        if kernels.matching(k, dist, state, *scratch) < kernels.INF:
            prices = scratch[1, :k].max() - scratch[1, :k]
            lines = tables.objective == "lines"
            found = group_tables.build(
                groups, board, dist, prices, size, lines=lines, reverse=tables.reverse, going=going
            )
            return replace(tables, groups=found) if found.largest > tables.groups.largest else tables
    return tables


def _affordable(board: Board) -> bool:
    goals = len(board.goals)
    return (
        board.live**2 * (board.size + 60) <= PAIR_BYTES
        and board.live**2 * 2 * goals * (goals - 1) // 2 <= PAIR_VISITS
        and board.size < 32767
    )


def _no_pairs() -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8], npt.NDArray[np.int16]]:
    return np.zeros((1, 1), np.uint8), np.zeros((1, 1, 1), np.uint8), np.zeros((1, 1, 8), np.int16)


def _pairs(
    board: Board, dist: npt.NDArray[np.int32], lines: bool, reverse: bool, options: Options
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8], npt.NDArray[np.int16]]:
    kernels = modules(options)[5]
    n, live = board.size, board.live
    part = np.zeros((live, live, n + 1), dtype=np.uint8)
    spot = np.full((live, live, kernels.PARTS), -1, dtype=np.int16)
    extra = np.full((live, live, kernels.PARTS), kernels.FAR, dtype=np.int16)
    cost = np.empty(live * live * kernels.PARTS, dtype=np.int16)
    queue = np.empty(max(len(cost), n + 1), dtype=np.int32)
    kernels.components(n, live, board.neighbour, part, spot, queue)
    targets, player = (board.boxes, board.player) if reverse else (board.goals, -1)
    for j in range(len(targets)):
        for i in range(j):
            reached = kernels.two_boxes(
                n, live, targets[i], targets[j], player, lines, reverse, board.neighbour, part, spot, cost, queue
            )
            kernels.lower(live, reached, i, j, cost, queue, board.side, dist, spot, extra)
    any_pair = np.zeros((live, live), dtype=np.uint8)
    kernels.finish(live, spot, extra, any_pair)
    return any_pair, part, extra


def _ends(board: Board) -> tuple[tuple[tuple[int, ...], int], ...]:
    """List the solved states: all boxes on goals, the player in any region ("several start boards", thesis 2.3)."""
    boxes = set(board.goals)
    seen: set[int] = set()
    starts = []
    for cell in range(board.size):
        if cell in seen or cell in boxes:
            continue
        starts.append((board.goals, cell))
        stack = [cell]
        seen.add(cell)
        while stack:
            for to in board.neighbour[stack.pop()].tolist():
                if to < board.size and to not in boxes and to not in seen:
                    seen.add(to)
                    stack.append(to)
    return tuple(starts)
