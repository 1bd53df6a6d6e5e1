"""Records of fixed boxes for a closed list, made when the list asks for the bound of a state (``proof.walls``)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sokoasp.core import kernels
from sokoasp.core.kernels.arrays import I4
from sokoasp.proof.folder import MOST_PRICE
from sokoasp.proof.group_bounds import MODULES, STORED_NEVER
from sokoasp.proof.kernel_records import NEVER, Tables
from sokoasp.proof.walls import Wall, WallFloor, WallList
from sokoasp.sokoban.grid import assign

TRIES = 4
"""States for which prices are looked for among the same fixed boxes in vain."""


@dataclass(slots=True)
class FixedBoxes:
    """What bounds states by their fixed boxes: one record for each set of these, or a few."""

    walls: WallList
    tables: Tables
    """Of the list; they get the records."""
    tried: Counter[tuple[int, ...]] = field(default_factory=Counter)
    _code: Any = field(default_factory=lambda: kernels.named(MODULES))
    _ways: dict[tuple[int, ...], tuple[WallFloor, list[I4]]] = field(default_factory=dict)

    def bound(self, boxes: I4, player: int, least: int) -> Tables | None:
        """Return tables by which a state (floor cells) costs ``least`` or more; None if its fixed boxes do not show it."""
        fixed = self._fixed(boxes)
        if not fixed or self.walls.full or self.tried[fixed] >= TRIES:
            return None
        self.tried[fixed] += 1
        goals = set(self.walls.level.goals)
        off = [cell for cell in fixed if cell not in goals]
        wall = Wall(self._smallest(fixed, off)) if off else self._priced(fixed, boxes, player, least)
        if wall is None:
            return None
        self.walls.add(wall)
        self.tables = self.walls.index(self.tables)
        return self.tables

    def _fixed(self, boxes: Any) -> tuple[int, ...]:
        flag = np.zeros(self.walls.level.size + 1, np.uint8)
        cells = np.array(boxes, np.int32)
        self._code["wall_kernel"].fix(cells, self.walls.bounds.floor.beside, flag)
        return tuple(np.flatnonzero(flag[:-1]).tolist())

    def _smallest(self, fixed: tuple[int, ...], off: list[int]) -> tuple[int, ...]:
        """Return fixed boxes none of which can be left out, one of them on no goal."""
        for cell in fixed:
            fewer = self._fixed([c for c in fixed if c != cell])
            if any(c in off for c in fewer):
                return self._smallest(fewer, off)
        return fixed

    def _priced(self, fixed: tuple[int, ...], boxes: Any, player: int, least: int) -> Wall | None:
        """Return a record with the prices that make its bound the cheapest assignment of this state, if that is enough."""
        lone, ways = self._alone(fixed)
        places = [lone.at(cell, player) for cell in boxes.tolist() if cell not in fixed]
        prices = [0] * len(ways)
        if not any(all(way[place] >= NEVER for way in ways) for place in places):
            # what cannot be done costs enough, too: where there is no assignment, the goals that too many boxes need become dear
            found = assign([[min(int(way[place]), least) for way in ways] for place in places])
            if found is None or found.total < least:
                return None
            prices = [-value for value in found.potentials]
        if max(prices, default=0) > MOST_PRICE:
            return None
        sums = [np.where(way >= NEVER, STORED_NEVER, way + paid) for way, paid in zip(ways, prices, strict=True)]
        return Wall(fixed, tuple(prices), tuple(np.min(sums, axis=0, initial=STORED_NEVER).tolist()))

    def _alone(self, fixed: tuple[int, ...]) -> tuple[WallFloor, list[I4]]:
        """Return the floor without some boxes, and for each goal left what a box alone costs to it, entry by entry."""
        if fixed not in self._ways:
            lone = WallFloor(self.walls.level, fixed, self.walls.bounds.lines)
            ways = []
            for goal in lone.goals:
                way, direction = np.full(lone.count, NEVER, np.int32), 1
                while lone.lower([0 if other == goal else None for other in lone.goals], way, direction):
                    direction = -direction
                ways.append(way)
            self._ways[fixed] = lone, ways
        return self._ways[fixed]
