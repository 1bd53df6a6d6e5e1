"""Kernels compiled ahead of time beside those that numba compiles at run time: speed on levels, and what starting costs.

``python -m tests.studies.compiled_kernels FILES`` prints both tables, in pushes, forward and in reverse on the first level of
each file. A process for each backend answers the same questions in turn: the module without FILES is one.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from sokoasp.bench.report import markdown_table
from tests.studies.speed import ONE_BOX, measure

BACKENDS = ("jit", "aot")
STATES = 150_000
"""Stored states after which a search ends, so that all work is fixed."""
EMPTY = "#" + " " * 10 + "#"
FOUR_BOXES = "\n".join(["#" * 12, "#@         #", "# $ $ $ $  #", *[EMPTY] * 6, "# . . . .  #", EMPTY, "#" * 12])
"""A level with too many states for the plain search that answers before kernels are compiled."""


def rows(files: Sequence[Path], objective: str, engines: Sequence[str], runs: int = 3) -> Iterator[dict[str, Any]]:
    """Yield a row for each level and engine: counts, and by backend the least CPU seconds of several runs taken in turn.

    Raises:
        RuntimeError: A backend is not there, or a process failed.
    """
    processes = {backend: _start(backend) for backend in BACKENDS}
    try:
        for file, engine in product(files, engines):
            question = [str(file), objective, engine]
            found: dict[str, list[dict[str, Any]]] = {backend: [] for backend in BACKENDS}
            for run in range(runs):
                for backend in BACKENDS if run % 2 else BACKENDS[::-1]:
                    found[backend].append(_ask(processes[backend], question))
            yield {
                "job": f"{file.name} {objective} {engine}",
                "expanded": [found[backend][0]["expanded"] for backend in BACKENDS],
                "generated": [found[backend][0]["generated"] for backend in BACKENDS],
                "seconds": [min(one["seconds"] for one in found[backend]) for backend in BACKENDS],
            }
    finally:
        for process in processes.values():
            process.kill()
            process.wait()


def _start(backend: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.studies.compiled_kernels"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "SOKOASP_BACKEND": backend},
    )


def _ask(process: subprocess.Popen[str], question: list[str]) -> dict[str, Any]:
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(json.dumps(question) + "\n")
    process.stdin.flush()
    line = process.stdout.readline()
    if not line:
        raise RuntimeError("a process ended: is there both a library (`sokoasp warm`) and numba?")
    answer: dict[str, Any] = json.loads(line)
    return answer


def starts() -> list[tuple[str, float, float, float]]:
    """Return (what, CPU seconds, seconds by the clock, MB of the largest process) of first answers of a native search."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        one, four = Path(folder) / "one.xsb", Path(folder) / "four.xsb"
        one.write_text(ONE_BOX)
        four.write_text(FOUR_BOXES)
        cold = {**os.environ, "SOKOASP_CACHE_DIR": str(Path(folder) / "cache"), "SOKOASP_BACKEND": "jit"}
        for what, level, environment, runs in (
            ("numba, empty cache, one box (plain search)", one, cold, 3),
            ("numba, empty cache, four boxes (kernels of the proving search)", four, cold, 1),
            ("numba, from its cache, four boxes", four, cold, 3),
            ("library, four boxes", four, {**os.environ, "SOKOASP_BACKEND": "aot"}, 3),
        ):
            command = [sys.executable, "-m", "sokoasp", "solve", str(level), "--engine", "native"]
            wall, cpu, megabytes = min(measure(command, environment) for _ in range(runs))
            found.append((what, cpu, wall, megabytes))
    return found


def markdown(files: Sequence[Path], objective: str, engines: Sequence[str]) -> Iterator[str]:
    """Yield the lines of both tables."""
    head = ("job", "expanded", "counts", "thousand states a CPU second: numba", "library", "ratio")
    yield from markdown_table.lines(head, map(_job, rows(files, objective, engines)))
    yield ""
    starting = (
        (what, f"{cpu:.2f} s", f"{wall:.2f} s", f"{megabytes:.0f} MB") for what, cpu, wall, megabytes in starts()
    )
    yield from markdown_table.lines(("`sokoasp solve --engine native`", "CPU", "by the clock", "peak"), starting)


def _job(row: Mapping[str, Any]) -> tuple[str, ...]:
    """Return a job's row of the first table."""
    same = "equal" if len(set(row["expanded"])) == len(set(row["generated"])) == 1 else f"{row['expanded']}"
    jit, aot = (made / spent / 1000 for made, spent in zip(row["generated"], row["seconds"], strict=True))
    return row["job"], f"{row['expanded'][0]:,}", same, f"{jit:.0f}", f"{aot:.0f}", f"{aot / jit:.2f}"


def _work() -> None:
    from sokoasp.core.limits import Limits
    from sokoasp.sokoban import formats
    from sokoasp.sokoban.search import Options, solve

    for line in sys.stdin:
        file, objective, engine = json.loads(line)
        (level, *_) = formats.read(Path(file).read_bytes(), source=file)
        began = time.process_time()
        found = solve(level, objective, Limits(states=STATES), engine=engine, options=Options(workers=1))
        counts = {name: found.counters[name] for name in ("expanded", "generated")}
        sys.stdout.write(json.dumps({**counts, "seconds": time.process_time() - began}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    if len(sys.argv) == 1:
        _work()
    for line in markdown(list(map(Path, sys.argv[1:])), "pushes", ("forward", "reverse")) if sys.argv[1:] else ():
        sys.stdout.write(line + "\n")
