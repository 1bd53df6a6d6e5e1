"""What the compiled detectors could save the native search: how many of its stored states they prove dead, and at what cost.

Run ``python -m sokoasp.bench.studies.dead_ends FILES``. A state below a dead one is dead too and would not be there, so both are
counted: states that are proved dead themselves, and states with such a state on the way to them.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sokoasp.core.limits import Limits
from sokoasp.sokoban import formats
from sokoasp.sokoban.deadlock.quick import QUICK, Depth, Judge
from sokoasp.sokoban.level import Level


@dataclass(frozen=True, slots=True)
class DeadEnds:
    """One level's search, cut short or ended, and what the detectors say of its states."""

    title: str
    states: int
    """Stored by the forward search for the fewest pushes."""
    search_ms: float
    """CPU time of the search a stored state."""
    dead: int
    """Proved dead themselves."""
    below: int
    """Proved dead, or reached through one that is."""
    judge_ms: float
    """CPU time a judgement, the call from Python included."""

    @property
    def gain(self) -> float:
        """Return the search's time over its time with the detectors on every state, if what they drop took its share."""
        kept = 1 - self.below / self.states
        return self.search_ms / (kept * self.search_ms + (1 - (self.below - self.dead) / self.states) * self.judge_ms)


def dead_ends(level: Level, title: str, depth: Depth = QUICK, most: int = 50_000) -> DeadEnds | None:
    """Search a level forward until it ends or has stored ``most`` states, and judge them all; None if it has no states.

    Raises:
        MissingExtra: numba is not installed.
        ValueError: The level is none for the compiled detectors.
    """
    import numpy as np

    from sokoasp.sokoban.search.exact.unidirectional import prepare
    from sokoasp.sokoban.search.model.options import Options
    from sokoasp.sokoban.search.model.referee import bounds_of

    judge = Judge(level, depth)
    search = prepare(
        level, "pushes", Options(lessons=False), bounds_of(level, "pushes"), None, reverse=False, seconds={}
    )
    if search is None:
        return None
    clock = Limits(states=most).start()
    began = time.process_time()
    while not search.finished and search.advance(clock, 1.0) is None:
        pass
    spent = time.process_time() - began
    store, board = search.store, search.tables.board
    count = search.counters["states"]
    boxes = np.zeros(len(level.boxes) + 1, np.int32)
    states = []
    for index in range(count):
        player = search.code.primitives.unpack(store.keys, index, board.live, store.words, boxes)
        states.append(([board.cells[box] for box in boxes[:-1]], board.cells[player]))
    began = time.process_time()
    dead = [judge.dead(*state) for state in states]
    judged = time.process_time() - began
    return DeadEnds(
        title, count, 1e3 * spent / count, sum(dead), _below(dead, store.came[:count].tolist()), 1e3 * judged / count
    )


def _below(dead: Sequence[bool], came: Sequence[int]) -> int:
    """Count the states that are dead or have a dead one on the way to them (which may be stored after them)."""
    fate: dict[int, bool] = {-1: False}
    for index in range(len(dead)):
        trail = [index]
        while trail[-1] not in fate and not dead[trail[-1]]:
            trail.append(came[trail[-1]])
        lost = fate.get(trail[-1], True)
        fate.update(dict.fromkeys((at for at in trail if at >= 0), lost))
    return sum(fate[index] for index in range(len(dead)))


def rows(files: Sequence[Path]) -> Iterator[DeadEnds]:
    """Measure every level of some files that the compiled detectors take."""
    for file in files:
        for number, level in enumerate(formats.read(file.read_bytes(), source=str(file)), 1):
            try:
                found = dead_ends(level, f"{file.stem}:{number}")
            except ValueError:
                continue
            if found is not None and found.states:
                yield found


if __name__ == "__main__":
    for row in rows([Path(name) for name in sys.argv[1:]]):
        shares = f"{row.dead / row.states:.1%} | {row.below / row.states:.1%}"
        line = (
            f"| {row.title} | {row.states:,} | {row.search_ms:.4f} | {shares} | {row.judge_ms:.4f} | {row.gain:.2f} |"
        )
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
