"""How fast and how big the everyday things are: start-up, a one-box level, reading and translating many levels.

``python -m tests.studies.speed`` prints the table of docs/performance.md.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from statistics import median

from sokoasp.bench.report import markdown_table
from sokoasp.sokoban import facts, formats
from sokoasp.sokoban.level import Cell, Level, drawn_walls, reachable

ONE_BOX = "#######\n#@ $ .#\n#######\n"
BARE = "import click"
FLOOR = """import os, click, clingo
control = clingo.Control()
control.add("base", [], "{a}. :- not a.")
control.ground([("base", [])])
control.solve()
os._exit(0)"""
"""What no program of ours can do without: both libraries, and a first solve of one atom."""


def measure(command: Sequence[str], environment: Mapping[str, str] | None = None) -> tuple[float, float, float]:
    """Run a process and return its wall seconds, CPU seconds and peak memory in MB.

    Raises:
        RuntimeError: It failed.
    """
    began = time.perf_counter()
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = 0
    if status:
        raise RuntimeError(f"{' '.join(command)} failed")
    return time.perf_counter() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024 / 1e6


def installed(folder: Path) -> dict[str, str]:
    """Return an environment in which modules are kept compiled, as those of an installed program are."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": str(folder)}


def table(runs: int = 21, levels: int = 10_000) -> list[tuple[str, str]]:
    """Measure everything side by side and return (what, figure) rows.

    Figures of processes are the least and the median of ``runs`` interleaved runs, after one that is not counted and compiles the
    modules: on a busy machine the least is nearer to what an idle one takes.
    """
    with tempfile.TemporaryDirectory() as folder:
        one = Path(folder) / "one.xsb"
        one.write_text(ONE_BOX)
        ours = [sys.executable, "-m", "sokoasp"]
        commands = {
            "bare": [sys.executable, "-c", BARE],
            "floor": [sys.executable, "-c", FLOOR],
            "help": [*ours, "--help"],
            "solve": [*ours, "solve", str(one)],
        }
        found: dict[str, list[tuple[float, float, float]]] = {name: [] for name in commands}
        environment = installed(Path(folder) / "compiled")
        for run in range(runs + 1):
            for name, command in commands.items():
                figures = measure(command, environment)
                if run:
                    found[name].append(figures)
    wall, cpu, memory = ({name: [one[part] for one in runs_] for name, runs_ in found.items()} for part in range(3))
    ratio = {name: median(cpu[name]) / median(cpu[floor]) for name, floor in (("help", "bare"), ("solve", "floor"))}
    rows = [
        ('`python -c "import click"`, CPU', _least_and_median(cpu["bare"])),
        ("`sokoasp --help`, CPU", f"{_least_and_median(cpu['help'])}; {ratio['help']:.2f}× of that"),
        ("floor: `import click, clingo` and a first solve, CPU", _least_and_median(cpu["floor"])),
        ("one-box level, `sokoasp solve`, CPU", f"{_least_and_median(cpu['solve'])}; {ratio['solve']:.2f}× the floor"),
        ("one-box level, wall", _least_and_median(wall["solve"])),
        ("one-box level, peak memory", f"{median(memory['solve']):.0f} MB"),
    ]
    return rows + _many(levels)


def _least_and_median(seconds: Sequence[float]) -> str:
    return f"{min(seconds):.3f} s, median {median(seconds):.3f} s"


def _many(count: int) -> list[tuple[str, str]]:
    """Time reading a collection and writing every level as facts."""
    text = formats.write([_random_level(Random(seed)) for seed in range(count)], "xsb")
    began = time.process_time()
    read = formats.read(text)
    middle = time.process_time()
    for level in read:
        facts.write(level)
    ended = time.process_time()
    return [
        (f"reading {count:,} levels of about 9×8 cells, CPU", f"{middle - began:.1f} s"),
        ("writing them as facts, CPU", f"{ended - middle:.1f} s"),
    ]


def _random_level(random: Random) -> Level:
    """Make a level of the size of a small collection's; whether it can be solved does not matter here."""
    while True:
        cells = {Cell(r, c) for r in range(1, 8) for c in range(1, 9) if random.random() < 0.75}
        floor = frozenset(reachable(random.choice(sorted(cells)), cells))
        if len(floor) >= 15:
            chosen = random.sample(sorted(floor), 7)
            return Level(floor, frozenset(chosen[:3]), frozenset(chosen[3:6]), chosen[6], drawn_walls(floor))


def markdown(rows: Sequence[tuple[str, str]]) -> str:
    """Return the rows as a Markdown table."""
    return "\n".join(markdown_table.lines(("what", "figure"), rows)) + "\n"


if __name__ == "__main__":
    sys.stdout.write(markdown(table()))
