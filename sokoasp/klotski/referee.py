"""The referee: it replays a plan slide by slide and shares no code with any search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sokoasp.core.errors import IllegalPlan, counted
from sokoasp.core.result import require_objective
from sokoasp.klotski import slide_rules
from sokoasp.klotski.board import OBJECTIVES, Board, BoardCell, Piece, cells_at
from sokoasp.klotski.slide_plan import Slide, SlideCounts


def validate(
    board: Board,
    slides: Sequence[Slide],
    *,
    objective: str = "slides",
    claim: int | None = None,
    atoms: Sequence[str] = (),
) -> SlideCounts:
    """Replay the plan and return what it costs in slides and in units.

    Consecutive slides of the same piece count as one slide; a slide written without its path counts the units of a shortest one.

    Args:
        board: The board the plan starts from.
        slides: The plan.
        objective: ``slides`` or ``units``, what ``claim`` counts.
        claim: The cost the plan is said to have; None if nothing is claimed.
        atoms: The atoms that the slides were read from: messages name them, and number the cells as they do.

    Raises:
        IllegalPlan: A slide is not possible, the goal is not reached or the claim is wrong; ``at`` is the 1-based slide.
        ValueError: The objective is unknown.
    """
    require_objective(objective, OBJECTIVES)
    state = slide_rules.start(board)
    runs, units, last = 0, 0, ""
    for at, slide in enumerate(slides, 1):
        units += _replay(board, state, slide, at, atoms[at - 1] if atoms else "")
        runs += slide.piece != last
        last = slide.piece
    if not slide_rules.solved(board, state):
        raise IllegalPlan(
            f"after {'' if len(slides) == 1 else 'all '}{counted(len(slides), 'slides')} the goal is not reached",
            at=len(slides) or None,
        )
    counts = SlideCounts(runs, units)
    if claim is not None and counts.cost(objective) != claim:
        raise IllegalPlan(f"the plan has {counts.cost(objective)} {objective}, not {claim} as claimed")
    return counts


def _replay(board: Board, state: dict[str, BoardCell], slide: Slide, at: int, atom: str) -> int:
    """Carry one slide out on ``state`` and return its units."""
    who = f"action {at}, {atom}" if atom else f"slide {at}"
    if slide.piece not in state:
        raise IllegalPlan(f"{who}: the board has no piece {slide.piece!r}", at=at)
    here, name = state[slide.piece], f"{who}: piece {slide.piece!r}"
    if here != slide.from_cell:
        raise IllegalPlan(f"{name} is at {here}, not at {slide.from_cell}", at=at)
    path = slide.path or slide_rules.reach(board, state, slide.piece).get(slide.to_cell, "")
    piece = board.piece(slide.piece)
    taken = slide_rules.occupied(board, state, slide.piece)
    if not path:
        begin, end = (board.number(cell) if atom else cell for cell in (here, slide.to_cell))
        way = f"from {'cell ' if atom else ''}{begin} to {end}"
        raise IllegalPlan(f"{name} cannot slide {way}: {_why_not(board, piece, slide, taken)}", at=at)
    for way in path:
        if way not in piece.directions:
            raise IllegalPlan(f"{name} may not move {way!r}", at=at)
        here = here.step(way)
        if not slide_rules.fits(board, piece, here, taken):
            raise IllegalPlan(f"{name} cannot pass to {here}", at=at)
    if here != slide.to_cell:
        raise IllegalPlan(f"{who}: the path {path!r} ends at {here}, not at {slide.to_cell}", at=at)
    state[slide.piece] = here
    return len(path)


def _why_not(board: Board, piece: Piece, slide: Slide, taken: Mapping[BoardCell, str]) -> str:
    """Say why no path leads a piece to where a slide ends."""
    if slide.to_cell == slide.from_cell:
        return "it stays where it is"
    cells = cells_at(piece.shape, slide.to_cell)
    if others := sorted({taken[cell] for cell in cells if cell in taken}):
        return f"piece {others[0]!r} is in the way there"
    return "no way leads there" if all(map(board.inside, cells)) else "a wall is there"
