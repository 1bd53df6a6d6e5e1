"""A formula in conjunctive normal form whose variables have names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

Key = tuple[str | int, ...]
"""Name of a variable: its family and what it is about, such as ``("box", 3, 17)``."""


@dataclass(slots=True)
class Formula:
    """Named variables, numbered from 1 family by family, and clauses of literals."""

    title: str
    families: list[tuple[str, int, int]] = field(default_factory=list)
    """Meaning of a family, its first and its last variable."""
    number: dict[Key, int] = field(default_factory=dict)
    clauses: list[tuple[int, ...]] = field(default_factory=list)

    def family(self, name: str, meaning: str, keys: Iterable[tuple[int, ...]]) -> None:
        """Number the variables of a family in the order given."""
        first = len(self.number) + 1
        for key in keys:
            self.number[(name, *key)] = len(self.number) + 1
        self.families.append((f"{name}{meaning}", first, len(self.number)))

    def get(self, name: str, *key: int) -> int | None:
        """Return the variable of that name, None if there is none (it would always be false)."""
        return self.number.get((name, *key))

    def some(self, name: str, *keys: tuple[int, ...]) -> list[int]:
        """Return those of these variables that there are."""
        return [v for key in keys if (v := self.number.get((name, *key))) is not None]

    def add(self, *literals: int) -> None:
        """Add a clause."""
        self.clauses.append(literals)

    def at_most_one(self, variables: list[int]) -> None:
        """Say pairwise that at most one of a few variables holds."""
        for i, one in enumerate(variables):
            for other in variables[:i]:
                self.add(-other, -one)

    def dimacs(self, *more: tuple[int, ...]) -> Iterator[str]:
        """Yield the lines of the DIMACS file: a comment a family, in ASCII, the clauses, and ``more`` clauses at the end."""
        yield _comment(self.title)
        for meaning, first, last in self.families:
            if last >= first:
                yield _comment(f"{first}..{last}: {meaning}")
        yield f"p cnf {len(self.number)} {len(self.clauses) + len(more)}\n"
        for clause in (*self.clauses, *more):
            yield " ".join(map(str, clause)) + " 0\n"

    def read(self, data: bytes, last: tuple[int, ...]) -> list[tuple[int, ...]] | None:
        """Return the clauses of a DIMACS file in its order, if they are these, in whatever order, and ``last``; else None."""
        head = rb"(c[ -~]*\n)*p cnf %d %d\n" % (len(self.number), len(self.clauses) + 1)
        if not re.fullmatch(head + rb"((-?[1-9][0-9]{0,14} )+0\n)*", data):
            return None
        lines = (line.split() for line in data.split(b"\n") if line[:1] not in b"cp")
        found = [tuple(map(int, words[:-1])) for words in lines]
        same = sorted(map(sorted, found[:-1])) == sorted(map(sorted, self.clauses))
        return found if same and found[-1:] == [last] else None

    def broken(self, true: set[Key]) -> str | None:
        """Return the first clause that an assignment (its true variables) does not satisfy, in words; None if there is none.

        Raises:
            KeyError: A variable of the assignment is not in the formula.
        """
        holds = {self.number[key] for key in true}
        for place, clause in enumerate(self.clauses, 1):
            if not any((literal > 0) == (abs(literal) in holds) for literal in clause):
                names = {number: key for key, number in self.number.items()}
                words = ["" if lit > 0 else "not " for lit in clause]
                reported = ", ".join(f"{w}{names[abs(lit)]}" for w, lit in zip(words, clause, strict=True))
                return f"clause {place} ({reported})"
        return None


def _comment(text: str) -> str:
    return f"c {text}\n".encode("ascii", "backslashreplace").decode()  # pieces may have letters of any script
