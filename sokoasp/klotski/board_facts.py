"""Facts of a board for answer set programming, and plan atoms back to slides.

Vocabulary (C is a class in quotes, named after its first piece; P, Q are corner cells and X a cell, by number): ``cell(X)``,
``class(C)``, ``pieces(C,N)``, ``blanks(N)``; ``place(C,P)``: the class fits there between the walls; ``covers(C,P,X)``;
``shift(C,P,Q)``: one unit, as far as walls and directions allow; ``init(C,P)``; ``goal_at(C,P)``, ``goal_cover(C,X)``,
``goal_blank(X)``. Plan atoms are ``slide(C,P,Q,T)``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from sokoasp.core.errors import NotationError
from sokoasp.klotski.board import Board, Piece, cells_at
from sokoasp.klotski.piece_classes import class_of, classes
from sokoasp.klotski.slide_plan import Slide

_ATOM = re.compile(r'slide\(\s*"?(\w)"?\s*,\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\)\.?$')
_INIT = re.compile(r'^[^%\n]*\binit\(\s*"\w"\s*,\s*\d+\s*\)\s*\.', re.MULTILINE)
Atom = tuple[str, Sequence[str | int]]
"""Name and arguments, as an alternative to the atom's text."""


def write(board: Board) -> str:
    """Write the facts of a board, one group a line."""
    lines = [f"% Klotski board{': ' + ' '.join(board.title.split()) if board.title else ''}"]
    lines += [f"% {row}" for row in board.rows()]
    lines += _board_facts(board)
    return "\n".join(lines) + "\n"


def _board_facts(board: Board) -> Iterator[str]:
    """Yield the facts, one group a line."""
    yield " ".join(f"cell({board.number(cell)})." for cell in board.cells)
    yield f"blanks({len(board.blanks)})."
    for kind in classes(board):
        yield from _class_facts(board, f'"{kind.name}"', kind.members)
    named, goal = class_of(board), board.goal
    yield from (f'goal_at("{named[name]}",{board.number(corner)}).' for name, corner in goal.places)
    yield from (f'goal_cover("{named[name]}",{board.number(cell)}).' for name, cell in goal.covers)
    yield from (f"goal_blank({board.number(cell)})." for cell in goal.blanks)


def _class_facts(board: Board, name: str, members: Sequence[Piece]) -> Iterator[str]:
    shape, directions = members[0].shape, members[0].directions
    fitting = board.corners(shape)
    yield f"class({name}). pieces({name},{len(members)})."
    yield " ".join(f"init({name},{board.number(piece.corner)})." for piece in members)
    for corner in fitting:
        number = board.number(corner)
        covered = (f"covers({name},{number},{board.number(cell)})." for cell in cells_at(shape, corner))
        near = (corner.step(way) for way in directions)
        shifts = (f"shift({name},{number},{board.number(cell)})." for cell in near if cell in fitting)
        yield " ".join((f"place({name},{number}).", *covered, *shifts))


def constants(board: Board) -> dict[str, str | None]:
    """Return the cells, and of each piece's name its class, as the facts write them."""
    return dict.fromkeys(map(str, range(board.width * board.height))) | {
        f'"{one}"': f'"{kind}"' for one, kind in class_of(board).items()
    }


def recognises(text: str) -> bool:
    """Return whether a text holds facts of a board, faulty or not."""
    return _INIT.search(text) is not None


def first_atom(board: Board, slide: Slide) -> str:
    """Return the atom of a plan's first slide."""
    return f'slide("{class_of(board)[slide.piece]}",{board.number(slide.from_cell)},{board.number(slide.to_cell)},1)'


def decode(board: Board, atoms: Iterable[str | Atom]) -> tuple[Slide, ...]:
    """Turn plan atoms, in any order, into the slides of the pieces that stand there; paths are left out.

    The first argument may name any piece of the class. Nothing but the naming is checked here; the referee does the rest.
    NotationError if an atom is no ``slide/4``, two share a time, or no piece of that class stands there then.
    """
    moves = sorted(_parse(atom) for atom in atoms)
    named = class_of(board)
    standing = {(named[piece.name], board.number(piece.corner)): piece.name for piece in board.pieces}
    plan: list[Slide] = []
    for at, (time, letter, here, there) in enumerate(moves):
        text = f"slide({letter},{here},{there},{time})"
        if at and moves[at - 1][0] == time:
            raise NotationError(f"{text}: there is another slide at time {time}")
        if letter not in named:
            raise NotationError(f"{text}: the board has no piece {letter!r}")
        kind = named[letter]
        name = standing.pop((kind, here), "")
        if not name:
            raise NotationError(f"{text}: no piece of class {kind!r} stands at cell {here}")
        standing[kind, there] = name
        plan.append(Slide(name, board.cell(here), board.cell(there)))
    return tuple(plan)


def _parse(atom: str | Atom) -> tuple[int, str, int, int]:
    text = atom if isinstance(atom, str) else f"{atom[0]}({','.join(map(str, atom[1]))})"
    match = _ATOM.fullmatch(text.strip())
    if not match:
        raise NotationError(f'{text!r} is no plan atom such as slide("A",1,5,1)')
    letter, here, there, time = match.groups()
    return int(time), letter, int(here), int(there)
