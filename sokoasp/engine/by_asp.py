"""A problem solved by clingo: prepare the question, enter the programs, run them, and make a result of what comes out."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from sokoasp.asp import catalogue, multishot
from sokoasp.asp.catalogue import Encoding
from sokoasp.asp.multishot import Entry, Finish, Program
from sokoasp.core import progress
from sokoasp.core.errors import EncodingError, WrongEncoding, counted
from sokoasp.core.limits import Clock, CpuLimits, Limits, ThreadLimits
from sokoasp.core.result import Horizon, Result, Status, Step
from sokoasp.domain import Domain, P, Problem, domain_of
from sokoasp.engine.asp_result import ProgramRun, cost, result_of
from sokoasp.engine.task import Task

if TYPE_CHECKING:
    from sokoasp.asp.constraints import Wishes

PROBES = ((0.2, 0.003), (0.5, 0.01), (4.0, 2.0), (16.0, 5.0))
"""Seconds without an answer, then the seconds in which the native search may say whether there is a plan at all.

Both are CPU seconds, so that a busy machine changes nothing, and loading the compiled search counts. Below four seconds only what
is small and unsolvable is found: the compiled search alone takes more than one to load.
"""


PROBES_OF_OWN = ((0.2, 0.5), *PROBES[2:])
"""The same beside a user's own program, which may miss all plans and go on for ever."""

SHORT = 1_000
"""Conflicts of the only turn of a program without ideas that comes before others; it decides most levels of one or two boxes."""


class Prepared(NamedTuple):
    """A question to clingo: the programs with what they read, and the bounds to ask for."""

    domain: Domain[Any, Any]
    problem: Problem
    task: Task
    encoding: Encoding
    """The program that begins, with what the user wishes."""
    others: list[Program]
    """Those that take turns with it."""
    plain: str
    """The problem's own facts."""
    tables: Tables
    facts: str
    """All facts of the program that begins."""
    wishes: Wishes | None
    bounds: Horizon
    reason: str
    """Why no bound below the first is asked for; empty if there is none."""
    known: int | None
    """What the caller's plan costs."""
    clock: Clock
    spent: Clock
    """CPU seconds."""
    seconds: float
    """What preparing took."""

    @property
    def counts_up(self) -> bool:
        """Return whether bound after bound is asked of the program that begins."""
        return self.encoding.mode == "incremental"


def by_asp(
    domain: Domain[P, Any], problem: P, task: Task, on_step: Callable[[Step], None], watch: Callable[[], str | None]
) -> Result:
    """Solve by clingo alone.

    Raises:
        EncodingError: The encoding or the constraints cannot be used.
        WrongEncoding: The encoding's plan is illegal.
    """
    prepared = prepare(domain, problem, task)
    if isinstance(prepared, Result):
        return prepared
    programs = entries(prepared)
    finish, probe = run(prepared, programs, on_step, watch)
    return result(prepared, finish, probe)


def prepare(domain: Domain[P, Any], problem: P, task: Task) -> Prepared | Result:
    """Choose the programs, make facts and bounds; where the estimate shows that there is no plan, that is the answer.

    Raises:
        EncodingError: The encoding or the constraints cannot be used.
    """
    objective = str(task.objective)
    clock, spent = task.limits.start(), CpuLimits().start()
    encoding, *others = _programs(domain, problem, task)
    encoding = encoding if isinstance(encoding, Encoding) else encoding()
    estimate = domain.known.estimate(problem, objective)
    if estimate.impossible is not None and encoding.summary != catalogue.OWN and encoding.mode == "incremental":
        if task.constraints:  # a fault in them is reported all the same
            _with_wishes(domain, problem, task, encoding, domain.asp.facts(problem, None))
        none = Result(Status.UNSOLVABLE, objective, "asp", proof=estimate.impossible, encoding=encoding.name)
        return replace(none, seconds={"total": clock.elapsed})
    steps = steps_of(problem, encoding, task.steps)
    known = None if task.known is None else cost(domain, problem, task.known, objective)
    plain = domain.asp.facts(problem, steps if encoding.mode == "single" else None)
    tables = Tables(domain, problem, objective)
    encoding, facts, wishes = _with_wishes(domain, problem, task, encoding, tables.beside(plain, encoding))
    if task.constraints or task.arguments or encoding.summary == catalogue.OWN:
        from sokoasp.asp import constants

        constants.check(encoding, facts, task.constraints, task.arguments)
    return Prepared(
        domain,
        problem,
        task,
        encoding,
        others,
        plain,
        tables,
        facts,
        wishes,
        _bounds(estimate.bounds, task, encoding, steps, known, wishes),
        estimate.reason,
        known,
        clock,
        spent,
        clock.elapsed,
    )


def entries(prepared: Prepared) -> list[Entry]:
    """Return the programs with their facts and options; the tables of those that come later are made when they come."""
    task, others = prepared.task, prepared.others
    options = _options(task, prepared.wishes)
    beside = partial(prepared.tables.beside, prepared.plain)
    once = SHORT if others and not prepared.encoding.ideas else 0
    found = [Entry(prepared.encoding, prepared.facts, options, once=once)]
    found += [Entry(one, beside, options) for one in others]
    return found


def run(
    prepared: Prepared,
    programs: Sequence[Entry],
    on_step: Callable[[Step], None],
    watch: Callable[[], str | None],
) -> tuple[Finish, SolvabilityProbe]:
    """Run the programs until one answers or a limit stops them, and ask now and then whether there is a plan at all."""
    task = prepared.task
    asked = task.probes and prepared.counts_up
    probe = SolvabilityProbe(prepared.domain, prepared.problem, str(task.objective), prepared.clock, asked=asked)
    probe.spent = prepared.spent
    if prepared.encoding.summary == catalogue.OWN and not task.given(("constraints", "steps")):
        on_step = probe.doubting(prepared.encoding, on_step)
        probe.pending = list(PROBES_OF_OWN) if probe.pending else []
    if task.steps is None and prepared.counts_up:
        progress.note(bound=prepared.bounds.first, plan=prepared.known)
        on_step = _noted(on_step, prepared.bounds.stride)
    finish = multishot.run(
        programs,
        bounds=prepared.bounds,
        clock=prepared.clock,
        on_step=on_step,
        watch=lambda: watch() or probe.check(),
    )
    return finish, probe


def result(prepared: Prepared, finish: Finish, probe: SolvabilityProbe) -> Result:
    """Say what came out.

    Raises:
        WrongEncoding: The encoding's plan is illegal.
    """
    outcome, encoding = finish.outcome, finish.winner or prepared.encoding
    seconds = {
        "prepare": prepared.seconds,
        "ground": outcome.ground_seconds,
        "solve": outcome.solve_seconds,
        **({"doubts": probe.took} if probe.took else {}),
        "total": prepared.clock.elapsed,
    }
    answered = ProgramRun(
        prepared.domain,
        prepared.problem,
        prepared.task,
        encoding,
        prepared.bounds,
        outcome,
        prepared.reason,
        None if probe.result is None else probe.result.proof,
        prepared.wishes,
        {one.name: one for one in finish.programs},
    )
    return replace(
        result_of(answered),
        encoding=encoding.name,
        seconds=seconds,
        steps=tuple(outcome.steps),
        counters=outcome.counters,
    )


def _noted(on_step: Callable[[Step], None], stride: int) -> Callable[[Step], None]:
    """Have the bounds that are decided noted as progress as well."""

    def noted(step: Step) -> None:
        if step.result == "unsat":
            progress.note(bound=step.t + stride)
        elif step.result == "sat":
            progress.note(plan=step.t)
        on_step(step)

    return noted


def _with_wishes(
    domain: Domain[P, Any], problem: P, task: Task, encoding: Encoding, facts: str
) -> tuple[Encoding, str, Wishes | None]:
    """Add to the program what the user's files and the tie-breaks need; refuse files that would say nothing.

    What that takes is imported when there are any.
    """
    if not (task.constraints or task.then):
        return encoding, facts, None
    from sokoasp.asp import constraints, tiebreaks

    if encoding.mode != "incremental" and task.then:
        raise EncodingError(f"encoding {encoding.name!r} knows no tie-breaks")
    files = tiebreaks.files(encoding, task.then)
    wishes = constraints.check(task.constraints, encoding, facts, domain.asp.constants(problem), files)
    return wishes.encoding, facts, wishes


class Tables:
    """The tables of a problem as facts; those that several programs want are made once, when the first is grounded."""

    def __init__(self, domain: Domain[P, Any], problem: P, objective: str) -> None:
        self._make: Callable[[str, str], str] = lambda name, index: domain.asp.tables[name](problem, objective, index)
        self._made: dict[tuple[str, str], str] = {}

    def facts(self, encoding: Encoding) -> str:
        """Return the facts of the tables that a program wants."""
        for name in encoding.tables:
            if (name, encoding.index) not in self._made:
                self._made[name, encoding.index] = self._make(name, encoding.index)
        return "".join(self._made[name, encoding.index] for name in encoding.tables)

    def beside(self, plain: str, encoding: Encoding) -> str:
        """Return the problem's own facts and those of the tables."""
        return plain + self.facts(encoding)


def facts_of(problem: Problem, encoding: Encoding, steps: int | None = None) -> str:
    """Return the facts of a problem with those of the tables that a program wants.

    Args:
        problem: The level or board.
        encoding: The program.
        steps: Steps of a program that is solved once; default: the problem's own.

    Raises:
        EncodingError: The program is for another game, or wants a number of steps and there is none.
    """
    domain = domain_of(problem)
    if encoding.game != domain.name:
        raise EncodingError(f"encoding {encoding.name!r} is for {encoding.game}, this is {domain.name}")
    steps = steps_of(problem, encoding, steps)
    plain = domain.asp.facts(problem, steps if encoding.mode == "single" else None)
    return Tables(domain, problem, encoding.objective).beside(plain, encoding)


def _options(task: Task, wishes: Wishes | None) -> multishot.ClingoOptions:
    arguments = task.arguments
    if task.then:
        from sokoasp.asp import tiebreaks

        arguments += tiebreaks.arguments(task.then)
    return multishot.ClingoOptions(
        models=0 if task.count else task.models,
        threads=task.threads,
        configuration=task.configuration,
        seed=task.seed,
        arguments=arguments,
        constraints=task.constraints,
        preferences=wishes is not None and wishes.preferences,
        longer=wishes is not None and wishes.preferences and task.at_most is not None,
        only_count=task.count,
    )


def _programs(domain: Domain[P, Any], problem: P, task: Task) -> list[Program]:
    """Return the programs to run, in turns if there are several.

    The one that is named; else one that the public predicates can be had in, where they are wanted; else the game's choice.
    """
    objective, exact = str(task.objective), bool(task.given(("steps", "constraints", "at_most")))
    if task.programs:
        return [one.exact if exact else one for one in task.programs]
    if task.encoding is not None:
        names = [task.encoding]
    elif task.constraints or task.then:
        names = [domain.asp.constrained(problem, objective)]
    else:
        names = domain.asp.encodings(problem, objective)
        if _alone(task):
            names = names[:1]
    return [partial(_loaded, name, domain.name, objective, exact) for name in names]


def _loaded(name: str, game: str, objective: str, exact: bool) -> Encoding:
    found = catalogue.find(name, game, objective)
    return found.exact if exact else found


def _alone(task: Task) -> bool:
    """Return whether one program runs only: turns have conflict limits of their own."""
    return any("solve-limit" in argument for argument in task.arguments)


def steps_of(problem: Problem, encoding: Encoding, steps: int | None) -> int | None:
    """Return the number of competition steps a single program is to read: those given, else the problem's own.

    Raises:
        EncodingError: The program wants steps and there are none.
    """
    steps = steps if steps is not None else getattr(problem, "steps", None)
    if encoding.mode == "single" and steps is None:
        wanted = "give --steps N or facts with step/1"
        raise EncodingError(f"encoding {encoding.name!r} answers for a given number of steps: {wanted}")
    return steps


def _bounds(
    bounds: Horizon, task: Task, encoding: Encoding, steps: int | None, known: int | None, wishes: Wishes | None
) -> Horizon:
    """Return the bounds to ask for; the longest of all shortest plans is one only where no state need be visited twice."""
    if encoding.mode == "single":
        return Horizon(first=(steps or 1) - 1)
    if task.steps is not None:
        return Horizon(first=task.steps - 1, last=task.steps - 1)
    if encoding.summary == catalogue.OWN:
        bounds = Horizon(last=bounds.last)
    ends = [known - 1 if known is not None else None, task.at_most]
    if not task.constraints or (wishes is not None and wishes.memoryless):
        ends.append(bounds.last)
    return bounds._replace(last=min((end for end in ends if end is not None), default=None))


class SolvabilityProbe:
    """Asks the native search, seldom and with a budget, whether an undecided problem is solvable at all."""

    def __init__(self, domain: Domain[P, Any], problem: P, objective: str, clock: Clock, *, asked: bool) -> None:
        self.pending = list(PROBES) if asked else []
        self.clock = clock
        self.spent = clock
        """What the patience is measured by beside the wall: the CPU seconds of this process, where it does the work."""
        self.ask: Callable[[Limits], Result] = lambda limits: domain.search.second(problem, objective, limits, False)
        self.result: Result | None = None
        self.took = 0.0
        """CPU seconds of this thread that the questions have cost so far."""

    def doubting(self, encoding: Encoding, on_step: Callable[[Step], None]) -> Callable[[Step], None]:
        """Have a user's own program blamed as soon as it refutes a bound that the native search has a plan for.

        Without that a program that misses all plans would go on to its limit.
        """

        def doubted(step: Step) -> None:
            on_step(step)
            known = self.result
            if known is not None and known.value is not None and step.result == "unsat" and step.t >= known.value:
                plan = f"the native search has one of {counted(known.value, known.objective)}"
                claim = f"encoding {encoding.name!r} found no plan of at most {step.t}, and {plan}"
                raise WrongEncoding(f"wrong claim: {claim}", legal=True)

        return doubted

    def check(self) -> str | None:
        """Return ``"unsolvable"`` as soon as that is proved, ``"interrupt"`` if that came meanwhile."""
        if not self.pending or min(self.clock.elapsed, self.spent.elapsed) < self.pending[0][0]:
            return None
        _, budget = self.pending.pop(0)
        left = self.clock.remaining
        if left is not None and left < 2 * budget:
            return None
        began = time.thread_time()
        with progress.unwatched("looking whether there is a plan at all"):
            self.result = self.ask(ThreadLimits(seconds=budget))
        self.took += time.thread_time() - began
        if self.result.status is Status.OPTIMAL:
            self.pending.clear()
        if self.result.stopped_by == "interrupt":
            return "interrupt"
        return "unsolvable" if self.result.status is Status.UNSOLVABLE else None
