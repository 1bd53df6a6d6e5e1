"""Mark somebody's encoding level by level: right, a wrong plan, a wrong optimum, a missed plan, or out of time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sokoasp.asp.catalogue import find, named
from sokoasp.asp.user_program import refuse_level
from sokoasp.core.errors import EncodingError, OtherObjective, WrongPlan, counted
from sokoasp.core.limits import Limits
from sokoasp.core.result import Result, Status, Step
from sokoasp.core.shipped import SHIPPED
from sokoasp.domain import Problem, domain_for, domain_of
from sokoasp.engine import Task, solve
from sokoasp.klotski.board import Board
from sokoasp.klotski.board_facts import first_atom
from sokoasp.sokoban.level import BY_LETTER

FILES = "regression/regression.xsb tutorial/first.xsb tutorial/tutorial.xsb unsolvable/unsolvable.xsb regression/careless.json"
"""The files of the levels that an encoding is marked on if nobody says otherwise."""
SPARE_STEPS = 3
"""Actions beyond the true optimum (on an unsolvable level: beyond 0) that the program may take."""
NONE = f"gives no plan within {SPARE_STEPS} actions, and there is none"
MODELS = 20
"""Answers that are asked for, each replayed: a program that also allows illegal plans may give a legal one first."""
TRUTH_SECONDS = 60.0
"""What finding the true optimum of a level may take."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A level by its file and its number there."""

    file: str
    level: int

    @property
    def place(self) -> str:
        """Return ``FILE:N``."""
        return f"{self.file}:{self.level}"


@dataclass(frozen=True, slots=True)
class Grade(Placed):
    """How an encoding did on one level."""

    title: str
    verdict: str
    """``right``, ``wrong plan``, ``wrong optimum``, ``missed plan``, ``counts something else``, ``time out``, ``memory out``
    or ``no truth``."""
    optimum: int | None
    """The true optimum; None for an unsolvable level (and for ``no truth``)."""
    value: int | None
    """What the encoding claims."""
    reason: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Truth(Placed):
    """What is true of a level, by the reference search, which shares nothing with any encoding."""

    problem: Problem
    objective: str
    decided: bool
    optimum: int | None
    """None for an unsolvable level, and for one that is not decided."""
    begins: str = ""
    """The first action of a best plan, as the atom of a program that counts the objective."""


def truths(problems: Iterable[Problem], objective: str | None = None) -> Iterator[Truth]:
    """Search every problem for its true optimum; those of one file are numbered from 1."""
    numbers: dict[str, int] = {}
    for problem in problems:
        file = str(getattr(problem, "source", "")).removeprefix(f"{SHIPPED}/")
        numbers[file] = numbers.get(file, 0) + 1
        domain = domain_of(problem)
        wanted = objective or domain.objectives[0]
        judge = "reference" if "reference" in domain.search.native else domain.engine
        most = Limits(seconds=TRUTH_SECONDS)
        found = solve(problem, objective=wanted, engine=judge, limits=most, cross_check=False).uninterrupted()
        decided = found.status in (Status.OPTIMAL, Status.UNSOLVABLE)
        value = found.value if decided else None
        begins = _first_action(problem, found) if value else ""
        yield Truth(file, numbers[file], problem, wanted, decided, value, begins)


def _first_action(problem: Problem, found: Result) -> str:
    """Return the first action of a found plan as the programs of its objective show it: a line or one cell, a move, a slide."""
    domain, plan = domain_of(problem), found.plan
    if isinstance(problem, Board):
        return first_atom(problem, plan[0])
    if found.objective == "moves":
        return f"move({BY_LETTER[plan.lurd[0].lower()].name},1)"
    if found.objective == "pushes" and domain.asp.stretch:
        plan = domain.asp.stretch(problem, plan, found.value or 0)
    return domain.texts.write_plan["push"](problem, plan).partition(".\n")[0]


def grade(
    program: str, problems: Iterable[Problem], *, objective: str | None = None, limits: Limits | None = None
) -> Iterator[Grade]:
    """Run an encoding, a catalogue's name or a file, on every level and yield how it did as it comes.

    Raises EncodingError: the encoding cannot be run at all.
    """
    for truth in truths(problems, objective):
        yield mark(program, truth, limits or Limits(seconds=10.0))


def mark(program: str, truth: Truth, limits: Limits) -> Grade:
    """Run an encoding on one level and compare its answer with the truth.

    It is asked for a plan of at most the true optimum and three actions more, so that one that misses plans ends too.
    EncodingError if it cannot be run at all.
    """
    problem, objective = truth.problem, truth.objective
    domain = domain_of(problem)

    def graded(verdict: str, value: int | None, reason: str, seconds: float = 0.0) -> Grade:
        if reason.endswith("enough") and truth.begins:
            reason += f", beginning with {truth.begins}"
        title = domain.texts.title(problem)
        return Grade(truth.file, truth.level, title, verdict, truth.optimum, value, reason, seconds)

    if not truth.decided:
        return graded("no truth", None, f"the reference search did not decide the level within {TRUTH_SECONDS:g} s")
    if (domain.name, named(program).game) == ("sokoban", "klotski"):
        raise EncodingError(
            "a Klotski program is marked on Klotski boards: give them with --levels FILE", source=program
        )
    try:
        encoding = find(program, domain.name, objective)
        if encoding.own:
            refuse_level(encoding.files, domain.name)
        if encoding.mode == "single":
            return graded(*_by_steps(program, problem, objective, limits, truth.optimum))
        found = _answer(program, problem, objective, limits, (truth.optimum or 0) + SPARE_STEPS)
    except OtherObjective as error:
        return graded("counts something else", None, error.message.rpartition(": ")[2])
    except WrongPlan as error:
        reason = error.message.rpartition("gave an illegal plan: ")[2].rpartition(f"encoding {program!r} ")[2]
        return graded("wrong optimum" if error.legal else "wrong plan", None, reason)
    verdict, reason = _verdict(found, truth.optimum, objective)
    return graded(verdict, found.value, reason, found.seconds["total"])


def _answer(program: str, problem: Problem, objective: str, limits: Limits, last: int) -> Result:
    """Ask the program alone, without probes or cross-check, for the best plan of at most ``last`` actions."""
    tried: list[Step] = []
    task = _task(program, objective, limits)
    found = solve(problem, task, on_step=tried.append, watch=lambda: "steps" if tried and tried[-1].t >= last else None)
    return found.uninterrupted()


def _task(program: str, objective: str, limits: Limits, steps: int | None = None) -> Task:
    return Task(objective, "asp", program, limits=limits, steps=steps, models=MODELS, cross_check=False, probes=False)


def _by_steps(
    program: str, problem: Problem, objective: str, limits: Limits, optimum: int | None
) -> tuple[str, int | None, str, float]:
    """Ask a program that wants a number of steps twice: for one action less than the optimum, and for the optimum."""
    seconds, value = 0.0, None
    for actions in range(SPARE_STEPS + 1) if optimum is None else range(max(0, optimum - 1), optimum + 1):
        found = solve(problem, _task(program, objective, limits, actions + 1)).uninterrupted()
        seconds += found.seconds["total"]
        value = found.value
        if reason := _out(found):
            return f"{found.stopped_by} out", None, reason, seconds
        if actions == optimum and value is None:
            reason = f"no plan with {actions + 1} steps, though {_least(actions, objective)}"
            return "missed plan", None, reason, seconds
    return "right", value, (found.note or "") if optimum is not None else NONE, seconds


def _out(found: Result) -> str:
    """Say how a run ended that a limit has ended before it had an answer; empty for others."""
    solving = found.steps and found.steps[-1].result == "unknown"
    grounding = not solving and found.seconds.get("ground", 0) > found.seconds["total"] / 2
    late = f"{'grounding did not end' if grounding else 'no answer'} within the limit"
    return late * (found.plan is None and found.stopped_by in ("time", "memory"))


def _verdict(found: Result, optimum: int | None, objective: str) -> tuple[str, str]:
    """Compare an answer whose plan the referee has accepted with the truth."""
    refuted = max((step.t for step in found.steps if step.result == "unsat"), default=-1)
    if (reason := _out(found)) and (optimum is None or refuted < optimum):
        return f"{found.stopped_by} out", reason
    if optimum is None:
        return "right", NONE
    if found.status is Status.UNSOLVABLE:
        return "missed plan", f"no plan at all, though {_least(optimum, objective)}"
    if found.value is None:
        return "missed plan", f"no plan within {counted(refuted, objective)}, though {_least(optimum)}"
    if found.value > optimum or refuted >= optimum:
        return "wrong optimum", f"{counted(max(found.value, refuted + 1), objective)}, though {_least(optimum)}"
    if found.status is not Status.OPTIMAL:
        return f"{'memory' if found.stopped_by == 'memory' else 'time'} out", "the best plan, not proved best"
    return "right", found.note or ""


def _least(optimum: int, objective: str = "") -> str:
    return f"{counted(optimum, objective) if objective else optimum} {'is' if optimum == 1 else 'are'} enough"


def marking_levels(*own: Path) -> Iterator[Any]:
    """Yield the levels of these files, or those that come with the package; of a faulty one its error."""
    files = ((path.read_bytes(), str(path)) for path in own or [SHIPPED / name for name in FILES.split()])
    return (one for file in files for one in domain_for(*file).texts.read(*file))
