"""Run every command on large maps under limits, with and without a limit of memory; exits 1 if one is passed.

``python -m tests.limits [SIZE ...] [FILE ...] [WORD ...]``: generated maps of these sizes, and levels from files (the first of
each); with words, such as ``improve portfolio``, only commands run that hold one.

Each run may take its limit and ``SLACK`` seconds, and what reading the map and starting Python take here: that is measured by
``translate``, which has no limit. Every bound printed must be at least the one that needs no tables. A limited run may take
``MEMORY_SLACK`` times the memory of the limit.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from sokoasp.sokoban import formats, rules
from sokoasp.sokoban.level import DIRECTIONS, Cell, Direction, Level, reachable
from sokoasp.sokoban.units.reason import least as least_of

SLACK = 1.0
MEMORY_SLACK = 1.1
FREE = 5.0
"""Seconds for a command without a limit."""
SECONDS, MEMORY = (1.0, 5.0), 300
SIZES = (50, 100, 150, 200)
ENGINES = ("asp", "native", "forward", "reverse", "reference", "any", "portfolio", "sat")


def large_map(size: int, boxes: int, seed: int = 0) -> Level:
    """Return a map of this many rows and columns with an inner wall on every eighth cell or so."""
    rng = random.Random(f"{size} {boxes} {seed}")
    free = {Cell(r, c) for r in range(1, size - 1) for c in range(1, size - 1) if rng.random() >= 0.12}
    floor = reachable(max(free, key=lambda cell: -abs(cell.row - size // 2) - abs(cell.col - size // 2)), free)
    wide = [cell for cell in sorted(floor) if all(cell.step(d) in floor for d in DIRECTIONS)]
    player, *chosen = rng.sample(wide, 2 * boxes + 1)
    return Level(frozenset(floor), frozenset(chosen[:boxes]), frozenset(chosen[boxes:]), player)


def with_plan(size: int, boxes: int) -> tuple[Level, str]:
    """Return such a map with every box two pushes from its goal, and a plan of it."""
    rng = random.Random(f"{size} {boxes}")
    floor = large_map(size, 5).floor
    right = Direction.right
    starts: list[Cell] = []
    for cell in rng.sample(sorted(floor), len(floor)):
        row = [cell.step(right, steps) for steps in range(-1, 3)]
        if floor.issuperset(row) and all(abs(cell.row - c.row) + abs(cell.col - c.col) > 5 for c in starts):
            starts.append(cell)
        if len(starts) == boxes:
            break
    now, here, moves = set(starts), starts[0].step(right, -1), ""
    player = here
    for box in sorted(starts):
        way = rules.walk(floor - now, here, box.step(right, -1))
        if way is None:  # shut in: the box stays, on a goal of its own
            continue
        moves += way + "RR"
        now = now - {box} | {box.step(right, 2)}
        here = box.step(right)
    return Level(floor, frozenset(starts), frozenset(now), player), moves


def measured(arguments: list[str], *, least: int | None = None) -> tuple[float, float, int]:
    """Run a command; return seconds (wall; CPU where others use the machine as well), peak MB and exit code.

    With ``least`` the exit code is 1 where no JSON object with at least that lower bound was printed (11: no plan exists).
    """
    began = time.perf_counter()
    with (
        tempfile.TemporaryFile("w+") as out,
        subprocess.Popen([sys.executable, "-m", "sokoasp", *arguments], stdout=out, stderr=-3) as process,
    ):
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        wall, cpu = time.perf_counter() - began, used.ru_utime + used.ru_stime
        out.seek(0)
        text = out.read()
    code = process.returncode
    if least is not None and code != 11 and (not text.strip() or json.loads(text)["lower_bound"] < least):
        code = 1
    alone = os.getloadavg()[0] <= (os.cpu_count() or 1)
    return wall if alone else cpu, used.ru_maxrss * 1024 / 1e6, code


def commands(file: str, seconds: float, memory: int | None, planned: str = "", plan: str = "") -> list[list[str]]:
    """List the commands that have limits; ``plan`` is one of the level in ``planned``."""
    limits = ["--time-limit", f"{seconds:g}", *([] if memory is None else ["--memory-limit", str(memory)])]
    solve = [["solve", file, "--json", "--engine", name, *limits] for name in ENGINES]
    solve.append(["solve", file, "--json", "--objective", "pushes", "--engine", "asp", *limits])
    if planned:
        solve.append(["improve", planned, plan, "--json", *limits])
    others = [["stats", file, *limits], ["deadlock", file, *limits], ["deadlock", file, "--exhaustive", *limits]]
    others.append(["certify", file, "-o", f"{file}.certificate", *limits])
    return [*solve, *others, ["render", file, "-o", os.devnull, "--format", "html", *limits]]


def main(sizes: Sequence[int], files: Sequence[str] = (), words: frozenset[str] = frozenset()) -> int:
    """Print a line a run and return how many passed a limit; with ``words`` only commands that hold one of them run."""
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            file, planned, plan = (str(Path(folder) / f"{size}.{name}") for name in ("xsb", "planned.xsb", "lurd"))
            boxes = max(5, 300 * size * size // 40_000)
            level = large_map(size, boxes)
            solvable, moves = with_plan(size, min(boxes, 60))
            for path, text in (
                (file, formats.write([level], "xsb")),
                (planned, formats.write([solvable], "xsb")),
                (plan, moves),
            ):
                Path(path).write_text(text)
            for arguments in (
                ["check", planned, plan],
                ["translate", file, "--to", "facts", "-o", os.devnull],
                ["render", file, "-o", os.devnull, "--format", "svg"],
            ):
                wall, peak, code = measured(arguments)
                bad += _told(str(size), arguments, wall, FREE, peak, 1e9, code)
            bad += _under_limits(str(size), level, file, words, planned, plan)
        for file in files:
            level = formats.read(Path(file).read_bytes(), source=file)[0]
            copied = Path(folder) / "level.xsb"
            copied.write_text(formats.write([level], "xsb"))
            bad += _under_limits(Path(file).stem, level, str(copied), words)
    print(f"{bad} runs passed a limit")
    return bad


def _under_limits(name: str, level: Level, file: str, words: frozenset[str], planned: str = "", plan: str = "") -> int:
    """Run the commands on one level under every limit; return how many passed one."""
    base = measured(["translate", file, "--to", "xsb", "-o", os.devnull])[0]
    bad = 0
    for seconds in SECONDS:
        for memory in (MEMORY, None):
            for arguments in commands(file, seconds, memory, planned, plan):
                if words and not words.intersection(arguments):
                    continue
                least = least_of(level, "lines") if arguments[0] == "solve" else None
                wall, peak, code = measured(arguments, least=least)
                most_mb = 1e9 if memory is None else memory * MEMORY_SLACK
                bad += _told(name, arguments, wall - base, seconds + SLACK, peak, most_mb, code)
    return bad


def _told(name: str, arguments: list[str], wall: float, most: float, peak: float, most_mb: float, code: int) -> int:
    late = wall > most or peak > most_mb or code in (1, 2, 30, 130)
    words = " ".join(word for word in arguments if "/" not in word)
    print(f"{'PASSED' if late else 'kept  '} {name:>8} {wall:7.1f} s {peak:6.0f} MB exit {code:3}  {words}", flush=True)
    return int(late)


if __name__ == "__main__":
    given = sys.argv[1:]
    numbers, paths = [int(word) for word in given if word.isdigit()], [word for word in given if Path(word).is_file()]
    chosen = frozenset(word for word in given if not word.isdigit() and word not in paths)
    raise SystemExit(1 if main(numbers or ([] if paths else SIZES), paths, chosen) else 0)
