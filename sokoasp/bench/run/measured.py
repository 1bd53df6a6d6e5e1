"""What tables ask of parts of the package that are no engines: deadlock detectors and walks."""

from __future__ import annotations

import time

from sokoasp.bench.define.systems import Detectors, Walk
from sokoasp.bench.run.job import Answer, Job
from sokoasp.core.errors import NotationError
from sokoasp.core.result import Result
from sokoasp.sokoban import rules, units
from sokoasp.sokoban.deadlock import PRUNING
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.rules import State
from sokoasp.sokoban.search.exact import reference
from sokoasp.sokoban.walk import METHODS, of_level
from sokoasp.sokoban.walk.touch import steps


def _level(job: Job) -> Level:
    """Return the level of a job. Raises NotationError: it is of another game."""
    if not isinstance(job.problem, Level):
        raise NotationError(f"systems of kind {job.system.kind!r} are for Sokoban levels only")
    return job.problem


def deadlock(job: Job) -> Answer:
    """Ask the detectors for a proof that the level is dead; the seconds are the clock's, from the level to the verdict."""
    how = job.system.how
    assert isinstance(how, Detectors)
    level, began = _level(job), time.perf_counter()
    verdict = units.find_deadlock(level, budget=PRUNING, detectors=how.detectors)
    seconds = {"total": time.perf_counter() - began}
    if verdict is None:
        return Answer("unknown", message="no deadlock found", seconds=seconds)
    return Answer("unsolvable", message=str(verdict.kind), seconds=seconds, decided=True)


def pruned(job: Job, names: tuple[str, ...]) -> Result:
    """Search breadth-first without the states that the detectors of these names prove dead."""
    level = _level(job)

    def dead(state: State) -> bool:
        return units.find_deadlock(level, state, budget=PRUNING, detectors=names) is not None

    return reference.solve(level, job.objective, job.limits.of_engine(), dead)


def walk(job: Job) -> Answer:
    """Walk from the player to the cells it reaches, and count how much longer than the shortest the walks are.

    Counters: ``walks``; ``moves`` in all and ``least``, those of the shortest; ``shortest``, the walks that are as short;
    ``worst``, the greatest ratio to the shortest; ``walked``, moves after the touch paper's second step, and ``gave_up``, walks
    in which that step finds no way by the paper's words.
    """
    level, how = _level(job), job.system.how
    assert isinstance(how, Walk)
    matrix, start = of_level(level), level.player
    cells = sorted(rules.region(level, rules.initial(level)) - {start})
    targets = cells[:: -(-len(cells) // (how.targets or len(cells) or 1)) or 1]
    method, began = METHODS[how.method], time.process_time()
    paths = [method(matrix, start, target) for target in targets]
    seconds = time.process_time() - began
    best = [METHODS["shortest"](matrix, start, target) for target in targets]
    pairs = [(len(path) - 1, len(least) - 1) for path, least in zip(paths, best, strict=True) if path and least]
    counters = {
        "walks": len(pairs),
        "moves": sum(moves for moves, _ in pairs),
        "least": sum(least for _, least in pairs),
        "shortest": sum(moves == least for moves, least in pairs),
        "worst": max((moves / least for moves, least in pairs), default=1.0),
    }
    if how.method == "paper":
        counters["walked"] = sum(len(steps(matrix, start, target).along_the_wall) - 1 for target in targets)
        plain = (steps(matrix, start, target, retreat=False) for target in targets)
        counters["gave_up"] = sum(not one.found for one in plain)
    status = "measured" if len(pairs) == len(targets) else "wrong_plan"
    return Answer(status, seconds={"total": seconds}, counters={name: float(n) for name, n in counters.items()})
