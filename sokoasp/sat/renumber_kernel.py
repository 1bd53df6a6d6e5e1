"""Renumbering of large proofs, compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sokoasp.core.jit import kernel

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    U1 = npt.NDArray[np.uint8]
    I8 = npt.NDArray[np.int64]


@kernel("i8(u1[::1], i8[::1], u1[::1])")
def renumber(text: U1, table: I8, out: U1) -> int:
    """Write ``text`` to ``out`` with the clause numbers below ``len(table)`` replaced; return the bytes written."""
    i, o, size = 0, 0, len(text)
    word, zeros, deletion = 0, 0, False
    while i < size:
        byte = text[i]
        if 48 <= byte <= 57:
            number, begin = 0, i
            while i < size and 48 <= text[i] <= 57:
                number = 10 * number + text[i] - 48
                i += 1
            negative = begin > 0 and text[begin - 1] == 45
            clause = (word == 0 or deletion or zeros == 1) and not negative
            if word > 0 and number == 0:
                zeros += 1
            if clause and 0 < number < len(table):
                number = table[number]
            digits, rest = 1, number // 10
            while rest:
                digits += 1
                rest //= 10
            for place in range(digits - 1, -1, -1):
                out[o + place] = 48 + number % 10
                number //= 10
            o += digits
            word += 1
            continue
        if byte == 100:
            deletion = True
        elif byte == 10:
            word, zeros, deletion = 0, 0, False
        out[o] = byte
        o += 1
        i += 1
    return o
