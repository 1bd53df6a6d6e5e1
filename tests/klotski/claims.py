"""The paper's tables 6 to 8: what is claimed of each board; The suite ``klotski`` proves the minima beside it.

Source: the Hua Rong Dao paper, tables 6 (slides), 7 (slides, against earlier literature) and 8 (units, against 604.zip).
"""

import csv
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

from sokoasp.core.errors import SokoaspError
from sokoasp.core.shipped import SHIPPED
from sokoasp.core.text_file import read_text
from sokoasp.klotski import notation
from sokoasp.klotski.board import Board

_FIGURES = ("paper_slides", "literature_slides", "paper_boards", "paper_seconds", "paper_units", "game604_units")


@dataclass(frozen=True, slots=True)
class PaperClaim:
    """One board of the paper with what was said of it; None where nothing is said (or the text is lost)."""

    board: Board
    name: str
    alias: str
    paper_slides: int | None
    literature_slides: int | None
    paper_boards: int | None
    """Boards that the paper's search expanded, and its seconds (table 6)."""
    paper_seconds: int | None
    paper_units: int | None
    game604_units: int | None
    proved_slides: int
    proved_units: int
    reachable: int
    layout: str
    """``exact``, or ``blanks reconstructed`` where the printed rows lost theirs."""
    note: str


def folder() -> Path:
    """Return the folder with the boards: inside the installed package, else in the checkout."""
    return SHIPPED / "klotski"


def claims() -> list[PaperClaim]:
    """Read the boards and the claims, in the paper's order; SokoaspError if files are missing or do not match."""
    table = csv.DictReader(StringIO(read_text(folder() / "claims.csv", SokoaspError)))
    return [_claim(row) for row in table]


def _claim(row: dict[str, str]) -> PaperClaim:
    figures: dict[str, Any] = {name: int(row[name]) if row[name] else None for name in _FIGURES}
    figures |= {name: int(row[name]) for name in ("proved_slides", "proved_units", "reachable")}
    figures |= {name: row[name] for name in ("name", "alias", "layout", "note")}
    text = f"title: {row['name']}\ngoal: {row['goal']}\n{row['board']}\n"
    board = notation.read(text, source=f"claims.csv: {row['name']}")[0]
    return PaperClaim(board=board, **figures)
