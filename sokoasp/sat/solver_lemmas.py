"""Clauses that follow from a level's small games of one and two boxes: for the solver's use only.

A table entry is a pair: the least number of actions since the start, and to the end. In a formula for T actions state t
has at most t behind it and T-t before it, so what an entry is about is seen in the states from the one to T less the other only.
Sets of states are integers, a bit a state. The formula that a checker gets never holds these clauses: nobody need trust them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from sokoasp.core.cnf import Formula
from sokoasp.proof.level_text import Field
from sokoasp.sat.solver_costs import add_costs
from sokoasp.sokoban.deadlock.bitboard import numbers
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.tables.pairs import MOST_CELLS
from sokoasp.sokoban.tables.relaxed import Distances, distances, game

Cells = tuple[int, ...]
"""Cells by their numbers in the formula."""
Variable = tuple[str, *Cells]
"""The name of a variable without its state or action, which comes behind the family."""


def add_lemmas(formula: Formula, floor: Field, level: Level, objective: str, horizon: int) -> None:
    """Add what tables of one and two boxes say of every state."""
    seen = _Seen(formula, floor, level, objective, horizon)
    seen.add_singles()
    if len(floor.boxes) > 1 and floor.size <= MOST_CELLS:
        seen.add_pairs()
    add_costs(formula, level, objective, {bit: number for number, bit in enumerate(seen.bits)}, horizon)


class _Seen:
    """In which states boxes, alone or two together, can be where they are, and with which place of the player."""

    def __init__(self, formula: Formula, floor: Field, level: Level, objective: str, horizon: int) -> None:
        self.formula, self.floor, self.level, self.objective = formula, floor, level, objective
        self.horizon, self.game = horizon, game(level, objective)
        self.bits = [self.game.bit(cell) for cell in floor.cells_in(level)]
        self.tables: dict[int, Distances] = {}
        self.boxes: dict[Cells, int] = {}
        """The states in which boxes can be on these cells."""
        self.player: dict[tuple[int, int], int] = {}
        """(player's cell, box's cell) → the states in which that can be."""

    def add_singles(self) -> None:
        """Say of single boxes in which states they are not on a cell, and not there with the player at a certain place."""
        self._read(1)
        every = (1 << self.horizon + 1) - 1
        for c in range(self.floor.size):
            self._forbid(every & ~self.boxes.get((c,), 0), 0, ("box", c))
            for p in range(self.floor.size):
                self.player[p, c] = self._states((c,), p)
        for variable, c, p, later in self._sights():
            self._forbid(self.boxes.get((c,), 0) & ~self.player[p, c], later, variable)

    def add_pairs(self) -> None:
        """Say the same of two boxes, where one alone does not say it."""
        self._read(2)
        useful = [c for c in range(self.floor.size) if self.boxes.get((c,))]
        for c, other in combinations(useful, 2):
            both = self.boxes[c,] & self.boxes[other,]
            self._forbid(both & ~self.boxes.get((c, other), 0), 0, ("box", c), ("box", other))
        for variable, c, p, later in self._sights():
            for other in useful:
                if other not in (c, p):
                    cells = (min(c, other), max(c, other))
                    both = self.player[p, c] & self.boxes.get(cells, 0)
                    self._forbid(both & ~self._states(cells, p), later, variable, ("box", other))

    def _sights(self) -> Iterator[tuple[Variable, int, int, int]]:
        """Yield (variable, box, player's cell, by how much its action's number is above the state's)."""
        for c, d in self.floor.pushable():
            onward = self.floor.beside[c][d]
            yield ("from", c, d), c, self.floor.beside[c][d ^ 1], 1
            yield (("to", onward, d) if self.objective == "lines" else ("from", c, d)), onward, c, 0

    def _read(self, count: int) -> None:
        """Make the table of patterns of ``count`` boxes."""
        table = self.tables[count] = distances(self.level, self.objective, count)
        cell = {bit: number for number, bit in enumerate(self.bits)}
        for (places, number), since in table.from_start.items():
            cells = tuple(sorted(cell[place] for place in places))
            states = self._between(since, table.to_goal[places, number])
            self.boxes[cells] = self.boxes.get(cells, 0) | states

    def _states(self, cells: Cells, player: int) -> int:
        """Return the states in which boxes can be on these cells and the player on that one."""
        if player in cells:
            return 0
        table = self.tables[len(cells)]
        state = self.game.state((self.bits[c] for c in cells), self.bits[player])
        since = table.from_start.get(state)
        return 0 if since is None else self._between(since, table.to_goal[state])

    def _between(self, since: int, left: int) -> int:
        last = self.horizon - left
        return 0 if last < since else (1 << last + 1) - (1 << since)

    def _forbid(self, states: int, later: int, variable: Variable, *others: tuple[str, int]) -> None:
        """Say that these do not hold together in these states; the first may be about the action that comes then."""
        number = self.formula.number
        for t in numbers(states):
            first = number.get((variable[0], t + later, *variable[1:]))
            if first is not None:
                self.formula.add(-first, *(-number[name, t, cell] for name, cell in others))
