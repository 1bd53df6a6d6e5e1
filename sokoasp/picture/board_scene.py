"""How a Klotski board is drawn as SVG, and its plans as timelines (see ``sokoasp.render.timeline``)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from sokoasp.core.errors import IllegalPlan, counted
from sokoasp.klotski.board import STEPS, Board, BoardCell, Piece, cells_at
from sokoasp.klotski.slide_plan import Slide
from sokoasp.klotski.slide_rules import State, reach, start
from sokoasp.picture import canvas
from sokoasp.picture.outline import SIZE, outline
from sokoasp.picture.scene import Box, Scene


def scene(board: Board) -> Scene:
    """Return the parts of a board's pictures; its states are ``rules.State``, where each piece's corner is."""
    return Scene(
        title=board.title,
        noun="Klotski board",
        box=Box(-1, -1, board.height, board.width),  # with a frame around it
        ground=ground(board),
        start=start(board),
        pieces=lambda state: pieces(board, state),
        describe=lambda state: describe(board),
        frames=lambda plan: _frames(board, plan),
        count=lambda plan: counted(len(plan), "slides"),
        timeline=lambda plan: _timeline(board, plan),
        trim=20,
    )


def ground(board: Board) -> str:
    """Draw what never moves: the frame, the walls, the floor, and where the goal wants pieces."""
    frame = Box(-1, -1, board.height, board.width)
    x, y = frame.left * SIZE + 24, frame.top * SIZE + 24
    targets = "".join(
        f'<path class="target" d="{outline(cells_at(board.piece(name).shape, corner), inset=6, radius=8)}"/>'
        for name, corner in board.goal.places
    )
    wanted = [cell for _, cell in board.goal.covers]
    if wanted:
        targets += f'<path class="target" d="{outline(wanted, inset=6, radius=8)}"/>'
    return (
        f'<rect class="frame" x="{x}" y="{y}" width="{frame.width - 48}" height="{frame.height - 48}" rx="14"/>'
        f'<path class="floor" d="{outline(board.cells, radius=4)}"/>{targets}'
    )


def pieces(board: Board, state: State) -> str:
    """Draw the pieces (``data-id`` is their letter), each drawn at the origin and moved to its place."""
    return "".join(_piece(board, piece, state[piece.name]) for piece in board.pieces)


def describe(board: Board) -> str:
    """Say in words what the picture shows."""
    size = f"{counted(board.height, 'rows')}, {counted(board.width, 'columns')}"
    return f"{size}, {counted(len(board.pieces), 'pieces')}: {' / '.join(board.rows())}"


def _piece(board: Board, piece: Piece, corner: BoardCell) -> str:
    shape = piece.shape
    row, col = _label(shape)
    body, shine = outline(shape, inset=2, radius=7), outline(shape, inset=5, radius=5)
    place = f"translate({corner.col * SIZE} {corner.row * SIZE})"
    name, kind = canvas.text(piece.name), _kind(board, piece)
    return (
        f'<g class="piece p-{kind}" data-id="{name}" transform="{place}"><path class="body" d="{body}"/>'
        f'<path class="shine" d="{shine}"/><text x="{col * SIZE:g}" y="{row * SIZE + 7:g}">{name}</text></g>'
    )


def _label(shape: Sequence[tuple[int, int]]) -> tuple[float, float]:
    """Return where the letter goes, in cells: the middle of the box around the piece, or of its first cell if that is a hole."""
    row, col = max(cell[0] for cell in shape) / 2 + 0.5, max(cell[1] for cell in shape) / 2 + 0.5
    if all((int(r), int(c)) in shape for r in (row, row - 0.01) for c in (col, col - 0.01)):
        return row, col
    return shape[0][0] + 0.5, shape[0][1] + 0.5


def _frames(board: Board, plan: Sequence[Slide]) -> Iterator[tuple[State, str, str]]:
    state = start(board)
    for number, slide in enumerate(plan, 1):
        row, col = _label(board.piece(slide.piece).shape)
        begin, end = slide.from_cell, slide.to_cell
        arrow = canvas.arrow(begin.row + row - 0.5, begin.col + col - 0.5, end.row + row - 0.5, end.col + col - 0.5)
        yield state, arrow, f"{number}. {slide.piece} {slide.path}"
        state = {**state, slide.piece: end}
    yield state, "", "end"


def _timeline(board: Board, plan: Iterable[Slide]) -> dict[str, Any]:
    """Turn a plan into its timeline. Raises IllegalPlan: the plan breaks the rules."""
    state = start(board)
    moves: list[list[list[Any]]] = []
    actions: list[list[Any]] = []
    slides, slide_counts, previous = 0, [0], ""
    for number, slide in enumerate(plan, 1):
        paths = reach(board, state, slide.piece) if slide.piece in state else {}
        path = slide.path or paths.get(slide.to_cell, "")
        if slide.from_cell != state.get(slide.piece) or not path or _end(slide, path, paths) != slide.to_cell:
            raise IllegalPlan(f"slide {number} ({slide}) is not possible", at=number)
        slides += slide.piece != previous
        previous = slide.piece
        for way in path:
            moves.append([[slide.piece, *STEPS[way]]])
            slide_counts.append(slides)
        actions.append([len(moves), f"{slide.piece} {path}"])
        state = {**state, slide.piece: slide.to_cell}
    return {
        "moves": moves,
        "actions": actions,
        "goals": [],
        "counts": [["slides", slide_counts], ["units", list(range(len(moves) + 1))]],
    }


def _end(slide: Slide, path: str, paths: Mapping[BoardCell, str]) -> BoardCell | None:
    """Follow a path through corners the piece can stand on; None if it leaves them."""
    here = slide.from_cell
    for way in path:
        after = here.step(way)
        if after not in paths:
            return None
        here = after
    return here


def _kind(board: Board, piece: Piece) -> str:
    """Return the colour class of a piece: ``goal``, ``unit``, ``wide``, ``tall`` or ``other``."""
    if piece.name in board.goal.names:
        return "goal"
    height = 1 + max(cell.row for cell in piece.shape)
    width = 1 + max(cell.col for cell in piece.shape)
    if len(piece.shape) == 1:
        return "unit"
    if len(piece.shape) != height * width or height == width:
        return "other"
    return "wide" if width > height else "tall"
