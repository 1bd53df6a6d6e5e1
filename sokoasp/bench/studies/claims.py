"""The paper's tables 6 to 8, beside what can be proved.

Source: the Hua Rong Dao paper, tables 6 (slides), 7 (slides, against earlier literature) and 8 (units, against 604.zip).
"""

from __future__ import annotations

import csv
import time
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

from sokoasp.bench.report import markdown_table
from sokoasp.core.errors import SokoaspError
from sokoasp.core.limits import Limits
from sokoasp.core.shipped import instances
from sokoasp.core.text_file import read_text
from sokoasp.klotski import notation
from sokoasp.klotski.board import Board
from sokoasp.klotski.referee import validate
from sokoasp.klotski.search import solve

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


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """A claim beside the minimum that a search proved just now; None where a limit cut the search short."""

    claim: PaperClaim
    slides: int | None
    units: int | None
    boards: int
    """Positions that the search for slides looked at, mirror images counted once, and its CPU seconds."""
    seconds: float

    @property
    def wrong_slides(self) -> bool:
        """Return whether the paper's number of slides is not the minimum."""
        return None not in (self.claim.paper_slides, self.slides) and self.claim.paper_slides != self.slides


def folder() -> Path:
    """Return the folder with the boards: inside the installed package, else in the checkout."""
    return instances() / "klotski"


def claims() -> list[PaperClaim]:
    """Read the boards and the claims, in the paper's order.

    Raises:
        SokoaspError: The files are missing or do not belong together.
    """
    table = csv.DictReader(StringIO(read_text(folder() / "claims.csv", SokoaspError)))
    return [_claim(row) for row in table]


def _claim(row: dict[str, str]) -> PaperClaim:
    figures: dict[str, Any] = {name: int(row[name]) if row[name] else None for name in _FIGURES}
    figures |= {name: int(row[name]) for name in ("proved_slides", "proved_units", "reachable")}
    figures |= {name: row[name] for name in ("name", "alias", "layout", "note")}
    text = f"title: {row['name']}\ngoal: {row['goal']}\n{row['board']}\n"
    board = notation.read(text, source=f"claims.csv: {row['name']}")[0]
    return PaperClaim(board=board, **figures)


def rows(names: Collection[str] = (), limits: Limits | None = None) -> list[ClaimRow]:
    """Prove the minimum of every board (or of those named) anew, in slides and in units; the referee replays each plan.

    ``limits`` hold for each search by itself.
    """
    return [_row(claim, limits) for claim in claims() if not names or claim.name in names]


def _row(claim: PaperClaim, limits: Limits | None) -> ClaimRow:
    began = time.process_time()
    slides, boards = _proved(claim.board, "slides", limits)
    seconds = time.process_time() - began
    units, _ = _proved(claim.board, "units", limits)
    return ClaimRow(claim, slides, units, boards, seconds)


def _proved(board: Board, objective: str, limits: Limits | None) -> tuple[int | None, int]:
    result = solve(board, objective, limits).uninterrupted()
    if result.value is not None:
        validate(board, result.plan, objective=objective, claim=result.value)
    return result.value, int(result.counters["states"])


def markdown(rows: Iterable[ClaimRow]) -> str:
    """Write the table in Markdown; a claim that is not the minimum is struck in bold."""
    head = ("board", "slides: paper", "earlier literature", "proved", "units: paper", "604.zip", "proved")
    cells = []
    wrong = claimed = 0
    for row in rows:
        claim = row.claim
        slides = (_mark(claim.paper_slides, row.slides), _mark(claim.literature_slides, row.slides), _shown(row.slides))
        units = (_mark(claim.paper_units, row.units), _mark(claim.game604_units, row.units), _shown(row.units))
        cells.append((claim.name, *slides, *units))
        wrong += row.wrong_slides
        claimed += claim.paper_slides is not None
    summary = f"**Bold**: not the minimum. Of the paper's {claimed} numbers of slides {wrong} are wrong."
    return "\n".join([*markdown_table.lines(head, cells, words=1), "", summary]) + "\n"


def effort(rows: Iterable[ClaimRow]) -> str:
    """Write table 6's expanded boards and seconds beside ours in Markdown; rows that are lost are left out."""
    cells = (
        (claim.name, f"{claim.paper_boards:,}", f"{claim.paper_seconds:,}", f"{row.boards:,}", f"{row.seconds:.2f}")
        for row in rows
        if (claim := row.claim).paper_boards is not None
    )
    return (
        "\n".join(markdown_table.lines(("board", "table 6: boards", "s", "ours: positions", "s"), cells, words=1))
        + "\n"
    )


def _shown(value: int | None) -> str:
    return "" if value is None else str(value)


def _mark(value: int | None, proved: int | None) -> str:
    return f"**{value}**" if None not in (value, proved) and value != proved else _shown(value)
