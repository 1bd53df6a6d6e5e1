"""A Klotski plan as a timeline (see ``sokoasp.render.timeline``): what each move displaces."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sokoasp.core.errors import IllegalPlan
from sokoasp.klotski.board import STEPS, Board, BoardCell
from sokoasp.klotski.slide_plan import Slide
from sokoasp.klotski.slide_rules import reach, start


def timeline(board: Board, plan: Iterable[Slide]) -> dict[str, Any]:
    """Turn a plan into its timeline.

    Raises:
        IllegalPlan: The plan breaks the rules.
    """
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
