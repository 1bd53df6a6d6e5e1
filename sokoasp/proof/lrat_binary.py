"""LRAT in binary, read and written: a step is the letter ``a`` or ``d``, and its numbers as in a line of text.

A number n is written as 2n, or 2|n|+1 where it is negative, seven bits a byte from the lowest on, 128 added to all bytes but the
last; an added clause has its own number first, a deletion begins with the numbers of what goes. Every list ends with a zero.
Source: the compressed LRAT that drat-trim's decompressor reads and newer versions of CaDiCaL write.
"""

from __future__ import annotations

from functools import lru_cache

from sokoasp.core import jit
from sokoasp.proof.refusals import Refused

KERNEL = ("sokoasp.proof.lrat_kernel",)
LONGEST = 7
"""Bytes of the longest number."""
_ADDED, _DELETED = b"ad"


def is_binary(proof: bytes) -> bool:
    """Return whether a proof is binary: text begins with a digit."""
    return proof[:1] in (b"a", b"d")


def as_text(proof: bytes, *, compiled: bool = False) -> bytes:
    """Return a binary proof as text, a line a step up to the empty clause; one that is text as it is.

    Raises:
        Refused: A byte begins no step, a number is longer than it must be or than 7 bytes, or is a zero with a sign, or the
            proof ends within a step.
    """
    if not is_binary(proof):
        return proof
    if not compiled:
        return _plain(proof)
    import numpy as np

    (kernel,) = jit.load(KERNEL)
    # a byte says 63 at most, with sign and blank four signs, and the "d" of a deletion becomes "1 d "
    text = np.zeros(4 * len(proof) + 16, dtype=np.uint8)
    size = kernel.expand(np.frombuffer(bytearray(proof), dtype=np.uint8), text)
    if size < 0:
        raise _refused(-1 - size)
    return bytes(text[:size].tobytes())


def _plain(proof: bytes) -> bytes:
    lines, at = [], 0
    while at < len(proof):
        if proof[at] not in (_ADDED, _DELETED):
            raise _refused(at)
        added = proof[at] == _ADDED
        words, zeros = ([], 2) if added else (["1 d"], 1)
        at += 1
        while zeros:
            begin, value = at, 0
            while at < len(proof) and at - begin < LONGEST and proof[at] >= 128:
                value |= (proof[at] - 128) << 7 * (at - begin)
                at += 1
            if at == len(proof) or at - begin == LONGEST:
                raise _refused(begin)
            value |= proof[at] << 7 * (at - begin)
            if value == 1 or (proof[at] == 0 and at > begin):
                raise _refused(begin)
            at += 1
            words.append(str(-(value >> 1) if value % 2 else value >> 1))
            zeros -= value == 0
        lines.append(" ".join(words) + "\n")
        if added and words[1] == "0":
            break
    return "".join(lines).encode()


def _refused(at: int) -> Refused:
    return Refused(f"byte {at + 1} is not one of binary LRAT")


def packed(text: bytes) -> bytes:
    """Return a proof in text as a binary one."""
    parts = []
    for line in text.split(b"\n"):
        words = line.split()
        deletion = words[1:2] == [b"d"]
        parts += [b"d" if deletion else b"a"] * bool(words)
        parts += map(_packed, words[2:] if deletion else words)
    return b"".join(parts)


@lru_cache(maxsize=1 << 20)
def _packed(word: bytes) -> bytes:
    number = int(word)
    value, parts = 2 * abs(number) + (number < 0), []
    while value > 127:
        parts.append(value % 128 + 128)
        value >>= 7
    return bytes([*parts, value])
