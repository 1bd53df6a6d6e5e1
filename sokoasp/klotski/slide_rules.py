"""The rules, written for reading: what one unit and one slide are. The referee stands on this file, the searches do not."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

from sokoasp.klotski.board import Board, BoardCell, Piece, cells_at

State = Mapping[str, BoardCell]
"""Where each piece's corner is."""


def start(board: Board) -> dict[str, BoardCell]:
    """Return the starting position."""
    return {piece.name: piece.corner for piece in board.pieces}


def occupied(board: Board, state: State, leaving_out: str = "") -> dict[BoardCell, str]:
    """Return the covered cells and who covers them, without the piece that is left out."""
    others = (piece for piece in board.pieces if piece.name != leaving_out)
    return {cell: piece.name for piece in others for cell in cells_at(piece.shape, state[piece.name])}


def fits(board: Board, piece: Piece, corner: BoardCell, taken: Mapping[BoardCell, str]) -> bool:
    """Return whether the piece can stand there: on the board, on no wall and on no other piece."""
    return all(board.inside(cell) and cell not in taken for cell in cells_at(piece.shape, corner))


def reach(board: Board, state: State, name: str) -> dict[BoardCell, str]:
    """Return every corner the piece can slide to while the others stay, with a shortest path of units; its own has path ''."""
    piece = board.piece(name)
    taken = occupied(board, state, name)
    paths = {state[name]: ""}
    queue = deque([state[name]])
    while queue:
        here = queue.popleft()
        for way in piece.directions:
            after = here.step(way)
            if after not in paths and fits(board, piece, after, taken):
                paths[after] = paths[here] + way
                queue.append(after)
    return paths


def solved(board: Board, state: State) -> bool:
    """Return whether the goal holds."""
    taken = occupied(board, state)
    placed = all(any(state[other] == corner for other in board.group(name)) for name, corner in board.goal.places)
    covered = all(taken.get(cell, "") in tuple(board.group(name)) for name, cell in board.goal.covers)
    return placed and covered and not any(cell in taken for cell in board.goal.blanks)
