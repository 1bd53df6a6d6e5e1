"""All tables of one search direction and objective, ready for the kernels."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from sokoasp.core.guard import fits
from sokoasp.core.kernels.arrays import I4, U1
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.search.bounds import pattern_databases
from sokoasp.sokoban.search.bounds.pattern_databases import PatternDatabases
from sokoasp.sokoban.search.model import push_board, workspace
from sokoasp.sokoban.search.model.options import Options
from sokoasp.sokoban.search.model.push_board import PushBoard

FIRST_PATTERNS = 3
"""Boxes of the largest patterns whose tables are filled before a search begins."""
FIRST_SECONDS = 1.0
"""Tables that would take longer than this are not filled before it."""
NO_WAY = 1 << 20
"""Price of a cell from which there is no way: eight of them fit into 32 bits, and no plan is as long."""


@dataclass(frozen=True, slots=True)
class SearchTables:
    """What one search needs to know about the level."""

    board: PushBoard
    objective: str
    reverse: bool
    dist: I4
    target: U1
    """(n+1): 1 on the cells the boxes must reach: goals, or the boxes' start cells in the reverse search."""
    starts: tuple[tuple[tuple[int, ...], int], ...]
    """Box cells and player cell of each start state."""
    wanted: int
    """Smallest cell of the region the player must end in, -1 for any."""
    patterns: PatternDatabases

    @property
    def targets(self) -> tuple[int, ...]:
        """Return the cells the boxes must reach, in the order of the columns of ``dist``."""
        return self.board.boxes if self.reverse else self.board.goals

    @property
    def colours(self) -> I4:
        """Return 0 or 1 for each target, as on a chessboard: a push turns the colour of a box's cell."""
        return np.array([sum(self.board.cells[target]) & 1 for target in self.targets], np.int32)

    @property
    def unit(self) -> int:
        """Return 2 where what a box pays beyond its single cost is even, by the colours of cells and potentials, else 1."""
        if self.objective == "lines" or not self.patterns.largest:
            return 1
        odd = (self.patterns.potential[list(self.targets)] + self.colours) & 1
        return 1 if 0 < odd.sum() < len(odd) else 2


def build(level: Level, board: PushBoard, objective: str, options: Options, *, reverse: bool = False) -> SearchTables:
    """Fill the tables; ``board`` must not be ``dead_start``, and the reverse search needs as many goals as boxes."""
    lines = objective == "lines"
    target = np.zeros(board.size + 1, dtype=np.uint8)
    target[list(board.boxes if reverse else board.goals)] = 1
    dist = push_board.distances(level, board, lines=lines, reverse=reverse)
    if reverse:
        starts, wanted = solved_states(board), board.reach
    else:
        starts, wanted = ((board.boxes, board.player if objective == "moves" else board.reach),), -1
    tables = SearchTables(board, objective, reverse, dist, target, starts, wanted, pattern_databases.none())
    if not (options.patterns and options.matching):
        return tables
    first = FIRST_PATTERNS
    while first > 1 and pattern_databases.estimate(board, first)[0] > FIRST_SECONDS:
        first -= 1
    return enlarged(tables, options, first)


def enlarged(
    tables: SearchTables, options: Options, largest: int, within_limits: pattern_databases.WithinLimits = fits
) -> SearchTables:
    """Return the tables with patterns of up to ``largest`` boxes, as far as they fit and ``within_limits`` lets them be filled.

    The potentials are those of an optimal matching at the start (linear programming duality); larger tables keep those there are.
    """
    board, dist = tables.board, tables.dist
    size = pattern_databases.fits(board, min(largest, options.largest_pattern))
    potentials = dual_potentials(tables, options) if size > tables.patterns.largest else None
    if potentials is None:
        return tables
    kernels, lines = workspace.compiled().database_kernels, tables.objective == "lines"
    found = pattern_databases.build(
        kernels, board, dist, potentials, size, lines=lines, reverse=tables.reverse, within_limits=within_limits
    )
    return replace(tables, patterns=found) if found.largest > tables.patterns.largest else tables


def dual_potentials(tables: SearchTables, options: Options) -> I4 | None:
    """Return the dual potential of each target, None where the boxes cannot be matched to the targets at all."""
    board, k = tables.board, len(tables.board.boxes)
    if tables.patterns.largest:
        return tables.patterns.potential[list(tables.targets)]
    match, path = workspace.empty_matching(k)
    for boxes, player in tables.starts:
        match.state[:] = [board.side[b, player] for b in boxes]
        if workspace.compiled().primitives.matching(k, tables.dist, match, path) < push_board.INFINITE:
            potentials: I4 = match.v[:k].max() - match.v[:k]
            # an odd way to a target of the other kind is never a cheapest one: all of a kind may cost one more at no loss
            if options.covering and tables.objective != "lines":
                potentials += (potentials + tables.colours) & 1
            return potentials
    return None


def solved_states(board: PushBoard) -> tuple[tuple[tuple[int, ...], int], ...]:
    """List the solved states: all boxes on goals, the player in any region ("several start boards", thesis 2.3)."""
    free = set(range(board.size)) - set(board.goals)
    return tuple((board.goals, cell) for cell in push_board.least_cells(push_board.numbered(board, free)))


def cell_prices(
    level: Level, board: PushBoard, objective: str, options: Options, *, reverse: bool
) -> tuple[I4, int] | None:
    """Return what each byte of a key in layers costs at least, (rows of 256), and what is to be taken off the sum.

    The price of a cell is the least sum of a lone box's way to a target, the player on any side, and the target's dual potential;
    the sum of the boxes' prices less that of the potentials is a bound. None where the boxes cannot be matched to the targets.
    """
    tables = build(level, board, objective, replace(options, patterns=False), reverse=reverse)
    potentials = dual_potentials(tables, options)
    if potentials is None:
        return None
    ways = np.minimum(tables.dist + potentials, NO_WAY).min(axis=1)
    cells = [ways[side[side >= 0]].min(initial=NO_WAY) for side in board.side[: board.live]]
    rows = 8 * ((board.live + 16 + 63) // 64 - 1) + 6
    eights = np.zeros(rows * 8, np.int32)
    eights[: board.live] = cells
    table = eights.reshape(rows, 1, 8) * (np.arange(256)[:, None] >> np.arange(8) & 1)
    return table.sum(axis=2, dtype=np.int32).reshape(-1), int(potentials.sum())
