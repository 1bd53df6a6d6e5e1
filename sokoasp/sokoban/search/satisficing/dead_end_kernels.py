"""A compiled test that a state is lost. It is sound: it asks less than the level does."""

from __future__ import annotations

from sokoasp.core.kernels import kernel
from sokoasp.core.kernels.arrays import I4, I8, U1
from sokoasp.sokoban.search.satisficing.macro_registers import BITS


@kernel("b1(i4[::1], u1[::1], i8[:,::1], i4[::1], i4[::1], i4[::1])")
def served(boxes: I4, still: U1, reach: I8, goals: I4, owner: I4, line: I4) -> bool:
    """Return whether the boxes not ``still`` can be matched to the goals no still box stands on, by what each reaches.

    ``reach`` (words of ``BITS`` goals, cells) says which goals a lone box gets to.
    """
    m = len(goals)
    for g in range(m):
        owner[g] = -1
    for i in range(len(boxes)):
        if still[boxes[i]]:
            continue
        # breadth first for an augmenting path: line = queue of goals, the goal before each, reached or not
        head, tail, last = 0, 0, -1
        for g in range(m):
            line[2 * m + g] = 0
        box, before = boxes[i], -1
        while last < 0:
            for g in range(m):
                able = (reach[g // BITS, box] >> (g % BITS)) & 1
                if last < 0 and able and line[2 * m + g] == 0 and still[goals[g]] == 0:
                    line[2 * m + g] = 1
                    line[m + g] = before
                    line[tail] = g
                    tail += 1
                    if owner[g] < 0:
                        last = g
            if last < 0:
                if head >= tail:
                    return False
                before = line[head]
                head += 1
                box = boxes[owner[before]]
        while last >= 0:
            before = line[m + last]
            owner[last] = owner[before] if before >= 0 else i
            last = before
    return True
