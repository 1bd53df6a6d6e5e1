"""The mistake behind the paper's too large numbers, rebuilt so that anyone can see it happen. Not a solver.

Source: the Hua Rong Dao paper, section 電腦解題之演算法: depth first by units, each plan that is found bounds the rest, a table
of boards with the steps they were reached in, a board expanded again only when reached in fewer steps, and a unit by the piece
that moved last costs no step. For each blank by number the pieces around it are tried in a fixed order, which decides which
wrong number comes out: with ``ORDER`` the paper's own on every board, with the order that its text lists (上下左右, ``TEXT``) on
18 of 19.

What a board is worth then depends on which piece moved last, but the table is keyed by the board alone. When a board is reached a
second time in as many steps, with another piece on the move, it is thrown away, though only that way may go on for nothing.

Run ``python -m tests.studies.mistake [BOARD…]`` for a table (some 6 minutes of CPU for all).
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from sokoasp.core import kernels
from sokoasp.klotski.board import Board
from sokoasp.klotski.space import Space
from tests.klotski.claims import PaperClaim, claims

MODULES = ("tests.studies.depth_first",)
ORDER, TEXT = "lurd", "udlr"
"""On which side of a blank the piece stands that is tried first, second, third and fourth."""
SLICE = 10_000_000
_FAR = 1 << 30


@dataclass(frozen=True, slots=True)
class Claimed:
    """What the paper's search answers."""

    slides: int | None
    """Its "fewest slides", None if it met no goal."""
    visits: int
    """Boards entered, those entered again included."""
    boards: int
    """Different boards entered."""


def claimed(board: Board, most: int | None = None, order: str = ORDER) -> Claimed | None:
    """Run the paper's search on a board; None when it has entered ``most`` boards without coming to its end."""
    import numpy as np

    (kernel,) = kernels.load(MODULES)
    moves, goals = tables(board, order)
    table, goal = np.array(moves, np.int32), np.array(goals, np.uint8)
    fewest, stack = np.full(len(goal), _FAR, np.int32), np.zeros((len(goal) + 1, 5), np.int32)
    fewest[0], stack[0, kernel.KIND] = 0, -1
    now = np.array([0, _FAR, 0], np.int64)
    while now[kernel.TOP] >= 0:
        if most is not None and now[kernel.VISITS] >= most:
            return None
        kernel.search(table, goal, fewest, stack, now, SLICE)
    best = int(now[kernel.BEST])
    return Claimed(None if best == _FAR else best, int(now[kernel.VISITS]), int((fewest < _FAR).sum()))


def tables(board: Board, order: str = ORDER) -> tuple[list[list[tuple[int, int, int, int]]], list[bool]]:
    """Return the moves from each board that can be reached, by number, in this order, and which boards are goals.

    There are four for each blank: (number of the board after, class, corner from, corner to) or (-1, -1, -1, -1).
    """
    space = Space(board, sliding=False)
    number = {space.start: 0}
    keys = [space.start]
    found = []
    for key in keys:
        row = []
        for move in _in_order(space, key, order):
            if move is None:
                row.append((-1, -1, -1, -1))
                continue
            after, kind, here, there = move
            if after not in number:
                number[after] = len(keys)
                keys.append(after)
            row.append((number[after], kind, here, there))
        found.append(row)
    return found, [space.solved(key) for key in keys]


def _in_order(space: Space, key: int, order: str) -> Iterator[tuple[int, int, int, int] | None]:
    """Yield (position after, class, corner from, corner to) for each blank and each side of it, None where nothing can move."""
    board, blanks = space.board, key & space.all_blank
    at = {}
    for kind, covers in enumerate(space.covers):
        for corner, mask in covers.items():
            if key & space.bit(kind, corner):
                at.update({cell: (kind, corner, mask) for cell in range(space.cells) if mask >> cell & 1})
    for blank in (cell for cell in range(space.cells) if blanks >> cell & 1):
        for side in order:
            beside = board.cell(blank).step(side)
            piece = at.get(board.number(beside)) if board.inside(beside) else None
            if piece is None:
                yield None
                continue
            kind, here, mask = piece
            there = here + blank - board.number(beside)
            free = there in space.steps[kind][here] and not space.covers[kind][there] & ~(mask | blanks)
            after = space.bit(kind, here) ^ space.bit(kind, there) ^ mask ^ space.covers[kind].get(there, 0)
            yield (key ^ after, kind, here, there) if free else None


def rows(names: Collection[str] = ()) -> Iterator[tuple[PaperClaim, Claimed | None, Claimed | None]]:
    """Run the search in both orders on the boards for which the paper gives a number of slides (or on those named)."""
    for claim in claims():
        if claim.paper_slides is not None and (not names or claim.name in names):
            yield claim, claimed(claim.board, order=TEXT), claimed(claim.board)


if __name__ == "__main__":
    head = ("board", "paper", "rebuilt, order of the text", "rebuilt, left first", "minimum")
    sys.stdout.write(f"| {' | '.join(head)} |\n|---|---:|---:|---:|---:|\n")
    for claim, *found in rows(sys.argv[1:]):
        numbers = [claim.paper_slides, *(one and one.slides for one in found)]
        marked = [f"**{number}**" if number != claim.proved_slides else number for number in numbers]
        sys.stdout.write(f"| {' | '.join(map(str, [claim.name, *marked, claim.proved_slides]))} |\n")
        sys.stdout.flush()
