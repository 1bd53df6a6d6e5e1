"""What may be pointed out on a picture: cells of a deadlock, units and gates, paths, pushes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sokoasp.core.errors import SokoaspError


@dataclass(frozen=True, slots=True)
class Mark:
    """Cells to point out, of one kind of ``KINDS``, with an optional short label; for an arrow the cells are its two ends."""

    kind: str
    cells: tuple[tuple[int, int], ...]
    label: str = ""

    def __post_init__(self) -> None:
        """Check the kind; SokoaspError if it is not one of ``KINDS``."""
        if self.kind not in KINDS:
            raise SokoaspError(f"no mark {self.kind!r}; there are {', '.join(KINDS)}")


KINDS: Mapping[str, str] = {
    "dead": "a hatched area: the cells a deadlock verdict speaks of",
    "stuck": "a crossed ring: a box that can never get to a goal",
    "unit": "a tinted area with its label: a unit of the map",
    "gate": "a barred cell, or, of two neighbours, a post between them: the way out of a unit",
    "path": "dots: a walk",
    "arrow": "an arrow from the first to the last cell: a push or a slide",
    "note": "a dashed frame: anything else",
}


def verdict_marks(verdict: Any) -> tuple[Mark, ...]:
    """Turn a deadlock verdict (anything with ``cells`` and ``boxes``) into marks: its area, and rings around its boxes."""
    boxes = tuple(verdict.boxes)
    area = tuple(cell for cell in verdict.cells if cell not in boxes)
    return tuple(mark for mark in (Mark("dead", area), Mark("stuck", boxes)) if mark.cells)


def cut_marks(cut: Any) -> tuple[Mark, ...]:
    """Turn a cut of a level (``units.draw.describe``) into marks: units, the gates out of them, passages out of reach."""
    units = [Mark("unit", tuple(sorted(unit.cells)), unit.name) for unit in cut.units]
    steps = [(gate.cell, gate.cell.step(gate.direction)) for unit in cut.units for gate in unit.gates]
    closed = [Mark("note", tuple(sorted(passage.cells))) for passage in cut.passages if not passage.reached]
    return (*units, *closed, *(Mark("gate", step) for step in steps))
