import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sokoasp.bench.define.suite import RunLimits, Suite, read_suite
from sokoasp.bench.define.systems import System, system_of
from sokoasp.bench.run.job import Job, Ran, Report
from sokoasp.bench.run.job_child import answer
from sokoasp.bench.run.local import Workers
from sokoasp.domain import Problem
from sokoasp.sokoban.formats import level_from_rows
from tests.processes import stat

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
SUITE = f"""
title = "test"
objectives = ["lines"]
[limits]
seconds = 20
[[instances]]
files = ["{INSTANCES}/graded/01-box.sok"]
levels = [1, 2, 3]
"""
REFERENCE = """
[[systems]]
name = "reference"
kind = "native"
engine = "reference"
"""
ASP = """
[[systems]]
name = "asp"
kind = "encoding"
"""
PUSH_ONE = level_from_rows(["#####", "#@$.#", "#####"])
TWO_LINES = level_from_rows(["######", "#    #", "# @$ #", "#   .#", "######"])

MakeSuite = Callable[..., Suite]


def of_levels(count: int, *, sets: str = "01-box") -> str:
    """Return a suite without systems, of the first levels of some graded sets."""
    return SUITE.replace("01-box", sets).replace("[1, 2, 3]", str(list(range(1, count + 1))))


@pytest.fixture
def make_suite(tmp_path: Path) -> MakeSuite:
    """Write suite text to a file and read it."""

    def make(text: str, name: str = "suite.toml") -> Suite:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return read_suite(path)

    return make


@pytest.fixture
def external(tmp_path: Path) -> Callable[..., System]:
    """Make an external system of a Python script."""

    def make(script: str, **keys: object) -> System:
        path = tmp_path / "solver.py"
        path.write_text(script, encoding="utf-8")
        words = ("{python}", str(path), "{xsb}")
        return system_of(name="script", kind="external", command=words, **keys)  # type: ignore[arg-type]

    return make


def job(system: System, problem: Problem = PUSH_ONE, objective: str = "lines", **limits: Any) -> Job:
    """Make a job of a system, with limits by the names of their fields."""
    return Job("key", "instance", problem, system, objective, 0, 0, replace(RunLimits(seconds=20), **limits))


def here(jobs: list[Job]) -> Iterator[Ran]:
    """Run jobs in this process, where a planted fault is: as quick as the search itself."""
    for one in jobs:
        yield Ran(one, Report(answer(one), 0.1, 0.1, 1.0, 0), 1, "here", ("here", "{}"))


@pytest.fixture(scope="session", autouse=True)
def _no_processes_left() -> Iterator[None]:
    """After all tests no worker process without an owner may be left over."""
    yield
    end = time.monotonic() + 10
    while _orphans() and time.monotonic() < end:
        time.sleep(0.1)
    assert not _orphans()


def _orphans() -> list[Path]:
    return [
        path
        for path in Path("/proc").glob("[0-9]*/cmdline")
        if b"sokoasp.bench.run.fork_server" in content(path) and stat(path.parent.name)[1] == "1"
    ]


def content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


@pytest.fixture(scope="module")
def worker() -> Iterator[Workers]:
    """A worker process for the tests of one module."""
    with Workers() as one:
        yield one


def report_of(worker: Workers, one: Job) -> Report:
    """Run a job and return what the worker saw."""
    (ran,) = worker.run([one])
    assert ran.report is not None
    return ran.report
