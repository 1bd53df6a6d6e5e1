"""The verdict of the units: which gates can be used, how far the player gets, and which units never get done.

The paper calls a state dead when a gate touches a part the player can never get to, for units without goals. Here a unit is
*done* in a position in which its remaining boxes stand on goals; a state is dead when some unit is never done. A unit whose
boxes are all out lets the player through all its gates, so this finds whatever the paper's rule finds, and goals may lie inside.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice

from sokoasp.core.errors import counted
from sokoasp.sokoban.deadlock.bitboard import BitState, shift, union
from sokoasp.sokoban.deadlock.local import THOROUGH, Budget
from sokoasp.sokoban.deadlock.verdict import Verdict, never_done
from sokoasp.sokoban.units.passage import Inside, inside
from sokoasp.sokoban.units.split import Split, Unit, splits

SOURCE = "units paper §3 and §4, with goals inside units"


@dataclass(frozen=True, slots=True)
class Range:
    """How far the player gets by the iteration over one split."""

    reached: int
    """Passage cells the player may come to (the movable range)."""
    units: tuple[Inside, ...]
    """What the last search inside each unit met, in the order of the split."""

    def stuck(self, spare: int) -> bool:
        """Return whether more boxes stay off goals than there are spare ones."""
        return sum(unit.least_off for unit in self.units) > spare


def movable_range(at: BitState, split: Split, *, states: int) -> Range:
    """Iterate: search every unit from its usable gates, add the passages behind the gates that let the player out, repeat.

    A passage once reached counts as reached for good, in every order with everything else, so the range is never too small
    (units paper §3.4 and §3.5).
    """
    reached = union(passage for passage in split.passages if passage & at.region)
    found: list[Inside | None] = [None] * len(split.units)
    basis = [-1] * len(split.units)
    changed = True
    while changed:
        changed = False
        for number, unit in enumerate(split.units):
            usable = reached & unit.ways_out
            if basis[number] == usable:
                continue
            basis[number] = usable
            met = inside(at.board, unit, usable | at.region & unit.cells, usable, spare=at.spare, states=states)
            found[number] = met
            behind = union(shift(cell, by) for cell, by in unit.gates if cell & met.exits)
            for passage in split.passages:
                if not passage & reached and passage & behind:
                    reached |= passage
                    changed = True
    return Range(reached, tuple(met for met in found if met is not None))


def examine(at: BitState, budget: Budget) -> Verdict | None:
    """Cut the state into units and passages in several ways, and find a unit whose boxes never get done (units paper §4)."""
    for split in islice(splits(at), budget.cuts):
        if len(split.units) > budget.searches:
            continue
        met = movable_range(at, split, states=budget.states)
        if met.stuck(at.spare):
            return _verdict(at, split, met)
    return None


def _verdict(at: BitState, split: Split, met: Range) -> Verdict:
    board = at.board
    bad = [unit for unit, result in zip(split.units, met.units, strict=True) if result.least_off]
    if not _enough(at, split, bad):
        bad = list(split.units)
    cells = union(unit.cells for unit in bad)
    many, units = (cells & at.boxes).bit_count(), len(bad)
    searched = f"in {units} units of the map, each searched" if units > 1 else "in one unit of the map, searched"
    reason = f"{searched} by itself, {counted(many, 'boxes')} {never_done(many, at.spare)}"
    return Verdict("units", board.cells(cells), board.cells(cells & at.boxes), reason, SOURCE)


def _enough(at: BitState, split: Split, bad: list[Unit]) -> bool:
    """Return whether the boxes of the stuck units are enough for the proof when the others are gone."""
    stuck = union(unit.boxes for unit in bad)
    alone = Split(split.name, tuple(replace(unit, boxes=unit.boxes & stuck) for unit in split.units), split.passages)
    area = BitState(at.board, stuck, at.player, at.region, at.spare)
    return movable_range(area, alone, states=THOROUGH.states).stuck(at.spare)
