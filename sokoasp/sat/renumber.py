"""Give the clauses of an LRAT proof the numbers of the file: CaDiCaL derives some while it still reads, and counts them in."""

from __future__ import annotations

from sokoasp.core import jit

_KERNEL = ("sokoasp.sat.renumber_kernel",)
SMALL = 300_000
"""Bytes up to which plain Python is faster than loading the compiled code."""


def renumbered(proof: bytes, given: int) -> bytes:
    """Return the proof with the formula's clauses numbered 1 to ``given`` and the derived ones from there on."""
    lines = proof.split(b"\n")
    names: dict[int, int] = {}
    early: set[int] = set()
    for line in lines:
        words = line.split(None, 2)
        if len(words) > 1 and words[1] != b"d":
            name = int(words[0])
            if name > given + len(early):
                break
            early.add(name)
    if not early:
        return proof
    last = given + len(early)
    fresh = 0
    for old in range(1, last + 1):
        if old not in early:
            fresh += 1
            names[old] = fresh
    for place, old in enumerate(sorted(early), given + 1):
        names[old] = place
    if len(proof) > SMALL and jit.available():
        return _compiled(proof, names, last)
    return b"\n".join(_line(line, names) for line in lines)


def _line(line: bytes, names: dict[int, int]) -> bytes:
    words = line.split()
    if not words:
        return line
    start = 2 if len(words) > 1 and words[1] == b"d" else words.index(b"0") + 1
    for place in (0, *range(start, len(words) - 1)):
        words[place] = str(names.get(int(words[place]), int(words[place]))).encode()
    return b" ".join(words)


def _compiled(proof: bytes, names: dict[int, int], last: int) -> bytes:
    import numpy as np

    (kernel,) = jit.load(_KERNEL)
    table = np.arange(last + 1, dtype=np.int64)
    table[list(names)] = list(names.values())
    text = np.frombuffer(bytearray(proof), dtype=np.uint8)
    # a number may get one digit more, and has a separator: twice the room is enough
    out = np.zeros(2 * len(proof) + 16, dtype=np.uint8)
    size = kernel.renumber(text, table, out)
    return bytes(out[:size].tobytes())
