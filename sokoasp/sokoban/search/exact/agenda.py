"""What interrupts a best-first search between two slices: larger tables, learning, another depth."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum, auto

from sokoasp.sokoban.search.model.workspace import NEVER


class Task(Enum):
    """What a search breaks off for, in the order in which it is done."""

    CLIMB = auto()
    """Fill the tables of larger patterns."""
    LEARN = auto()
    """Look whether the f-layer still lasts, and learn from its states."""
    VARY = auto()
    """Go on at another depth of the f-layer."""


@dataclass(slots=True)
class Agenda:
    """When each task is due. All is counted in states, so that two runs do the same."""

    climb: int = NEVER
    """Generated states."""
    learn: int = NEVER
    """Generated states."""
    vary: int = NEVER
    """Expanded states."""

    @property
    def pause(self) -> int:
        """Return after how many generated states the kernel is to pause."""
        return min(self.climb, self.learn)

    def due(self, generated: int, expanded: int) -> Iterator[Task]:
        """Yield the tasks that are due, each once; a task may change when the next ones are."""
        if generated >= self.climb:
            yield Task.CLIMB
        if generated >= self.learn:
            yield Task.LEARN
        if expanded >= self.vary:
            yield Task.VARY


@dataclass(slots=True)
class Depths:
    """At which depths of a lasting f-layer a search goes on; depth first alone may miss a plan for ever."""

    layer: int = -1
    """The f-layer it was in when it was asked last."""
    rng: random.Random = field(default_factory=lambda: random.Random(1))

    def lasts(self, layer: int) -> bool:
        """Return whether the search is still in the f-layer it was in before."""
        before, self.layer = self.layer, layer
        return layer <= before

    def drawn(self) -> tuple[int, int]:
        """Return random numbers for a depth and for a state of it."""
        return self.rng.randrange(1 << 30), self.rng.randrange(1 << 30)
