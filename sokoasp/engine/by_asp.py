"""A problem solved by clingo: prepare the question, enter the programs, run them, and make a result of what comes out."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from sokoasp.asp import catalogue, multishot
from sokoasp.core import errors, limits, progress
from sokoasp.core.result import Horizon, OnStep, Result, Status, Step, Watch
from sokoasp.domain import Game, Problem, domain_of
from sokoasp.engine import asp_result
from sokoasp.engine.task import Task

PROBES = ((0.2, 0.003), (0.5, 0.01), (4.0, 2.0), (16.0, 5.0))
"""Seconds without an answer, then the seconds in which the native search may say whether there is a plan at all.

Both are CPU seconds, so that a busy machine changes nothing, and loading the compiled search counts. Below four seconds only what
is small and unsolvable is found: the compiled search alone takes more than one to load.
"""
PROBES_OF_OWN = ((0.2, 0.5), *PROBES[2:])
"""Probes beside a user's own program, which may miss all plans and go on for ever."""
SHORT = 1_000
"""Conflicts of the only turn of a program without ideas that comes before others; it decides most levels of one or two boxes."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A question to clingo that is ready to be asked."""

    asked: asp_result.ProgramRun
    others: list[multishot.Program]
    """Programs that take turns with the one that begins."""
    tables: Tables
    clock: limits.Clock
    spent: limits.Clock
    """CPU seconds."""
    seconds: float
    """What preparing took."""


def by_asp(
    domain: Game, problem: Problem, task: Task, on_step: OnStep = lambda step: None, watch: Watch = lambda: None
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


def prepare(domain: Game, problem: Problem, task: Task) -> Prepared | Result:
    """Choose the programs, make facts and bounds; where the estimate shows that there is no plan, that is the answer.

    Raises EncodingError: the encoding or the constraints cannot be used.
    """
    objective = str(task.objective)
    clock, spent = task.limits.start(), limits.CpuLimits().start()
    first, *others = _programs(domain, problem, task)
    encoding = first if isinstance(first, catalogue.Encoding) else first()
    estimate = domain.known.estimate(problem, objective)
    nothing_yet = multishot.Outcome()
    asked = asp_result.ProgramRun(domain, problem, task, encoding, estimate.bounds, estimate.reason, nothing_yet)
    if estimate.impossible is not None and not asked.unaided and encoding.mode == "incremental":
        if task.constraints:  # a fault in them is reported all the same
            _with_wishes(asked, domain.asp.facts(problem, None))
        none = Result(Status.UNSOLVABLE, objective, "asp", proof=estimate.impossible, encoding=encoding.name)
        return replace(none, seconds={"total": clock.elapsed})
    steps = steps_of(problem, encoding, task.steps)
    tables = Tables(domain, problem, objective, steps if encoding.mode == "single" else None)
    facts = tables.facts(encoding)
    if task.constraints or task.then or encoding.own:  # which may minimise something
        asked = _with_wishes(asked, facts)
    if task.constraints or task.arguments or encoding.own:
        from sokoasp.asp import constants

        constants.check(asked.encoding, facts, task.constraints, task.arguments)
    asked = asked._replace(bounds=_bounds(asked, steps))
    return Prepared(asked, others, tables, clock, spent, clock.elapsed)


def entries(prepared: Prepared) -> list[multishot.Entry]:
    """Return the programs with their facts and options; the tables of those that come later are made when they come."""
    asked, others, facts = prepared.asked, prepared.others, prepared.tables.facts
    options = _options(asked)
    once = SHORT if others and not asked.encoding.ideas else 0
    begins = multishot.Entry(asked.encoding, facts, options, once=once)
    return [begins, *(multishot.Entry(one, facts, options) for one in others)]


def run(
    prepared: Prepared, programs: list[multishot.Entry], on_step: OnStep, watch: Watch
) -> tuple[multishot.Finish, SolvabilityProbe]:
    """Run the programs until one answers or a limit stops them, and ask now and then whether there is a plan at all."""
    asked, clock = prepared.asked, prepared.clock
    domain, problem, task, encoding = asked.domain, asked.problem, asked.task, asked.encoding
    counts_up = encoding.mode == "incremental"
    doubtful = encoding.own and not task.chosen(("constraints", "steps"))
    pending = list(PROBES_OF_OWN if doubtful else PROBES) if task.probes and counts_up else []
    probe = SolvabilityProbe(
        lambda most: domain.search.second(problem, str(task.objective), most, False), clock, prepared.spent, pending
    )
    if doubtful:
        on_step = probe.doubting(encoding, on_step)
    if task.steps is None and counts_up:
        progress.note(bound=asked.bounds.first, plan=asked.known)
        on_step = _noted(on_step, asked.bounds.stride)
    watched: Watch = lambda: watch() or probe.check()  # noqa: E731
    return multishot.run(programs, bounds=asked.bounds, clock=clock, on_step=on_step, watch=watched), probe


def result(prepared: Prepared, finish: multishot.Finish, probe: SolvabilityProbe) -> Result:
    """Say what came out; WrongEncoding if the encoding's plan is illegal."""
    outcome, encoding = finish.outcome, finish.winner or prepared.asked.encoding
    answered = prepared.asked._replace(
        encoding=encoding,
        outcome=outcome,
        impossible=None if probe.result is None else probe.result.proof,
        programs={one.name: one for one in finish.programs},
    )
    seconds = {
        "prepare": prepared.seconds,
        "ground": outcome.ground_seconds,
        "solve": outcome.solve_seconds,
        **({"doubts": probe.took} if probe.took else {}),
        "total": prepared.clock.elapsed,
    }
    return replace(
        asp_result.result_of(answered),
        encoding=encoding.name,
        seconds=seconds,
        steps=tuple(outcome.steps),
        counters=outcome.counters,
    )


def _noted(on_step: OnStep, stride: int) -> OnStep:
    """Have the bounds that are decided noted as progress as well; above a plan only a better cost is looked for."""
    plans: list[int] = []

    def noted(step: Step) -> None:
        if step.result == "sat":
            plans.append(step.t)
            progress.note(plan=plans[0])
        elif step.result == "unsat" and not plans:
            progress.note(bound=step.t + stride)
        on_step(step)

    return noted


def _with_wishes(asked: asp_result.ProgramRun, facts: str) -> asp_result.ProgramRun:
    """Add to the program what the user's files and the tie-breaks need; refuse files that would say nothing."""
    from sokoasp.asp import constants, constraints, tiebreaks

    encoding, task = asked.encoding, asked.task
    if encoding.mode != "incremental" and task.then:
        raise errors.EncodingError(f"encoding {encoding.name!r} knows no tie-breaks")
    files = tiebreaks.files(encoding, task.then)
    known = asked.domain.asp.constants(asked.problem)
    wishes = constraints.check(task.constraints, encoding, facts, known, files, constants.set_by(task.arguments))
    task = replace(task, arguments=task.arguments + tiebreaks.arguments(task.then))
    return asked._replace(task=task, encoding=wishes.encoding, wishes=wishes)


class Tables:
    """The facts of a problem with the tables that programs want; a table is made once, when the first of these is grounded."""

    def __init__(self, domain: Game, problem: Problem, objective: str, steps: int | None) -> None:
        self._plain = domain.asp.facts(problem, steps)
        self._table = functools.cache(lambda name, index: domain.asp.tables[name](problem, objective, index))

    def facts(self, encoding: catalogue.Encoding) -> str:
        """Return the problem's own facts and those of the tables that a program wants."""
        return self._plain + "".join(self._table(name, encoding.index) for name in encoding.tables)


def facts_of(problem: Problem, encoding: catalogue.Encoding, steps: int | None = None) -> str:
    """Return the facts of a problem with those of the tables that a program wants; ``steps`` by default the problem's own.

    Raises EncodingError: the program is for another game, or wants a number of steps and there is none.
    """
    domain = domain_of(problem)
    if encoding.game != domain.name:
        raise errors.EncodingError(f"encoding {encoding.name!r} is for {encoding.game}, this is {domain.name}")
    steps = steps_of(problem, encoding, steps)
    return Tables(domain, problem, encoding.objective, steps if encoding.mode == "single" else None).facts(encoding)


def _options(asked: asp_result.ProgramRun) -> multishot.ClingoOptions:
    task, preferences = asked.task, asked.wishes is not None and asked.wishes.preferences
    return multishot.ClingoOptions(
        models=0 if task.count else task.models,
        threads=task.threads,
        configuration=task.configuration,
        seed=task.seed,
        arguments=task.arguments,
        constraints=task.constraints,
        preferences=preferences,
        longer=preferences and task.at_most is not None and bool(task.constraints or task.then),
        only_count=task.count and not asked.encoding.own,  # whose answers may differ in more than their plans
    )


def _programs(domain: Game, problem: Problem, task: Task) -> list[multishot.Program]:
    """Return the programs to run, in turns if there are several.

    The one that is named; else one that the public predicates can be had in, where they are wanted; else the game's choice.
    """
    objective, exact = str(task.objective), bool(task.chosen(("steps", "constraints", "at_most")))
    if task.programs:
        return [one.exact if exact else one for one in task.programs]
    if task.encoding is not None:
        names = [task.encoding]
    elif task.constraints or task.then:
        names = [domain.asp.constrained(problem, objective)]
    else:
        names = domain.asp.encodings(problem, objective)
        if any("solve-limit" in argument for argument in task.arguments):  # turns have conflict limits of their own
            names = names[:1]
    return [functools.partial(_loaded, name, domain.name, objective, exact) for name in names]


def _loaded(name: str, game: str, objective: str, exact: bool) -> catalogue.Encoding:
    found = catalogue.find(name, game, objective)
    return found.exact if exact else found


def steps_of(problem: Problem, encoding: catalogue.Encoding, steps: int | None) -> int | None:
    """Return the number of competition steps a single program is to read: those given, else the problem's own.

    Raises EncodingError: the program wants steps and there are none.
    """
    steps = steps if steps is not None else getattr(problem, "steps", None)
    if encoding.own:
        asp_result.require_steps(encoding)
    if encoding.mode == "single" and steps is None:
        raise errors.EncodingError(
            f"encoding {encoding.name!r} answers for a given number of steps: give --steps N (in a suite steps = N,"
            " in bench --set steps=N) or facts with step/1, or ask encodings grade"
        )
    return steps


def _bounds(asked: asp_result.ProgramRun, steps: int | None) -> Horizon:
    """Return the bounds to ask for; the longest of all shortest plans is one only where no state need be visited twice."""
    task, bounds = asked.task, asked.bounds
    if asked.encoding.mode == "single":
        return Horizon(first=(steps or 1) - 1)
    if task.steps is not None:
        return Horizon(first=task.steps - 1, last=task.steps - 1)
    if asked.unaided:
        bounds = Horizon(last=bounds.last)
    ends = [asked.known - 1 if asked.known is not None else None, task.at_most]
    if not task.constraints or (asked.wishes is not None and asked.wishes.memoryless):
        ends.append(bounds.last)
    return bounds._replace(last=min((end for end in ends if end is not None), default=None))


@dataclass(slots=True, eq=False, repr=False)
class SolvabilityProbe:
    """Asks the native search, seldom and with a budget, whether an undecided problem is solvable at all."""

    ask: Callable[[limits.Limits], Result]
    clock: limits.Clock
    spent: limits.Clock
    """What the patience is measured by beside the wall: the CPU seconds of this process, where it does the work."""
    pending: list[tuple[float, float]]
    """Of ``PROBES`` those to come."""
    result: Result | None = None
    took: float = 0.0
    """CPU seconds of this thread that the questions have cost so far."""

    def doubting(self, encoding: catalogue.Encoding, on_step: OnStep) -> OnStep:
        """Have a user's own program blamed as soon as it refutes a bound that the native search has a plan for.

        Without that a program that misses all plans would go on to its limit.
        """

        def doubted(step: Step) -> None:
            on_step(step)
            known = self.result
            if known is not None and known.value is not None and step.result == "unsat" and step.t >= known.value:
                plan = f"the native search has one of {errors.counted(known.value, known.objective)}"
                claim = f"encoding {encoding.name!r} found no plan of at most {step.t}, and {plan}"
                raise errors.WrongEncoding(f"wrong claim: {claim}", legal=True)

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
            self.result = self.ask(limits.ThreadLimits(seconds=budget))
        self.took += time.thread_time() - began
        if self.result.status is Status.OPTIMAL:
            self.pending.clear()
        if self.result.stopped_by == "interrupt":
            return "interrupt"
        return "unsolvable" if self.result.status is Status.UNSOLVABLE else None
