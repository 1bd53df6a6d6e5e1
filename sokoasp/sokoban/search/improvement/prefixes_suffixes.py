"""Prefixes and suffixes of a plan: what comes before or after one of its states, solved anew with the whole level's tables.

An end (``reverse`` false) may fill the goals in any way; a beginning is searched by pulls, from a state of the plan back to the
start. The longest of either kind is the whole level: where it is proved tight the plan is optimal. What the searches learn about
sets of boxes holds for all prefixes and suffixes on the same side, so it is kept from one to the next.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field, replace

from sokoasp.sokoban.level import Level, reachable
from sokoasp.sokoban.rules import State
from sokoasp.sokoban.search.bounds import pattern_learning, search_tables
from sokoasp.sokoban.search.exact import astar
from sokoasp.sokoban.search.model import push_board
from sokoasp.sokoban.search.model.options import Options

STEP = 3
"""Lines by which a prefix or suffix is longer than the one before; doubled as long as they are proved tight."""
FAILS, JUMPS = 2, 3
"""After this number of them in a row not searched to the end, the next ones are longer by this part of the plan."""


@dataclass(slots=True)
class PrefixOrSuffix:
    """One side of a plan."""

    level: Level
    objective: str
    options: Options
    reverse: bool
    tight: dict[State, int] = field(default_factory=dict)
    """What the prefix or suffix at a state costs at least, where it was searched to the end."""
    _tables: search_tables.SearchTables | None = None
    _learned: pattern_learning.LearnedPatterns | None = None
    _learner: pattern_learning.PatternLearner | None = None

    def search(self, at: State) -> astar.Search | None:
        """Set up the search of the prefix or suffix at a state of the plan; None if a box stands on a dead square."""
        if self._tables is None:
            board = push_board.build(self.level)
            self._tables = search_tables.build(self.level, board, self.objective, self.options, reverse=self.reverse)
        board = self._tables.board
        number = {cell: index for index, cell in enumerate(board.cells)}
        if not all(number.get(box, board.live) < board.live for box in at.boxes):
            return None
        near = {at.player} if self.objective == "moves" else reachable(at.player, self.level.floor - at.boxes)
        boxes, player = tuple(sorted(number[box] for box in at.boxes)), min(number[cell] for cell in near)
        part = self.level if self.reverse else replace(self.level, boxes=frozenset(at.boxes), player=at.player)
        # a plan may end with the player anywhere
        whole = self.reverse and self.level.goals == at.boxes
        starts = search_tables.solved_states(board) if whole else ((boxes, player),)
        search = astar.begin(part, replace(self._tables, starts=starts), replace(self.options, progress=None))
        if self._learned is None:
            self._learned = search.learned
        search.learning.share(self._learned, self._learner)
        return search

    def keep(self, search: astar.Search) -> None:
        """Keep what a search has learned, and the tables it has filled."""
        if self._tables is None or self._tables.patterns.largest <= search.tables.patterns.largest:
            self._tables = search.tables
        self._learned, self._learner = search.learned, search.learning.learner or self._learner

    def proved(self, states: list[State], spent: list[int]) -> int:
        """Return the lines of the longest prefix or suffix of a plan that is known to be tight; so are all shorter ones.

        Args:
            states: The states of the plan, from the start to the last.
            spent: The plan's cost up to each.
        """
        count = len(states) - 1
        for length in range(count, 0, -1):
            at = length if self.reverse else count - length
            if self.tight.get(states[at]) == (spent[at] if self.reverse else spent[count] - spent[at]):
                return length
        return 0

    def lengths(self, known: int, count: int) -> Generator[int, bool, None]:
        """Yield the lines of the prefixes and suffixes to be tried in a round; sent whether the last one is tight now."""
        length, step, fails = known, STEP, 0
        while length < count:
            length = min(length + step, count)
            tight = yield length
            fails = 0 if tight else fails + 1
            if tight:
                step *= 2
            else:
                step = STEP if fails < FAILS else max(STEP, -(-count // JUMPS))
