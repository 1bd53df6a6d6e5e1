"""Facts of a board for answer set programming, and plan atoms back to slides.

Vocabulary (C is a class in quotes, named after its first piece; P, Q are corner cells and X a cell, by number): ``cell(X)``,
``class(C)``, ``pieces(C,N)``, ``blanks(N)``; ``place(C,P)``: the class fits there between the walls; ``covers(C,P,X)``;
``shift(C,P,Q)``: one unit, as far as walls and directions allow; ``init(C,P)``; ``goal_at(C,P)``, ``goal_cover(C,X)``,
``goal_blank(X)``. Plan atoms are ``slide(C,P,Q,T)``.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator, Sequence

from sokoasp.core.errors import LevelError, NotationError
from sokoasp.klotski.board import EVERY_WAY, Board, BoardCell, Goal, Piece, cells_at, connected
from sokoasp.klotski.piece_classes import PieceClass, class_of, classes
from sokoasp.klotski.slide_plan import Slide

_ATOM = re.compile(r'slide\(\s*"?(\w)"?\s*,\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\)\.?$')
_FACT = re.compile(r"\b([a-z_]\w*)\(([^()]*)\)\s*\.")
_INIT = re.compile(r'^[^%\n]*\binit\(\s*"\w"\s*,\s*\d+\s*\)\s*\.', re.MULTILINE)
MOST_CELLS = 10_000
"""A board read from facts has fewer cells."""
Atom = tuple[str, Sequence[str | int]]
"""Name and arguments, as an alternative to the atom's text."""


def write(board: Board) -> str:
    """Write the facts of a board, one group a line."""
    lines = [f"% Klotski board{': ' + ' '.join(board.title.split()) if board.title else ''}"]
    lines += [f"% {row}" for row in board.rows()]
    lines.append(" ".join(f"cell({board.number(cell)})." for cell in board.cells))
    lines.append(f"blanks({len(board.blanks)}).")
    for kind in classes(board):
        lines += _class_facts(board, kind)
    goal, named = board.goal, class_of(board)
    lines += [f'goal_at("{named[name]}",{board.number(corner)}).' for name, corner in goal.places]
    lines += [f'goal_cover("{named[name]}",{board.number(cell)}).' for name, cell in goal.covers]
    lines += [f"goal_blank({board.number(cell)})." for cell in goal.blanks]
    return "\n".join(lines) + "\n"


def _class_facts(board: Board, kind: PieceClass) -> Iterator[str]:
    name = f'"{kind.name}"'
    every = (BoardCell(row, col) for row in range(board.height) for col in range(board.width))
    fitting = {corner for corner in every if all(board.inside(cell) for cell in cells_at(kind.shape, corner))}
    yield f"class({name}). pieces({name},{len(kind.members)})."
    yield " ".join(f"init({name},{board.number(piece.corner)})." for piece in kind.members)
    for corner in sorted(fitting):
        number = board.number(corner)
        covered = (f"covers({name},{number},{board.number(cell)})." for cell in cells_at(kind.shape, corner))
        near = (corner.step(way) for way in kind.directions)
        shifts = (f"shift({name},{number},{board.number(cell)})." for cell in near if cell in fitting)
        yield " ".join((f"place({name},{number}).", *covered, *shifts))


def recognises(text: str) -> bool:
    """Return whether a text holds facts of a board, faulty or not."""
    return _INIT.search(text) is not None


def read(text: str) -> Board:
    """Read the facts of a board.

    Rows in the comment that :func:`write` begins with give the letters and the size; without them the letters are new but for
    one of each class, and the width follows from how the numbers change when a piece moves.

    Raises:
        LevelError: The facts are not those of a board; the message says which is missing or wrong.
    """
    title, picture = _header(text)
    lines = (line.partition("%")[0] for line in text.splitlines())
    found: dict[str, list[list[str]]] = {}
    for name, arguments in _FACT.findall("\n".join(lines)):
        found.setdefault(name, []).append([part.strip().strip('"') for part in arguments.split(",")])
    try:
        return _rebuilt(found, title, picture)
    except (ValueError, IndexError, KeyError) as error:
        if isinstance(error, LevelError):
            raise
        raise LevelError(
            "the facts are not those of a board: an argument is missing or no number", code="E-FACTS"
        ) from None


def _header(text: str) -> tuple[str, list[str]]:
    """Return the title and the rows that stand in the leading comment."""
    title, rows = "", []
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines()):
        if not line.startswith("%"):
            break
        words = line[1:].strip()
        if number == 0:
            title = words.partition(":")[2].strip()
        else:
            rows.append(words)
    return title, rows if len({len(row) for row in rows}) == 1 else []


def _rebuilt(found: dict[str, list[list[str]]], title: str, picture: list[str]) -> Board:
    cells = {int(x) for (x,) in found["cell"]}
    if not cells or max(cells) >= MOST_CELLS:
        raise LevelError(f"the board has no cell, or one with a number of {MOST_CELLS} or more", code="E-FACTS")
    covers: dict[tuple[str, int], set[int]] = {}
    for kind, place, cell in found.get("covers", ()):
        covers.setdefault((kind, int(place)), set()).add(int(cell))
    shifts = {(kind, int(a), int(b)) for kind, a, b in found.get("shift", ())}
    width = len(picture[0]) if picture else _width(covers, shifts, max(cells) + 1)
    height = len(picture) if picture and len(picture) * width > max(cells) else max(cells) // width + 1
    standing = [(kind, int(place)) for kind, place in found["init"]]
    for at in standing:
        if at not in covers:
            raise LevelError(f"nothing is said of what piece {at[0]!r} covers at {at[1]}", code="E-FACTS")
    ways = {kind: _ways(kind, {p for k, p in covers if k == kind}, shifts, width) for kind, _ in standing}
    names = _names(standing, covers, picture, width)
    pieces = tuple(
        Piece(name, tuple(BoardCell(*divmod(cell, width)) for cell in covers[at]), ways[at[0]])
        for name, at in zip(names, standing, strict=True)
    )
    first: dict[str, str] = {}
    groups: dict[str, str] = {}
    for name, (kind, _) in zip(names, standing, strict=True):
        first.setdefault(kind, name)
        groups[kind] = groups.get(kind, "") + name
    goal = Goal(
        tuple((first[kind], BoardCell(*divmod(int(at), width))) for kind, at in found.get("goal_at", ())),
        tuple((first[kind], BoardCell(*divmod(int(at), width))) for kind, at in found.get("goal_cover", ())),
        tuple(BoardCell(*divmod(int(at), width)) for (at,) in found.get("goal_blank", ())),
    )
    wanted = {kind for kind, _ in (*found.get("goal_at", ()), *found.get("goal_cover", ()))}
    same = tuple(group for kind, group in groups.items() if len(group) > 1 and kind in wanted)
    every = {BoardCell(row, col) for row in range(height) for col in range(width)}
    walls = frozenset(cell for cell in every if cell.row * width + cell.col not in cells)
    return Board(width, height, pieces, goal, walls, same, title)


def _width(covers: dict[tuple[str, int], set[int]], shifts: set[tuple[str, int, int]], most: int) -> int:
    """Return the width: what pieces change by when they move up or down; where none does, one at which all hang together."""
    changes: list[int] = [abs(b - a) for _, a, b in shifts if abs(b - a) > 1]
    if changes:
        return min(changes)
    widths: list[int] = [most, *range(2, min(most, 100))]
    for width in widths:
        if all(connected([BoardCell(*divmod(cell, width)) for cell in covered]) for covered in covers.values()):
            return width
    raise LevelError("no width makes boards of these facts: a piece is in more than one part", code="E-FACTS")


def _ways(kind: str, places: set[int], shifts: set[tuple[str, int, int]], width: int) -> str:
    """Return the directions of a class: all but those in which it never moves although there is a place for it."""
    steps = {"u": -width, "d": width, "l": -1, "r": 1}
    moved = {way for way, step in steps.items() if any((kind, p, p + step) in shifts for p in places)}
    beside = {
        way
        for way, step in steps.items()
        if any(p + step in places and (abs(step) > 1 or p // width == (p + step) // width) for p in places)
    }
    return "".join(way for way in EVERY_WAY if way in moved or way not in beside)


def _names(
    standing: Sequence[tuple[str, int]], covers: dict[tuple[str, int], set[int]], picture: list[str], width: int
) -> list[str]:
    """Name the pieces: as in the picture if it shows them, else one by its class and the others by letters that are free."""
    flat = "".join(picture)
    shown = []
    for at in standing:
        letters = {flat[cell] for cell in covers[at] if cell < len(flat)}
        name = next(iter(letters)) if len(letters) == 1 else ""
        if not name or {cell for cell, letter in enumerate(flat) if letter == name} != covers[at]:
            break
        shown.append(name)
    if len(shown) == len(standing) == len(set(shown)) and {kind for kind, _ in standing} <= set(shown):
        return shown
    free = iter(sorted(set(string.ascii_letters + string.digits) - {kind for kind, _ in standing}))
    used: set[str] = set()
    names = []
    for kind, _ in standing:
        name = kind if kind not in used else next(free, "")
        if not name:
            raise LevelError("the board has more pieces than there are letters", code="E-FACTS")
        used.add(kind)
        names.append(name)
    return names


def decode(board: Board, atoms: Iterable[str | Atom]) -> tuple[Slide, ...]:
    """Turn plan atoms, in any order, into the slides of the pieces that stand there; paths are left out.

    The first argument may name any piece of the class. Nothing but the naming is checked here; the referee does the rest.

    Raises:
        NotationError: An atom is no ``slide/4``, two share a time, or no piece of that class stands there then.
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
