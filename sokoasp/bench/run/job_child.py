"""What happens inside a run's own process: ask the system, let the referee judge, return an answer."""

from __future__ import annotations

import errno
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from sokoasp import engine
from sokoasp.asp import catalogue
from sokoasp.bench.define import systems, variants
from sokoasp.bench.run import external
from sokoasp.bench.run.job import Answer, Job
from sokoasp.core import errors
from sokoasp.core.bounds import with_bound
from sokoasp.core.result import Result, Status
from sokoasp.domain import domain_of
from sokoasp.sokoban import units
from sokoasp.sokoban.deadlock import PRUNING
from sokoasp.sokoban.level import Level


def answer(job: Job) -> Answer:
    """Return what the system says to the job's question; faults of the system are answers too."""
    try:
        return _ASK[job.system.kind](job)
    except MemoryError:
        return Answer("memory_out", message="out of memory")
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            return Answer("no_space", message=f"no space for the run's files: {error}")
        return Answer("error", message=f"{type(error).__name__}: {error}")
    except errors.WrongPlan as error:
        return Answer(error.status, message=str(error))
    except errors.SokoaspError as error:
        return Answer("error", message=str(error))
    except (RuntimeError, ValueError) as error:
        status = "memory_out" if "bad_alloc" in str(error) else "error"
        return Answer(status, message=f"{type(error).__name__}: {error}")


def for_clingo(job: Job) -> engine.Task:
    """Return what is asked of the programs of a system, in turns if there are several."""
    how = job.system.how
    assert isinstance(how, systems.Programs)
    names = variants.split(how.encoding) if how.encoding is not None else []
    programs: tuple[catalogue.Encoding, ...] = ()
    if len(names) > 1 or how.without:
        found = (catalogue.find(name, domain_of(job.problem).name, job.objective) for name in names)
        programs = tuple(one.without(*how.without) for one in found)
    return engine.Task(
        objective=job.objective,
        engine="asp",
        encoding=None if programs else how.encoding,
        programs=programs,
        limits=job.limits.of_engine(),
        steps=external.steps_of(job),
        constraints=tuple(Path(name) for name in how.constraints),
        threads=how.threads,
        configuration=how.configuration,
        seed=job.seed,
        arguments=how.options,
        cross_check=False,
        probes=False,
        measured=True,
    )


def _natively(job: Job) -> Answer:
    """Ask a native engine, from a known plan if the system starts from one, and shorten its plan if that is wished."""
    how, limits, plan = job.system.how, job.limits.of_engine(), _first_plan(job)
    assert isinstance(how, systems.Native)
    if how.without:
        from sokoasp.sokoban.search import solve
        from sokoasp.sokoban.search.model.options import Options

        options = Options().without(*how.without)
        assert isinstance(job.problem, Level)
        result = solve(job.problem, job.objective, limits, engine=how.engine, upper=plan, options=options)
    else:
        first, *ties = job.objective.split("+")
        task = engine.Task(first, how.engine, limits=limits, known=plan, cross_check=False, probes=False)
        result = engine.solve(job.problem, replace(task, then=tuple(ties)))
    counters = _started_from(job, plan)
    if how.improve is not None and result.status is Status.SOLVED:
        counters["found"] = float(result.value or 0)
        seconds = dict(result.seconds)
        domain, more = domain_of(job.problem), job.limits.of_engine(how.improve)
        better = engine.improve(domain, job.problem, result.plan, job.objective, more)
        result = replace(with_bound(better, result.lower_bound, result.engine), seconds=seconds)
    return _answer(job, result, counters)


def _by_sat(job: Job) -> Answer:
    """Ask SAT solvers for rising bounds; from a plan also for one below it. Each solver has the whole limit."""
    plan = _first_plan(job)
    task = engine.Task(job.objective, "sat", limits=job.limits.of_engine(), known=plan, cross_check=False, probes=False)
    return _answer(job, engine.solve(job.problem, task), _started_from(job, plan))


def _first_plan(job: Job) -> Any:
    """Return the plan a system starts from, shortened if that is wished: from the table of optima, or as it came with the level.

    Raises IllegalPlan: the plan that came with the level does not solve it.
    """
    domain, how = domain_of(job.problem), job.system.how
    assert isinstance(how, systems.Native | systems.Sat)
    plan = None
    if "+" in job.objective:
        return None  # tie-breaks start from nothing
    if how.known == "table":
        row = domain.known.optimum(job.problem, job.objective, True)
        plan = None if row is None else row["plan"]
    if how.known is True or (how.known == "table" and plan is None):
        came = [domain.texts.read_plan(job.problem, text, "") for text in getattr(job.problem, "solutions", ())]
        plan = min(came, key=lambda one: domain.validate(job.problem, one, None)[job.objective], default=None)
    if plan is None or how.shorten is None:
        return plan
    return engine.improve(domain, job.problem, plan, job.objective, job.limits.of_engine(how.shorten)).plan


def _started_from(job: Job, plan: Any) -> dict[str, float]:
    """Return the cost of the plan a system started from as a counter."""
    if plan is None:
        return {}
    return {"start": float(domain_of(job.problem).validate(job.problem, plan, None)[job.objective])}


def _by_detectors(job: Job) -> Answer:
    """Ask the detectors for a proof that the level is dead; the seconds are the clock's, from the level to the verdict."""
    how, level = job.system.how, job.problem
    assert isinstance(how, systems.Detectors)
    if not isinstance(level, Level):
        raise errors.NotationError("deadlock detectors are for Sokoban levels only")
    began = time.perf_counter()
    verdict = units.find_deadlock(level, budget=PRUNING, detectors=how.detectors)
    seconds = {"total": time.perf_counter() - began}
    if verdict is None:
        return Answer("unknown", message="no deadlock found", seconds=seconds)
    return Answer("unsolvable", message=str(verdict.kind), seconds=seconds, decided=True)


_ASK: dict[str, Callable[[Job], Answer]] = {
    "encoding": lambda job: _answer(job, engine.solve(job.problem, for_clingo(job))),
    "native": _natively,
    "sat": _by_sat,
    "deadlock": _by_detectors,
    "external": external.ask,
}


def _answer(job: Job, result: Result, counters: Mapping[str, float] = MappingProxyType({})) -> Answer:
    domain = domain_of(job.problem)
    plan, pushes = None, {}
    if result.plan is not None:
        plan = domain.texts.write_plan[next(iter(domain.texts.write_plan))](job.problem, result.plan).strip()
        pushes = job.pushes_in(engine.counts_of(job.problem, result))
    decided = result.status in (Status.OPTIMAL, Status.UNSOLVABLE)
    asked = external.settles(job, result.status, result.value) and result.stopped_by is None
    return Answer(
        status=str(result.status),
        value=result.value,
        lower_bound=None if job.system.steps and result.status is not Status.OPTIMAL else result.lower_bound,
        plan=plan,
        message=result.proof or result.note or "",
        stopped_by=result.stopped_by,
        seconds=dict(result.seconds),
        counters={name: float(count) for name, count in result.counters.items()}
        | external.bound_of(job)
        | pushes
        | dict(counters),
        steps=tuple((s.t, s.result, round(s.seconds, 4), s.conflicts) for s in result.steps),
        decided=decided or asked,
        encoding=result.encoding,
    )
