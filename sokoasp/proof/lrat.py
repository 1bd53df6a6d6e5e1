"""Check LRAT refutations: every step names the clauses from which it follows by unit propagation alone.

A line is ``id literals 0 hints 0``, or ``id d ids 0`` for deletions. The clauses of the formula have the numbers 1 to m in the
order of the file. A hint whose number is negative would be a RAT step and is refused: none of ours needs one.
Source: Cruz-Filipe, Heule, Hunt, Kaufmann, Schneider-Kamp, Efficient Certified RAT Verification (CADE 2017).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from sokoasp.core import jit
from sokoasp.proof.lrat_binary import KERNEL, as_text, is_binary
from sokoasp.proof.refusals import Refused

_LINE = re.compile(r" *[0-9]{1,15}( d *-?[0-9]{1,15}| +-?[0-9]{1,15})?( +-?[0-9]{1,15})* *")
"""Numbers and spaces, as the compiled checker reads them: no sign but minus, no tab, no carriage return."""
_WHY = {
    2: "a hint is not a clause that is there",
    3: "a hint has more than one literal left",
    4: "its hints do not lead to a contradiction",
    5: "it is not a line of LRAT",
    6: "it has RAT hints, which are not accepted",
    7: "its number is not larger than those before",
    8: "a literal is not a variable of the formula",
}


def check(
    clauses: Sequence[tuple[int, ...]], variables: int, proof: bytes, *, compiled: bool | None = None
) -> str | None:
    """Return None if the proof refutes the clauses, else what is wrong with it.

    Args:
        clauses: The formula.
        variables: Number of its variables.
        proof: The LRAT file, text or binary; the lines of a binary one are those of its text.
        compiled: Whether to use the compiled checker; None: when numba is installed and it is worth its loading.
    """
    if compiled is None:
        compiled = jit.available() and (len(proof) > 200_000 or jit.ready(KERNEL))
    if is_binary(proof):
        try:
            fault = check(clauses, variables, as_text(proof, compiled=compiled), compiled=compiled)
        except Refused as error:
            return error.message
        return fault and f"as text: {fault}"
    return (
        _compiled(clauses, variables, proof)
        if compiled
        else _plain(clauses, variables, proof.decode("ascii", "replace"))
    )


def _compiled(clauses: Sequence[tuple[int, ...]], variables: int, proof: bytes) -> str | None:
    import numpy as np

    (kernel,) = jit.load(KERNEL)
    text = np.frombuffer(bytearray(proof), dtype=np.uint8)
    sizes = np.zeros(4, dtype=np.int64)
    line = kernel.measure(text, sizes)
    if line:
        return f"line {line}: {_WHY[5]}"
    given = sum(map(len, clauses))
    last = max(int(sizes[1]), len(clauses))
    if last > 50 * (len(clauses) + int(sizes[3])) + 1_000_000:
        # tables by clause number would be too large
        return _plain(clauses, variables, proof.decode("ascii", "replace"))
    pool = np.zeros(given + int(sizes[2]) + 1, dtype=np.int32)
    first, length = np.zeros(last + 2, dtype=np.int64), np.full(last + 2, -1, dtype=np.int32)
    pool[:given] = [lit for clause in clauses for lit in clause]
    lengths = np.array([len(clause) for clause in clauses], dtype=np.int64)
    length[1 : len(clauses) + 1] = lengths
    first[1 : len(clauses) + 1] = np.cumsum(lengths) - lengths
    value = np.zeros(variables + 1, dtype=np.int32)
    status = np.zeros(3, dtype=np.int64)
    kernel.run(text, pool, first, length, value, len(clauses), given, status)
    return _told(int(status[1]), int(status[2]))


def _told(code: int, line: int) -> str | None:
    if code == 1:
        return None
    return "it ends without the empty clause" if code == 0 else f"line {line}: {_WHY[code]}"


def _plain(clauses: Sequence[tuple[int, ...]], variables: int, proof: str) -> str | None:
    """Do the same in plain Python: the oracle of the compiled checker, and enough for small proofs."""
    known: dict[int, tuple[int, ...]] = dict(enumerate(clauses, 1))
    newest = len(clauses)
    for number, line in enumerate(proof.split("\n"), 1):
        if not line.strip(" "):
            continue
        if not _LINE.fullmatch(line):
            return _told(5, number)
        words = line.replace("d", "d ").split()
        try:
            deletion = len(words) > 1 and words[1] == "d"
            numbers = [int(word) for word in (words[2:] if deletion else words)]
            if numbers[-1] != 0 or numbers.count(0) != (1 if deletion else 2):
                raise ValueError
            cut = numbers.index(0)
        except (ValueError, IndexError):
            return _told(5, number)
        if deletion:
            for one in numbers[:-1]:
                known.pop(one, None)
            continue
        name, literals, hints = numbers[0], numbers[1:cut], numbers[cut + 1 : -1]
        code = 7 if name <= newest else _step(known, literals, hints, variables)
        if code:
            return _told(code, number)
        known[name], newest = tuple(literals), name
        if not literals:
            return None
    return _told(0, 0)


def _step(known: dict[int, tuple[int, ...]], literals: Iterable[int], hints: Iterable[int], variables: int) -> int:
    """Check one added clause; return 0 or the number of the fault."""
    false = set()
    for literal in literals:
        if abs(literal) > variables:
            return 8
        false.add(literal)
    if any(-literal in false for literal in false):
        return 0
    for hint in hints:
        if hint < 0:
            return 6
        if hint not in known:
            return 2
        left = {literal for literal in known[hint] if literal not in false}
        if not left:
            return 0
        if len(left) > 1:
            return 3
        # a hint that is already true is written now and then: it adds nothing and does no harm
        false.add(-left.pop())
    return 4
