"""Where the states of one search live: packed keys, costs, links, hash table, buckets; grown within a memory limit."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np

from sokoasp.sokoban.search.model.records import States

if TYPE_CHECKING:
    import numpy.typing as npt

FIRST_STATES = 1 << 12
BUCKETS = 1 << 10
MOST_STATES = (1 << 31) - 1


@dataclass(slots=True)
class StateStore:
    """Packed states in the order they were met, an open-addressing table of twice that length, and what A* knows of them."""

    words: int
    """64-bit words of a key."""
    capacity: int = FIRST_STATES
    keys: npt.NDArray[np.uint64] = field(init=False)
    slots: npt.NDArray[np.int32] = field(init=False)
    spent: npt.NDArray[np.int16] = field(init=False)
    """Cost from the start (g)."""
    ahead: npt.NDArray[np.int16] = field(init=False)
    """Lower bound on the cost still to come (h)."""
    came: npt.NDArray[np.int32] = field(init=False)
    """Number of the state it was reached from, -1 for a start."""
    bucket: npt.NDArray[np.int32] = field(init=False)
    following: npt.NDArray[np.int32] = field(init=False)
    previous: npt.NDArray[np.int32] = field(init=False)
    head: npt.NDArray[np.int32] = field(init=False)
    plan: npt.NDArray[np.uint64] = field(init=False)
    """The boxes of the states of a plan near which the search stays, if it does."""

    def __post_init__(self) -> None:
        """Allocate the arrays."""
        self.keys = np.zeros((self.capacity, self.words), dtype=np.uint64)
        self.slots = np.full(_slots(self.capacity), -1, dtype=np.int32)
        self.spent = np.zeros(self.capacity, dtype=np.int16)
        self.ahead = np.zeros(self.capacity, dtype=np.int16)
        self.came = np.zeros(self.capacity, dtype=np.int32)
        self.bucket = np.zeros(self.capacity, dtype=np.int32)
        self.following = np.zeros(self.capacity, dtype=np.int32)
        self.previous = np.zeros(self.capacity, dtype=np.int32)
        self.head = np.full(BUCKETS, -1, dtype=np.int32)
        self.plan = np.zeros((0, self.words), dtype=np.uint64)

    @property
    def bytes_per_state(self) -> int:
        """Return the bytes of the state arrays alone."""
        return 8 * self.words + 20

    def bytes(self) -> int:
        """Return the bytes of all arrays."""
        return self.capacity * self.bytes_per_state + self.slots.nbytes + self.head.nbytes

    def states(self) -> States:
        """Return the arrays as the kernels take them; they are others after :meth:`grow` and :meth:`widen`."""
        links = (self.bucket, self.following, self.previous)
        return States(self.keys, self.spent, self.ahead, self.came, *links, self.slots, self.head, self.plan)

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
        need = count + room
        wanted = min(max(need, self.capacity + self.capacity // 2), MOST_STATES)
        for capacity in (wanted, max(need, self.capacity + self.capacity // 8)):
            slots = _slots(capacity)
            more = (capacity - self.capacity) * self.bytes_per_state + 4 * slots - self.slots.nbytes
            if more <= spare_bytes and need <= capacity:
                break
        else:
            return False
        if slots == len(self.slots):
            self._resize(capacity)
            return True
        self.slots = np.empty(0, dtype=np.int32)
        self._resize(capacity)
        self.slots = np.full(slots, -1, dtype=np.int32)
        kernels.rehash(self.keys, count, self.words, self.slots, np.zeros(self.words, dtype=np.uint64))
        return True

    def _resize(self, capacity: int) -> None:
        # resize in place lets the C library move pages instead of copying them
        self.keys.resize((capacity, self.words), refcheck=False)
        self.capacity = capacity
        for array in (self.spent, self.ahead, self.came, self.bucket, self.following, self.previous):
            array.resize(capacity, refcheck=False)

    def widen(self) -> None:
        """Double the number of buckets."""
        self.head = np.concatenate([self.head, np.full(len(self.head), -1, dtype=np.int32)])


def _slots(capacity: int) -> int:
    return 1 << (2 * capacity - 1).bit_length()
