"""What the kinds of searches for a shorter plan have spent, and the search of each that is going on."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass

from sokoasp.sokoban.rules import State
from sokoasp.sokoban.search.exact import astar
from sokoasp.sokoban.search.improvement.prefixes_suffixes import PrefixOrSuffix
from sokoasp.sokoban.search.improvement.vicinity import Vicinity

FIRST_EFFORT, EFFORT = 1_000, 4
"""States expanded for a segment in the first round, and the factor from one round without a gain to the next."""
FIRST_AFFIX, FIRST_VICINITY = 2_000, 4_000
"""The same for a prefix or suffix, and for a vicinity search."""
LAST_EFFORT = 300_000
TURN = 8_000
"""Expansions of a search before another kind may have its turn: a long search of one holds up no short one of another."""
SHARE = 2
"""Segments spend as much as prefixes and suffixes together, and so do vicinity searches."""

Window = tuple[State, State, bool, str]
"""Begin, end, whether the boxes that do not move in it are walls, and the objective: what a proof of tightness is about."""


@dataclass(slots=True)
class Effort:
    """Segments, suffixes, prefixes or vicinity searches: how far they have come."""

    effort: int
    affix: PrefixOrSuffix | None = None
    """None for segments and vicinity searches."""
    vicinity: Vicinity | None = None
    spent: int = 0
    """Expansions, of sets too, and what setting up takes."""
    finished: bool = False
    windows: Iterator[tuple[int, int, bool, str]] | None = None
    lengths: Generator[int, bool, None] | None = None
    tight: bool | None = None
    """What the last prefix or suffix has shown."""
    trial: Trial | None = None

    @property
    def share(self) -> int:
        """Return how much of the time it has, beside the others."""
        return 1 if self.affix is not None else SHARE

    def again(self) -> None:
        """Go through the plan from the beginning, as it has changed."""
        if self.vicinity is not None:
            self.vicinity.again()
        self._from_the_beginning()

    def spend_more(self) -> None:
        """Go through it once more, as it has not changed, and spend more on each search, until that is enough."""
        self.effort *= EFFORT
        self._from_the_beginning()

    def _from_the_beginning(self) -> None:
        self.windows = self.lengths = self.tight = self.trial = None
        self.finished = self.effort > LAST_EFFORT


@dataclass(slots=True)
class Trial:
    """A search that is going on."""

    kind: Effort
    begin: int
    end: int
    key: Window
    search: astar.Search
    left: int
    """Expansions, of sets too, that it may still make."""
