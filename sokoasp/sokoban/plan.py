"""Plans: the pushes of a solution, the moves between them, and their counts."""

from __future__ import annotations

from typing import NamedTuple

from sokoasp.sokoban.level import Cell, Direction


class Push(NamedTuple):
    """One line push, the competition's action: a box goes from ``box`` to ``to`` in one straight line of one or more cells."""

    box: Cell
    direction: Direction
    to: Cell

    @property
    def length(self) -> int:
        """Return how many cells the box travels (negative or 0 if ``to`` is not in that direction)."""
        drow, dcol = self.direction.value
        return (self.to.row - self.box.row) * drow + (self.to.col - self.box.col) * dcol

    @property
    def straight(self) -> bool:
        """Return whether ``to`` lies at least one cell away from ``box`` in ``direction``."""
        return self.length >= 1 and self.box.step(self.direction, self.length) == self.to


class Plan(NamedTuple):
    """A plan twice over: its line pushes and the player's moves that carry them out."""

    actions: tuple[Push, ...]
    lurd: str
    """Moves as letters: small for a step, capital for a step that pushes."""

    @property
    def lines(self) -> int:
        """Return the number of line pushes."""
        return len(self.actions)

    @property
    def pushes(self) -> int:
        """Return the number of single-cell pushes."""
        return sum(action.length for action in self.actions)

    @property
    def moves(self) -> int:
        """Return the number of player moves, pushes included."""
        return len(self.lurd)

    def cost(self, objective: str) -> int:
        """Return the count for ``lines``, ``pushes`` or ``moves``."""
        return {"lines": self.lines, "pushes": self.pushes, "moves": self.moves}[objective]


OBJECTIVES: tuple[str, ...] = ("lines", "pushes", "moves")
