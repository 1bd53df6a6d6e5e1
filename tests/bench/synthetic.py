"""A made-up campaign of any size, to measure the report: ``python -m tests.bench.synthetic FOLDER 100000``."""

import random
import sys
from collections.abc import Sequence
from pathlib import Path

from sokoasp.bench.define.instances import Instance
from sokoasp.bench.define.systems import system_of
from sokoasp.bench.run.store import COLUMNS, FILE, Store
from sokoasp.sokoban.formats import level_from_rows

SYSTEMS = ("whole", "part a", "part b", "search", "outside")


def fill(folder: Path, count: int, names: Sequence[str] = SYSTEMS) -> None:
    """Store ``count`` runs of some systems; a few crash, a few lie."""
    rng = random.Random(0)
    folder.mkdir(parents=True, exist_ok=True)
    store = Store(folder / FILE)
    level = level_from_rows(["######", "#@$ .#", "######"])
    questions = count // len(names)
    instances = [
        Instance(f"i{n}", f"set {s}", f"set{s}.xsb", n // 7 + 1, f"level {n}", "sokoban", level, {"lines": 5 + n % 30})
        for n, s in ((n, n % 7) for n in range(max(1, questions // 4)))
    ]
    store.add_instances(instances)
    store.add_systems((system_of(n, "encoding", base="whole" if n.startswith("part") else None), "1") for n in names)
    store.add_machine("here", '{"cpu": "made up"}')
    store.describe({"title": "synthetic", "suite": "", "started": "2000-01-01"})
    marks = ",".join("?" * len(COLUMNS))
    rows = (
        _row(rng, instances[n % len(instances)], n // len(instances), i)
        for n in range(questions)
        for i in range(len(names))
    )
    store._write(f"INSERT INTO run VALUES ({marks})", rows)
    store.close()


def _row(rng: random.Random, instance: Instance, seed: int, index: int) -> tuple[object, ...]:
    name, best = SYSTEMS[index], instance.known["lines"]
    seconds = 0.01 * (1.3**best) * (1 + 0.3 * index) * rng.lognormvariate(0, 0.5)
    fate = rng.random()
    outcome = "optimal" if seconds < 60 else "time_out"
    if fate < 0.001:
        outcome = "crash"
    value = best if outcome == "optimal" else None
    if fate > 0.9995 and value is not None:
        value += 1
    values: dict[str, object] = {
        **dict.fromkeys(COLUMNS),
        "key": f"{instance.id}-{seed}-{name}",
        "instance": instance.id,
        **dict.fromkeys(("system", "digest"), name),
        "objective": "lines",
        "question": "",
        "seed": seed,
        "repetition": 0,
        "limit_seconds": 60.0,
        "limit_memory_mb": 1000.0,
        "outcome": outcome,
        "decided": int(outcome == "optimal"),
        "value": value,
        "lower_bound": value,
        "plan": "rrRRddLL" * 10,
        "message": "",
        **dict.fromkeys(("wall", "cpu", "total_seconds"), min(seconds, 60.0)),
        "peak_mb": 50.0,
        "conflicts": int(seconds * 1000),
        "counters": '{"atoms": 1000.0}',
        "exit_code": 0,
        "attempts": 1,
        "machine": "here",
        "worker": "local-1",
        "finished": "2000-01-01T00:00:00",
    }
    return tuple(values[name] for name in COLUMNS)


if __name__ == "__main__":
    fill(Path(sys.argv[1]), int(sys.argv[2]))
