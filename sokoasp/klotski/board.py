"""The board: where the pieces stand, how each may move, and what is wanted.

Source: the Hua Rong Dao paper, section 2 (cells are numbered row by row from 0, a piece is named by its shape and the cell of
its top-left corner), widened to any size, walls, polyominoes, blanks and goals.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from sokoasp.core.display import as_svg
from sokoasp.core.errors import LevelError


class BoardCell(NamedTuple):
    """A place on the board, counted from 0 at the top left."""

    row: int
    col: int

    def step(self, direction: str) -> BoardCell:
        """Return the neighbouring cell in direction ``u``, ``d``, ``l`` or ``r``."""
        drow, dcol = STEPS[direction]
        return BoardCell(self.row + drow, self.col + dcol)

    def __str__(self) -> str:
        return f"{self.row},{self.col}"


STEPS: dict[str, tuple[int, int]] = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}
"""The four directions and their (row, column) change."""
EVERY_WAY = "udlr"
OBJECTIVES: tuple[str, ...] = ("slides", "units")
Cells = tuple[BoardCell, ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece: its letter, the cells it covers (sorted) and the directions it may move in."""

    name: str
    cells: Cells
    directions: str = EVERY_WAY

    @property
    def corner(self) -> BoardCell:
        """Return the top-left corner of the box around the piece (an L may leave it uncovered)."""
        return BoardCell(min(cell.row for cell in self.cells), min(cell.col for cell in self.cells))

    @property
    def shape(self) -> Cells:
        """Return the covered cells counted from the corner, sorted."""
        row, col = self.corner
        return tuple(BoardCell(cell.row - row, cell.col - col) for cell in self.cells)


@dataclass(frozen=True, slots=True)
class Goal:
    """What is wanted; all of it must hold at once, everything not named is free.

    ``places`` says at which corner a piece must stand, ``covers`` which cell it must cover, ``blanks`` which cells must be empty.
    """

    places: tuple[tuple[str, BoardCell], ...] = ()
    covers: tuple[tuple[str, BoardCell], ...] = ()
    blanks: Cells = ()

    def ordered(self) -> Goal:
        """Return the same goal with its parts sorted and nothing said twice."""
        return Goal(
            tuple(sorted(set(self.places))),
            tuple(sorted(set(self.covers), key=lambda part: (part[1], part[0]))),
            tuple(sorted(set(self.blanks))),
        )

    @property
    def names(self) -> tuple[str, ...]:
        """Return the letters of the pieces the goal speaks of, sorted."""
        return tuple(sorted({name for name, _ in self.places + self.covers}))


@dataclass(frozen=True, slots=True)
class Board:
    """One starting position with its goal.

    Pieces of equal shape and directions are interchangeable as long as the goal names none of them; pieces that the goal names
    are distinct unless ``same`` puts them in one group. Titles and notes do not count when boards are compared.
    """

    _repr_svg_ = as_svg

    width: int
    height: int
    pieces: tuple[Piece, ...]
    goal: Goal
    walls: frozenset[BoardCell] = frozenset()
    same: tuple[str, ...] = ()
    """Groups of letters, such as ``"bc"``, any of which may stand for any other in the goal."""
    title: str = field(default="", compare=False)
    notes: tuple[tuple[str, str], ...] = field(default=(), compare=False)
    source: str = field(default="", compare=False)
    line: int = field(default=0, compare=False)
    """1-based line of the first row in its file, 0 if there is none."""

    def __post_init__(self) -> None:
        """Put the pieces in order and check them.

        Raises LevelError: pieces overlap, lie on walls, off the board or in two parts, or the goal cannot be meant.
        """
        ordered = (Piece(p.name, tuple(sorted(p.cells)), _in_order(p.directions)) for p in self.pieces)
        object.__setattr__(self, "pieces", tuple(sorted(ordered, key=lambda piece: piece.name)))
        object.__setattr__(self, "goal", self.goal.ordered())
        object.__setattr__(self, "same", tuple(sorted("".join(sorted(group)) for group in self.same if group)))
        _check_pieces(self)
        _check_same(self)
        _check_goal(self)
        # a group that the goal names no piece of changes nothing, nor does one of one piece
        needed = tuple(group for group in self.same if len(group) > 1 and set(group) & set(self.goal.names))
        object.__setattr__(self, "same", needed)

    def piece(self, name: str) -> Piece:
        """Return the piece with that letter; LevelError if the board has no such piece."""
        for piece in self.pieces:
            if piece.name == name:
                return piece
        raise LevelError(f"the board has no piece {name!r}")

    def inside(self, cell: BoardCell) -> bool:
        """Return whether the cell is on the board and no wall."""
        return 0 <= cell.row < self.height and 0 <= cell.col < self.width and cell not in self.walls

    def number(self, cell: BoardCell) -> int:
        """Return the cell's number, row by row from 0 (the paper's table 1)."""
        return cell.row * self.width + cell.col

    def cell(self, number: int) -> BoardCell:
        """Return the cell with that number."""
        return BoardCell(*divmod(number, self.width))

    @property
    def cells(self) -> Cells:
        """Return every cell that is not a wall, in order of number."""
        return tuple(cell for cell in map(self.cell, range(self.width * self.height)) if cell not in self.walls)

    def corners(self, shape: Iterable[BoardCell]) -> Cells:
        """Return where a shape fits between the walls, by the corner of its box, in order of number."""
        every = map(self.cell, range(self.width * self.height))
        return tuple(corner for corner in every if all(map(self.inside, cells_at(shape, corner))))

    @property
    def blanks(self) -> Cells:
        """Return the empty cells, in order of number."""
        covered = {cell for piece in self.pieces for cell in piece.cells}
        return tuple(cell for cell in self.cells if cell not in covered)

    def rows(self) -> tuple[str, ...]:
        """Return the picture: letters, ``.`` for blanks, ``#`` for walls."""
        picture = [["."] * self.width for _ in range(self.height)]
        for wall in self.walls:
            picture[wall.row][wall.col] = "#"
        for piece in self.pieces:
            for cell in piece.cells:
                picture[cell.row][cell.col] = piece.name
        return tuple("".join(row) for row in picture)

    def group(self, name: str) -> str:
        """Return the letters that may stand for ``name`` in the goal, itself included."""
        return next((letters for letters in self.same if name in letters), name)

    def with_pieces(self, corners: dict[str, BoardCell]) -> Board:
        """Return the same game with its pieces standing at other corners."""
        pieces = tuple(Piece(p.name, cells_at(p.shape, corners[p.name]), p.directions) for p in self.pieces)
        return replace(self, pieces=pieces)

    def __str__(self) -> str:
        return "\n".join(self.rows())


def cells_at(shape: Iterable[BoardCell], corner: BoardCell) -> Cells:
    """Return the cells that the shape covers when the corner of its box is there."""
    return tuple(BoardCell(cell.row + corner.row, cell.col + corner.col) for cell in shape)


def connected(cells: Collection[BoardCell]) -> bool:
    """Return whether the cells hang together by their sides."""
    todo = set(cells)
    stack = [todo.pop()] if todo else []
    while stack:
        cell = stack.pop()
        for direction in EVERY_WAY:
            after = cell.step(direction)
            if after in todo:
                todo.remove(after)
                stack.append(after)
    return not todo


def _in_order(directions: str) -> str:
    return "".join(sorted(directions, key=lambda way: EVERY_WAY.find(way) % 5))


def _check_pieces(board: Board) -> None:
    taken: dict[BoardCell, str] = {}
    names = [piece.name for piece in board.pieces]
    if not names:
        raise LevelError("the board has no piece")
    for piece in board.pieces:
        if names.count(piece.name) > 1:
            raise LevelError(f"two pieces are called {piece.name!r}")
        if len(piece.name) != 1 or not piece.name.isalnum():
            raise LevelError(f"a piece is called by one letter or digit, not {piece.name!r}")
        if not piece.cells or not connected(piece.cells):
            raise LevelError(f"piece {piece.name!r} is in more than one part")
        if set(piece.directions) - set(EVERY_WAY):
            raise LevelError(
                f"piece {piece.name!r} has directions {piece.directions!r}; they are letters of {EVERY_WAY!r}"
            )
        for cell in piece.cells:
            if not board.inside(cell):
                raise LevelError(f"piece {piece.name!r} covers {cell}, which is a wall or off the board")
            if cell in taken:
                raise LevelError(f"pieces {taken[cell]!r} and {piece.name!r} overlap at {cell}")
            taken[cell] = piece.name


def _check_same(board: Board) -> None:
    seen = ""
    for group in board.same:
        first = board.piece(group[0])
        for name in group:
            piece = board.piece(name)
            if (piece.shape, set(piece.directions)) != (first.shape, set(first.directions)):
                raise LevelError(
                    f"pieces {first.name!r} and {name!r} cannot stand for each other: they differ in shape or directions"
                )
            if name in seen:
                raise LevelError(f"piece {name!r} is named twice as interchangeable")
            seen += name


def _check_goal(board: Board) -> None:
    goal = board.goal
    if not (goal.places or goal.covers or goal.blanks):
        raise LevelError("the board has no goal", code="E-GOAL")
    for name, corner in goal.places:
        for cell in cells_at(board.piece(name).shape, corner):
            if not board.inside(cell):
                raise LevelError(f"goal: piece {name!r} does not fit with its corner at {corner}", code="E-GOAL")
    for name, _ in goal.covers:
        board.piece(name)
    marked = [cell for _, cell in goal.covers] + list(goal.blanks)
    for cell in marked:
        if not board.inside(cell):
            raise LevelError(f"goal: {cell} is a wall or off the board", code="E-GOAL")
        if marked.count(cell) > 1:
            raise LevelError(f"goal: two things are wanted at {cell}", code="E-GOAL")
    for name in goal.names:
        corners = {corner for other, corner in goal.places if board.group(other) == board.group(name)}
        if len(corners) > len(board.group(name)):
            raise LevelError(f"goal: piece {name!r} cannot stand at {len(corners)} places at once", code="E-GOAL")
