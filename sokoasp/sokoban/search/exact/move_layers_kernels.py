"""Breadth-first search by moves, compiled: a box set is stored once, the player's cells are bits, and one shift walks them all.

A layer is a list of box sets, each with the cells where the player is new. A cell is new once, so each push of a box set is made
once for all the ways the player has to it (symbolic search of the player's part alone).
"""

from __future__ import annotations

import numpy as np

from sokoasp.core.kernels import kernel
from sokoasp.core.kernels.arrays import I4, U8, U8x2
from sokoasp.sokoban.search.exact.bitboard_kernels import (
    DIRECTIONS,
    ONE,
    ZERO,
    around,
    frozen_boxes,
    lowest,
    steps_into,
)
from sokoasp.sokoban.search.kernels.hash_set import SEED, mix
from sokoasp.sokoban.search.model.records import Bitboard, LayerRegisters, MoveLayers

Word = np.uint64

BATCH = 16
"""Entries whose children are looked up together."""
LAST, ARRIVAL = 6, 7
"""Columns of ``MoveLayers.sets``."""
HALF, LOW = np.uint64(32), np.uint64((1 << 32) - 1)
CELL, DEPTH = np.uint64(32), np.uint64(40)
"""Where an arrival has the player's cell and the depth."""


@kernel("i8(u8, u8, i8)")
def home(first: Word, second: Word, mask: int) -> int:
    """Return the slot where the search for a box set begins in a table of ``mask + 1`` slots."""
    return int(np.int64(mix(mix(SEED, first), second) >> ONE)) & mask


@kernel("i8(u8[:,::1], i4[::1], u8, u8, i8)")
def find(sets: U8x2, table: I4, first: Word, second: Word, slot: int) -> int:
    """Return the slot of a box set, or the empty one where it would go, from the one on where the search for it begins."""
    mask = len(table) - 1
    while True:
        index = table[slot]
        if index < 0 or (sets[index, 0] == first and sets[index, 1] == second):
            return slot
        slot = (slot + 1) & mask


@kernel("i8(u8[:,::1], i4[::1], u8[::1])")
def number(sets: U8x2, table: I4, key: U8) -> int:
    """Return the number of a stored box set, -1 if it is not stored."""
    return int(table[find(sets, table, key[0], key[1], home(key[0], key[1], len(table) - 1))])


@kernel("void(u8[:,::1], i8, i4[::1])")
def rehash(sets: U8x2, count: int, table: I4) -> None:
    """Enter all stored box sets into an empty table."""
    for index in range(count):
        first, second = sets[index, 0], sets[index, 1]
        table[find(sets, table, first, second, home(first, second, len(table) - 1))] = index


@kernel("void(LayerRegisters, MoveLayers, i8, u8, u8)")
def note(r: LayerRegisters, w: MoveLayers, index: int, new: Word, new2: Word) -> None:
    """Let the side in hand have the player on new cells of a box set, and see whether the other side knows one of them."""
    sets, following, side = w.sets, w.following, r.side
    sets[index, 2 + 2 * side] |= new
    sets[index, 3 + 2 * side] |= new2
    known, known2 = new & sets[index, 4 - 2 * side], new2 & sets[index, 5 - 2 * side]
    if (known | known2) and r.meet < 0:
        r.meet = index
        at = 0
        while ((known2 >> np.uint64(at - 64)) if at > 63 else (known >> np.uint64(at))) & ONE == ZERO:
            at += 1
        r.meet_at = at
    # a box set has one entry in a layer, whatever leads to it
    half = HALF * np.uint64(side)
    at = int(np.int64((sets[index, LAST] >> half) & LOW))
    if at >= r.made or following[at, 0] != np.uint64(index):
        at = r.made
        r.made = at + 1
        following[at, 0], following[at, 1], following[at, 2] = np.uint64(index), ZERO, ZERO
        sets[index, LAST] = (sets[index, LAST] & ~(LOW << half)) | (np.uint64(at) << half)
    following[at, 1] |= new
    following[at, 2] |= new2


@kernel("void(LayerRegisters, MoveLayers, i8, u8, u8, i8)")
def arrive(r: LayerRegisters, w: MoveLayers, index: int, bit: Word, bit2: Word, at: int) -> None:
    """Note that a push (pull) has led to a box set with the player on a new cell: the way back goes by these notes."""
    half = HALF * np.uint64(r.side)
    before = (w.sets[index, ARRIVAL] >> half) & LOW
    w.arrivals[r.arrived] = before | (np.uint64(at) << CELL) | (np.uint64(r.depth) << DEPTH)
    r.arrived += 1
    w.sets[index, ARRIVAL] = (w.sets[index, ARRIVAL] & ~(LOW << half)) | (np.uint64(r.arrived) << half)
    note(r, w, index, bit, bit2)


@kernel("void(LayerRegisters, Bitboard, MoveLayers, i8)")
def walk(r: LayerRegisters, b: Bitboard, w: MoveLayers, entry: int) -> None:
    """Let all players of an entry of the front walk one step."""
    index, player, player2 = int(np.int64(w.front[entry, 0])), w.front[entry, 1], w.front[entry, 2]
    column = 2 + 2 * r.side
    new, new2 = around(player, player2, np.uint64(r.span))
    new &= b.floor[0] & ~w.sets[index, 0] & ~w.sets[index, column]
    new2 &= b.floor[1] & ~w.sets[index, 1] & ~w.sets[index, column + 1]
    if new | new2:
        note(r, w, index, new, new2)


@kernel("i8(LayerRegisters, Bitboard, MoveLayers, i8, i8)")
def children(r: LayerRegisters, b: Bitboard, w: MoveLayers, entry: int, found: int) -> int:
    """Write all box sets one push (pull) after an entry of the front, from ``found`` on; return where they end."""
    reverse, width, out, bits = r.side, np.uint64(r.span), w.out, b.bits
    index, freeze = np.int64(w.front[entry, 0]), r.freeze and not reverse
    box, box2, player, player2 = w.sets[index, 0], w.sets[index, 1], w.front[entry, 1], w.front[entry, 2]
    free, free2 = b.floor[0] & ~box, b.floor[1] & ~box2
    may, may2 = b.live[0] & free, b.live[1] & free2
    for d in range(DIRECTIONS):
        # Step 1. All boxes that can be moved in this direction: the player is behind, or before and can step back
        step = 1 if d < 2 else r.span
        step = -step if d & 1 else step
        near, near2 = steps_into(free, free2, d, width) if reverse else steps_into(player, player2, d ^ 1, width)
        to, to2 = (player & may & near, player2 & may2 & near2) if reverse else (may, may2)
        moved, moved2 = steps_into(to, to2, d, width)
        moved, moved2 = (moved & box, moved2 & box2) if reverse else (moved & box & near, moved2 & box2 & near2)
        while moved | moved2:
            was = lowest(moved, moved2, b.bit_of)
            moved, moved2 = moved & ~bits[was, 0], moved2 & ~bits[was, 1]
            at = was + step
            now, now2 = (box & ~bits[was, 0]) | bits[at, 0], (box2 & ~bits[was, 1]) | bits[at, 1]
            # Step 2. Forward: is a box off goal frozen now?
            if not freeze or not frozen_boxes(now, now2, bits[at, 0], bits[at, 1], b, width):
                out[found, 0], out[found, 1] = now, now2
                out[found, 2] = np.uint64(at + step if reverse else was)
                found += 1
    return int(found)


@kernel("void(LayerRegisters, Bitboard, MoveLayers, i8)")
def enter(r: LayerRegisters, b: Bitboard, w: MoveLayers, found: int) -> None:
    """Look up the first ``found`` children of ``out`` together, and note those that are new."""
    sets, table, out, slots, side = w.sets, w.table, w.out, w.slots, r.side
    # Step 1. Where the table is asked, then the box sets that stand there: cache misses of many overlap
    seen = ZERO
    for x in range(found):
        slots[x] = home(out[x, 0], out[x, 1], len(table) - 1)
        seen ^= np.uint64(table[slots[x]] + 1)
    for x in range(found):
        seen ^= sets[max(table[slots[x]], 0), 0]
    r.fetched = int(np.int64(seen >> ONE))
    for x in range(found):
        # Step 2. The box set, a new one if nobody knows it
        slot = find(sets, table, out[x, 0], out[x, 1], slots[x])
        index = int(np.int64(table[slot]))
        if index < 0:
            index = r.sets
            table[slot] = index
            r.sets = index + 1
            sets[index, 0], sets[index, 1] = out[x, 0], out[x, 1]
            for column in range(2, 8):
                sets[index, column] = ZERO
        # Step 3. The player's cell, if it is new to this side
        at = np.int64(out[x, 2])
        bit, bit2 = b.bits[at, 0], b.bits[at, 1]
        if (bit & sets[index, 2 + 2 * side]) | (bit2 & sets[index, 3 + 2 * side]) == ZERO:
            arrive(r, w, int(index), bit, bit2, int(at))


@kernel("i8(LayerRegisters, Bitboard, MoveLayers, i8)")
def deepen(r: LayerRegisters, b: Bitboard, w: MoveLayers, quota: int) -> int:
    """Expand up to ``quota`` entries of the front and stop at the first state that the other side knows.

    Returns:
        0 when the layer is done, the quota used up or a state met, 1 when an array is full.
    """
    while quota > 0 and r.next < r.end and r.meet < 0:
        room = r.room
        full = r.sets + room > len(w.sets) or 2 * (r.sets + room) > len(w.table)
        if full or r.made + room + BATCH > len(w.following) or r.arrived + room > len(w.arrivals):
            return 1
        last, found = min(r.end, r.next + BATCH), 0
        for entry in range(r.next, last):
            walk(r, b, w, entry)
            found = children(r, b, w, entry, found)
        quota -= last - r.next
        r.next = last
        r.generated += found
        enter(r, b, w, found)
    return 0
