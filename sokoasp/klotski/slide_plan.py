"""Plans: slides, their text form and their counts.

One line a slide: ``A 0,1 > 1,1``, optionally followed by the path, one letter of ``udlr`` a unit: ``i 4,0 > 3,1 ru``.
Cells are those of the corner, row and column from 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

from sokoasp.core import json_text
from sokoasp.core.errors import NotationError
from sokoasp.klotski.board import BoardCell

_SLIDE = re.compile(r"(\w)\s+(\d+)\s*,\s*(\d+)\s*(?:->|>)\s*(\d+)\s*,\s*(\d+)(?:\s+([udlr]+))?$")
_NUMBER = re.compile(r"\s*(\d{1,9})\.\s+")
_PRINTED = re.compile(r"[^\n]*: (?:optimal|solved|interrupted|time out|memory out)\b")
"""How an answer of ``solve`` begins."""


@dataclass(frozen=True, slots=True)
class Slide:
    """One piece going along any connected path, counted as one slide; cells are those of its corner.

    ``path`` has one letter of ``udlr`` a unit; it may be empty, then any path will do.
    """

    piece: str
    from_cell: BoardCell
    to_cell: BoardCell
    path: str = ""

    def __str__(self) -> str:
        return f"{self.piece} {self.from_cell} > {self.to_cell} {self.path}".rstrip()


Plan = tuple[Slide, ...]


@dataclass(frozen=True, slots=True)
class SlideCounts:
    """What a plan costs: slides (one after the other by the same piece count once) and units (cells travelled)."""

    slides: int
    units: int

    def cost(self, objective: str) -> int:
        """Return the count for ``slides`` or ``units``."""
        return {"slides": self.slides, "units": self.units}[objective]


def read(text: str, source: str = "") -> Plan:
    """Read a plan, one slide a line; blank lines, ``%`` comments and leading numbers (``12.``) are passed over.

    What ``solve`` prints is read as well: the text of one plan, or the JSON row.
    NotationError if a line is no slide, or the JSON holds no plan.
    """
    text = text.removeprefix("\ufeff")
    if text.lstrip().startswith("{"):
        return _from_json(text, source)
    printed = _PRINTED.match(text.lstrip()) is not None
    out: list[Slide] = []
    for number, line in enumerate(text.splitlines(), 1):
        place = _NUMBER.match(line)
        body = line[place.end() if place else 0 :].split("%")[0].strip()
        if not body or (printed and not place):
            continue
        if printed and place and int(place[1]) != len(out) + 1:
            message = f"slide {place[1]} stands where slide {len(out) + 1} belongs: give the text of one plan"
            raise NotationError(message, source=source, line=number, column=1, code="E-PLAN")
        match = _SLIDE.fullmatch(body)
        if not match:
            raise NotationError(
                f"{body[:60]!r} is no slide such as 'A 0,1 > 1,1'", source=source, line=number, column=1
            )
        name, path = match[1], match[6] or ""
        row, col, to_row, to_col = (int(match[group]) for group in (2, 3, 4, 5))
        out.append(Slide(name, BoardCell(row, col), BoardCell(to_row, to_col), path))
    return tuple(out)


def _from_json(text: str, source: str) -> Plan:
    """Read the only row that has a plan: its actions, [piece, [row, column], [row, column], step, path]."""
    rows = json_text.rows(text, source, NotationError)
    if rows is None:
        raise NotationError("not JSON, one row a line", source=source, line=1, column=1, code="E-JSON")
    wrong = partial(NotationError, source=source, line=1, column=1, code="E-PLAN")
    plans = [row["plan"] for row in rows if isinstance(row, dict) and isinstance(row.get("plan"), dict)]
    if len(plans) != 1:
        raise wrong(f"{len(plans)} plans in this JSON: give the row of one board")
    if others := plans[0].keys() - {"actions"}:
        raise wrong(f'"plan" has an unknown key {min(others)[:40]!r}; known is actions')
    try:
        numbered = [
            (step, Slide(str(piece), BoardCell(*map(int, start)), BoardCell(*map(int, end)), str(path)))
            for piece, start, end, step, path in plans[0]["actions"]
        ]
    except (KeyError, TypeError, ValueError):
        raise wrong("an action is not [piece, [row, column], [row, column], step, path]") from None
    for number, (step, _) in enumerate(numbered, 1):
        if step != number:
            raise wrong(f"action {number} is said to be step {str(step)[:20]}")
    return tuple(slide for _, slide in numbered)


def write(plan: Iterable[Slide]) -> str:
    """Write a plan, one slide a line."""
    return "".join(f"{slide}\n" for slide in plan)
