"""The deadlock instances with their verdicts, and small helpers the tests share."""

import csv
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from sokoasp.sokoban import rules
from sokoasp.sokoban.deadlock import PRUNING, Budget, Verdict
from sokoasp.sokoban.deadlock.bitboard import scene
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.units import DETECTORS
from tests.instances import FOLDER, levels
from tests.studies.labels import labels


@dataclass(frozen=True)
class Case:
    """A row of verdicts.csv with its level."""

    name: str
    level: Level
    start: Level | None
    """The level whose reverse search meets ``level`` as a position; None for a state of play."""
    dead: bool
    kind: str


@lru_cache(maxsize=1)
def cases() -> tuple[Case, ...]:
    found = []
    with (FOLDER / "deadlocks" / "verdicts.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            its = levels(f"deadlocks/{row['file']}")
            level = its[int(row["level"]) - 1]
            assert level.title == row["title"]
            start = its[int(row["start"]) - 1] if row["start"] else None
            found.append(Case(f"{row['file']}-{row['level']}", level, start, row["verdict"] == "dead", row["kind"]))
    return tuple(found)


def is_dead(level: Level) -> bool:
    """Decide a level by the rules alone."""
    truth = labels(level)
    return not truth[rules.canonical(level, rules.initial(level))]


def detector(name: str) -> Callable[..., Verdict | None]:
    """The detector of that name, asked of a level or of one of its states."""

    def find(level: Level, state: rules.State | None = None, *, budget: Budget = PRUNING) -> Verdict | None:
        return DETECTORS[name](scene(level, state), budget)

    return find
