"""Facts of a board for answer set programming, and plan atoms back to slides.

Vocabulary (C is a class in quotes, named after its first piece; P, Q are corner cells and X a cell, by number): ``cell(X)``,
``class(C)``, ``pieces(C,N)``, ``blanks(N)``; ``place(C,P)``: the class fits there between the walls; ``covers(C,P,X)``;
``shift(C,P,Q)``: one unit, as far as walls and directions allow; ``init(C,P)``; ``goal_at(C,P)``, ``goal_cover(C,X)``,
``goal_blank(X)``. Plan atoms are ``slide(C,P,Q,T)``.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator, Mapping, Sequence

from sokoasp.core.atoms import parse_atoms
from sokoasp.core.errors import LevelError, NotationError
from sokoasp.klotski.board import EVERY_WAY, Board, BoardCell, Goal, Piece, cells_at
from sokoasp.klotski.piece_classes import class_of, classes
from sokoasp.klotski.slide_plan import Slide

_ATOM = re.compile(r'slide\(\s*"?(\w)"?\s*,\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\)\.?$')
_INIT = re.compile(r'^[^%\n]*\binit\(\s*"\w"\s*,\s*\d+\s*\)\s*\.', re.MULTILINE)
MOST_CELLS = 10_000
"""A board read from facts has fewer cells."""
MOST_WIDTHS = 100
"""So many widths are tried where no piece moves up or down and no picture is given."""
_KNOWN = {
    **{"cell": 1, "class": 1, "pieces": 2, "blanks": 1, "place": 2, "covers": 3, "shift": 3},
    **{"init": 2, "goal_at": 2, "goal_cover": 2, "goal_blank": 1},
}
Found = Mapping[str, Sequence[tuple[str, ...]]]
"""Facts by predicate: the arguments of each."""
Atom = tuple[str, Sequence[str | int]]
"""Name and arguments, as an alternative to the atom's text."""


def write(board: Board) -> str:
    """Write the facts of a board, one group a line."""
    named = class_of(board)
    lines = [f"% Klotski board{': ' + ' '.join(board.title.split()) if board.title else ''}"]
    lines += [f"% {row}" for row in board.rows()]
    lines += _board_facts(board, {piece.name: f'"{named[piece.name]}"' for piece in board.pieces})
    return "\n".join(lines) + "\n"


def _board_facts(board: Board, named: Mapping[str, str]) -> Iterator[str]:
    """Yield the facts, one group a line, with classes of pieces under the names that ``named`` has for their letters."""
    yield " ".join(f"cell({board.number(cell)})." for cell in board.cells)
    yield f"blanks({len(board.blanks)})."
    members: dict[str, list[Piece]] = {}
    for piece in (piece for kind in classes(board) for piece in kind.members):
        members.setdefault(named[piece.name], []).append(piece)
    for name, pieces in members.items():
        yield from _class_facts(board, name, pieces)
    goal = board.goal
    yield from (f"goal_at({named[name]},{board.number(corner)})." for name, corner in goal.places)
    yield from (f"goal_cover({named[name]},{board.number(cell)})." for name, cell in goal.covers)
    yield from (f"goal_blank({board.number(cell)})." for cell in goal.blanks)


def _class_facts(board: Board, name: str, members: Sequence[Piece]) -> Iterator[str]:
    shape, directions = members[0].shape, members[0].directions
    every = (BoardCell(row, col) for row in range(board.height) for col in range(board.width))
    fitting = {corner for corner in every if all(board.inside(cell) for cell in cells_at(shape, corner))}
    yield f"class({name}). pieces({name},{len(members)})."
    yield " ".join(f"init({name},{board.number(piece.corner)})." for piece in members)
    for corner in sorted(fitting):
        number = board.number(corner)
        covered = (f"covers({name},{number},{board.number(cell)})." for cell in cells_at(shape, corner))
        near = (corner.step(way) for way in directions)
        shifts = (f"shift({name},{number},{board.number(cell)})." for cell in near if cell in fitting)
        yield " ".join((f"place({name},{number}).", *covered, *shifts))


def recognises(text: str) -> bool:
    """Return whether a text holds facts of a board, faulty or not."""
    return _INIT.search(text) is not None


def read(text: str, source: str = "") -> Board:
    """Read the facts of a board: these and no others, ranges such as ``cell(0..19)`` allowed.

    Rows in the comment that :func:`write` begins with give the letters and the size; without them the letters are new but for
    one of each class, and the width is the one at which the board has just these facts.

    Raises:
        NotationError: Something is no ground fact, or none of a board's.
        LevelError: The facts are not those of a board; the message says which is missing or wrong.
    """
    title, picture = _header(text)
    found: dict[str, list[tuple[str, ...]]] = {}
    for atom in parse_atoms(text, source=source, full_stops=True):
        if _KNOWN.get(atom.predicate) != len(atom.args):
            known = ", ".join(f"{name}/{arity}" for name, arity in _KNOWN.items())
            message = f"{atom.signature} is not one of a board's predicates ({known})"
            raise NotationError(message, source=source, line=atom.line, column=atom.column, code="E-FACTS")
        found.setdefault(atom.predicate, []).append(atom.args)
    try:
        return _fitting(found, title, picture)
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


def _fitting(found: Found, title: str, picture: list[str]) -> Board:
    """Return the board that has these facts: as wide as the picture, else as one of the widths that there could be."""
    cells = {int(x) for (x,) in found["cell"]}
    if not cells or max(cells) >= MOST_CELLS:
        raise LevelError(f"the board has no cell, or one with a number of {MOST_CELLS} or more", code="E-FACTS")
    changes = {abs(int(b) - int(a)) for _, a, b in found.get("shift", ())} - {1}
    widths = sorted(changes)[:1] or [max(cells) + 1, *range(1, min(max(cells) + 1, MOST_WIDTHS))]
    flat = "".join(picture)
    shown = len(flat) > max(cells) and {at for at, char in enumerate(flat) if char != "#"} == cells
    refused: LevelError | None = None
    seen = [(len(picture[0]), picture)] if shown else []
    for width, rows in (*seen, *((width, list[str]()) for width in widths)):
        try:
            board, named = _rebuilt(found, cells, width, title, rows)
            _compare(found, board, named)
        except LevelError as error:
            refused = refused or error
        else:
            return board
    assert refused is not None
    raise refused


def _compare(found: Found, board: Board, named: Mapping[str, str]) -> None:
    """Refuse facts that are not, one for one, those of the board that was made of them."""
    given = {f"{name}({','.join(arguments)})" for name, listed in found.items() for arguments in listed}
    own = {fact.removesuffix(".") for line in _board_facts(board, named) for fact in line.split()}
    for fact in sorted(own - given):
        raise LevelError(f"the facts are not those of a board: {fact} is missing", code="E-FACTS")
    for fact in sorted(given - own):
        raise LevelError(f"the facts are not those of a board: {fact} does not belong to it", code="E-FACTS")


def _rebuilt(found: Found, cells: set[int], width: int, title: str, picture: list[str]) -> tuple[Board, dict[str, str]]:
    """Return the board of this width, and the name of its class in the facts for each letter."""

    def cell(number: str | int) -> BoardCell:
        return BoardCell(*divmod(int(number), width))

    covers: dict[tuple[str, int], set[int]] = {}
    for kind, place, covered in found.get("covers", ()):
        covers.setdefault((kind, int(place)), set()).add(int(covered))
    standing = [(kind, int(place)) for kind, place in dict.fromkeys(found["init"])]
    for at in standing:
        if at not in covers:
            raise LevelError(f"nothing is said of what piece {at[0]} covers at {at[1]}", code="E-FACTS")
    shifts = {(kind, cell(a), cell(b)) for kind, a, b in found.get("shift", ())}
    ways = {
        kind: "".join(w for w in EVERY_WAY if any((k, a.step(w)) == (kind, b) for k, a, b in shifts))
        for kind, _ in standing
    }
    names = _names(standing, covers, picture)
    pieces = tuple(
        Piece(name, tuple(map(cell, covers[at])), ways[at[0]]) for name, at in zip(names, standing, strict=True)
    )
    groups: dict[str, str] = {}
    for name, (kind, _) in zip(names, standing, strict=True):
        groups[kind] = groups.get(kind, "") + name
    goal = Goal(
        tuple((groups[kind][0], cell(at)) for kind, at in found.get("goal_at", ())),
        tuple((groups[kind][0], cell(at)) for kind, at in found.get("goal_cover", ())),
        tuple(cell(at) for (at,) in found.get("goal_blank", ())),
    )
    wanted = {kind for kind, _ in (*found.get("goal_at", ()), *found.get("goal_cover", ()))}
    same = tuple(group for kind, group in groups.items() if len(group) > 1 and kind in wanted)
    height = len(picture) or max(cells) // width + 1
    every = {BoardCell(row, col) for row in range(height) for col in range(width)}
    board = Board(width, height, pieces, goal, frozenset(every - set(map(cell, cells))), same, title)
    return board, {name: kind for name, (kind, _) in zip(names, standing, strict=True)}


def _names(
    standing: Sequence[tuple[str, int]], covers: dict[tuple[str, int], set[int]], picture: list[str]
) -> list[str]:
    """Name the pieces: as in the picture if it shows them, else one by its class and the others by letters that are free."""
    flat = "".join(picture)
    called = {kind: kind.strip('"') for kind, _ in standing}
    shown = []
    for at in standing:
        letters = {flat[cell] for cell in covers[at] if cell < len(flat)}
        name = next(iter(letters)) if len(letters) == 1 else ""
        if not name or {cell for cell, letter in enumerate(flat) if letter == name} != covers[at]:
            break
        shown.append(name)
    if len(shown) == len(standing) == len(set(shown)) and set(called.values()) <= set(shown):
        return shown
    free = iter(sorted(set(string.ascii_letters + string.digits) - set(called.values())))
    names: list[str] = []
    for kind, _ in standing:
        name = called[kind] if called[kind] not in names else next(free, "")
        if not name:
            raise LevelError("the board has more pieces than there are letters", code="E-FACTS")
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
