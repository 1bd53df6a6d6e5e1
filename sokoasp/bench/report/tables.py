"""The numbers of a report: solved counts, PAR2, virtual best, speed-up ratios, ablations, cost against size."""

from __future__ import annotations

import json
import math
import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import NamedTuple

from sokoasp.bench.report import judge
from sokoasp.bench.report.judge import RunVerdict
from sokoasp.bench.run.outcomes import OUTCOMES
from sokoasp.bench.run.store import Store

FLOOR = 0.001
"""Seconds below which two times count as equal in ratios."""
MEASURES: Mapping[str, str] = {"wall": "wall", "cpu": "cpu", "total": "COALESCE(total_seconds, wall)"}
"""What may be compared → the column it comes from."""


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
    limit_mb: float = 0.0
    """0: not known."""


class Shape(NamedTuple):
    """What the tables need of an instance."""

    group: str
    file: str
    level: int
    title: str
    cells: int | None
    boxes: int | None


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
    references: Mapping[tuple[str, str], int]
    """(instance, objective) → the least cost of a plan: of any system, that came with the level, or proved before."""

    def of(self, objective: str) -> dict[str, dict[Point, Run]]:
        """Return the runs of an objective by system and point."""
        found: dict[str, dict[Point, Run]] = {name: {} for name in self.systems}
        for run in self.runs:
            if run.objective == objective:
                found[run.system][run.point] = run
        return {name: runs for name, runs in found.items() if runs}


def load(store: Store, changed: Mapping[str, RunVerdict], measure: str = "wall") -> Data:
    """Read a campaign; ``changed`` are the outcomes that the comparison of all runs has changed."""
    seconds = MEASURES[measure]
    names = ("instance", "seed", "repetition", "objective", "system", "outcome", "decided", "value", seconds)
    points: dict[Point, Point] = {}
    runs = []
    others = ("limit_seconds", "limit_memory_mb", "conflicts")
    for row in judge.rows(store, (*names, *others), changed):
        point = Point(row["instance"], row["seed"], row["repetition"])
        point, proper = points.setdefault(point, point), OUTCOMES[row["outcome"]].proper
        of = (point, row["objective"], row["system"], row["outcome"], bool(row["decided"]) and proper)
        times = (row[seconds], row["limit_seconds"], row["conflicts"], row["limit_memory_mb"])
        runs.append(Run(*of, row["value"] if proper else None, *times))
    known = store.connection.execute("SELECT name, base FROM system").fetchall()
    shapes = store.connection.execute('SELECT id, "group", title, cells, boxes FROM instance')
    places = files(store)
    order = _order(store.description())
    references = _references(store)
    for run in runs:
        if run.value is not None:
            at = (run.point.instance, run.objective)
            references[at] = min(run.value, references.get(at, run.value))
    systems = sorted({run.system for run in runs}, key=lambda name: (order.get(name, len(order)), name))
    return Data(
        systems=tuple(systems),
        objectives=tuple(dict.fromkeys(run.objective for run in runs)),
        runs=tuple(runs),
        bases={name: base for name, base in known if base},
        shapes={key: Shape(group, *places[key], *rest) for key, group, *rest in shapes},
        references=references,
    )


def _references(store: Store) -> dict[tuple[str, str], int]:
    """Return what is known of the instances beforehand."""
    found: dict[tuple[str, str], int] = {}
    for instance, text in store.connection.execute("SELECT id, known FROM instance"):
        for name, value in json.loads(text).items():
            at = (instance, name.removeprefix("plan:"))
            found[at] = min(value, found.get(at, value))
    return found


def _order(about: Mapping[str, str]) -> dict[str, int]:
    return {name: index for index, name in enumerate(about.get("order", "").split("\n"))}


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
    sat: float
    """IPC score of the satisficing track: the sum over runs of reference cost / cost, 0 without a plan."""
    agile: float
    """IPC score of the agile track: the sum of 1 within a second, down to 0 at the limit by the logarithm of the seconds."""
    contribution: float | None = None
    """PAR2 seconds that the virtual best of the others takes longer than with it; None for a system alone."""
    alone: int = 0
    """Questions that no other system decides."""


def scores(data: Data, objective: str) -> list[Score]:
    """Return the score of every system and, last, of the virtual best: on each question the fastest that decides it."""
    runs = data.of(objective)
    rows = [_score(name, list(found.values()), data.references) for name, found in runs.items()]
    if len(rows) > 1:
        best = _score("virtual best", list(virtual_best(runs).values()), data.references)
        rows = [_beside_others(row, runs) for row in rows] + [best]
    return rows


def _score(name: str, runs: Sequence[Run], references: Mapping[tuple[str, str], int]) -> Score:
    return Score(
        system=name,
        runs=len(runs),
        decided=sum(run.decided for run in runs),
        plans=sum(run.value is not None for run in runs),
        par2=math.fsum(cost(run) for run in runs) / len(runs),
        outcomes=Counter(run.outcome for run in runs),
        sat=math.fsum(_sat(run, references) for run in runs),
        agile=math.fsum(_agile(run) for run in runs),
    )


def _sat(run: Run, references: Mapping[tuple[str, str], int]) -> float:
    if run.value is None:
        return 0.0
    return references[run.point.instance, run.objective] / run.value if run.value else 1.0


def _agile(run: Run) -> float:
    """Return the agile score of a run; a plan counts from the end of its run."""
    if run.value is None or run.seconds > run.limit:
        return 0.0
    return 1.0 if run.seconds <= 1 else 1 - math.log(run.seconds) / math.log(run.limit)


def _beside_others(score: Score, runs: Mapping[str, Mapping[Point, Run]]) -> Score:
    """Add to a system's score what it brings to the virtual best on the questions it was asked."""
    others = virtual_best({name: found for name, found in runs.items() if name != score.system})
    mine = runs[score.system]
    common = [point for point in mine if point in others]
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

    one: str
    two: str
    common: int
    """Questions that both decide; the ratio is over these only."""
    factor: float | None
    """Geometric mean of seconds of ``one`` / seconds of ``two``: above 1, ``two`` is faster."""
    only_one: int
    only_two: int
    conflicts: float | None = None
    """The same ratio of conflicts, where both report some."""


def ratio(one: str, two: str, runs: Mapping[str, Mapping[Point, Run]]) -> Ratio:
    """Compare two systems question by question."""
    first, second = runs[one], runs[two]
    pairs = [(run, second[point]) for point, run in first.items() if point in second]
    both = [(a, b) for a, b in pairs if a.decided and b.decided]
    learned = [(a.conflicts, b.conflicts) for a, b in both if a.conflicts and b.conflicts]
    return Ratio(
        one,
        two,
        len(both),
        _mean_ratio((max(a.seconds, FLOOR), max(b.seconds, FLOOR)) for a, b in both),
        sum(a.decided and not b.decided for a, b in pairs),
        sum(b.decided and not a.decided for a, b in pairs),
        _mean_ratio((float(a), float(b)) for a, b in learned),
    )


def _mean_ratio(pairs: Iterable[tuple[float, float]]) -> float | None:
    logs = [math.log(a / b) for a, b in pairs]
    return math.exp(math.fsum(logs) / len(logs)) if logs else None


@dataclass(frozen=True, slots=True)
class Row:
    """Decided share and median time of each system on the instances of one size."""

    size: str
    questions: int
    cells: Mapping[str, tuple[int, int, float | None]]
    """System → decided, asked, median seconds of PAR2."""


def _natural(text: str) -> list[tuple[int, float, str]]:
    """Return a key by which 9 comes before 10, inside a name too."""
    parts = re.split(r"(\d+(?:\.\d+)?)", text)
    return [(0, float(part), "") if at % 2 else (1, 0.0, part) for at, part in enumerate(parts) if part]


def by_size(data: Data, objective: str, size: Callable[[Run], object]) -> list[Row]:
    """Group the runs of an objective by a size of their instance; runs whose size is None are left out."""
    groups: dict[object, dict[str, list[Run]]] = defaultdict(lambda: defaultdict(list))
    for run in data.runs:
        if run.objective == objective and (of := size(run)) is not None:
            groups[of][run.system].append(run)
    rows = []
    for of, systems in sorted(groups.items(), key=lambda pair: _natural(str(pair[0]))):
        cells = {
            name: (sum(run.decided for run in runs), len(runs), median(map(cost, runs)))
            for name, runs in systems.items()
        }
        rows.append(Row(str(of), len({run.point for runs in systems.values() for run in runs}), cells))
    return rows


def optima(data: Data, objective: str) -> dict[str, int]:
    """Return the proved optimum of each instance, where some system proved one."""
    proved = (run for run in data.runs if run.objective == objective and run.outcome == "optimal" and run.decided)
    return {run.point.instance: run.value for run in proved if run.value is not None}


def troubles(store: Store, changed: Mapping[str, RunVerdict]) -> list[tuple[str, str, str, str, str, str]]:
    """Return outcome, system, objective, instance, message and key of every run of rank 0 to 2, wrong answers first."""
    titles = names(store)
    bad = [name for name, outcome in OUTCOMES.items() if outcome.rank <= 2]
    found = []
    for row in judge.rows(store, ("outcome", "system", "objective", "instance", "message"), changed):
        if row["outcome"] in bad:
            title = titles.get(row["instance"], row["instance"])
            found.append((row["outcome"], row["system"], row["objective"], title, row["message"], row["key"]))
    return sorted(found, key=lambda row: (bad.index(row[0]), row[1:]))


def files(store: Store) -> dict[str, tuple[str, int]]:
    """Return where each instance comes from, by its id: its file, below the folder that all share, and its number there."""
    rows = store.connection.execute("SELECT id, file, level FROM instance").fetchall()
    folders = {os.path.dirname(file) for _, file, _ in rows if os.path.isabs(file)}  # noqa: PTH117, PTH120 (texts)
    shared = os.path.commonpath(folders) if folders else ""
    return {key: (file.removeprefix(shared).lstrip("/"), level) for key, file, level in rows}


def names(store: Store) -> dict[str, str]:
    """Return what the report calls each instance, by its id."""
    titles = dict(store.connection.execute("SELECT id, title FROM instance"))
    return {
        key: f"{file}:{level}" + (f" ({titles[key]})" if titles[key] else "")
        for key, (file, level) in files(store).items()
    }


def machines(store: Store) -> list[dict[str, object]]:
    """Return the descriptions of all machines that took part."""
    return [json.loads(text) for (text,) in store.connection.execute("SELECT description FROM machine ORDER BY id")]


def loads(store: Store) -> list[float]:
    """Return the load of the machine before each run, where it is known."""
    rows = store.rows(("json_extract(counters, '$.load')",), asked=True)
    return [float(load) for (load,) in rows if load is not None]
