"""The recall table: how many of the truly dead states each detector finds, and that no living state is called dead."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass

from sokoasp.sokoban.deadlock import PRUNING, SIMPLE_RULES, Budget
from sokoasp.sokoban.deadlock.bitboard import scene
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.rules import State
from sokoasp.sokoban.units import DETECTORS
from tests.studies.samples import labelled_states


@dataclass(frozen=True, slots=True)
class Recall:
    """One detector (or sum of detectors) against the truth."""

    name: str
    found: int
    """Dead states it calls dead."""
    share: float
    """``found`` over all dead states."""
    beyond_simple: int
    """Dead states among ``found`` that dead squares, freeze and matching all miss."""
    false_alarms: int
    """Living states it calls dead: must be 0."""
    milliseconds: float
    """CPU time a state, over all states."""


@dataclass(frozen=True, slots=True)
class RecallTable:
    """The recall table of one seeded sample."""

    rows: tuple[Recall, ...]
    dead: int
    alive: int
    missed: tuple[tuple[Level, State], ...]
    """Dead states that no detector found."""
    alarms: tuple[tuple[Level, State], ...]
    """Living states that some detector called dead."""

    def __str__(self) -> str:
        lines = [f"{self.dead + self.alive} states, {self.dead} dead, {self.alive} alive"]
        lines.append(f"{'detector':<20}{'found':>7}{'recall':>9}{'beyond simple':>15}{'false':>7}{'ms':>8}")
        for row in self.rows:
            lines.append(
                f"{row.name:<20}{row.found:>7}{row.share:>9.1%}{row.beyond_simple:>15}"
                f"{row.false_alarms:>7}{row.milliseconds:>8.3f}"
            )
        return "\n".join(lines)


def recall_table(
    seed: int = 1, count: int = 5_000, *, spare: bool = False, large: bool = False, budget: Budget = PRUNING
) -> RecallTable:
    """Draw labelled states with this seed and try every detector on each of them, alone and together.

    ``large`` draws levels of about twice the size, three boxes each, which takes minutes.
    """
    states = 60_000 if large else 3_000
    sample = list(labelled_states(seed, count, spare=spare, large=large, per_level=80, states=states))
    hits: dict[str, set[int]] = {name: set() for name in DETECTORS}
    seconds = dict.fromkeys(DETECTORS, 0.0)
    for number, (level, state, _alive) in enumerate(sample):
        at = scene(level, state)
        for name, detector in DETECTORS.items():
            began = time.process_time()
            if detector(at, budget) is not None:
                hits[name].add(number)
            seconds[name] += time.process_time() - began
    thesis = [name for name in DETECTORS if name not in (*SIMPLE_RULES, "settled", "units", "alone")]
    sums = {"simple rules": SIMPLE_RULES, "thesis types 1 to 6": thesis, "all together": tuple(DETECTORS)}
    for title, names in sums.items():
        hits[title] = set().union(*(hits[name] for name in names))
        seconds[title] = sum(seconds[name] for name in names)
    dead = {number for number, (_level, _state, alive) in enumerate(sample) if not alive}
    rows = tuple(
        Recall(
            name=name,
            found=len(found & dead),
            share=len(found & dead) / max(1, len(dead)),
            beyond_simple=len((found & dead) - hits["simple rules"]),
            false_alarms=len(found - dead),
            milliseconds=1e3 * seconds[name] / max(1, len(sample)),
        )
        for name, found in hits.items()
    )
    everything = hits["all together"]
    return RecallTable(
        rows=rows,
        dead=len(dead),
        alive=len(sample) - len(dead),
        missed=tuple(sample[n][:2] for n in sorted(dead - everything)),
        alarms=tuple(sample[n][:2] for n in sorted(everything - dead)),
    )


if __name__ == "__main__":
    sys.stdout.write(f"{recall_table()}\n")
