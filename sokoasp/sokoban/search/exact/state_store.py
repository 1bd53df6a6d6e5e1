"""Where the states of a search live: packed keys, costs, links, hash tables, buckets; grown within a memory limit."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import ModuleType

import numpy as np

from sokoasp.core.kernels.arrays import U8
from sokoasp.sokoban.search.model.records import Layers, States

FIRST_STATES = 1 << 12
BUCKETS = 1 << 10
MOST_STATES = (1 << 31) - 1
FIRST_KEYS, FIRST_SLOTS, AT_ONCE = 1 << 14, 1 << 17, 64
"""Of search in layers: states and slots of the table at first, and states that are entered together when it grows."""
FULL = 0.7
"""Part of the table of layers that may be taken."""


@dataclass(slots=True)
class StateStore:
    """Packed states in the order they were met, an open-addressing table of twice that length, and what A* knows of them."""

    words: int
    """64-bit words of a key."""
    capacity: int = FIRST_STATES
    states: States = field(init=False)
    """Its arrays as the kernels take them; they are others after :meth:`grow` and :meth:`widen`."""

    def __post_init__(self) -> None:
        """Allocate the arrays."""
        keys = np.zeros((self.capacity, self.words), dtype=np.uint64)
        spent, ahead = (np.zeros(self.capacity, dtype=np.int16) for _ in range(2))
        came, bucket_of, following, previous = (np.zeros(self.capacity, dtype=np.int32) for _ in range(4))
        slots, head = (np.full(size, -1, dtype=np.int32) for size in (_slots(self.capacity), BUCKETS))
        self.states = States(keys, spent, ahead, came, bucket_of, following, previous, slots, head)

    def grow(self, kernels: ModuleType, count: int, room: int, spare_bytes: float) -> bool:
        """Make place for ``room`` more states beside the ``count`` in use; return False, and change nothing, if it does not fit.

        The state arrays are enlarged where they are; a table that is too small is thrown away first and filled again from the
        keys, so that old and new never stand side by side. At most ``spare_bytes`` more memory is used.
        """
        need, s = count + room, self.states
        wanted = min(max(need, self.capacity + self.capacity // 2), MOST_STATES)
        for capacity in (wanted, max(need, self.capacity + self.capacity // 8)):
            slots = _slots(capacity)
            more = (capacity - self.capacity) * (8 * self.words + 20) + 4 * slots - s.slots.nbytes
            if more <= spare_bytes and need <= capacity:
                break
        else:
            return False
        if slots == len(s.slots):
            self._resize(capacity)
            return True
        self.states = s = s._replace(slots=np.empty(0, dtype=np.int32))
        self._resize(capacity)
        self.states = s = s._replace(slots=np.full(slots, -1, dtype=np.int32))
        kernels.rehash(s.keys, count, self.words, s.slots, np.zeros(self.words, dtype=np.uint64))
        return True

    def _resize(self, capacity: int) -> None:
        # resize in place lets the C library move pages instead of copying them
        s, self.capacity = self.states, capacity
        s.keys.resize((capacity, self.words), refcheck=False)
        for array in (s.spent, s.ahead, s.came, s.bucket_of, s.following, s.previous):
            array.resize(capacity, refcheck=False)

    def widen(self) -> None:
        """Double the number of buckets."""
        head = self.states.head
        self.states = self.states._replace(head=np.concatenate([head, np.full(len(head), -1, dtype=np.int32)]))


def _slots(capacity: int) -> int:
    return 1 << (2 * capacity - 1).bit_length()


class LayerStore:
    """The keys of both sides of breadth-first search, and a table that holds keys, not numbers: one look answers for both."""

    __slots__ = ("keys", "prices", "table", "words")

    def __init__(self, words: int, room: int) -> None:
        """Allocate the arrays: ``words`` of 64 bits a key, ``room`` the most states that are entered at once."""
        self.words = words
        self.keys = [np.zeros((max(FIRST_KEYS, 2 * room), words), np.uint64) for _ in range(2)]
        self.prices = [np.zeros(1, np.int32) for _ in range(2)]
        """Of each side: see ``Layers``; not read before there is a cutoff."""
        slots = FIRST_SLOTS
        while FULL * slots < 2 * room:
            slots *= 2
        self.table: U8 = np.zeros((slots, words), np.uint64)

    def layers(self, side: int) -> Layers:
        """Return the arrays as the kernels take them; they are others after :meth:`grow`."""
        return Layers(self.keys[side], self.table, self.prices[side])

    def room(self, counts: tuple[int, int]) -> int:
        """Return for how many more states the table has room."""
        return int(FULL * len(self.table)) - sum(counts)

    def grow(self, kernels: ModuleType, counts: tuple[int, int], side: int, room: int, spare_bytes: float) -> bool:
        """Make place for ``room`` more states of a side; return False, with nothing changed, beyond ``spare_bytes``.

        A table that is too small is thrown away first and filled again from the keys: old and new never stand side by side.
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
