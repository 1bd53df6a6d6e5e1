"""What the early questions to the native search cost an answer that ASP gives within a second.

python -m sokoasp.bench.studies.doubts FILES --runs 5

Every level is solved by ASP with and without them, in turns; the least CPU seconds of the runs count.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sokoasp.core.limits import Limits
from sokoasp.core.result import Status
from sokoasp.core.words import counted
from sokoasp.engine import Task, solve
from sokoasp.sokoban import formats
from sokoasp.sokoban.level import Level


@dataclass(frozen=True, slots=True)
class DoubtRow:
    """One level: CPU seconds of its answer without and with the questions."""

    level: str
    without: float
    asked: float

    @property
    def more(self) -> float:
        """Return what the questions add, as a part of the time without them."""
        return self.asked / self.without - 1


def measure(name: str, level: Level, runs: int, limit: float) -> DoubtRow | None:
    """Solve a level in turns with and without doubts; None if ASP does not answer within the limit."""
    least = {False: limit, True: 2 * limit}
    for run in range(runs + 1):
        for doubts in (False, True):
            began = time.process_time()
            task = Task(engine="asp", doubts=doubts, cross_check=False, limits=Limits(seconds=20 * limit))
            found = solve(level, task)
            spent = time.process_time() - began
            if found.status is not Status.OPTIMAL or (not doubts and spent > limit):
                return None
            if run:  # the first imports
                least[doubts] = min(least[doubts], spent)
    return DoubtRow(name, least[False], least[True])


def table(rows: Sequence[DoubtRow]) -> Iterator[str]:
    """Yield the lines of a Markdown table: the dearest levels and the sums."""
    yield "| level | CPU s without | with | more |"
    yield "|---|---|---|---|"
    worst = sorted(rows, key=lambda row: -row.more)[:5]
    whole = DoubtRow(f"the {counted(len(rows), 'levels')}", sum(r.without for r in rows), sum(r.asked for r in rows))
    for row in (*worst, whole):
        yield f"| {row.level} | {row.without:.3f} | {row.asked:.3f} | {row.more:+.1%} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--time-limit", type=float, default=1.0, help="CPU seconds; slower answers are left out")
    chosen = parser.parse_args()
    rows = []
    for file in chosen.files:
        for number, level in enumerate(formats.read(file.read_bytes(), source=str(file)), 1):
            row = measure(f"{file.stem}:{number}", level, chosen.runs, chosen.time_limit)
            if row is not None:
                rows.append(row)
    sys.stdout.write("\n".join(table(rows)) + "\n")


if __name__ == "__main__":
    main()
