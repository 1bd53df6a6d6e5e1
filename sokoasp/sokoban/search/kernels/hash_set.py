"""Sets of states by open addressing with linear probing, compiled: of packed states, and of 64-bit hashes alone."""

from __future__ import annotations

import numpy as np

from sokoasp.core.kernels import kernel
from sokoasp.core.kernels.arrays import I4, I8, U8, U8x2
from sokoasp.sokoban.search.kernels.primitives import INF
from sokoasp.sokoban.search.model.records import States

SEED = np.uint64(0x9E3779B97F4A7C15)
"""What a hash begins with."""


@kernel("u8(u8, u8)")
def mix(mixed: np.uint64, word: np.uint64) -> np.uint64:
    """Mix one more word into a hash, by two xor-shifts and a multiplication (as the finalisers of MurmurHash3 and rrmxmx do)."""
    mixed ^= word
    mixed ^= mixed >> np.uint64(32)
    mixed *= np.uint64(0xD6E8FEB86659FD93)
    return mixed ^ (mixed >> np.uint64(29))


@kernel("i8(u8[::1], i8, i8)")
def home(key: U8, words: int, mask: int) -> int:
    """Return the slot where the search for a key begins in a table of ``mask + 1`` slots."""
    mixed = SEED
    for w in range(words):
        mixed = mix(mixed, key[w])
    return int(np.int64(mixed >> np.uint64(1))) & mask


@kernel("i8(u8[::1], i8, u8[:,::1], i4[::1])")
def find(key: U8, words: int, keys: U8x2, slots: I4) -> int:
    """Return the slot of a key: it holds the state's number, or -1 where the state would go. Keys are compared in full."""
    mask = len(slots) - 1
    slot = home(key, words, mask)
    while True:
        index = slots[slot]
        if index < 0:
            return slot
        same = True
        for w in range(words):
            if keys[index, w] != key[w]:
                same = False
                break
        if same:
            return slot
        slot = (slot + 1) & mask


@kernel("void(u8[:,::1], i8, i8, i4[::1], u8[::1])")
def rehash(keys: U8x2, count: int, words: int, slots: I4, key: U8) -> None:
    """Enter all stored states into an empty table."""
    for index in range(count):
        for w in range(words):
            key[w] = keys[index, w]
        slots[find(key, words, keys, slots)] = index


@kernel("i8(i8, i8, i8, States, States, u8[::1], i8[::1])")
def meet(first: int, last: int, words: int, ours: States, theirs: States, key: U8, found: I8) -> int:
    """Look our states ``first`` to ``last`` up in another search.

    Returns:
        The least joint cost, INF if none is known there; ``found`` gets the two numbers of that state.
    """
    best = INF
    for index in range(first, last):
        for w in range(words):
            key[w] = ours.keys[index, w]
        other = theirs.slots[find(key, words, theirs.keys, theirs.slots)]
        if other >= 0 and int(ours.spent[index]) + int(theirs.spent[other]) < best:
            best = int(ours.spent[index]) + int(theirs.spent[other])
            found[0] = index
            found[1] = other
    return best


@kernel("i8(i8[::1], i8)")
def slot_of(table: I8, key: int) -> int:
    """Return the slot of a state, or the empty one where it would go (open addressing; 0 is an empty slot)."""
    mask = len(table) - 1
    slot = key & mask
    while table[slot] != 0 and table[slot] != key:
        slot = (slot + 1) & mask
    return slot


@kernel("b1(i8[::1], i8)")
def known(table: I8, key: int) -> bool:
    """Return whether a state was entered."""
    return bool(table[slot_of(table, key)] != 0)


@kernel("void(i8[::1], i8)")
def remember(table: I8, key: int) -> None:
    """Enter a state; the caller keeps the table at most half full."""
    table[slot_of(table, key)] = key


@kernel("void(i8[::1], i8[::1])")
def refill(old: I8, table: I8) -> None:
    """Enter all of a table into a larger one."""
    for i in range(len(old)):
        if old[i] != 0:
            remember(table, old[i])
