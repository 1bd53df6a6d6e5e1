"""Where the box sets of a search in layers of moves live, and the way back through what both sides have noted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from types import ModuleType

import numpy as np

from sokoasp.core.kernels.arrays import U8
from sokoasp.sokoban.level import spread
from sokoasp.sokoban.search.exact.bitboard import words_of
from sokoasp.sokoban.search.model.records import MoveLayers

FIRST_SETS, FIRST_ENTRIES, FIRST_SLOTS = 1 << 13, 1 << 12, 1 << 15
HALF = (1 << 32) - 1


@dataclass(slots=True)
class MoveStore:
    """All arrays of ``records.MoveLayers``; those of the side that is not in hand are kept aside."""

    room: int
    """Most children that are entered at once."""
    layers: MoveLayers = field(init=False)
    """The arrays as the kernels take them; they are others after :meth:`grow` and :meth:`turn`."""
    arrivals: list[U8] = field(init=False)
    """Of each side."""
    fronts: list[U8] = field(init=False)
    """Of each side."""

    def __post_init__(self) -> None:
        """Allocate the arrays."""
        slots, room = FIRST_SLOTS, self.room
        while slots < 4 * room:
            slots *= 2
        self.arrivals = [np.zeros(max(FIRST_ENTRIES, 2 * room), np.uint64) for _ in range(2)]
        *self.fronts, following = (np.zeros((max(FIRST_ENTRIES, 2 * room), 3), np.uint64) for _ in range(3))
        self.layers = MoveLayers(
            sets=np.zeros((max(FIRST_SETS, 2 * room), 8), np.uint64),
            table=np.full(slots, -1, np.int32),
            front=self.fronts[0],
            following=following,
            arrivals=self.arrivals[0],
            out=np.zeros((room, 3), np.uint64),
            slots=np.zeros(room, np.int64),
        )

    def swap(self, side: int) -> None:
        """Make the layer that is done the front of its side."""
        s = self.layers
        self.fronts[side] = s.following
        self.layers = s._replace(following=s.front, front=s.following)

    def turn(self, side: int) -> None:
        """Take the arrays of a side in hand."""
        self.layers = self.layers._replace(front=self.fronts[side], arrivals=self.arrivals[side])

    def grow(self, kernels: ModuleType, counts: tuple[int, int, int], spare_bytes: float) -> bool:
        """Make place for one batch more; return False, and change nothing stored, if it does not fit into ``spare_bytes``.

        ``counts`` are the box sets, the entries of the layer in the making and the arrivals of the side in hand that are in use.
        """
        s, room = self.layers, 2 * self.room
        for array, count in zip((s.sets, s.following, s.arrivals), counts, strict=True):
            wanted = max(count + room, len(array) * 3 // 2) if count + room > len(array) else len(array)
            more = (wanted - len(array)) * array.strides[0]
            if more > spare_bytes:
                return False
            spare_bytes -= more
            # resize in place lets the C library move pages instead of copying them
            array.resize((wanted, *array.shape[1:]), refcheck=False)
        slots = len(s.table)
        while slots < 2 * (counts[0] + room):
            slots *= 2
        if slots > len(s.table):
            if 4 * (slots - len(s.table)) > spare_bytes:
                return False
            # the old one is thrown away first: the two never stand side by side
            self.layers = s = s._replace(table=np.empty(0, np.int32))
            self.layers = s._replace(table=np.full(slots, -1, np.int32))
            kernels.rehash(s.sets, counts[0], self.layers.table)
        return True

    def boxes(self, index: int) -> int:
        """Return the boxes of a stored set as bits."""
        return bits_of(self.layers.sets[index, :2])

    def arrived(self, side: int, index: int) -> Iterator[tuple[int, int]]:
        """Yield where the player of a side came to a box set, as bits' numbers, and when."""
        last = int(self.layers.sets[index, 7]) >> 32 * side & HALF
        while last:
            note = int(self.arrivals[side][last - 1])
            yield note >> 32 & 255, note >> 40
            last = note & HALF


@dataclass(frozen=True, slots=True)
class WayBack:
    """Goes back from a stored state to the end from which its side began: no parents are stored, but when it was where."""

    store: MoveStore
    kernels: ModuleType
    steps: tuple[int, ...]
    """What each direction adds to the number of a bit, and then the opposite ones."""
    floor: int
    """The floor as bits."""
    side: int

    def boxes(self, index: int, at: int) -> list[int]:
        """Return the box sets (bits) from a state, a box set and the bit of the player's cell, back to the end of the side."""
        found = [self.store.boxes(index)]
        depth = self.depth(index, at)
        while True:
            # the last arrival on a shortest way to here; the walk from it is made again by the plan
            walked, came = self._walked(index, at), self.store.arrived(self.side, index)
            at, depth = next((cell, when) for cell, when in came if cell in walked and when + walked[cell] == depth)
            if depth == 0:
                return found
            index, at = self._before(self.store.boxes(index), at, depth)
            depth -= 1
            found.append(self.store.boxes(index))

    def depth(self, index: int, at: int) -> int:
        """Return in which layer a state is, -1 if the player was never there."""
        walked = self._walked(index, at)
        ways = [when + walked[cell] for cell, when in self.store.arrived(self.side, index) if cell in walked]
        return min(ways, default=-1)

    def _walked(self, index: int, at: int) -> dict[int, int]:
        """Return the steps from each cell that the player can reach among the boxes of a set."""
        free = self.floor & ~self.store.boxes(index)
        return spread([at], lambda cell: (to for step in self.steps if (to := cell + step) >= 0 and free >> to & 1))

    def _before(self, boxes: int, at: int, depth: int) -> tuple[int, int]:
        """Return the state from which the push (pull) that ended with the player at ``at`` was made."""
        sets, table = self.store.layers.sets, self.store.layers.table
        for step in self.steps:
            # a push ends with the box before the player, a pull with the box behind
            box, was = (at + step, at) if self.side == 0 else (at - step, at - 2 * step)
            if min(box, was, at - step) < 0 or not boxes >> box & 1:
                continue
            before = boxes & ~(1 << box) | 1 << was
            if not (self.floor & ~before) >> (at - step) & 1:
                continue  # within a wall, or on a box
            index = int(self.kernels.number(sets, table, np.array(words_of(before), np.uint64)))
            if index >= 0 and self.depth(index, at - step) == depth - 1:
                return index, at - step
        raise AssertionError("a state of a layer comes from the layer before")


def bits_of(words: U8) -> int:
    """Return the two words of a board as one number."""
    return int(words[0]) | int(words[1]) << 64
