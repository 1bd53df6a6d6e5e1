"""The mistake behind the paper's too large numbers, rebuilt so that anyone can see it happen. Not a solver.

Source: the Hua Rong Dao paper, section 電腦解題之演算法: depth-first search by units, a table of visited boards with the
steps they were reached in, a board expanded again only when reached in fewer steps, and a unit by the piece that moved last
costs no step.

What a board is worth then depends on which piece moved last, but the table is keyed by the board alone. When a board is reached a
second time in as many steps, with another piece on the move, it is thrown away, though only that way may go on for nothing.
"""

from __future__ import annotations

from sokoasp.klotski.board import Board
from sokoasp.klotski.space import Space

_UNSEEN = 1 << 62


def claimed_slides(board: Board, at_least: int = 0, at_most: int = 1000) -> int | None:
    """Return the "fewest slides" that the mistaken search finds between two bounds, None if it finds no plan.

    It asks for plans of ``at_least`` slides, then of one more, and so on, each time with an empty table.
    """
    space = Space(board, sliding=False, mirrored=False)
    return next((bound for bound in range(at_least, at_most + 1) if finds_plan(space, bound)), None)


def finds_plan(space: Space, bound: int) -> bool:
    """Tell whether the depth-first search finds a plan of at most ``bound`` slides, its table keyed by the board alone."""
    fewest: dict[int, int] = {}
    stack: list[tuple[int, int, tuple[int, int]]] = [(space.start, 0, (-1, -1))]
    while stack:
        board, steps, last = stack.pop()
        if steps > bound or fewest.get(board, _UNSEEN) <= steps:
            continue
        fewest[board] = steps
        if space.solved(board):
            return True
        after = []
        for bit, change, _ in space.moves(board & space.all_blank):
            if board & bit:
                kind, here, there = space.pieces_moved(board, board ^ change)
                after.append((board ^ change, steps + (last != (kind, here)), (kind, there)))
        stack.extend(reversed(after))
    return False
