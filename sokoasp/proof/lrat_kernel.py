"""The LRAT checker, compiled: one pass over the text of a proof, no search, no watched literals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sokoasp.core.jit import kernel

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    U1 = npt.NDArray[np.uint8]
    I4 = npt.NDArray[np.int32]
    I8 = npt.NDArray[np.int64]

_END = -(1 << 62)
"""What ``number`` says at the end of a line."""
_BAD = _END + 1


@kernel("i8(u1[::1], i8[::1])")
def number(text: U1, at: I8) -> int:
    """Read the next number of a line from ``at[0]`` on, which moves past it."""
    i, size = at[0], len(text)
    while i < size and text[i] == 32:
        i += 1
    if i >= size or text[i] == 10:
        at[0] = i
        return _END
    sign = 1
    if text[i] == 45:
        sign = -1
        i += 1
    begin, value = i, 0
    while i < size and 48 <= text[i] <= 57 and i - begin < 15:
        value = 10 * value + text[i] - 48
        i += 1
    at[0] = i
    if i == begin or (i < size and text[i] != 32 and text[i] != 10):
        return _BAD
    return sign * value


@kernel("i8(u1[::1], u1[::1])")
def expand(proof: U1, text: U1) -> int:
    """Write a binary proof (``lrat_binary``) as text; return its size, or -1 less the place of a byte that is none of LRAT.

    What follows the empty clause is not read.
    """
    at = size = 0
    last = False
    while at < len(proof) and not last:
        zeros = 2 if proof[at] == 97 else 1
        numbers = 0
        if proof[at] != 97:
            if proof[at] != 100:
                return -1 - at
            text[size], text[size + 1], text[size + 2], text[size + 3] = 49, 32, 100, 32
            size += 4
        at += 1
        while zeros:
            begin, value = at, 0
            while at < len(proof) and at - begin < 7 and proof[at] >= 128:
                value += (proof[at] - 128) << 7 * (at - begin)
                at += 1
            if at == len(proof) or at - begin == 7:
                return -1 - begin
            value += proof[at] << 7 * (at - begin)
            if value == 1 or (proof[at] == 0 and at > begin):
                return -1 - begin
            at += 1
            zeros -= value == 0
            numbers += 1
            last |= numbers == 2 and value == 0 and zeros == 1
            if value % 2:
                text[size] = 45
                size += 1
            value >>= 1
            digits, rest = 1, value // 10
            while rest:
                digits += 1
                rest //= 10
            for place in range(size + digits - 1, size - 1, -1):
                text[place] = 48 + value % 10
                value //= 10
            size += digits + 1
            text[size - 1] = 32 if zeros else 10
    return size


@kernel("i8(u1[::1], i8[::1])")
def measure(text: U1, sizes: I8) -> int:
    """Count for allocation: largest clause number, numbers in all, lines. Return the first line that is none of LRAT, else 0.

    A line must hold two lists that end in 0, or one if its second word is ``d``; what follows the empty clause is not read.
    ``sizes[0]`` is where it reads, the counts are behind it.
    """
    sizes[0] = line = 0
    while sizes[0] < len(text):
        line += 1
        name = number(text, sizes)
        if name != _END:
            if name <= 0 and name != 0:
                return line
            wanted, begin = 2, sizes[0]
            if begin + 1 < len(text) and text[begin] == 32 and text[begin + 1] == 100:
                wanted = 1
                sizes[0] += 2
            zeros, last = 0, _END
            value = number(text, sizes)
            empty = wanted == 2 and value == 0
            while value != _END:
                if value == _BAD or zeros == wanted:
                    return line
                zeros += value == 0
                sizes[2] += 1
                last = value
                value = number(text, sizes)
            if zeros != wanted or last != 0:
                return line
            if wanted == 2:
                sizes[1] = max(sizes[1], name)
                sizes[3] += 1
                if empty:
                    return 0
        sizes[0] += 1
    return 0


@kernel("void(u1[::1], i4[::1], i8[::1], i4[::1], i4[::1], i8, i8, i8[::1])")
def run(text: U1, pool: I4, first: I8, length: I4, value: I4, newest: int, used: int, status: I8) -> None:
    """Check a proof that ``measure`` has passed; write what came of it (see ``lrat._WHY``; 1 refuted) and the line.

    Long: what has to be trusted is read in one go, line after line of the proof: its clause, its hints, what they show.

    Args:
        text: The proof.
        pool: Literals of all clauses; those of the formula are there.
        first: Where a clause begins in ``pool``, by its number.
        length: Its literals, -1 if there is no such clause.
        value: Scratch (variables+1), zeros: the sign of the false literal where a variable is assigned.
        newest: Largest number so far.
        used: Entries of ``pool`` in use.
        status: (3): where it reads, what came of it, the line.
    """
    status[0] = line = 0
    while status[0] < len(text):
        line += 1
        status[2] = line
        name = number(text, status)
        if name == _END:
            status[0] += 1
            continue
        if status[0] + 1 < len(text) and text[status[0] + 1] == 100:
            status[0] += 2
            gone = number(text, status)
            while gone != _END:
                if 0 < gone < len(length):
                    length[gone] = -1
                gone = number(text, status)
            status[0] += 1
            continue
        if name <= newest:
            status[1] = 7
            return
        begin, trivial, code = used, False, 0
        literal = number(text, status)
        while literal != 0:
            variable = abs(literal)
            if variable >= len(value):
                status[1] = 8
                return
            sign = 1 if literal > 0 else -1
            trivial |= value[variable] == -sign
            value[variable] = sign
            pool[used] = literal
            used += 1
            literal = number(text, status)
        trail, done = used, trivial
        hint = number(text, status)
        while hint != 0:
            if not done and code == 0:
                if hint < 0:
                    code = 6
                elif hint >= len(length) or length[hint] < 0:
                    code = 2
                else:
                    unit = 0
                    for i in range(first[hint], first[hint] + length[hint]):
                        one = pool[i]
                        if value[abs(one)] != (1 if one > 0 else -1) and one != unit:
                            if unit != 0:
                                code = 3
                                break
                            unit = one
                    if code == 0 and unit == 0:
                        done = True
                    elif code == 0 and value[abs(unit)] == 0:
                        value[abs(unit)] = -1 if unit > 0 else 1
                        pool[trail] = unit
                        trail += 1
            hint = number(text, status)
        for i in range(begin, trail):
            value[abs(pool[i])] = 0
        if not done:
            status[1] = code if code else 4
            return
        first[name] = begin
        length[name] = used - begin
        newest = name
        if used == begin:
            status[1] = 1
            return
        status[0] += 1
    status[1] = 0
