"""What the early questions to the native search cost an answer that ASP gives within a second.

python -m sokoasp.bench.studies.probes FILES --runs 3

The questions are timed one by one, in CPU seconds of the thread that asks them: solving with and without them side by side
shows nothing on a busy machine, where equal runs differ by more than a twentieth.
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
class ProbeRow:
    """One level: CPU seconds of its answers, and of the questions in them."""

    level: str
    answers: float
    questions: float

    @property
    def share(self) -> float:
        """Return what the questions add, as a part of the time without them."""
        return self.questions / (self.answers - self.questions)


def measure(name: str, level: Level, runs: int, limit: float) -> ProbeRow | None:
    """Solve a level some times; None if ASP does not answer within the limit."""
    answers = questions = 0.0
    for run in range(runs + 1):
        began = time.process_time()
        found = solve(level, Task(engine="asp", cross_check=False, limits=Limits(seconds=20 * limit)))
        spent = time.process_time() - began
        if found.status is not Status.OPTIMAL or (run and spent > limit):
            return None
        if run:  # the first imports
            answers += spent
            questions += found.seconds.get("doubts", 0.0)
    return ProbeRow(name, answers / runs, questions / runs)


def table(rows: Sequence[ProbeRow]) -> Iterator[str]:
    """Yield the lines of a Markdown table: the levels that pay the largest share, and the sums."""
    yield "| level | CPU s of the answer | of which questions | share |"
    yield "|---|---|---|---|"
    worst = sorted(rows, key=lambda row: -row.share)[:5]
    whole = ProbeRow(
        f"the {counted(len(rows), 'levels')}", sum(r.answers for r in rows), sum(r.questions for r in rows)
    )
    for row in (*worst, whole):
        yield f"| {row.level} | {row.answers:.3f} | {row.questions:.4f} | {row.share:.1%} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--runs", type=int, default=3)
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
