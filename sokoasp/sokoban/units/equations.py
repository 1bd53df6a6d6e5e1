"""What units let through as the units paper's equations (1) to (16).

Gates of one unit that lead into one passage are one gate. Its way to another gate of the unit is the best kind that
any of its cells has: free, push, unknown, blocked.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby, permutations
from operator import attrgetter

from sokoasp.sokoban.units.draw import SplitView, UnitView
from sokoasp.sokoban.units.passage import BLOCKED, FREE, PUSH, UNKNOWN

ORDER = (FREE, PUSH, UNKNOWN, BLOCKED)
SIGNS = {FREE: "→", PUSH: "→*", UNKNOWN: "?", BLOCKED: "↛"}
"""The paper's arrows."""


@dataclass(frozen=True, slots=True)
class Gate:
    """The gates of a unit that lead into one passage."""

    unit: int
    number: int
    """Number within the unit, from 0, as in the paper's g with a subscript."""
    passage: int
    members: tuple[int, ...]
    """Their numbers in ``UnitView.gates``."""


def gates(view: SplitView) -> list[Gate]:
    """Group the gates of each unit by passage, in order of the passages."""
    where = {cell: number for number, passage in enumerate(view.passages) for cell in passage.cells}
    found = []
    for number, unit in enumerate(view.units):
        by_passage: dict[int, list[int]] = {}
        for at, gate in enumerate(unit.gates):
            by_passage.setdefault(where[gate.cell.step(gate.direction)], []).append(at)
        for count, (passage, members) in enumerate(sorted(by_passage.items())):
            found.append(Gate(number, count, passage, tuple(members)))
    return found


def kinds(view: SplitView) -> list[tuple[Gate, Gate, str]]:
    """Return (from, to, kind) for every ordered pair of gates of one unit, as far as its passability is known."""
    found = []
    for number, group in groupby(gates(view), key=attrgetter("unit")):
        for a, b in permutations(group, 2):
            if kind := _kind(view.units[number], a, b):
                found.append((a, b, kind))
    return found


def _kind(unit: UnitView, a: Gate, b: Gate) -> str | None:
    ways = {kind for first, last, kind in unit.ways if first in a.members and last in b.members}
    return next((kind for kind in ORDER if kind in ways), None)


def equations(view: SplitView) -> list[str]:
    """Write the passability as the paper's equations (1) to (16): one line a unit, gate and kind."""
    ends: dict[tuple[int, int, int], list[str]] = {}
    for a, b, kind in kinds(view):
        ends.setdefault((a.unit, ORDER.index(kind), a.number), []).append(f"g{b.number}")
    return [
        f"{view.units[unit].name}: {{g{first}}} {SIGNS[ORDER[rank]]} {{{', '.join(to)}}}"
        for (unit, rank, first), to in sorted(ends.items())
    ]
