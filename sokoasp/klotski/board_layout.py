"""A Klotski board in numbers: pieces of one shape that nothing tells apart make one kind, and each kind has its places."""

from __future__ import annotations

from dataclasses import dataclass

from sokoasp.klotski.board import Board, BoardCell, cells_at

WAYS = "lrud"


@dataclass(frozen=True, slots=True)
class Kind:
    """Pieces that stand for each other: their letters, their shape and the ways they may go."""

    names: str
    shape: tuple[BoardCell, ...]
    ways: str
    places: tuple[BoardCell, ...]
    """Corners where such a piece fits on the empty board, in reading order."""


def kinds_of(board: Board) -> list[Kind]:
    """Group the pieces that neither their shape, their directions nor the goal tell apart."""
    wanted = {board.group(name) for name in board.goal.names}
    groups: dict[tuple[object, ...], str] = {}
    for piece in sorted(board.pieces, key=lambda p: p.name):
        ways = "".join(way for way in WAYS if way in piece.directions)
        group = board.group(piece.name)
        key = (tuple(sorted(piece.shape)), ways, group if group in wanted else "")
        groups[key] = groups.get(key, "") + piece.name
    corners = sorted(BoardCell(r, c) for r in range(board.height) for c in range(board.width))
    found = []
    for names in sorted(groups.values()):
        piece = board.piece(names[0])
        shape = tuple(sorted(piece.shape))
        fit = tuple(at for at in corners if all(board.inside(cell) for cell in cells_at(shape, at)))
        found.append(Kind(names, shape, "".join(way for way in WAYS if way in piece.directions), fit))
    return found


@dataclass(frozen=True, slots=True)
class Layout:
    """A board in numbers: kinds k, places i of each kind, cells x in reading order."""

    board: Board
    kinds: list[Kind]
    cells: dict[BoardCell, int]

    def covers(self, k: int, i: int) -> list[int]:
        """Return the cells a piece of kind k covers on its place i."""
        kind = self.kinds[k]
        return sorted(self.cells[cell] for cell in cells_at(kind.shape, kind.places[i]))

    def onward(self, k: int, i: int) -> list[tuple[int, int]]:
        """List (way, place) one unit on from place i."""
        kind = self.kinds[k]
        after = [(WAYS.index(way), kind.places[i].step(way)) for way in kind.ways]
        return [(d, kind.places.index(place)) for d, place in after if place in kind.places]

    def all_places(self) -> list[tuple[int, int]]:
        """List (kind, place)."""
        return [(k, i) for k, kind in enumerate(self.kinds) for i in range(len(kind.places))]


def layout(board: Board) -> Layout:
    """Number a board."""
    inside = [BoardCell(r, c) for r in range(board.height) for c in range(board.width) if board.inside(BoardCell(r, c))]
    return Layout(board, kinds_of(board), {cell: x for x, cell in enumerate(inside)})
