"""Which formula belongs to which game and objective."""

from __future__ import annotations

from sokoasp.klotski.board import Board
from sokoasp.proof.cnf import Formula
from sokoasp.proof.level_text import Field
from sokoasp.proof.moves_formula import moves_formula
from sokoasp.proof.pushes_formula import pushes_formula
from sokoasp.proof.slides_formula import slides_formula


def field_formula(field: Field, objective: str, horizon: int) -> Formula:
    """Make the formula of a level, "at most ``horizon`` lines (pushes, moves)"."""
    if objective == "moves":
        return moves_formula(field, horizon)
    return pushes_formula(field, horizon, lines=objective == "lines")


def board_formula(board: Board, objective: str, horizon: int) -> Formula:
    """Make the formula of a board, "at most ``horizon`` slides (units)"."""
    return slides_formula(board, horizon, units=objective == "units")
