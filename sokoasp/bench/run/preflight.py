"""Looked at before the first run: whether each system can be asked at all, so that no campaign runs in vain."""

from __future__ import annotations

from collections.abc import Iterable

from sokoasp.bench.define.suite_keys import TableSource
from sokoasp.bench.define.systems import Command, Programs
from sokoasp.bench.run import external, job_child
from sokoasp.bench.run.job import Job
from sokoasp.core.errors import NotationError, SokoaspError
from sokoasp.domain import domain_of
from sokoasp.engine import task
from sokoasp.engine.by_asp import prepare


def check(source: TableSource, jobs: Iterable[Job]) -> None:
    """Look at a job of each kind that a system has, without solving it.

    Raises:
        SokoaspError: A system can be asked none of its questions in an objective; what is not about a file of its own names
            the suite's line.
    """
    faults: dict[tuple[str, str], tuple[int, SokoaspError] | None] = {}
    for one in {(one.system.name, *_kind(one)): one for one in jobs}.values():
        asked = one.system.name, one.objective
        if faults.get(asked, True):
            try:
                _ask(one)
                faults[asked] = None
            except SokoaspError as error:
                faults.setdefault(asked, (one.system.index, error))
    answering = {name for (name, _), fault in faults.items() if fault is None}
    for (name, _), found in faults.items():
        if found is None:
            continue
        index, fault = found
        if fault.source or ".lp:" in fault.message or "systems" in source.given:  # clingo's sentences have their place
            raise fault
        source.fail(("systems", index), fault.message + ": give the system the key 'objectives'" * (name in answering))


def _kind(job: Job) -> tuple[object, ...]:
    """Return what tells questions apart that a system may or may not be asked; constraints may name cells of one level."""
    return job.objective, type(job.problem), external.steps_of(job) is None, job.system.question and job.instance


def _ask(job: Job) -> None:
    """Raise SokoaspError if a job's system cannot be asked this."""
    if isinstance(job.system.how, Programs):
        domain, asked = domain_of(job.problem), job_child.for_clingo(job)
        for objection in asked.objections(domain):
            raise NotationError(task.said(objection))
        prepare(domain, job.problem, asked)
    elif isinstance(job.system.how, Command):
        external.check(job)
