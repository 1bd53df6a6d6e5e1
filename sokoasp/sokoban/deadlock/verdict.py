"""What a detector answers."""

from __future__ import annotations

from dataclasses import dataclass

from sokoasp.sokoban.level import Cell


@dataclass(frozen=True, slots=True)
class Verdict:
    """A proof that a state is dead: no sequence of pushes fills every goal any more.

    ``boxes`` can never all do their part, whatever the other boxes do: the state stays dead when the others are taken away.
    """

    kind: str
    """Name of the detector that found it: ``corner``, ``wall``, ``region``, ``units`` …"""
    cells: tuple[Cell, ...]
    """Cells to show: the boxes and what holds them (the block, the wall's cells, the closed region)."""
    boxes: tuple[Cell, ...]
    reason: str
    """One sentence for a person."""
    source: str
    """Document and section the rule comes from."""
