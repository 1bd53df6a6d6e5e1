"""What the bounds of a certificate are made from: prices of goals, sizes of groups, what the native search has learned."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import comb

from sokoasp.core.limits import Clock
from sokoasp.proof.folder import MOST_PRICE
from sokoasp.proof.level_text import Field
from sokoasp.proof.patterns import Pattern
from sokoasp.sokoban import grid
from sokoasp.sokoban.canonical import Turn
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.search.bounds import search_tables
from sokoasp.sokoban.search.exact import astar
from sokoasp.sokoban.search.model import push_board
from sokoasp.sokoban.search.model.options import Options
from sokoasp.sokoban.units import find_deadlock

CERTIFIABLE = ("matching", "patterns", "learned_patterns")
"""The bounds of the native search that a certificate can show; it holds corrals and frozen walls in its list only, no freezes."""
STEADY = {"dearest": 0, "stretch": 0}
"""How the search is tuned that learns: whatever the machine and its limits are, the same certificate is made, or none."""
LONG = {"expansions": 10_000, "nodes": 60_000}
"""How sets are searched for longer: ten times as long as usual, with five times as much room."""
LARGEST = 3
"""Boxes of the largest groups of a certificate with learned patterns: what is learned costs less than larger tables do."""
MOST_PATTERNS, MOST_STATES = 1000, 400_000
"""Learned patterns and states of a search that learns, after which a closed list without them is tried instead."""
LAST_PATTERNS, LAST_STATES = 6000, 4_000_000
"""Learned patterns and states of the last search, where nothing else gave a certificate."""
FEW_PATTERNS, FEW_STATES, SHARE = 700, 150_000, 2000
"""A search gives way to others for a while once it has more patterns, or more states and more than ``SHARE`` for each pattern."""
FEW_STATES_BY_CORRALS, FEW_STATES_BY_WALLS = 160_000, 120_000
"""States after which those others give way."""
STEP = 5000
"""Expanded states after which it is looked at whether a search gives way: no clock decides it."""
SLICE = 0.5
TRANSPOSED = Turn(0, 1, 1, 0)
"""Rows and columns change places; done twice it is as before."""


@dataclass(frozen=True, slots=True)
class Way:
    """How the native search learns for a certificate."""

    inner: bool = False
    """The searches of sets take corrals, too: they learn other patterns, whose records ``closing.close_patterns`` completes."""
    walls: bool = False
    """The list may take boxes that never move again as walls."""
    long: bool = False
    """Each search of a set may last for longer: larger sets are learned, and they cost more."""
    brief: bool = False
    """It gives way to others early; one that is neither long nor transposed goes on later."""
    transposed: bool = False
    """Rows and columns change places: cells have other numbers, so ties are broken otherwise, and other patterns learned."""
    last: bool = False
    """It may learn and store more than the others: nothing else comes after it."""

    @property
    def most(self) -> tuple[int, int]:
        """Return how many patterns and states its search may have; the patterns may have as many records as states."""
        return (LAST_PATTERNS, LAST_STATES) if self.last else (MOST_PATTERNS, MOST_STATES)


@dataclass(frozen=True, slots=True)
class Learned:
    """What a search that has proved a value rests on, as the checker numbers cells."""

    prices: tuple[int, ...]
    """Of the goals in reading order."""
    largest: int
    """Boxes of the largest groups."""
    patterns: tuple[Pattern, ...]


class Learning:
    """Searches that prove that no plan has fewer actions by what a certificate can hold; each goes on where it gave way."""

    def __init__(self, level: Field, objective: str, value: int) -> None:
        """Begin none yet; the level has as many goals as boxes, and a plan of ``value`` ``pushes`` or ``lines``."""
        self.level, self.objective, self.value = level, objective, value
        self._searches: dict[Way, astar.Search | None] = {}

    def barred(self, way: Way) -> bool:
        """Return whether the list of states has corrals, on which no learned pattern rests: in lines not the first one."""
        return way.inner or way.walls or self.objective == "pushes"

    def go_on(self, way: Way, clock: Clock, passed_limit: Callable[[int, int], str | None]) -> Learned | str | None:
        """Search in one way until it has proved the value.

        ``passed_limit`` is asked now and then, with the states and how many are left, for the word of a limit that has come.

        Returns:
            What was learned; the word of the limit that came first; None where the search gives way, is too large, has
            been asked for what it learned before, or has no tables that a certificate holds.
        """
        name = replace(way, brief=False)
        if name not in self._searches:
            self._searches[name] = self._begun(way)
        search = self._searches[name]
        while search is not None and not search.finished and not _is_vain(search, way):
            counts = search.counters
            if way.brief and counts["expanded"] % STEP == 0 and _gives_way(search, way):
                return None
            upto = counts["expanded"] // STEP * STEP + STEP
            if stopped := search.advance(clock, SLICE, upto) or passed_limit(
                counts["states"], counts["states"] - counts["expanded"]
            ):
                return stopped
        self._searches[name] = None
        return None if search is None or _is_vain(search, way) else _learned(search, self.level, way)

    def _begun(self, way: Way) -> astar.Search | None:
        """Return a search that has not begun yet, None without tables that a certificate holds."""
        learning = Options(largest_pattern=LARGEST).only(*CERTIFIABLE)
        sets = learning.tuning.learning._replace(**LONG if way.long else {})
        proving = learning.tuning.proving._replace(**STEADY)
        learning = replace(learning, tuning=learning.tuning._replace(proving=proving, learning=sets))
        options = replace(learning, corral=self.barred(way), walls=way.walls)
        level = self.level.level()
        if way.transposed:
            turned = TRANSPOSED.cell
            floor, boxes, goals = (frozenset(map(turned, one)) for one in (level.floor, level.boxes, level.goals))
            level = Level(floor, boxes, goals, turned(level.player))
        tables = search_tables.build(level, push_board.build(level), self.objective, options)
        search = astar.begin(level, tables, options)
        search.learning.options = options if way.inner else learning
        search.cut(self.value)
        found = search.tables.patterns
        return search if found.largest and max(found.potential) <= MOST_PRICE else None


def _gives_way(search: astar.Search, way: Way) -> bool:
    """Return whether a search that is brief has gone on for long enough, by what it has counted."""
    states, patterns = search.counters["states"], search.learned.count
    if way.walls or way.inner:
        return states > (FEW_STATES_BY_WALLS if way.walls else FEW_STATES_BY_CORRALS)
    return patterns > FEW_PATTERNS or states > max(FEW_STATES, SHARE * patterns)


def _learned(search: astar.Search, level: Field, way: Way) -> Learned:
    """Return what a search has learned, with the cells of the certificate."""
    board, found = search.tables.board, search.tables.patterns
    number = {cell: at for at, cell in enumerate(level.cells)}
    of = [number[TRANSPOSED.cell(cell) if way.transposed else cell] for cell in board.cells]
    paid = {of[goal]: int(found.potential[goal]) for goal in board.goals}
    listed = () if search.learner is None else search.learner.listed()
    patterns = tuple(Pattern(tuple(of[b] for b in p.boxes), of[p.player[0]], p.cost) for p in listed)
    return Learned(tuple(paid[goal] for goal in level.goals), found.largest, patterns)


def _is_vain(search: astar.Search, way: Way) -> bool:
    """Return whether a search has grown too large; it stays so, wherever its slices end."""
    patterns, states = way.most
    return search.learned.count > patterns or search.counters["states"] > states


def sizes_of(level: Field, equal: bool) -> list[int]:
    """Return the sizes of the largest groups to try, one after the other; 0 is without tables."""
    if not equal:
        return [0]
    k = len(level.boxes)
    most = max(1, min(k, 3, k // 2 + 1))
    while most > 1 and comb(level.size, most) * most**2 > 40_000_000:
        most -= 1
    sizes = [most]
    if k > 7 and most == 3 and comb(level.size, 4) < 5_000_000:
        sizes.append(4)
    return sizes


def prices_of(level: Level, objective: str) -> list[int]:
    """Return a price for each goal (in reading order), from an optimal assignment of the boxes at the start by duality.

    Any prices are sound; these make the sum of single prices the bound of the assignment.
    """
    costs, far = grid.start_costs(grid.build(level), lines=objective == "lines"), 1 << 20
    found = grid.assign([[far if cost is None else cost for cost in row] for row in zip(*costs, strict=True)])
    prices = [0] * len(costs) if found is None else [-v for v in found.potentials]
    return prices if max(prices, default=0) <= MOST_PRICE else [0] * len(prices)


def dead_boxes(level: Level, numbers: Field) -> tuple[int, ...]:
    """Return the boxes, as cell numbers of the certificate, that the deadlock detectors hold responsible; none if all are."""
    verdict = find_deadlock(level)
    if verdict is None:
        return ()
    of = {cell: number for number, cell in enumerate(numbers.cells_in(level))}
    named = tuple(sorted(of[box] for box in verdict.boxes if box in of))
    return named if len(named) < len(level.boxes) else ()
