"""Clauses that follow from a level's small games of one and two boxes: for the solver's use only.

A table entry is a pair: the least number of actions since the start, and to the end. In a formula for T actions state t
has at most t behind it and T-t before it, so what an entry is about is seen in the states from the one to T less the other only.
Sets of states are integers, a bit a state. A certificate's formula never holds these clauses: nobody need trust them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations

from sokoasp.core.cnf import Formula
from sokoasp.proof.level_text import Field
from sokoasp.sat.solver_costs import add_costs
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.tables.pairs import MOST_CELLS
from sokoasp.sokoban.tables.relaxed import Distances, Game, distances, game

MOST_CELLS_WALKING = 80
"""Levels with more floor cells count pushes for ``moves`` too: a table with the player on each cell would take seconds."""
Cells = tuple[int, ...]
"""Cells by their numbers in the formula."""


def add_lemmas(formula: Formula, reported: Field, level: Level, objective: str, horizon: int) -> None:
    """Add what tables of one and two boxes say of every state."""
    walks = objective == "moves" and reported.size <= MOST_CELLS_WALKING
    seen = _Seen(formula, reported, level, objective if walks or objective != "moves" else "pushes", horizon)
    seen.add_singles(objective)
    if len(reported.boxes) > 1 and reported.size <= MOST_CELLS:
        seen.add_pairs(objective)
    if objective != "moves":
        add_costs(formula, level, objective, {bit: number for number, bit in enumerate(seen.bits)}, horizon)


@dataclass(slots=True)
class _Seen:
    """In which states boxes, alone or two together, can be where they are, and with which place of the player."""

    formula: Formula
    reported: Field
    level: Level
    counted: str
    """The objective of the small game."""
    horizon: int
    small: Game = field(init=False)
    bits: list[int] = field(default_factory=list)
    tables: dict[int, Distances] = field(default_factory=dict)
    boxes: dict[Cells, int] = field(default_factory=dict)
    """The states in which boxes can be on these cells."""
    player: dict[tuple[int, int], int] = field(default_factory=dict)
    """(player's cell, box's cell) → the states in which that can be."""

    def __post_init__(self) -> None:
        """Number the cells."""
        self.small = game(self.level, self.counted)
        self.bits = [self.small.bit(cell) for cell in self.reported.cells_in(self.level)]

    def add_singles(self, objective: str) -> None:
        """Say of single boxes in which states they are not on a cell, and not there with the player at a certain place."""
        self._read(1)
        for c in range(self.reported.size):
            self._forbid(self._all & ~self.boxes.get((c,), 0), 0, ("box", c))
            for p in range(self.reported.size):
                self.player[p, c] = self._states((c,), p)
        for reported, c, p, later in self._sights(objective):
            self._forbid(self.boxes.get((c,), 0) & ~self.player[p, c], later, reported, *self._also(reported, c))

    def add_pairs(self, objective: str) -> None:
        """Say the same of two boxes, where one alone does not say it."""
        self._read(2)
        useful = [c for c in range(self.reported.size) if self.boxes.get((c,))]
        for c, other in combinations(useful, 2):
            both = self.boxes[c,] & self.boxes[other,]
            self._forbid(both & ~self.boxes.get((c, other), 0), 0, ("box", c), ("box", other))
        if objective == "moves":
            return
        for reported, c, p, later in self._sights(objective):
            for other in useful:
                if other not in (c, p):
                    cells = (min(c, other), max(c, other))
                    both = self.player[p, c] & self.boxes.get(cells, 0)
                    self._forbid(both & ~self._states(cells, p), later, reported, ("box", other))

    def _sights(self, objective: str) -> Iterator[tuple[tuple[str, *Cells], int, int, int]]:
        """Yield (variable, box, player's cell, by how much its action's number is above the state's)."""
        if objective == "moves":
            for p in range(self.reported.size):
                for c in range(self.reported.size):
                    if c != p and self.boxes.get((c,)):
                        yield ("player", p), c, p, 0
            return
        for c, d in self.reported.pushable():
            onward = self.reported.beside[c][d]
            yield ("from", c, d), c, self.reported.beside[c][d ^ 1], 1
            yield (("to", onward, d) if objective == "lines" else ("from", c, d)), onward, c, 0

    def _also(self, reported: tuple[str, *Cells], c: int) -> tuple[tuple[str, int], ...]:
        return (("box", c),) if reported[0] == "player" else ()

    @property
    def _all(self) -> int:
        return (1 << self.horizon + 1) - 1

    def _read(self, count: int) -> None:
        """Make the table of patterns of ``boxes`` boxes."""
        table = self.tables[count] = distances(self.level, self.counted, count)
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
        state = self.small.state((self.bits[c] for c in cells), self.bits[player])
        since = table.from_start.get(state)
        return 0 if since is None else self._between(since, table.to_goal[state])

    def _between(self, since: int, left: int) -> int:
        last = self.horizon - left
        return 0 if last < since else (1 << last + 1) - (1 << since)

    def _forbid(self, states: int, later: int, reported: tuple[str, *Cells], *others: tuple[str, int]) -> None:
        """Say that these do not hold together in these states; the first may be about the action that comes then."""
        number = self.formula.number
        while states:
            low = states & -states
            states ^= low
            t = low.bit_length() - 1
            first = number.get((reported[0], t + later, *reported[1:]))
            if first is not None:
                self.formula.add(-first, *(-number[name, t, cell] for name, cell in others))
