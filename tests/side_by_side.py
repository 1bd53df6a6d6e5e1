"""The native search of two checkouts side by side: ``python -m tests.side_by_side OLD NEW [FILE ...]``.

Both compile from nothing first (CPU seconds of a first search of a tiny level, then what is compiled only when needed), then
take turns on the same questions, "plain" ones without the prunings that have changed since (PI-corrals, learned
patterns); given level files, it is the packing-order search that takes its first steps on each. Printed are the least CPU seconds
of each, their ratio, and whether both expanded, generated and stored the same.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

QUESTIONS = [
    (seed, objective, engine, plain)
    for seed, objective, engine in (
        (5, "pushes", "reverse"),
        (8, "moves", "forward"),
        (8, "pushes", "reverse"),
        (15, "moves", "forward"),
    )
    for plain in (False, True)
]
RUNS, RUNS_OF_A_FILE, STEPS = 9, 3, 60
"""Steps are turns of reverse plays and of forward searches: so many that all styles have some."""
WORK = """
import dataclasses, json, pathlib, sys, time
import sokoasp
from sokoasp.sokoban import formats, search
from sokoasp.sokoban.search import Options, solve
from tests.levels import scrambled_level
began = time.process_time()
tiny = next(iter(formats.read(b"#######\\n#@ $ .#\\n#######\\n")))
solve(tiny, "pushes", engine="forward")
first = time.process_time() - began
if hasattr(search, "machine"):
    getattr(search.machine.compiled(Options()), "lessons")
print(json.dumps({"first": first, "all": time.process_time() - began, "from": sokoasp.__file__}), flush=True)
names = {field.name for field in dataclasses.fields(Options)}
without = Options(**{name: False for name in ("corral", "lessons", "learned_patterns") if name in names})
def first_steps(path, steps):
    from sokoasp.sokoban.search.model import push_board
    from sokoasp.sokoban.search.satisficing.packing_order_search import PackingOrderSearch
    level = next(iter(formats.read(pathlib.Path(path).read_bytes())))
    one = PackingOrderSearch(level, push_board.build(level), Options())
    began = time.process_time()
    for _ in range(steps):
        if not one.finished:
            one.step()
    print(json.dumps({"took": time.process_time() - began, **one.counters}), flush=True)
for line in sys.stdin:
    question = json.loads(line)
    if len(question) == 2:
        first_steps(*question)
        continue
    seed, objective, engine, plain = question
    level = scrambled_level(seed, boxes=6, pulls=2000)
    began = time.process_time()
    found = solve(level, objective, engine=engine, options=without if plain else Options())
    took = time.process_time() - began
    counts = {name: found.counters[name] for name in ("expanded", "generated", "states")}
    print(json.dumps({"took": took, "value": found.value, **counts}), flush=True)
"""


def start(folder: Path, cache: Path) -> subprocess.Popen[str]:
    """Start a process that works on a checkout, with nothing compiled."""
    environment = os.environ | {"PYTHONPATH": str(folder), "SOKOASP_CACHE_DIR": str(cache)}
    return subprocess.Popen(
        [sys.executable, "-P", "-c", WORK], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    )


def ask(process: subprocess.Popen[str], question: object = None) -> dict[str, object]:
    """Ask a process one question (none: read how it started)."""
    assert process.stdin is not None and process.stdout is not None
    if question is not None:
        process.stdin.write(json.dumps(question) + "\n")
        process.stdin.flush()
    answer: dict[str, object] = json.loads(process.stdout.readline())
    return answer


def main() -> None:
    folders = [Path(name).resolve() for name in sys.argv[1:3]]
    with tempfile.TemporaryDirectory() as caches:
        pair = []
        for number, folder in enumerate(folders):  # one after the other: compiling disturbs
            process = start(folder, Path(caches) / str(number))
            began = ask(process)
            print(f"{began['from']}: compiled in {began['first']:.1f} s, with what learns {began['all']:.1f} s")
            pair.append(process)
        for question in [(path, STEPS) for path in sys.argv[3:]] or QUESTIONS:
            answers: list[list[dict[str, object]]] = [[], []]
            for run in range(RUNS_OF_A_FILE if len(question) == 2 else RUNS):
                for number in (0, 1) if run % 2 else (1, 0):
                    answers[number].append(ask(pair[number], question))
            least = [min(float(str(answer["took"])) for answer in given) for given in answers]
            counts = [{name: given[0][name] for name in given[0] if name != "took"} for given in answers]
            same = "counts equal" if counts[0] == counts[1] else f"COUNTS DIFFER {counts}"
            print(f"{question}: {least[0]:.3f} {least[1]:.3f} ratio {least[1] / least[0]:.2f}, {same}", flush=True)
        for process in pair:
            process.terminate()


if __name__ == "__main__":
    main()
