"""The referee: it replays a plan slide by slide and shares no code with any search."""

from __future__ import annotations

from collections.abc import Sequence

from sokoasp.core.errors import IllegalPlan, counted
from sokoasp.core.result import require_objective
from sokoasp.klotski import slide_rules
from sokoasp.klotski.board import OBJECTIVES, Board, BoardCell
from sokoasp.klotski.slide_plan import Slide, SlideCounts


def validate(
    board: Board, slides: Sequence[Slide], *, objective: str = "slides", claim: int | None = None
) -> SlideCounts:
    """Replay the plan and return what it costs in slides and in units.

    Consecutive slides of the same piece count as one slide; a slide written without its path counts the units of a shortest one.

    Args:
        board: The board the plan starts from.
        slides: The plan.
        objective: ``slides`` or ``units``, what ``claim`` counts.
        claim: The cost the plan is said to have; None if nothing is claimed.

    Raises:
        IllegalPlan: A slide is not possible, the goal is not reached or the claim is wrong; ``at`` is the 1-based slide.
        ValueError: The objective is unknown.
    """
    require_objective(objective, OBJECTIVES)
    state = slide_rules.start(board)
    runs, units, last = 0, 0, ""
    for at, slide in enumerate(slides, 1):
        units += _replay(board, state, slide, at)
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


def _replay(board: Board, state: dict[str, BoardCell], slide: Slide, at: int) -> int:
    """Carry one slide out on ``state`` and return its units."""
    if slide.piece not in state:
        raise IllegalPlan(f"slide {at}: the board has no piece {slide.piece!r}", at=at)
    here = state[slide.piece]
    if here != slide.from_cell:
        raise IllegalPlan(f"slide {at}: piece {slide.piece!r} is at {here}, not at {slide.from_cell}", at=at)
    path = slide.path or slide_rules.reach(board, state, slide.piece).get(slide.to_cell, "")
    if not path:
        raise IllegalPlan(f"slide {at}: piece {slide.piece!r} cannot slide from {here} to {slide.to_cell}", at=at)
    piece = board.piece(slide.piece)
    taken = slide_rules.occupied(board, state, slide.piece)
    for way in path:
        if way not in piece.directions:
            raise IllegalPlan(f"slide {at}: piece {slide.piece!r} may not move {way!r}", at=at)
        here = here.step(way)
        if not slide_rules.fits(board, piece, here, taken):
            raise IllegalPlan(f"slide {at}: piece {slide.piece!r} cannot pass to {here}", at=at)
    if here != slide.to_cell:
        raise IllegalPlan(f"slide {at}: the path {path!r} ends at {here}, not at {slide.to_cell}", at=at)
    state[slide.piece] = here
    return len(path)
