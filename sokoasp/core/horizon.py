"""What is asked of a program, bound after bound, and the atoms it answers with: shared by the games and by what runs clingo."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Atom(NamedTuple):
    """A shown atom, its arguments as text."""

    name: str
    args: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Horizon:
    """Which bounds to ask for: from ``first``, every ``stride``-th, up to ``last`` (None: no end but the limits)."""

    first: int = 0
    stride: int = 1
    last: int | None = None
