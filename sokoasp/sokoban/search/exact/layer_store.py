"""Where the states of breadth-first search from both ends live: each side's in the order they were met, and a table of all."""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np

from sokoasp.sokoban.search.model.records import Layers

if TYPE_CHECKING:
    import numpy.typing as npt

FIRST_STATES, FIRST_SLOTS, AT_ONCE = 1 << 14, 1 << 17, 64
FULL = 0.7
"""Part of the table that may be taken."""


class LayerStore:
    """The keys of both sides, and an open-addressing table that holds keys, not numbers: one look answers for both."""

    __slots__ = ("keys", "prices", "table", "words")

    def __init__(self, words: int, room: int) -> None:
        """Allocate the arrays: ``words`` of 64 bits a key, ``room`` the most states that are entered at once."""
        self.words = words
        self.keys = [np.zeros((max(FIRST_STATES, 2 * room), words), np.uint64) for _ in range(2)]
        self.prices = [np.zeros(1, np.int32) for _ in range(2)]
        """Of each side: see ``Layers``; not read before there is a cutoff."""
        slots = FIRST_SLOTS
        while FULL * slots < 2 * room:
            slots *= 2
        self.table: npt.NDArray[np.uint64] = np.zeros((slots, words), np.uint64)

    def layers(self, side: int) -> Layers:
        """Return the arrays as the kernels take them; they are others after :meth:`grow`."""
        return Layers(self.keys[side], self.table, self.prices[side])

    def room(self, counts: tuple[int, int]) -> int:
        """Return for how many more states the table has room."""
        return int(FULL * len(self.table)) - sum(counts)

    def grow(self, kernels: ModuleType, counts: tuple[int, int], side: int, room: int, spare_bytes: float) -> bool:
        """Make place for ``room`` more states of a side.

        A table that is too small is thrown away first and filled again from the keys: old and new never stand side by side.

        Args:
            kernels: The module of the ``refill`` kernel.
            counts: States in use.
            side: Whose keys get longer.
            room: States that must fit in besides.
            spare_bytes: How much more memory may be used.

        Returns:
            False if it does not fit into ``spare_bytes``; nothing is changed then.
        """
        keys, slots, row = self.keys[side], len(self.table), 8 * self.words
        need = counts[side] + room
        while FULL * slots < sum(counts) + room:
            slots *= 2
        least = max(need, len(keys))
        for capacity in (max(need, len(keys) * 3 // 2) if need > len(keys) else least, least):
            if (capacity - len(keys) + slots - len(self.table)) * row <= spare_bytes:
                break
        else:
            return False
        if capacity > len(keys):
            # resize in place lets the C library move pages instead of copying them
            keys.resize((capacity, self.words), refcheck=False)
        if slots > len(self.table):
            self.table = np.empty((0, self.words), np.uint64)
            # numpy asks for large pages where it need not ask for zeros
            self.table = np.empty((slots, self.words), np.uint64)
            self.table[:] = 0
            for number in range(2):
                self.enter(kernels, number, counts[number])
        return True

    def enter(self, kernels: ModuleType, side: int, count: int) -> None:
        """Enter the first states of a side into the table."""
        key, slots = np.zeros(self.words, np.uint64), np.zeros(AT_ONCE, np.int64)
        kernels.refill(self.keys[side], count, self.words, side, self.table, key, slots)
