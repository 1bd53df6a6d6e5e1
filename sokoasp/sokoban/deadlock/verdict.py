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


def never_done(boxes: int, spare: int) -> str:
    """Say what is proved of boxes that are dead by themselves, as the end of a sentence about them."""
    if boxes == 1:
        return "can never get onto a goal"
    if not spare:
        return "can never both get onto goals" if boxes == 2 else "can never all get onto goals"
    return f"can never get onto goals without {spare + 1} of them left over, and the level can spare {spare}"
