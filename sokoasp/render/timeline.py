"""A plan as a list of small displacements, the form in which a page replays it.

A timeline is ``{"moves": [[[id, drow, dcol], ...], ...], "actions": [[last move, words], ...], "goals": [[row, col], ...],
"counts": [[name, running value per move], ...]}``: every move lists the drawn things (``data-id``) it displaces, in cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sokoasp.core.errors import IllegalPlan
from sokoasp.klotski.board import STEPS, Board, BoardCell
from sokoasp.klotski.slide_plan import Slide
from sokoasp.klotski.slide_rules import reach, start
from sokoasp.sokoban.level import Direction, Level
from sokoasp.sokoban.plan import Plan
from sokoasp.sokoban.rules import replay


def timeline(problem: Level | Board, plan: Any) -> dict[str, Any]:
    """Turn a plan into its timeline.

    Raises:
        IllegalPlan: The plan breaks the rules.
    """
    return _klotski(problem, plan) if isinstance(problem, Board) else _sokoban(problem, plan)


def _sokoban(level: Level, plan: Plan) -> dict[str, Any]:
    name = {cell: f"b{number}" for number, cell in enumerate(sorted(level.boxes))}
    moves: list[list[list[Any]]] = []
    actions: list[list[Any]] = []
    lines, pushes, line_counts, push_counts = 0, 0, [0], [0]
    previous: tuple[str, Direction] | None = None
    for number, (before, direction, after) in enumerate(replay(level, plan.lurd), 1):
        drow, dcol = direction.value
        moved = [["p", drow, dcol]]
        pushed = after.boxes != before.boxes
        if pushed:
            box = name.pop(after.player)
            name[after.player.step(direction)] = box
            moved.append([box, drow, dcol])
            pushes += 1
            if previous == (box, direction):
                actions[-1][0] += 1
            else:
                lines += 1
                actions.append([number, f"{after.player.row},{after.player.col} {direction.name}"])
        previous = (box, direction) if pushed else None
        moves.append(moved)
        line_counts.append(lines)
        push_counts.append(pushes)
    _lengths(actions, push_counts)
    return {
        "moves": moves,
        "actions": actions,
        "goals": [list(cell) for cell in sorted(level.goals)],
        "counts": [["lines", line_counts], ["pushes", push_counts], ["moves", list(range(len(moves) + 1))]],
    }


def _lengths(actions: list[list[Any]], push_counts: list[int]) -> None:
    """Add to each line push how far it goes."""
    before = 0
    for action in actions:
        action[1] += f" {push_counts[action[0]] - before}"
        before = push_counts[action[0]]


def _klotski(board: Board, plan: Iterable[Slide]) -> dict[str, Any]:
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
