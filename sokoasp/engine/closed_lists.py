"""Certificates made of closed lists, a method a stage."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sokoasp.core.errors import counted
from sokoasp.engine import closing
from sokoasp.engine.certificate_bounds import Learning, Way, dead_boxes, prices_of, sizes_of
from sokoasp.engine.fixed_boxes import FixedBoxes
from sokoasp.proof import closed, corrals, group_bounds, level_text, patterns, ties
from sokoasp.proof import folder as folders
from sokoasp.proof.refusals import Cheaper
from sokoasp.proof.walls import WallList

if TYPE_CHECKING:
    from sokoasp.engine.proving import Made, Maker

FEW = 4000
"""States of a list that are tried with small tables before larger ones are filled."""
MANY = 1_000_000
"""States of a list with the largest tables before boxes that never move again are taken as walls."""
FEW_ALONE = 50_000
"""States of a list of the boxes that a detector names."""
LAST = Way(inner=True, walls=True, last=True)
"""What is left when a list has more states than any may have."""
LARGER = "larger"
"""The word of a list that gives way to a later stage."""


class LevelCertifier:
    """Closes a list of states of a level, with larger and larger tables, or with what the native search has learned."""

    def __init__(self, maker: Maker, value: int | None) -> None:
        self.maker, self.value, self.objective = maker, value, maker.request.objective
        self.level: level_text.Field = maker.level
        self.all_needed = len(self.level.boxes) == len(self.level.goals)
        """Whether every box must come to a goal: tables need that."""
        # the next stage often wants the same ones
        self.tables = lru_cache(maxsize=1)(self._tables)

    def certify(self) -> Made | str:
        """Try stage after stage; return the word of a limit that came first."""
        if self.value is None and (dead := self.by_dead_boxes()) is not None:
            return dead
        level, learning = self.level, Learning(self.level, self.objective, self.value or 0)
        prices = tuple(prices_of(self.maker.problem, self.objective)) if self.all_needed else (0,) * len(level.goals)
        stages, stopped = self.stages(sizes_of(level, self.all_needed)), "states"
        for at, stage in enumerate(stages):
            later = stages[at + 1 :]
            if isinstance(stage, Way):
                found = self.by_patterns(learning, stage)
                if found is not None:
                    return found
                continue
            made = self.by_tables(prices, stage, later)
            if not isinstance(made, str):
                return made
            stopped = made
            if stopped != LARGER and (stopped != "states" or later != [LAST]):
                return stopped
        return stopped

    def stages(self, sizes: list[int]) -> list[int | Way]:
        """Return what is tried one after the other: sizes of patterns, and ways in which the native search learns."""
        if not self.all_needed or self.value is None or self.objective not in ("pushes", "lines"):
            return [*sizes]
        brief = Way(brief=True), Way(inner=True, brief=True), Way(walls=True, brief=True)
        long = Way(inner=True, long=True, brief=True), Way(inner=True, walls=True, long=True, brief=True)
        other = Way(transposed=True, brief=True)
        return [sizes[0], *brief, Way(), Way(inner=True), *long, other, *sizes, Way(walls=True), sizes[-1], LAST]

    def by_dead_boxes(self) -> Made | None:
        """Show an unsolvable level by the few boxes that make it so, if the detectors name some."""
        level, zero = self.level, (0,) * len(self.level.goals)
        boxes = dead_boxes(self.maker.problem, level) if self.all_needed else ()
        if not boxes:
            return None
        listed = closed.ClosedList(closed.Claim(level, self.objective, None, boxes, zero, 0), None)
        try:
            if closing.close(listed, lambda states, left: "states" if states > FEW_ALONE else None):
                return None
        except Cheaper:
            return None
        listed.write(self.maker.folder / folders.STATES)
        cells = tuple(level.cells[b] for b in boxes)
        reported = f"{len(boxes)} of {len(level.boxes)} boxes can never all come to goals, {listed.count:,} states"
        return self.maker.claimed(None, "states", reported, boxes=cells)

    def by_tables(self, prices: tuple[int, ...], largest: int, later: list[int | Way]) -> Made | str:
        """Close a list with tables of patterns of so many boxes, 0 without; it may give way to later stages."""
        bounds = self.tables(prices, largest) if largest else None
        if largest and bounds is None:
            return self.maker.clock.over() or "time"
        claim = closed.Claim(
            self.level, self.objective, self.value, self.level.boxes, prices, largest, self.maker.moves
        )
        listed, entries = ties.listing(claim, bounds), 0 if bounds is None else len(bounds.tables.value)
        stopped = self._close(listed, patience(later, entries))
        return stopped or self._write(listed, bounds)

    def by_patterns(self, learning: Learning, way: Way) -> Made | str | None:
        """Close a list with what the native search has learned when it has proved the value; None: it gives way."""
        maker = self.maker
        learned = learning.go_on(way, maker.clock, maker.limit_of("learning patterns"))
        if learned is None or isinstance(learned, str):
            return learned
        bounds = self.tables(learned.prices, learned.largest)
        if bounds is None:
            return maker.clock.over() or "time"
        boxes, prices = self.level.boxes, learned.prices
        claim = closed.Claim(self.level, self.objective, self.value, boxes, prices, learned.largest)
        shown, listed = patterns.PatternList(claim, bounds), closed.ClosedList(claim, bounds, learning.barred(way))
        showing = maker.limit_of("showing the learned patterns")
        stopped = closing.close_patterns(
            shown, learned.patterns, lambda n, left: LARGER if n > way.most[1] else showing(n, left)
        )
        if stopped == LARGER:
            return None
        listed.tables = shown.tables
        fixed = FixedBoxes(WallList(self.level, bounds, prices), shown.tables) if way.walls else None
        stopped = stopped or self._close(listed, None, fixed)
        return stopped or self._write(listed, bounds, shown, fixed)

    def _tables(self, prices: tuple[int, ...], largest: int) -> group_bounds.GroupBounds | None:
        maker = self.maker
        maker.request.notify(f"filling the pattern databases of up to {counted(largest, 'boxes')}")
        lines = self.objective == "lines"
        return group_bounds.build(self.level, prices, largest, lines=lines, in_time=lambda: maker.clock.over() is None)

    def _close(self, listed: closed.ClosedList, most: int | None, fixed: FixedBoxes | None = None) -> str | None:
        """Close a list; it gives way when it has more states than ``most``."""
        limit = self.maker.limit_of("closing the list")

        def until(states: int, left: int) -> str | None:
            return LARGER if most is not None and states > most else limit(states, left)

        return closing.close(listed, until, None if fixed is None else fixed.bound)

    def _write(
        self,
        listed: closed.ClosedList,
        bounds: group_bounds.GroupBounds | None,
        shown: patterns.PatternList | None = None,
        fixed: FixedBoxes | None = None,
    ) -> Made:
        """Write the list with the optional parts that it has."""
        folder, largest, more = self.maker.folder, listed.claim.largest, dict[str, Any]()
        self.maker.request.notify("writing")
        listed.write(folder / folders.STATES)
        reported = f"closed list of {listed.count:,} states" if listed.count else "bound of the start"
        if bounds is not None:
            (folder / folders.TABLES).write_bytes(group_bounds.stored_bytes(bounds))
            # written in the claim, whose sum names the certificate: the plural stays
            reported += f", patterns of up to {largest} boxes"  # as hashes of the table have it, of one box too
            more = {"groups": largest, "prices": listed.claim.prices}
        barred = int((listed.areas[:, 0] >= 0).sum())
        walls = [] if fixed is None else fixed.walls.walls
        if shown is not None and (shown.count or barred or walls):
            shown.write(folder / folders.PATTERNS)
            reported += f" and {counted(int(shown.marked.sum()), 'learned ones')}"
            more["parts"] = 1
        if barred or walls:
            corrals.write(folder / folders.CORRALS, listed.areas)
            reported += f", {counted(barred, 'corrals')}" if barred else ""
            more["parts"] = 2
        if fixed is not None and walls:
            fixed.walls.write(folder / folders.WALLS)
            reported += f", {counted(len(walls), 'sets')} of fixed boxes"
            more["parts"] = 3
        return self.maker.claimed(self.value, "states", reported, **more)


def patience(later: list[int | Way], entries: int) -> int | None:
    """Return after how many states a list gives way to later stages; None: never."""
    if later in ([], [LAST]):
        return None
    if isinstance(later[0], Way):
        # what is learned costs less than larger tables do; boxes as walls come last
        return MANY if later[0].walls else FEW
    return max(FEW, entries // 2)
