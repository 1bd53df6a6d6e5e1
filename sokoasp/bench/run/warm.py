"""What a worker does before its first run, so that no run pays for it: imports, compiled code, programs read once."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Mapping
from importlib import import_module

from sokoasp.bench.run import job_child  # noqa: F401 (what every run imports)
from sokoasp.core.errors import SokoaspError
from sokoasp.core.limits import Limits
from sokoasp.domain import domains
from sokoasp.domain.sokoban import DOMAIN
from sokoasp.sokoban import search
from sokoasp.sokoban.formats import level_from_rows

_LEVEL = level_from_rows(["#######", "#.  $@#", "#  $  #", "# .   #", "#######"])


def native() -> None:
    """Ask every native engine once, which loads the kernels, and load those that it did not need."""
    for engine in DOMAIN.search.native.values():
        for objective in DOMAIN.objectives:
            with contextlib.suppress(SokoaspError, ImportError, ValueError):
                engine(_LEVEL, objective, Limits(seconds=30))
    with contextlib.suppress(ImportError):
        search.compile_all()


def asp() -> None:
    """Ask the programs of each objective once; clingo leaves no thread behind, so the worker can fork after it."""
    from sokoasp import engine

    for objective in DOMAIN.objectives:
        for name in DOMAIN.asp.encodings(_LEVEL, objective)[:2]:
            with contextlib.suppress(SokoaspError):
                engine.solve(_LEVEL, engine.Task(objective, "asp", name, cross_check=False, probes=False))


def sat() -> None:
    """Load the solvers and what makes formulas."""
    with contextlib.suppress(ImportError):
        import_module("sokoasp.engine.by_sat")


WARM: Mapping[str, Callable[[], None]] = {"encoding": asp, "native": native, "sat": sat}
"""Kind of a system → what a worker does beforehand for its runs; the other kinds need nothing."""


def prepare(kinds: Collection[str]) -> None:
    """Do beforehand what runs of these kinds of systems would do first."""
    domains()
    for kind, work in WARM.items():
        if kind in kinds:
            work()
