"""Closed lists for a tie-break: of the plans with the fewest pushes none has fewer moves than claimed.

A state is the boxes and the player's cell, each after a push; its cost is a pair, pushes and moves, and pushes count first. No
plan is cheaper if the start is in the list with (0, 0); no state of it is solved too cheaply; and every successor by a walk and
a push is in the list at no more, or its bound (each push is a move as well) reaches what is claimed.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from sokoasp.core import kernels
from sokoasp.core.kernels.arrays import I4, U8
from sokoasp.proof.closed import Claim, ClosedList
from sokoasp.proof.group_bounds import MODULES, GroupBounds
from sokoasp.proof.kernel_records import Walked


class TieList(ClosedList):
    """The list and its check; ``cost`` are pushes."""

    columns: ClassVar[int] = 2

    def __init__(self, claim: Claim, bounds: GroupBounds | None) -> None:
        super().__init__(claim, bounds)
        self.ties = kernels.named(MODULES)["ties_kernel"]
        walk = np.zeros((2, claim.field.size + 1), np.int32)
        self.walked: Walked = Walked(np.zeros(len(self.cost), np.int32), *walk)

    @property
    def moves(self) -> I4:
        """Return the moves of the states, at most, (capacity)."""
        return self.walked.moves

    def start_passed(self) -> bool:
        """Return whether the bound of the start shows what is claimed."""
        least = self.start_bound()
        return bool(self.ties.no_cheaper(self.p, least, least))

    def is_first(self, place: int) -> bool:
        """Return whether what the list says of a state is what the start costs."""
        return super().is_first(place) and self.moves[place] == 0

    def numbers(self, begin: int, end: int) -> tuple[I4, ...]:
        """Return pushes and moves of some states."""
        return self.cost[begin:end], self.moves[begin:end]

    def append(self, keys: U8, *numbers: I4) -> None:
        """Add states to the list, with their pushes and moves (0 of the start); Refused if a state is in it twice."""
        before = self.count
        super().append(keys, numbers[0])
        self.moves[before : self.count] = numbers[-1]

    def make_room(self, least: int) -> None:
        """Make room for so many states."""
        super().make_room(least)
        if len(self.cost) > len(self.moves):
            moves = np.zeros(len(self.cost), np.int32)
            moves[: self.count] = self.moves[: self.count]
            self.walked = self.walked._replace(moves=moves)

    def _turn(self) -> int:
        parts = self.p, self.floor, self.states, self.tables, self.hand
        return int(self.ties.check_ties(*parts, self.scratch, self.walked))


def listing(claim: Claim, bounds: GroupBounds | None, *, corrals: bool = False) -> ClosedList:
    """Return a list for a claim, whatever its objective is."""
    return ClosedList(claim, bounds, corrals) if claim.moves is None else TieList(claim, bounds)
