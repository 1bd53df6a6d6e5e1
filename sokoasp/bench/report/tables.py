"""The numbers of a report: solved counts, PAR2, virtual best, ratios of times, faults by name."""

from __future__ import annotations

import json
import math
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import PurePath
from typing import Any, NamedTuple

from sokoasp.bench.define.suite_keys import SYSTEMS
from sokoasp.bench.report import judge
from sokoasp.bench.report.judge import RunVerdict
from sokoasp.bench.run.outcomes import OUTCOMES
from sokoasp.bench.run.store import Store
from sokoasp.core.errors import some
from sokoasp.sokoban.formats.text import natural

EXAMPLES = 3
"""Instances that are named of those on which a system went wrong; the number of all is always printed."""
FLOOR = 0.001
"""Seconds below which two times count as equal in ratios."""


class Measure(NamedTuple):
    """Seconds that may be compared."""

    column: str
    short: str
    about: str


_SETTINGS = (
    "encoding without options configuration threads constraints steps engine known shorten improve detectors command"
)
"""Keys of a system that the report shows where they differ from the default."""
MEASURES: Mapping[str, Measure] = {
    "wall": Measure("wall", "wall seconds", "wall seconds of the run's own process, its start included"),
    "cpu": Measure("cpu", "CPU seconds", "CPU seconds of the run's own process and what it starts"),
    "total": Measure(
        "COALESCE(total_seconds, wall)",
        "seconds by the system's clock",
        "what the system itself needs, without the start of its process",
    ),
}


class Point(NamedTuple):
    """One question that all systems are asked: their runs on it are comparable."""

    instance: str
    seed: int
    repetition: int


class Run(NamedTuple):
    """What the tables need of a run."""

    point: Point
    objective: str
    system: str
    outcome: str
    decided: bool
    value: int | None
    seconds: float
    limit: float
    conflicts: int | None
    limits: str = ""
    """All its limits in words."""


class Shape(NamedTuple):
    """What the tables need of an instance."""

    group: str
    file: str
    level: int
    boxes: int | None
    known: Mapping[str, int] = {}
    """What came with it: ``plan:`` + objective → the cost of its own plan."""


@dataclass(frozen=True, slots=True)
class Data:
    """A campaign in memory, after all runs were compared."""

    systems: tuple[str, ...]
    """In the order of the suite, as far as it is known."""
    objectives: tuple[str, ...]
    runs: tuple[Run, ...]
    bases: Mapping[str, str]
    """Ablation → the system it is an ablation of."""
    shapes: Mapping[str, Shape]

    def of(self, objective: str) -> dict[str, dict[Point, Run]]:
        """Return the runs of an objective by system and point."""
        found: dict[str, dict[Point, Run]] = {name: {} for name in self.systems}
        for run in self.runs:
            if run.objective == objective:
                found[run.system][run.point] = run
        return {name: runs for name, runs in found.items() if runs}


def clock_of(store: Store) -> str:
    """Return whose seconds the limits of a campaign count: ``wall`` or ``cpu``."""
    return store.description().get("clock") or "wall"


def load(store: Store, changed: Mapping[str, RunVerdict], measure: str = "wall") -> Data:
    """Read a campaign; ``changed`` are the outcomes that the comparison of all runs has changed."""
    seconds = MEASURES[measure].column
    names = "instance seed repetition objective system outcome decided value limit_seconds limit_memory_mb conflicts"
    points, runs, about = dict[Point, Point](), list[Run](), store.description()
    clock = {"cpu": "CPU seconds", "wall": "s by the clock"}.get(about.get("clock", ""), "s")
    for row in judge.rows(store, (*names.split(), seconds), changed):
        point = Point(row["instance"], row["seed"], row["repetition"])
        point, proper = points.setdefault(point, point), OUTCOMES[row["outcome"]].proper
        of = (point, row["objective"], row["system"], row["outcome"], bool(row["decided"]) and proper)
        limits = f"{row['limit_seconds']:g} {clock}, {row['limit_memory_mb']:g} MB{about.get('limits', '')}"
        times = (row[seconds], row["limit_seconds"], row["conflicts"], limits)
        runs.append(Run(*of, row["value"] if proper else None, *times))
    known = store.connection.execute("SELECT name, base FROM system").fetchall()
    ran = f"id IN (SELECT instance FROM run{store.asked_last()})"
    shapes = store.connection.execute(f'SELECT id, "group", boxes, known FROM instance WHERE {ran}')
    places = files(store)
    order = {name: at for at, name in enumerate(about.get("order", "").split("\n"))}
    systems = sorted({run.system for run in runs}, key=lambda name: (order.get(name, len(order)), name))
    return Data(
        systems=tuple(systems),
        objectives=tuple(sorted({run.objective for run in runs})),
        runs=tuple(runs),
        bases={name: base for name, base in known if base},
        shapes={key: Shape(group, *places[key], boxes, json.loads(came)) for key, group, boxes, came in shapes},
    )


@dataclass(frozen=True, slots=True)
class Score:
    """How a system did on one objective."""

    system: str
    runs: int
    decided: int
    """Runs that settled the question: proved best, or proved impossible."""
    plans: int
    """Runs with a refereed plan, proved best or not."""
    par2: float
    """Mean seconds, an undecided run counted as twice its limit."""
    outcomes: Mapping[str, int]
    contribution: float | None = None
    """PAR2 seconds that the virtual best of the others takes longer than with it; None where no question was put to all."""
    alone: int = 0
    """Questions put to all systems that no other decides."""


def scores(data: Data, objective: str) -> list[Score]:
    """Return the score of every system and, last, of the virtual best: on each question the fastest that decides it."""
    runs = data.of(objective)
    rows = [_score(name, list(found.values())) for name, found in runs.items()]
    if len(rows) > 1:
        best = _score("virtual best", list(virtual_best(runs).values()))
        common = frozenset.intersection(*map(frozenset, runs.values()))
        rows = [_beside_others(row, runs, common) for row in rows] + [best]
    return rows


def _score(name: str, runs: Sequence[Run]) -> Score:
    return Score(
        system=name,
        runs=len(runs),
        decided=sum(run.decided for run in runs),
        plans=sum(run.value is not None for run in runs),
        par2=math.fsum(cost(run) for run in runs) / len(runs),
        outcomes=Counter(run.outcome for run in runs),
    )


def _beside_others(score: Score, runs: Mapping[str, Mapping[Point, Run]], common: frozenset[Point]) -> Score:
    """Add to a system's score what it brings to the virtual best on the ``common`` questions, which all were asked."""
    others = virtual_best({name: found for name, found in runs.items() if name != score.system})
    mine = runs[score.system]
    gained = math.fsum(max(0.0, cost(others[point]) - cost(mine[point])) for point in common)
    alone = sum(mine[point].decided and not others[point].decided for point in common)
    return replace(score, contribution=gained / len(common) if common else None, alone=alone)


def cost(run: Run) -> float:
    """Return the PAR2 seconds of a run: its time if it decides, else twice its limit."""
    return run.seconds if run.decided else 2 * run.limit


def virtual_best(runs: Mapping[str, Mapping[Point, Run]]) -> dict[Point, Run]:
    """Return the cheapest run (PAR2) of each question; one with a plan goes before one without."""
    best: dict[Point, Run] = {}
    for found in runs.values():
        for point, run in found.items():
            if point not in best or (cost(run), run.value is None) < (cost(best[point]), best[point].value is None):
                best[point] = run
    return best


@dataclass(frozen=True, slots=True)
class Ratio:
    """How two systems compare where both decide."""

    common: int
    """Questions that both decide; the ratio is over these only."""
    factor: float | None
    """Geometric mean of seconds of the first / seconds of the second: above 1, the second is faster."""
    only_first: int
    only_second: int
    conflicts: float | None = None
    """Geometric mean of conflicts of the first / conflicts of the second, where both report some."""

    @property
    def text(self) -> str:
        """Return factor and number of questions as a cell of a table."""
        return "–" if self.factor is None else f"{self.factor:.2f} ({self.common})"


def ratio(first: Mapping[Point, Run], second: Mapping[Point, Run]) -> Ratio:
    """Compare two systems question by question."""
    pairs = [(run, second[point]) for point, run in first.items() if point in second]
    both = [(a, b) for a, b in pairs if a.decided and b.decided]
    learned = [(a.conflicts, b.conflicts) for a, b in both if a.conflicts and b.conflicts]
    return Ratio(
        len(both),
        _mean_ratio((max(a.seconds, FLOOR), max(b.seconds, FLOOR)) for a, b in both),
        sum(a.decided and not b.decided for a, b in pairs),
        sum(b.decided and not a.decided for a, b in pairs),
        _mean_ratio((float(a), float(b)) for a, b in learned),
    )


def _mean_ratio(pairs: Iterable[tuple[float, float]]) -> float | None:
    logs = [math.log(a / b) for a, b in pairs]
    return math.exp(math.fsum(logs) / len(logs)) if logs else None


def by_set(data: Data, objective: str) -> dict[str, dict[str, list[Run]]]:
    """Return the runs of an objective by set of instances and system; set 9 comes before set 10."""
    groups: dict[str, dict[str, list[Run]]] = {}
    for system, found in data.of(objective).items():
        for run in found.values():
            groups.setdefault(data.shapes[run.point.instance].group, {}).setdefault(system, []).append(run)
    return {name: groups[name] for name in sorted(groups, key=natural)}


def troubles(store: Store, changed: Mapping[str, RunVerdict]) -> list[tuple[str, str, str, str, str, str]]:
    """Return outcome, system, objective, instance, message and key of every run of rank 0 to 2, wrong answers first."""
    titles = names(store)
    bad = [name for name, outcome in OUTCOMES.items() if outcome.rank <= 2]
    found = []
    for row in judge.rows(store, ("outcome", "system", "objective", "instance", "message"), changed):
        if row["outcome"] in bad:
            title = titles.get(row["instance"], row["instance"])
            message = re.sub(r"'/[^']*/([^/']+)'", r"'\1'", row["message"])
            found.append((row["outcome"], row["system"], row["objective"], title, message, row["key"]))
    return sorted(found, key=lambda row: (bad.index(row[0]), row[1:]))


def grouped(found: Iterable[tuple[str, ...]]) -> Iterator[tuple[tuple[str, ...], int, str, str, str]]:
    """Yield outcome, system and objective of such runs, their number, the first instances, and message and key of the first."""
    for place, group in groupby(found, key=lambda row: row[:3]):
        same = list(group)
        first = list(dict.fromkeys(row[3] for row in same))
        also = f" (and {others} more)" if (others := len({row[4] for row in same}) - 1) else ""
        yield place, len(same), some(first, EXAMPLES), same[0][4] + also, same[0][5]


def files(store: Store) -> dict[str, tuple[str, int]]:
    """Return where each instance comes from, by its id: its file, without the folder that all share, and its number there.

    So it does not matter from where the suite was named. Full paths and others share nothing.
    """
    rows = store.connection.execute("SELECT id, file, level FROM instance").fetchall()
    paths = {key: PurePath(os.path.normpath(file)) for key, file, _ in rows}
    folders = [[one.parent for one in paths.values() if one.is_absolute() == full] for full in (False, True)]
    shared = [os.path.commonpath(some) if some else "" for some in folders]
    return {key: (str(paths[key].relative_to(shared[paths[key].is_absolute()])), level) for key, _, level in rows}


def names(store: Store) -> dict[str, str]:
    """Return what the report calls each instance, by its id."""
    titles = dict(store.connection.execute("SELECT id, title FROM instance"))
    return {
        key: f"{file}:{level}" + f" ({titles[key]})" * bool(titles[key]) for key, (file, level) in files(store).items()
    }


def machines(store: Store) -> list[dict[str, object]]:
    """Return the descriptions of all machines that took part."""
    return [json.loads(text) for (text,) in store.connection.execute("SELECT description FROM machine ORDER BY id")]


def systems(store: Store) -> list[tuple[str, str, str]]:
    """Return name, version and settings of the systems that the suite asked last."""
    asked = f"SELECT name, version, spec FROM system WHERE digest IN (SELECT digest FROM run{store.asked_last()})"
    rows = store.connection.execute(f"{asked} ORDER BY name")
    return [(name, version or "", _settings(json.loads(spec))) for name, version, spec in rows]


def _settings(table: Mapping[str, Any]) -> str:
    """Return what a system was given beside the defaults, as keys of a suite; files without their folders."""
    usual = {key: SYSTEMS[key].default for key in _SETTINGS.split()} | {"engine": None}
    given = {key: value for key in usual if (value := table.get(key)) not in (None, usual[key])}
    words = (f"{key} = {' '.join(value) if isinstance(value, list) else value}" for key, value in given.items())
    return re.sub(r"(?<![^\s,])/[^\s,]*/", "", "; ".join(words))


def loads(store: Store) -> list[float]:
    """Return the load of the machine before each run, where it is known."""
    rows = store.rows(("json_extract(counters, '$.load')",), asked=True)
    return [float(load) for (load,) in rows if load is not None]
