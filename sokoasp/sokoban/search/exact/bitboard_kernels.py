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


@kernel("b1(u8, u8, u8, u8, Bitboard, u8)")
def frozen_boxes(box: Word, box2: Word, taken: Word, taken2: Word, b: Bitboard, span: Word) -> bool:
    """Return whether a box off goal can never move again, given that one was just moved to ``taken`` (``freeze.frozen``)."""
    live, live2, back = b.live[0], b.live[1], WORD - span
    ends = (live << ONE) | (live >> ONE) | (live2 << SIDE)
    ends2 = (live2 << ONE) | (live2 >> ONE) | (live >> SIDE)
    rows = (live << span) | (live >> span) | (live2 << back)
    rows2 = (live2 << span) | (live2 >> span) | (live >> back)
    # which have a cell of a pool beside them, which is always free
    up, up2, down, down2 = ZERO, ZERO, ZERO, ZERO
    ahead, ahead2, behind, behind2 = ZERO, ZERO, ZERO, ZERO
    for x in range(0, len(b.facing), DIRECTIONS):
        up, up2, down, down2 = (
            up | b.facing[x, 0],
            up2 | b.facing[x, 1],
            down | b.facing[x + 1, 0],
            down2 | b.facing[x + 1, 1],
        )
        ahead, ahead2 = ahead | b.facing[x + 2, 0], ahead2 | b.facing[x + 2, 1]
        behind, behind2 = behind | b.facing[x + 3, 0], behind2 | b.facing[x + 3, 1]
    while True:
        # a greatest fixed point: a box between two free cells, one of them live, is taken out, until there is none
        free, free2 = b.floor[0] & ~box, b.floor[1] & ~box2
        goes = ((free << ONE) | down) & ((free >> ONE) | (free2 << SIDE) | up) & ends
        goes2 = ((free2 << ONE) | (free >> SIDE) | down2) & ((free2 >> ONE) | up2) & ends2
        goes |= ((free << span) | behind) & ((free >> span) | (free2 << back) | ahead) & rows
        goes2 |= ((free2 << span) | (free >> back) | behind2) & ((free2 >> span) | ahead2) & rows2
        if (goes & taken) | (goes2 & taken2):
            return False
        still, still2 = box & ~goes, box2 & ~goes2
        if still == box and still2 == box2:
            return bool((box & ~b.goals[0]) | (box2 & ~b.goals[1]))
        box, box2 = still, still2


@kernel("i8(SideRegisters, Bitboard, u8[:,::1], i8, i8, u8[:,::1])")
def successors(r: SideRegisters, b: Bitboard, keys: U8x2, first: int, end: int, out: U8x2) -> int:
    """Write the keys of all states one push (pull, line push, line pull) after stored ones; return how many there are.

    Long: all steps share the words of the state in hand, which calls would pass through memory (half as fast).

    Args:
        r: REVERSE for pulls, LINES for lines, FREEZE.
        b: The board.
        keys: The stored states.
        first: The number of the first of these states ...
        end: ... and that behind the last.
        out: (ROOM, words).
    """
    span, words, reverse, area = int(r.span), r.words, r.reverse, b.area
    bits, bit_of, number, width, last = b.bits, b.bit_of, b.number, np.uint64(span), words - 1
    freeze, found = r.freeze and not reverse, 0
    for index in range(first, end):
        # Step 1. Boxes, floor without boxes and where among it boxes may stand, the player's region
        boxes(keys, index, words, b.spread, area)
        box, box2 = area[0], area[1]
        free, free2 = b.floor[0] & ~box, b.floor[1] & ~box2
        may, may2 = b.live[0] & free, b.live[1] & free2
        player = b.place[np.int64(keys[index, last] >> PLAYER)]
        if player < BOARD:
            flood(bits[player, 0], bits[player, 1], free, free2, width, ZERO, b)
        else:
            now, now2 = b.shore[player - BOARD, 0] & free, b.shore[player - BOARD, 1] & free2
            flood(now, now2, free, free2, width, ONE << np.uint64(player - BOARD), b)
        region, region2, pools = area[0], area[1], area[2]
        for d in range(DIRECTIONS):
            # Step 2. All boxes that can be moved in this direction: the player is beside them, or behind and can step back
            shift = ONE if d < 2 else width
            back, step, toward = WORD - shift, 1 if d < 2 else span, 5 if d < 2 else 7
            if d & 1:
                step, toward = -step, toward - 2 if d < 2 else toward - 6
                ahead, ahead2 = region << shift, (region2 << shift) | (region >> back)
                behind, behind2 = (region >> shift) | (region2 << back), region2 >> shift
            else:
                ahead, ahead2 = (region >> shift) | (region2 << back), region2 >> shift
                behind, behind2 = region << shift, (region2 << shift) | (region >> back)
            for x in range(len(b.pool)):
                if (pools >> np.uint64(x)) & ONE:
                    ahead, ahead2 = ahead | b.facing[4 * x + d, 0], ahead2 | b.facing[4 * x + d, 1]
                    behind, behind2 = behind | b.facing[4 * x + (d ^ 1), 0], behind2 | b.facing[4 * x + (d ^ 1), 1]
            to, to2 = (region & ahead & may, region2 & ahead2 & may2) if reverse else (may, may2)
            if d & 1:
                moved, moved2 = box & (to << shift), box2 & ((to2 << shift) | (to >> back))
            else:
                moved, moved2 = box & ((to >> shift) | (to2 << back)), box2 & (to2 >> shift)
            if not reverse:
                moved, moved2 = moved & behind, moved2 & behind2
            while moved | moved2:
                was = lowest(moved, moved2, bit_of)
                left, left2, at, old = bits[was, 0], bits[was, 1], was + step, number[was]
                moved, moved2 = moved & ~left, moved2 & ~left2
                # Step 3. The cells beside the one that is left are joined to the region, which has that cell now
                near = (left << ONE) | (left >> ONE) | (left2 << SIDE) | (left << width) | (left >> width)
                near |= left2 << (WORD - width)
                near2 = (left2 << ONE) | (left2 >> ONE) | (left >> SIDE) | (left2 << width) | (left2 >> width)
                near2 |= left >> (WORD - width)
                while True:
                    taken, taken2 = bits[at, 0], bits[at, 1]
                    # Step 4. Forward: is a box off goal frozen now?
                    now, now2 = (box & ~left) | taken, (box2 & ~left2) | taken2
                    if not freeze or not frozen_boxes(now, now2, taken, taken2, b, width):
                        now, now2 = region | left, region2 | left2
                        still, still2 = (free | left) & ~taken, (free2 | left2) & ~taken2
                        whole = True
                        if (region & taken) | (region2 & taken2):
                            # Step 5. Do its cells beside the one that is entered hang together around it? Then nothing is cut off
                            around = three(now, now2, at - span - 1) | (three(now, now2, at - 1) << np.uint64(3))
                            around |= three(now, now2, at + span - 1) << np.uint64(6)
                            if pools:
                                for nine in range(9):
                                    x = b.around[at, nine]
                                    if x >= 0 and (pools >> np.uint64(x)) & ONE:
                                        around |= ONE << np.uint64(nine)
                            whole = b.cut[np.int64(around)] == 0
                            now, now2 = now & ~taken, now2 & ~taken2
                        walked = pools
                        if whole:
                            more, more2 = now | (near & still), now2 | (near2 & still2)
                            whole = more == now and more2 == now2 and b.beside[was] & ~pools == ZERO
                            now, now2 = more, more2
                        else:
                            x = b.around[at, toward] if reverse else -1
                            if x >= 0:
                                walked = ONE << np.uint64(x)
                                now, now2 = b.shore[x, 0] & still, b.shore[x, 1] & still2
                            else:
                                walked, beside = ZERO, at + step if reverse else at - step
                                now, now2 = bits[beside, 0], bits[beside, 1]
                        if not whole:
                            flood(now, now2, still, still2, width, walked, b)
                            now, now2, walked = area[0], area[1], area[2]
                        cell = number[at]
                        name = number[lowest(now, now2, bit_of)] if now | now2 else b.pool[lowest(walked, ZERO, bit_of)]
                        for w in range(words):
                            out[found, w] = keys[index, w]
                        out[found, old >> 6] ^= ONE << np.uint64(old & 63)
                        out[found, cell >> 6] ^= ONE << np.uint64(cell & 63)
                        out[found, last] = (out[found, last] & BOXES) | (np.uint64(name) << PLAYER)
                        found += 1
                    # Step 6. A line goes on while the next cell (and for pulls the one behind it) is free
                    at += step
                    if not r.lines or three(may, may2, at) & ONE == ZERO:
                        break
                    if reverse and three(free, free2, at + step) & ONE == ZERO and b.around[at, toward] < 0:
                        break
    return int(found)
