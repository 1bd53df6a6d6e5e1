"""A stand-in for the checkers of others: called as they are, it reads their formats and answers in their words.

It is no copy of them: it knows unit propagation and nothing else. ``drat-trim CNF PROOF`` and ``lrat-check CNF PROOF`` say what
they find, as ``cake_lpr CNF PROOF`` does, by which name they are called.
"""

from __future__ import annotations

import sys
from pathlib import Path


def clauses_of(path: str) -> list[frozenset[int]]:
    """Read a DIMACS file."""
    lines = [line for line in Path(path).read_text().splitlines() if line[:1] not in ("c", "p")]
    return [frozenset(map(int, line.split()[:-1])) for line in lines]


def added(path: str, numbered: bool) -> list[frozenset[int]]:
    """Read the added clauses of a DRAT or (``numbered``) LRAT proof."""
    found = []
    for words in (line.split() for line in Path(path).read_text().splitlines()):
        if numbered and words[1:2] != ["d"]:
            found.append(frozenset(map(int, words[1 : words.index("0", 1)])))
        elif not numbered and words[:1] != ["d"]:
            assert words[-1] == "0", "DRAT lines end with 0 and have no hints"
            found.append(frozenset(map(int, words[:-1])))
    return found


def follows(clauses: list[frozenset[int]], clause: frozenset[int]) -> bool:
    """Return whether unit propagation refutes the clause's negation."""
    true = {-literal for literal in clause}
    changed = True
    while changed:
        changed = False
        for one in clauses:
            if one & true:
                continue
            left = [literal for literal in one if -literal not in true]
            if not left:
                return True
            if len(left) == 1:
                true.add(left[0])
                changed = True
    return False


def main() -> int:
    """Check as the checker of that name would."""
    name, (cnf, proof) = Path(sys.argv[0]).name, sys.argv[1:]
    clauses = clauses_of(cnf)
    for clause in added(proof, name != "drat-trim"):
        if not follows(clauses, clause):
            print("s NOT VERIFIED" if name == "drat-trim" else "c failed: FAILED TO CHECK")
            return 1
        clauses.append(clause)
        if not clause:
            print({"drat-trim": "s VERIFIED", "lrat-check": "c VERIFIED"}.get(name, "s VERIFIED UNSAT"))
            return 0
    print("c no empty clause")
    return 1


if __name__ == "__main__":
    sys.exit(main())
