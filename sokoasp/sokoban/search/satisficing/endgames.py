"""Endgames: the farthest states of the packing-order search as levels of their own, boxes that never move again as walls.

The forward search goes far on the way to states that are lost for reasons no test sees, and stays there. With the boxes that
have settled on goals for walls such a state is a small level: breadth-first search from both ends often sees all its states,
and then the forward search leaves it and all that came from it. Where it does not, a beam search from the goals may find the
plan that the forward search misses.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from sokoasp.core import progress
from sokoasp.core.limits import Limits
from sokoasp.sokoban import rules
from sokoasp.sokoban.level import Level, reachable
from sokoasp.sokoban.search.bounds import search_tables
from sokoasp.sokoban.search.exact import astar
from sokoasp.sokoban.search.exact.breadth_first import BreadthFirstSearch
from sokoasp.sokoban.search.model import push_board
from sokoasp.sokoban.search.model.tuning import Endgames
from sokoasp.sokoban.search.satisficing.feature_search import FeatureSpaceSearch
from sokoasp.sokoban.search.satisficing.packing_order_search import PackingOrderSearch
from sokoasp.sokoban.search.satisficing.search import Companion

SLICE = 2000
"""Expansions of a beam search in one step."""
ENDLESS = 1e9
"""Seconds: what a search may do is counted in states."""


@dataclass(slots=True)
class EndgameSearch(Companion):
    """Looks for a plan from the farthest states of another search, which leaves those that are proved lost here."""

    beside: PackingOrderSearch
    """The search whose farthest states it looks at."""
    name: str = field(default="endgame", kw_only=True)
    lost: dict[tuple[tuple[int, ...], int], bool] = field(default_factory=dict)
    """By boxes and player: whether a state looked at is lost."""
    _round: list[FeatureSpaceSearch] = field(default_factory=list)
    """Forward searches whose farthest states are still to be looked at, last first, each as often as it may be."""
    _next: int = 0
    """Effort of the other search at which the next round begins."""
    _begun: dict[tuple[int, ...], int] = field(default_factory=dict)
    """Beam searches by the boxes of the state they led to."""
    _prefix: list[tuple[int, ...]] = field(default_factory=list)
    """The box sets from the start of the level to where the beam search leads."""
    _most: int = 0
    """Expansions of the beam search that is on, at most."""

    @property
    def tuned(self) -> Endgames:
        """Return the constants it goes by."""
        return self.beside.options.tuned.endgames

    @property
    def idle(self) -> bool:
        """Return whether the other search is to go on first: by counts, so that two runs do the same."""
        busy = self.beside.finished or self._round or self.here is not None
        return not busy and self.beside.effort < max(self._next, self.tuned.wait)

    def step(self) -> None:
        """Go on with the beam search, or look at the farthest state of one of the forward searches."""
        # it ends with the other search, whether that has a plan or nothing left to look at
        if self.beside.finished:
            self.finished = True
        elif self.here is not None or self._round:
            # what it asks would note the states that it notes itself
            with progress.unwatched("searching endgames"):
                if self.here is not None:
                    self._go_on(self.here)
                else:
                    self._look(self._round.pop())
        else:
            searches = [one for one in reversed(self.beside.planners) if one.nodes]
            self._round = [one for one in searches for _ in range(self.tuned.looks)]
            self._next = self.beside.effort + self.tuned.every

    def _look(self, search: FeatureSpaceSearch) -> None:
        """Let a forward search leave its farthest state if it is lost; else begin a beam search to it, and turn to the next."""
        if not search.exhausted and self._is_lost(search, search.best):
            path = search.path(search.best)
            # what comes from a lost state is lost: the first lost one on the path is left with all that came from it
            first = next((i for i in range(len(path) - 2, -1, -1) if not self._is_lost(search, path[i])), -1) + 1
            search.prune(path[first])
            return
        self._round = [one for one in self._round if one is not search]
        if not search.exhausted:
            self._begin(search, search.best)

    def _is_lost(self, search: FeatureSpaceSearch, number: int) -> bool:
        """Return whether a state is proved to have no plan; the answer is kept."""
        node = search.nodes[number]
        key = node.boxes, node.player
        if key not in self.lost:
            self.lost[key] = self._exhausted(*key)
        return self.lost[key]

    def _exhausted(self, boxes: tuple[int, ...], player: int) -> bool:
        endgame = self.of(boxes, player)
        if endgame is None or endgame.solved:  # a search that begins with a solved state would find no way to it
            return endgame is None
        board = push_board.build(endgame)
        if board.dead_start:
            return True
        search = BreadthFirstSearch(endgame, board, "pushes", self.beside.options, gated=False)
        search.advance(Limits(states=self.tuned.states).start(), ENDLESS)
        self.past = self.with_past(search.counters)
        return search.exhausted

    def of(self, boxes: tuple[int, ...], player: int) -> Level | None:
        """Return a state as a level in which boxes that never move again are walls; None if such a box is off goal."""
        level, board, freeze = self.beside.level, self.beside.board, self.beside.dead_ends.branching.compiled.freeze
        cells, flag = np.array(boxes, dtype=np.int32), np.zeros(board.size + 1, dtype=np.uint8)
        flag[-1] = 1
        freeze.settled(len(cells), cells, board.size, board.neighbour, board.live, flag)
        settled = {board.cells[box] for box in boxes if flag[box]}
        area = reachable(board.cells[player], level.floor - settled)
        # behind walls of such boxes the player never comes, so what stands there stays, too
        there = frozenset(board.cells[box] for box in boxes)
        if not (there - area <= level.goals and level.goals - area <= there):
            return None
        return Level(frozenset(area), there & area, level.goals & area, board.cells[player])

    def _begin(self, search: FeatureSpaceSearch, number: int) -> None:
        """Begin a beam search from the goals to a state, longer each time it is still the farthest; none after some."""
        node = search.nodes[number]
        before = self._begun.get(node.boxes, 0)
        endgame = self.of(node.boxes, node.player) if before < self.tuned.times else None
        if endgame is None or endgame.solved:
            return
        options = self.beside.options
        tables = search_tables.build(endgame, push_board.build(endgame), "pushes", options, reverse=True)
        self.here = astar.begin(endgame, tables, options, beam=True)
        self._begun[node.boxes], self._most = before + 1, self.tuned.beam * self.tuned.more**before
        self._prefix = [*self.beside.prefix[:-1], *search.states(number)]

    def _go_on(self, beam: astar.Search) -> None:
        """Go on with the beam search; join its plan to the way from the start."""
        upto = min(int(beam.counters["expanded"]) + SLICE, self._most)
        full = beam.advance(Limits().start(), ENDLESS, most_expanded=upto)
        end = beam.plan()
        if end is not None:
            level, lead = self.beside.level, push_board.pushes_of(self.beside.board, self._prefix)
            self.found = rules.merged(level, rules.plan_from_pushes(level, [*lead, *end.actions]))
            self.finished = True
        if end is not None or full or beam.finished or upto == self._most:
            self.past, self.here = self.with_past(beam.counters), None
