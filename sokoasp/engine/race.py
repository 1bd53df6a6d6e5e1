"""The portfolio: ASP and the native search in two processes, the first proof wins, both certificates count."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from multiprocessing import connection, get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from sokoasp import sat
from sokoasp.core.errors import SokoaspError
from sokoasp.core.limits import Limits
from sokoasp.core.result import Result, Status
from sokoasp.domain import Domain, Problem, domain_of
from sokoasp.engine.by_asp import by_asp
from sokoasp.engine.by_sat import by_sat
from sokoasp.engine.task import Task

_DECIDED = (Status.OPTIMAL, Status.UNSOLVABLE, Status.NO_PLAN)
_GRACE = 3.0
"""Seconds a runner gets to hand in what it has once it is told to stop."""


def race(domain: Domain, problem: Problem, task: Task) -> Result:
    """Run both engines side by side until one decides, a limit stops both, or Ctrl-C; join what they know.

    Raises:
        SokoaspError: Both engines failed, or one proves what the other refutes.
    """
    limits = task.limits
    half = None if limits.memory_mb is None else limits.memory_mb / len(_runners_of(task))
    clock = limits.start()
    share = replace(task, limits=Limits(limits.seconds, half, limits.steps, limits.states), cross_check=False)
    context = get_context("spawn")
    runners: dict[Connection, BaseProcess] = {}
    for engine in _runners_of(task):
        ours, theirs = context.Pipe(duplex=False)
        process = context.Process(target=_run, args=(problem, replace(share, engine=engine), theirs), daemon=False)
        with _deaf():
            process.start()
        theirs.close()
        runners[ours] = process
    stopped = None
    results: list[Result | SokoaspError] = []
    try:
        results = _first(runners, None if limits.seconds is None else limits.seconds + _GRACE)
    except KeyboardInterrupt:
        stopped = "interrupt"
    results += _stop(runners)
    if stopped and not any(isinstance(result, Result) for result in results):
        nothing = Result(Status.INTERRUPTED, str(task.objective), "portfolio", stopped_by=stopped)
        return replace(nothing, seconds={"total": clock.elapsed})
    joined = _joined(str(task.objective), results, stopped)
    return replace(joined, seconds={**joined.seconds, "total": clock.elapsed})


def _runners_of(task: Task) -> tuple[str, ...]:
    """Name the engines that run: SAT is a third one where there is a thread for it and python-sat is installed."""
    return ("asp", "native", "sat") if task.threads > 2 and sat.available() else ("asp", "native")


@contextmanager
def _deaf() -> Iterator[None]:
    """Have processes started here never hear Ctrl-C, which reaches all of a terminal's: their parent tells them to stop."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _run(problem: Problem, task: Task, out: Connection) -> None:
    """Solve in a process of its own and send the result or the error; SIGTERM is taken as Ctrl-C."""
    # twice, because it may strike again while the first is dealt with
    with suppress(KeyboardInterrupt), suppress(KeyboardInterrupt, OSError):
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        out.send(_answer(problem, task))
    os._exit(0)


def _answer(problem: Problem, task: Task) -> Result | SokoaspError:
    """Return what the engine says."""
    domain = domain_of(problem)
    try:
        if task.engine == "asp":
            return by_asp(domain, problem, task, lambda step: None, lambda: None)
        if task.engine == "sat":
            return by_sat(domain, problem, task)
        return domain.native["native"](problem, str(task.objective), task.limits, task.known, None)
    except SokoaspError as error:
        return error


def _first(runners: dict[Connection, BaseProcess], seconds: float | None) -> list[Result | SokoaspError]:
    """Wait for a decision; return all results until then, and drop the runners that have sent theirs."""
    found: list[Result | SokoaspError] = []
    while runners:
        ready = connection.wait(list(runners), timeout=seconds)
        if not ready:
            return found
        for pipe in ready:
            assert isinstance(pipe, Connection)
            process = runners.pop(pipe)
            try:
                found.append(pipe.recv())
            except EOFError:
                found.append(SokoaspError("a runner of the portfolio died"))
            process.join()
        if any(isinstance(r, Result) and r.status in _DECIDED for r in found):
            return found
    return found


def _stop(runners: dict[Connection, BaseProcess]) -> list[Result | SokoaspError]:
    """Interrupt the runners that are left and collect what they hand in."""
    for process in runners.values():
        process.terminate()
    found: list[Result | SokoaspError] = []
    for pipe, process in runners.items():
        try:
            if pipe.poll(_GRACE):
                found.append(pipe.recv())
        except (EOFError, OSError):
            pass
        process.join(_GRACE)
        if process.is_alive():
            process.kill()
            process.join()
    return found


def _joined(objective: str, results: Sequence[Result | SokoaspError], stopped: str | None) -> Result:
    """Put the certificates of both engines together: the best plan and the best proved bound."""
    found = [result for result in results if isinstance(result, Result)]
    if not found:
        raise next(
            (r for r in results if isinstance(r, SokoaspError)), SokoaspError("no engine of the portfolio answered")
        )
    plans = [r for r in found if r.plan is not None]
    refuted = [r for r in found if r.status is Status.UNSOLVABLE]
    if plans and refuted:
        raise SokoaspError(
            f"the engines disagree: {plans[0].engine} has a plan, {refuted[0].engine} proved that there is none"
        )
    best = min(plans, key=lambda r: (r.value or 0, r.status is not Status.OPTIMAL)) if plans else None
    decided = next((r for r in found if r.status in _DECIDED), None)
    bound = max(found, key=lambda r: r.lower_bound)
    if best is not None and best.value is not None and bound.lower_bound > best.value:
        raise SokoaspError(
            f"the engines disagree: {best.engine} has {best.value}, {bound.engine} proved {bound.lower_bound}"
        )
    if best is not None and best.value == bound.lower_bound:
        proof = best.proof or f"bound by {bound.engine}, plan by {best.engine}"
        return replace(best, status=Status.OPTIMAL, lower_bound=bound.lower_bound, proof=proof, stopped_by=None)
    if best is None and decided is not None:
        return decided
    base = best or bound
    return replace(base, lower_bound=bound.lower_bound, stopped_by=stopped or base.stopped_by, objective=objective)
