"""The process of a SAT solver: it limits itself, asks bound after bound (or one), and reports to its parent what it finds.

It cannot be interrupted in the middle of a call, so it is a process that may be killed at any time. ``start`` starts it as
one of ``ChildProcesses``; its messages are dictionaries, ``"memory"`` where it has too little, or the error of a problem
that has no formula.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from sokoasp.core.child import Parent
from sokoasp.core.child_processes import ChildProcesses, Ended
from sokoasp.core.cnf import Formula
from sokoasp.core.errors import SokoaspError
from sokoasp.core.limits import Clock
from sokoasp.sat.formulas import formula_of, least_gain, parity
from sokoasp.sokoban.level import Level

HEADROOM = 12
"""A formula is made for this number of actions more than the bound asked for, so that the next bounds need no new one."""

REFUTING = {"CADICAL_STABILIZE": "0"}
"""CaDiCaL's options, which it reads from the environment, where a refutation is expected."""


@dataclass(frozen=True, slots=True)
class SolverQuestion:
    """What a solver process is asked."""

    level: Level
    objective: str
    first: int = 0
    """Rising bounds: the first one asked for."""
    stride: int = 3
    last: int | None = None
    """The largest bound asked for, None without end."""
    single: int | None = None
    """Ask this bound only, with options for refuting."""
    exact: bool = False
    """With ``single``: exactly that number of actions, not at most."""
    proof: Path | None = None
    """With ``single``: write the formula and CaDiCaL's refutation of it to this folder."""
    cpu_seconds: float | None = None
    memory_mb: float | None = None

    @property
    def gain(self) -> int:
        """Return by how much the next better plan is better at least."""
        return least_gain(parity(self.level, self.objective))


Notify = Callable[[dict[str, Any]], None]


def start(children: ChildProcesses, name: str, question: SolverQuestion) -> None:
    """Start a solver as a child of that name."""
    children.start(name, answer, question, quiet=True)


def ask_alone(
    question: SolverQuestion, clock: Clock, watch: Callable[[], str | None] = lambda: None
) -> dict[str, Any] | str | Ended:
    """Ask a solver in a child process; return the message with its verdict, the limit or watch that ended it, or its end.

    Raises SokoaspError: the problem has no formula.
    """
    found: list[dict[str, Any] | str | Ended] = []

    def take(_name: str, message: dict[str, Any] | str | Ended | SokoaspError) -> None:
        if isinstance(message, SokoaspError):
            raise message
        if isinstance(message, str | Ended) or "verdict" in message:
            found.append(message)
            child.end()

    with ChildProcesses(take, watch) as child:
        start(child, "alone", question)
        stopped = child.wait(clock)
    return found[0] if found else str(stopped)


def answer(question: SolverQuestion, parent: Parent) -> None:
    """Answer a question in the process that was started for it."""
    lift = _limit(question)
    try:
        if question.single is None:
            _rise(question, parent.send)
        elif question.proof is None:
            _ask_once(question, question.single, parent.send)
        else:
            _refute(question, question.single, question.proof, parent.send)
    except SokoaspError as error:
        parent.send(error)
    except MemoryError:
        lift()  # what is said next needs some, too
        parent.send("memory")


def _limit(question: SolverQuestion) -> Callable[[], object]:
    """Set the limits of this process; return what takes the limit of memory away, ready to be called without any.

    Where a process cannot limit itself (Windows) the parent's clock alone ends it.
    """
    try:
        import resource
    except ImportError:
        return int

    if question.cpu_seconds is not None:
        seconds = max(1, int(question.cpu_seconds + 0.999))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    if question.memory_mb is not None:
        size, (_, most) = int(question.memory_mb * 1e6), resource.getrlimit(resource.RLIMIT_AS)
        if most != resource.RLIM_INFINITY:
            size = min(size, most)
        resource.setrlimit(resource.RLIMIT_AS, (size, most))
        return partial(resource.setrlimit, resource.RLIMIT_AS, (most, most))
    return int  # no limit, nothing to do


def _rise(question: SolverQuestion, notify: Notify) -> None:
    """Ask bound after bound of one incremental CaDiCaL, ``-act(k)`` as assumption, until there is a plan; then close in on it."""
    from pysat.solvers import Cadical195

    low, bound, best = question.first - 1, question.first, question.last
    found: int | None = None
    formula, solver, top = Formula(""), None, -1
    while found is None or low + question.gain < found:
        if best is not None and found is None:
            bound = min(bound, best)
        if solver is None or bound > top:
            top = bound + HEADROOM if best is None else max(bound, min(bound + HEADROOM, best))
            making = time.perf_counter()
            formula = formula_of(question.level, question.objective, top, quicker=True)
            if solver is not None:
                solver.delete()
            solver = Cadical195(bootstrap_with=formula.clauses)
            notify(
                {
                    "formula": top,
                    "variables": len(formula.number),
                    "clauses": len(formula.clauses),
                    "seconds": time.perf_counter() - making,
                }
            )
        assumed = [-formula.number["act", top - bound]] if top > bound else []
        value = _ask(solver, formula, bound, top, notify, assumed)
        if value is not None:
            found, bound = value, value - question.gain
        else:
            low = bound
            if found is None and best is not None and low >= best:
                break
            bound = found - question.gain if found is not None else low + question.stride
    notify({"done": True})


def _ask(
    solver: Any, formula: Formula, bound: int, top: int, notify: Notify, assumed: Sequence[int] = ()
) -> int | None:
    """Ask a solver with the formula of ``top`` actions a bound and report its verdict; return a plan's actions, None for none."""

    def conflicts() -> int:
        return int(solver.accum_stats()["conflicts"])

    began, before = time.perf_counter(), conflicts()
    verdict = "sat" if solver.solve(assumptions=assumed) else "unsat"
    cost = {"seconds": time.perf_counter() - began, "conflicts": conflicts() - before}
    if verdict == "unsat":
        notify({"bound": bound, "verdict": verdict, **cost})
        return None
    model = [v for v in solver.get_model() if v > 0]
    true = set(model)
    value = sum(formula.number["act", a] in true for a in range(1, top + 1))
    notify({"bound": bound, "verdict": verdict, **cost, "top": top, "value": value, "model": model})
    return value


def _ask_once(question: SolverQuestion, bound: int, notify: Notify) -> None:
    """Ask one bound: the formula is made for it, and CaDiCaL gets the options that help a refutation."""
    from pysat.solvers import Cadical195

    formula = formula_of(question.level, question.objective, bound, quicker=True)
    if question.exact and bound:
        formula.add(formula.number["act", 1])
    if not question.exact:
        os.environ.update(REFUTING)
    _ask(Cadical195(bootstrap_with=formula.clauses), formula, bound, bound, notify)
    notify({"done": True})


def _refute(question: SolverQuestion, bound: int, folder: Path, notify: Notify) -> None:
    """Write the formula of a bound, without clauses that only spare work, and CaDiCaL's proof, in DRAT as text."""
    import pysolvers
    from pysat.solvers import Cadical195

    os.environ.update({**REFUTING, "CADICAL_BINARY": "0"})
    formula = formula_of(question.level, question.objective, bound)
    with (folder / "formula.cnf").open("w", encoding="ascii") as out:
        out.writelines(formula.dimacs())
    solver = Cadical195(bootstrap_with=formula.clauses, with_proof=True)
    if solver.solve():
        notify({"verdict": "sat"})
        return
    # the proof is written to its end when the solver is deleted, and its file is closed then: keep a second handle
    with os.fdopen(os.dup(solver.prfile.fileno()), "rb") as proof, (folder / "proof.drat").open("wb") as out:
        pysolvers.cadical195_del(solver.cadical, solver.prfile)
        solver.cadical = None
        proof.seek(0)
        shutil.copyfileobj(proof, out)
    notify({"verdict": "unsat"})
