"""The state space of a board: positions as packed integers, moves as masks looked up by the blanks.

A position is one integer: bits 0 to n-1 say which cells are blank, then each class has n bits that say at which cells its corners
stand. Equal pieces have no names in it, so it is the paper's class-sorted canonical form; it is wider than the paper's number but
a move is one exclusive-or. What can move depends only on the blanks and on which pieces stand beside them, so the candidates are
listed once for every pattern of blanks, as far as there is room: (bit that must be set, bits that change).
"""

from __future__ import annotations

from sokoasp.klotski.board import Board, cells_at
from sokoasp.klotski.piece_classes import PieceClass, classes

Move = tuple[int, int]
_MOST_LISTED = 300_000
"""Candidate moves kept, about 60 MB; boards with many blanks would list far more and seldom look at one again."""


class Space:
    """Packed positions and moves of one board; ``sliding`` makes whole slides the moves, else units."""

    def __init__(self, board: Board, *, sliding: bool) -> None:
        self.board = board
        self.sliding = sliding
        self.kinds = classes(board)
        self.cells = board.width * board.height
        self.all_blank = (1 << self.cells) - 1
        self.covers = [_covers(board, kind) for kind in self.kinds]
        self.steps = [_steps(board, kind) for kind in self.kinds]
        self.start = sum(1 << board.number(cell) for cell in board.blanks)
        for index, kind in enumerate(self.kinds):
            self.start |= sum(self.bit(index, board.number(piece.corner)) for piece in kind.members)
        self.need, self.any_of = self._goal()
        self._moves: dict[int, list[Move]] = {}
        self._listed = 0

    def bit(self, kind: int, corner: int) -> int:
        """Return the bit that says that a piece of this class has its corner there."""
        return 1 << ((kind + 1) * self.cells + corner)

    def _goal(self) -> tuple[int, tuple[int, ...]]:
        """Return the bits a goal position must have, and the sets of bits of which it must have at least one each."""
        goal, board = self.board.goal, self.board
        index = {piece.name: at for at, kind in enumerate(self.kinds) for piece in kind.members}
        need = 0
        for name, corner in goal.places:
            need |= self.bit(index[name], board.number(corner))
        for cell in goal.blanks:
            need |= 1 << board.number(cell)
        any_of = []
        for name, cell in goal.covers:
            covering = (p for p, mask in self.covers[index[name]].items() if mask >> board.number(cell) & 1)
            any_of.append(sum(self.bit(index[name], corner) for corner in covering))
        return need, tuple(any_of)

    def solved(self, key: int) -> bool:
        """Return whether the goal holds in this position."""
        return key & self.need == self.need and all(key & some for some in self.any_of)

    def moves(self, blanks: int) -> list[Move]:
        """Return the candidate moves for this pattern of blanks."""
        found = self._moves.get(blanks)
        if found is None:
            if self._listed > _MOST_LISTED:
                self._moves.clear()
                self._listed = 0
            found = self._moves[blanks] = [
                (self.bit(kind, here), change)
                for kind in range(len(self.kinds))
                for here, mask in self.covers[kind].items()
                if not mask & blanks
                for change in self._changes(kind, here, blanks | mask)
            ]
            self._listed += len(found)
        return found

    def _changes(self, kind: int, here: int, free: int) -> list[int]:
        """Return the bits that change for each end the piece can get to inside the free cells."""
        covers, steps = self.covers[kind], self.steps[kind]
        reached = [here]
        for place in reached:
            if place == here or self.sliding:
                reached += [p for p in steps[place] if not covers[p] & ~free and p not in reached]
        return [self.bit(kind, here) ^ self.bit(kind, end) ^ covers[here] ^ covers[end] for end in reached[1:]]

    def path(self, kind: int, here: int, there: int, blanks: int) -> str:
        """Return a shortest path of units of a piece between two corner numbers, in letters of ``udlr``."""
        board, covers = self.board, self.covers[kind]
        paths = {here: ""}
        queue = [here]
        for place in queue:
            for way in self.kinds[kind].directions:
                cell = board.cell(place).step(way)
                near = board.number(cell)
                known = not 0 <= cell.col < board.width or near not in covers or near in paths
                if not known and not covers[near] & ~(blanks | covers[here]):
                    paths[near] = paths[place] + way
                    queue.append(near)
        return paths[there]


def _covers(board: Board, kind: PieceClass) -> dict[int, int]:
    """Return the covered cells, as a mask, for every corner number where the class fits between the walls."""
    return {
        board.number(corner): sum(1 << board.number(cell) for cell in cells_at(kind.shape, corner))
        for corner in board.corners(kind.shape)
    }


def _steps(board: Board, kind: PieceClass) -> dict[int, list[int]]:
    """Return the corner numbers one unit away from each corner number."""
    fitting = board.corners(kind.shape)
    out = {}
    for corner in fitting:
        near = [corner.step(way) for way in kind.directions]
        out[board.number(corner)] = [board.number(cell) for cell in near if cell in fitting]
    return out
