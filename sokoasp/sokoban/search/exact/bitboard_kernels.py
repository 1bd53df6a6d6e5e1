"""Boards of at most 128 bits, compiled: pushes, pulls and the player's region by shifts of two words.

A cell is a bit, and a step in one direction is the same number of bits everywhere (``bitboard``), so one shift moves all boxes,
or the whole edge of a flood. The second word of a pair has a name that ends in 2 (but for ``rest``, the second of ``free``).
"""

from __future__ import annotations

import numpy as np

from sokoasp.core.kernels import kernel
from sokoasp.core.kernels.arrays import I4, U8, U8x2
from sokoasp.sokoban.search.kernels.primitives import BOXES, PLAYER
from sokoasp.sokoban.search.model.records import Bitboard, SideRegisters

Word = np.uint64

ZERO, ONE, THREE_BITS, BYTE = np.uint64(0), np.uint64(1), np.uint64(7), np.uint64(255)
WORD, SIDE, BOARD = np.uint64(64), np.uint64(63), 128
DE_BRUIJN = np.uint64(0x03F79D71B4CB0A89)
"""Times a power of two it has another number in its top six bits for each of the 64 (Leiserson, Prokop, Randall 1998)."""
DIRECTIONS = 4
"""One bit up, one down, a row up, a row down: an even number goes up."""


@kernel("i8(u8, u8, i4[::1])")
def lowest(first: Word, second: Word, bit_of: I4) -> int:
    """Return the number of the lowest bit that is set; there must be one."""
    word = first if first else second
    found = bit_of[np.int64(((word & (~word + ONE)) * DE_BRUIJN) >> np.uint64(58))]
    return int(found) if first else int(found) + 64


@kernel("u8(u8, u8, i8)")
def three(first: Word, second: Word, at: int) -> Word:
    """Return bits ``at`` to ``at + 2``; bits outside the board are 0."""
    if at < 0:
        return (first << np.uint64(-at)) & THREE_BITS if at > -3 else ZERO
    if at < 64:
        return ((first >> np.uint64(at)) | ((second << ONE) << np.uint64(63 - at))) & THREE_BITS
    return (second >> np.uint64(at - 64)) & THREE_BITS if at < 128 else ZERO


@kernel("UniTuple(u8, 2)(u8, u8, i8, u8)")
def steps_into(first: Word, second: Word, d: int, span: Word) -> tuple[Word, Word]:
    """Return the cells from which a step in a direction leads to one of these."""
    shift = ONE if d < 2 else span
    back = WORD - shift
    if d & 1:
        return first << shift, (second << shift) | (first >> back)
    return (first >> shift) | (second << back), second >> shift


@kernel("UniTuple(u8, 2)(u8, u8, u8, i8, u8, Bitboard)")
def enters(first: Word, second: Word, pools: Word, d: int, span: Word, b: Bitboard) -> tuple[Word, Word]:
    """Return the cells from which a step in a direction leads into an area or one of its pools."""
    first, second = steps_into(first, second, d, span)
    for x in range(len(b.pool)):
        if (pools >> np.uint64(x)) & ONE:
            first, second = first | b.facing[DIRECTIONS * x + d, 0], second | b.facing[DIRECTIONS * x + d, 1]
    return first, second


@kernel("UniTuple(u8, 2)(u8, u8, u8)")
def around(first: Word, second: Word, span: Word) -> tuple[Word, Word]:
    """Return the cells beside these, in all directions."""
    one = (first << ONE) | (first >> ONE) | (second << SIDE) | (first << span) | (first >> span)
    two = (second << ONE) | (second >> ONE) | (first >> SIDE) | (second << span) | (second >> span)
    return one | (second << (WORD - span)), two | (first >> (WORD - span))


@kernel("void(u8, u8, u8, u8, u8, u8, Bitboard)")
def flood(first: Word, second: Word, free: Word, rest: Word, span: Word, pools: Word, b: Bitboard) -> None:
    """Let an area grow within the free cells and through pools until it is whole; write it and its pools to ``area``."""
    back, area, shore = WORD - span, b.area, b.shore
    while True:
        one = (first | (first << ONE) | (first >> ONE) | (second << np.uint64(63))) & free
        two = (second | (second << ONE) | (second >> ONE) | (first >> np.uint64(63))) & rest
        more = (one | (one << span) | (one >> span) | (two << back)) & free
        two = (two | (two << span) | (two >> span) | (one >> back)) & rest
        if more == first and two == second:
            for x in range(len(shore)):
                if (pools >> np.uint64(x)) & ONE == ZERO and (more & shore[x, 0]) | (two & shore[x, 1]):
                    pools |= ONE << np.uint64(x)
                    first, second = first | (shore[x, 0] & free), second | (shore[x, 1] & rest)
            if more == first and two == second:
                area[0], area[1], area[2] = more, two, pools
                return
        else:
            first, second = more, two


@kernel("void(u8[:,::1], i8, i8, u8[:,::1], u8[::1])")
def boxes(keys: U8x2, index: int, words: int, spread: U8x2, area: U8) -> None:
    """Write the boxes of a stored state to ``area``, by a table of what each byte of its key says."""
    first, second, row = ZERO, ZERO, 0
    for w in range(words):
        last = w == words - 1
        rest = keys[index, w] & BOXES if last else keys[index, w]
        for _ in range(6 if last else 8):
            at = row + np.int64(rest & BYTE)
            first, second = first | spread[at, 0], second | spread[at, 1]
            rest >>= np.uint64(8)
            row += 256
    area[0], area[1] = first, second


@kernel("void(i8, u8, u8, u8, Bitboard)")
def flood_from(player: int, free: Word, rest: Word, span: Word, b: Bitboard) -> None:
    """Write the region of a player, on a bit or in a pool (``Bitboard.place``), to ``area``."""
    if player < BOARD:
        flood(b.bits[player, 0], b.bits[player, 1], free, rest, span, ZERO, b)
    else:
        pool = player - BOARD
        flood(b.shore[pool, 0] & free, b.shore[pool, 1] & rest, free, rest, span, ONE << np.uint64(pool), b)


@kernel("b1(u8, u8, u8, u8, Bitboard, u8)")
def frozen_boxes(box: Word, box2: Word, taken: Word, taken2: Word, b: Bitboard, span: Word) -> bool:
    """Return whether a box off goal can never move again, given that one was just moved to ``taken`` (``freeze.frozen``)."""
    faced, ends = b.faced, b.ends
    while True:
        # a greatest fixed point: a box between two free cells, one of them live, is taken out, until there is none
        free, free2 = b.floor[0] & ~box, b.floor[1] & ~box2
        up, up2 = steps_into(free, free2, 0, span)
        down, down2 = steps_into(free, free2, 1, span)
        ahead, ahead2 = steps_into(free, free2, 2, span)
        behind, behind2 = steps_into(free, free2, 3, span)
        # a cell of a pool is always free
        goes = (up | faced[0, 0]) & (down | faced[1, 0]) & ends[0, 0]
        goes2 = (up2 | faced[0, 1]) & (down2 | faced[1, 1]) & ends[0, 1]
        goes |= (ahead | faced[2, 0]) & (behind | faced[3, 0]) & ends[2, 0]
        goes2 |= (ahead2 | faced[2, 1]) & (behind2 | faced[3, 1]) & ends[2, 1]
        if (goes & taken) | (goes2 & taken2):
            return False
        still, still2 = box & ~goes, box2 & ~goes2
        if still == box and still2 == box2:
            return bool((box & ~b.goals[0]) | (box2 & ~b.goals[1]))
        box, box2 = still, still2


@kernel("b1(u8, u8, i8, i8, u8, Bitboard)")
def hangs_together(first: Word, second: Word, at: int, span: int, pools: Word, b: Bitboard) -> bool:
    """Return whether the cells of an area and its pools that are beside a bit hang together around it."""
    nine = three(first, second, at - span - 1) | (three(first, second, at - 1) << np.uint64(3))
    nine |= three(first, second, at + span - 1) << np.uint64(6)
    for place in range(9 if pools else 0):
        x = b.around[at, place]
        if x >= 0 and (pools >> np.uint64(x)) & ONE:
            nine |= ONE << np.uint64(place)
    return bool(b.cut[np.int64(nine)] == 0)


@kernel("i8(u8, u8, u8, Bitboard)")
def name_of(first: Word, second: Word, pools: Word, b: Bitboard) -> int:
    """Return the cell that names a region: that of its lowest bit, or of its first pool if it is in pools alone."""
    if first | second:
        return int(b.number[lowest(first, second, b.bit_of)])
    return int(b.pool[lowest(pools, ZERO, b.bit_of)])


@kernel("void(u8[:,::1], i8, u8[:,::1], i8, i8, i8, i8, i8)")
def write(out: U8x2, found: int, keys: U8x2, index: int, words: int, old: int, cell: int, player: int) -> None:
    """Write the key of a stored state after a box has moved from one cell to another and the player's region has a new name."""
    last = words - 1
    for w in range(words):
        out[found, w] = keys[index, w]
    out[found, old >> 6] ^= ONE << np.uint64(old & 63)
    out[found, cell >> 6] ^= ONE << np.uint64(cell & 63)
    out[found, last] = (out[found, last] & BOXES) | (np.uint64(player) << PLAYER)


@kernel("i8(SideRegisters, Bitboard, u8[:,::1], i8, i8, u8[:,::1])")
def successors(r: SideRegisters, b: Bitboard, keys: U8x2, first: int, end: int, out: U8x2) -> int:
    """Write the keys of all states one push (pull, line) after those stored from ``first`` to before ``end``; return how many.

    Long: its steps share the words of the state in hand.
    """
    span, words, reverse, area, bits = int(r.span), r.words, r.reverse, b.area, b.bits
    width, freeze, found = np.uint64(span), r.freeze and not reverse, 0
    for index in range(first, end):
        # Step 1. Boxes, floor without boxes and where among it boxes may stand, the player's region
        boxes(keys, index, words, b.spread, area)
        box, box2 = area[0], area[1]
        free, free2 = b.floor[0] & ~box, b.floor[1] & ~box2
        may, may2 = b.live[0] & free, b.live[1] & free2
        flood_from(b.place[np.int64(keys[index, words - 1] >> PLAYER)], free, free2, width, b)
        region, region2, pools = area[0], area[1], area[2]
        for d in range(DIRECTIONS):
            # Step 2. All boxes that can be moved in this direction: the player is beside them, or behind and can step back
            step, toward = (1 - 2 * d, 5 - 2 * d) if d < 2 else (span * (5 - 2 * d), 19 - 6 * d)
            near, near2 = enters(region, region2, pools, d if reverse else d ^ 1, width, b)
            to, to2 = (region & near & may, region2 & near2 & may2) if reverse else (may, may2)
            moved, moved2 = steps_into(to, to2, d, width)
            moved, moved2 = (moved & box, moved2 & box2) if reverse else (moved & box & near, moved2 & box2 & near2)
            while moved | moved2:
                was = lowest(moved, moved2, b.bit_of)
                left, left2, at = bits[was, 0], bits[was, 1], was + step
                moved, moved2 = moved & ~left, moved2 & ~left2
                # Step 3. The cells beside the one that is left are joined to the region, which has that cell now
                near, near2 = around(left, left2, width)
                while True:
                    taken, taken2 = bits[at, 0], bits[at, 1]
                    # Step 4. Forward: is a box off goal frozen now?
                    now, now2 = (box & ~left) | taken, (box2 & ~left2) | taken2
                    if not freeze or not frozen_boxes(now, now2, taken, taken2, b, width):
                        now, now2, walked = region | left, region2 | left2, pools
                        still, still2 = (free | left) & ~taken, (free2 | left2) & ~taken2
                        # Step 5. Do its cells beside the one that is entered hang together around it? Then nothing is cut off
                        cut = (region & taken) | (region2 & taken2)
                        if cut and not hangs_together(now, now2, at, span, pools, b):
                            x = b.around[at, toward] if reverse else -1
                            beside = at + step if reverse else at - step
                            flood_from(BOARD + x if x >= 0 else beside, still, still2, width, b)
                            now, now2, walked = area[0], area[1], area[2]
                        else:
                            now, now2 = now & ~taken, now2 & ~taken2
                            more, more2 = now | (near & still), now2 | (near2 & still2)
                            if more != now or more2 != now2 or b.beside[was] & ~pools:
                                flood(more, more2, still, still2, width, pools, b)
                                more, more2, walked = area[0], area[1], area[2]
                            now, now2 = more, more2
                        name = name_of(now, now2, walked, b)
                        write(out, found, keys, index, words, b.number[was], b.number[at], name)
                        found += 1
                    # Step 6. A line goes on while the next cell (and for pulls the one behind it) is free
                    at += step
                    if not r.lines or three(may, may2, at) & ONE == ZERO:
                        break
                    if reverse and three(free, free2, at + step) & ONE == ZERO and b.around[at, toward] < 0:
                        break
    return int(found)
