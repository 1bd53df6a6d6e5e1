"""Where the states of one search live: packed keys, costs, links, hash table, buckets; grown within a memory limit."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import ModuleType

import numpy as np

from sokoasp.sokoban.search.model.records import States

FIRST_STATES = 1 << 12
BUCKETS = 1 << 10
MOST_STATES = (1 << 31) - 1


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
        keys, pairs = (np.zeros((rows, self.words), dtype=np.uint64) for rows in (self.capacity, 0))
        spent, ahead = (np.zeros(self.capacity, dtype=np.int16) for _ in range(2))
        came, bucket_of, following, previous = (np.zeros(self.capacity, dtype=np.int32) for _ in range(4))
        slots, head = (np.full(size, -1, dtype=np.int32) for size in (_slots(self.capacity), BUCKETS))
        self.states = States(keys, spent, ahead, came, bucket_of, following, previous, slots, head, pairs)

    @property
    def bytes_per_state(self) -> int:
        """Return the bytes of the state arrays alone."""
        return 8 * self.words + 20

    def grow(self, kernels: ModuleType, count: int, room: int, spare_bytes: float) -> bool:
        """Make place for ``room`` more states.

        The state arrays are enlarged where they are; a table that is too small is thrown away first and filled again from the
        keys, so that old and new never stand side by side.

        Args:
            kernels: The module of the ``rehash`` kernel.
            count: States in use.
            room: States that must fit in besides.
            spare_bytes: How much more memory may be used.

        Returns:
            False if it does not fit into ``spare_bytes``; nothing is changed then.
        """
        need, s = count + room, self.states
        wanted = min(max(need, self.capacity + self.capacity // 2), MOST_STATES)
        for capacity in (wanted, max(need, self.capacity + self.capacity // 8)):
            slots = _slots(capacity)
            more = (capacity - self.capacity) * self.bytes_per_state + 4 * slots - s.slots.nbytes
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
