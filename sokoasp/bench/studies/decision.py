"""The competition's own question on its own files: the fast programs beside the plain one, in CPU seconds.

python -m sokoasp.bench.studies.decision FILES --time-limit 60

Two figures of each: the whole process of ``sokoasp solve``, and the answer alone, from the level that has been read to the
refereed plan or the refutation, which is what the programs are responsible for.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sokoasp.bench.studies.speed import answered, installed
from sokoasp.core.limits import Limits
from sokoasp.engine import Task, solve
from sokoasp.sokoban import facts

_WORDS = {"solved": "yes", "no_plan": "no"}


@dataclass(frozen=True, slots=True)
class Reported:
    """What one program says to one file's question."""

    answer: str
    process: float
    """CPU seconds of the process of the command."""
    alone: float
    """CPU seconds of the answer."""


def ask(file: Path, limit: float, encoding: str | None, environment: Mapping[str, str]) -> Reported:
    """Put a file's question to a program (None: the default) by the command, then in this process.

    Raises:
        AssertionError: The two answers differ.
    """
    level = facts.read(file.read_text(encoding="utf-8"))
    steps = level.steps or 1
    options = ["--encoding", encoding] if encoding is not None else []
    command = [sys.executable, "-m", "sokoasp", "solve", str(file), "--json", "--no-cross-check", "--steps", str(steps)]
    said, process = answered([*command, *options], limit, environment)
    if not said:
        return Reported("out of time", process, limit)
    status = str(json.loads(said.splitlines()[0])["status"])
    began = time.process_time()
    again = solve(level, Task(encoding=encoding, steps=steps, cross_check=False, limits=Limits(seconds=10 * limit)))
    alone = time.process_time() - began
    if again.status != status:
        raise AssertionError(f"{file.name}: {status} by the command, {again.status} by the library")
    return Reported(_WORDS.get(status, status), process, alone)


def main() -> None:
    """Print a Markdown table, a file a line, and the sums."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--time-limit", type=float, default=60.0, help="CPU seconds of each process")
    parser.add_argument("--encodings", nargs="+", default=["", "competition"], help="empty: the default programs")
    chosen = parser.parse_args()
    names = [name or "default" for name in chosen.encodings]
    _row("file", *(f"{name}, {what}, s" for name in names for what in ("process", "answer")), "answer")
    _row(*(["---"] * (2 * len(names) + 2)))
    sums = [[0.0, 0.0] for _ in names]
    with tempfile.TemporaryDirectory() as folder:
        environment = installed(Path(folder))
        for name in chosen.encodings:  # not counted: compiles the modules and imports what is needed once
            ask(chosen.files[0], chosen.time_limit, name or None, environment)
        for file in chosen.files:
            reported = [ask(file, chosen.time_limit, name or None, environment) for name in chosen.encodings]
            for number, one in enumerate(reported):
                sums[number][0] += one.process
                sums[number][1] += one.alone
            answers = " / ".join(dict.fromkeys(one.answer for one in reported))
            _row(file.name, *(f"{spent:.2f}" for one in reported for spent in (one.process, one.alone)), answers)
    _row("sum", *(f"{total:.2f}" for pair in sums for total in pair), "")


def _row(*cells: str) -> None:
    sys.stdout.write(f"| {' | '.join(cells)} |\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
