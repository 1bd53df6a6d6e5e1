"""What a worker does before its first run, so that no run pays for it: imports, compiled code, programs read once."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Mapping
from importlib import import_module

from sokoasp.asp import catalogue, constraints, vocabulary  # noqa: F401 (a run checks constraints)
from sokoasp.asp.statements import program_of
from sokoasp.bench.define import variants
from sokoasp.bench.run import job_child  # noqa: F401 (what every run imports)
from sokoasp.bench.run.job import Job
from sokoasp.core import child
from sokoasp.core.errors import SokoaspError
from sokoasp.core.limits import Limits
from sokoasp.domain import domain_of, domains
from sokoasp.domain.sokoban import DOMAIN
from sokoasp.sokoban import search
from sokoasp.sokoban.formats import level_from_rows

_LEVEL = level_from_rows(["#######", "#.  $@#", "#  $  #", "# .   #", "#######"])


def native() -> None:
    """Ask every native engine once, which loads the kernels, and load those that it did not need.

    What must be compiled first is compiled by a process that then ends: a compiler's pages would count for every run.
    """
    if search.compiles():
        if (pid := os.fork()) == 0:
            try:
                child.die_with_parent()
                _ask_each()
            finally:
                os._exit(0)
        os.waitpid(pid, 0)
    _ask_each()


def _ask_each() -> None:
    for engine in DOMAIN.search.native.values():
        for objective in DOMAIN.objectives:
            with contextlib.suppress(SokoaspError, ImportError, ValueError):
                engine(_LEVEL, objective, Limits(seconds=30))
    with contextlib.suppress(ImportError):
        search.compile_all()


def asp() -> None:
    """Ask the programs of each objective once; clingo leaves no thread behind, so the worker can fork after it."""
    from sokoasp import engine

    vocabulary.vocabulary(DOMAIN.name)  # for programs of the user's own, and constraints
    for objective in DOMAIN.objectives:
        for name in DOMAIN.asp.encodings(_LEVEL, objective)[:2]:
            with contextlib.suppress(SokoaspError):
                engine.solve(_LEVEL, engine.Task(objective, "asp", name, cross_check=False, probes=False))


def read(one: Job) -> Job:
    """Return a job after its user's own program is read and checked: for ours, too, that is done before the first run."""
    with contextlib.suppress(SokoaspError, OSError):
        for name in variants.split(getattr(one.system.how, "encoding", None) or ""):
            found = catalogue.find(name, domain_of(one.problem).name, one.objective)
            program_of(found.files if found.own else ())
    return one


def sat() -> None:
    """Load the solvers and what makes formulas."""
    with contextlib.suppress(ImportError):
        import_module("sokoasp.engine.by_sat")


WARM: Mapping[str, Callable[[], None]] = {"encoding": asp, "native": native, "sat": sat}
"""Kind of runs → what a worker does beforehand for them; the other kinds need nothing."""


def prepare(kind: str) -> None:
    """Do beforehand what runs of a kind would do first."""
    domains()
    WARM.get(kind, lambda: None)()
