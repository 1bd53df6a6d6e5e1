"""Boards for the Klotski tests: the shipped files and small random boards, solvable and not."""

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from sokoasp.klotski import notation, slide_rules
from sokoasp.klotski.board import EVERY_WAY, Board, BoardCell, Goal, Piece, cells_at
from sokoasp.klotski.slide_plan import Slide
from tests.klotski import oracle

FOLDER = Path(__file__).resolve().parent.parent.parent / "instances" / "klotski"
SHAPES = (
    ((0, 0),),
    ((0, 0),),
    ((0, 0), (0, 1)),
    ((0, 0), (1, 0)),
    ((0, 0), (0, 1), (1, 0), (1, 1)),
    ((0, 0), (1, 0), (1, 1)),
    ((0, 1), (1, 0), (1, 1)),
    ((0, 0), (0, 1), (0, 2)),
)


def shipped(name: str) -> list[Board]:
    return notation.read((FOLDER / name).read_text(encoding="utf-8"), name)


distances = cache(oracle.distances)
"""The oracle's answer, kept for the next test that asks."""


def random_board(seed: int) -> Board:
    """Return the board of this seed: 2x3 to 3x4 cells, any shapes, some walls, direction limits, groups and mask goals."""
    rng = random.Random(f"klotski {seed}")
    width, height = rng.choice(((3, 2), (3, 3), (3, 3), (4, 3), (3, 4)))
    every = [BoardCell(row, col) for row in range(height) for col in range(width)]
    walls = frozenset(rng.sample(every, rng.choice((0, 0, 1))))
    pieces = _pieces(rng, [cell for cell in every if cell not in walls])
    same: tuple[str, ...] = ()
    alike = [(a.name, b.name) for a in pieces for b in pieces if a.name < b.name and _kind(a) == _kind(b)]
    if alike and rng.random() < 0.3:
        same = ("".join(rng.choice(alike)),)
    return Board(width, height, tuple(pieces), _goal(rng, pieces, every, walls), walls, same)


def _kind(piece: Piece) -> tuple[object, ...]:
    return piece.shape, piece.directions


def _pieces(rng: random.Random, free: list[BoardCell]) -> list[Piece]:
    blanks = rng.choice((1, 2, 2, 3, 3))
    limited = rng.random() < 0.3
    pieces: list[Piece] = []
    for _ in range(40):
        cells = cells_at((BoardCell(*part) for part in rng.choice(SHAPES)), rng.choice(free))
        if set(cells) <= set(free) and len(free) - len(cells) >= blanks and len(pieces) < 6:
            free = [cell for cell in free if cell not in cells]
            ways = rng.choice(("lr", "ud", "udl", "")) if limited and rng.random() < 0.5 else EVERY_WAY
            pieces.append(Piece("abcdefgh"[len(pieces)], cells, ways))
    return pieces


def _goal(rng: random.Random, pieces: list[Piece], every: list[BoardCell], walls: frozenset[BoardCell]) -> Goal:
    def inside(cells: tuple[BoardCell, ...]) -> bool:
        return all(cell in every and cell not in walls for cell in cells)

    piece = max(pieces, key=lambda p: (len(p.cells), rng.random()))
    corners = [c for c in every if c != piece.corner and inside(cells_at(piece.shape, c))]
    places = [(piece.name, rng.choice(corners or [piece.corner]))]
    covers: list[tuple[str, BoardCell]] = []
    blanks: list[BoardCell] = []
    open_cells = [cell for cell in every if cell not in walls]
    kind = rng.random()
    if kind < 0.3:
        other = rng.choice(pieces)
        covers.append((other.name, rng.choice([cell for cell in open_cells if cell not in other.cells])))
    if kind < 0.15:
        places = []
    if 0.2 < kind < 0.4:
        free = [cell for cell in open_cells if cell not in {c for _, c in covers}]
        blanks.append(rng.choice(free))
    return Goal(tuple(places), tuple(covers), tuple(blanks))


def units(board: Board, state: slide_rules.State) -> Iterator[Slide]:
    """Yield every legal move of one piece by one cell."""
    for piece in board.pieces:
        taken = slide_rules.occupied(board, state, piece.name)
        here = state[piece.name]
        for way in piece.directions:
            if slide_rules.fits(board, piece, here.step(way), taken):
                yield Slide(piece.name, here, here.step(way), way)
