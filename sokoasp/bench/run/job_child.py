"""What happens inside a run's own process: ask the system, let the referee judge, return an answer."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any

from sokoasp import engine
from sokoasp.bench.run import external
from sokoasp.bench.run.job import Answer, Job
from sokoasp.core.errors import SokoaspError, WrongPlan
from sokoasp.core.limits import Limits
from sokoasp.core.result import Result, Status
from sokoasp.domain import domain_of


def answer(job: Job) -> Answer:
    """Return what the system says to the job's question; faults of the system are answers too."""
    try:
        if job.system.kind == "external":
            return external.ask(job)
        return _by_engine(job)
    except MemoryError:
        return Answer("memory_out", message="out of memory")
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            return Answer("no_space", message=f"no space for the run's files: {error}")
        return Answer("error", message=f"{type(error).__name__}: {error}")
    except WrongPlan as error:
        return Answer("wrong_claim" if error.legal else "wrong_plan", message=str(error))
    except SokoaspError as error:
        return Answer("error", message=str(error))
    except (RuntimeError, ValueError) as error:
        status = "memory_out" if "bad_alloc" in str(error) else "error"
        return Answer(status, message=f"{type(error).__name__}: {error}")


def _by_engine(job: Job) -> Answer:
    system = job.system
    clasp: dict[str, Any] = {}
    if system.kind == "encoding":
        clasp = {"threads": system.threads, "configuration": system.configuration, "seed": job.seed}
        clasp["arguments"] = system.options
    task = engine.Task(
        objective=job.objective,
        engine="asp" if system.kind == "encoding" else system.engine,
        encoding=system.encoding,
        limits=Limits(seconds=job.limits.seconds, memory_mb=job.limits.memory_mb),
        steps=system.steps if system.kind == "encoding" else None,
        constraints=tuple(Path(name) for name in system.constraints),
        **clasp,
        cross_check=False,
        probes=False,
    )
    result = engine.solve(job.problem, task)
    return _answer(job, result)


def _answer(job: Job, result: Result) -> Answer:
    domain = domain_of(job.problem)
    plan = None
    if result.plan is not None:
        plan = domain.write_plan[next(iter(domain.write_plan))](job.problem, result.plan).strip()
    decided = result.status in (Status.OPTIMAL, Status.UNSOLVABLE)
    asked = external.is_bounded(job) and result.status in (Status.SOLVED, Status.NO_PLAN) and result.stopped_by is None
    return Answer(
        status=str(result.status),
        value=result.value,
        lower_bound=None if job.system.constraints or job.system.steps else result.lower_bound,
        plan=plan,
        message=result.proof or "",
        stopped_by=result.stopped_by,
        seconds=dict(result.seconds),
        counters={name: float(count) for name, count in result.counters.items()} | external.bound_of(job),
        steps=tuple((s.t, s.result, round(s.seconds, 4), s.conflicts) for s in result.steps),
        decided=decided or asked,
        encoding=result.encoding,
    )
