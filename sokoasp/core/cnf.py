"""A formula in conjunctive normal form whose variables have names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

Key = tuple[str | int, ...]
"""Name of a variable: its family and what it is about, such as ``("box", 3, 17)``."""


@dataclass(slots=True)
class Formula:
    """Named variables, numbered from 1 family by family, and clauses of literals."""

    title: str
    families: list[tuple[str, int, int]] = field(default_factory=list)
    """Description of a family, its first and its last variable."""
    number: dict[Key, int] = field(default_factory=dict)
    clauses: list[tuple[int, ...]] = field(default_factory=list)

    def family(self, name: str, description: str, keys: Iterable[tuple[int, ...]]) -> None:
        """Number the variables of a family in the order given."""
        first = len(self.number) + 1
        for key in keys:
            self.number[(name, *key)] = len(self.number) + 1
        self.families.append((f"{name}{description}", first, len(self.number)))

    def some(self, name: str, *keys: tuple[int, ...]) -> list[int]:
        """Return those of these variables that there are; the others would always be false."""
        return [v for key in keys if (v := self.number.get((name, *key))) is not None]

    def add(self, *literals: int) -> None:
        """Add a clause."""
        self.clauses.append(literals)

    def at_most_one(self, variables: list[int]) -> None:
        """Say pairwise that at most one of a few variables holds."""
        for i, one in enumerate(variables):
            for other in variables[:i]:
                self.add(-other, -one)

    def dimacs(self) -> Iterator[str]:
        """Yield the lines of the DIMACS file: a comment for each family, in ASCII, then the clauses."""
        for text in (self.title, *(f"{first}..{last}: {description}" for description, first, last in self.families)):
            yield f"c {text}\n".encode(
                "ascii", "backslashreplace"
            ).decode()  # a board's pieces may be letters of any script
        yield f"p cnf {len(self.number)} {len(self.clauses)}\n"
        for clause in self.clauses:
            yield " ".join(map(str, (*clause, 0))) + "\n"
