"""The result of clingo's bound loop: which status, which bound, and why, in one sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from sokoasp.asp.catalogue import Encoding
from sokoasp.asp.session import Outcome
from sokoasp.core import errors
from sokoasp.core.bounds import met
from sokoasp.core.result import Cost, Horizon, Question, Result, Status
from sokoasp.domain import Game, Problem
from sokoasp.engine.task import Task

if TYPE_CHECKING:
    from sokoasp.asp.constraints import Wishes


class ProgramRun(NamedTuple):
    """A question to clingo, and how it came out once it has been asked."""

    domain: Game
    problem: Problem
    task: Task
    encoding: Encoding
    """The program that begins, with what the user wishes; afterwards the one that has answered."""
    bounds: Horizon
    reason: str
    """Why no bound below the first is asked for; empty if there is none."""
    outcome: Outcome
    wishes: Wishes | None = None
    impossible: str | None = None
    """What the native search said of the level on the way."""
    programs: Mapping[str, Encoding] = MappingProxyType({})
    """All programs that had a turn, by name."""

    @property
    def unaided(self) -> bool:
        """Return whether it is the user's own program and asked from bound 0 on, so that its claims are its own."""
        return self.encoding.own and not self.task.measured

    @property
    def known(self) -> int | None:
        """Return what the caller's plan costs; None without one."""
        plan = self.task.known
        return None if plan is None else cost(self.domain, self.problem, plan, str(self.task.objective))

    @property
    def lower(self) -> int:
        """Return the proved lower bound on the length of plans, of which a question for one length alone says nothing."""
        if self.task.steps is not None:
            return 0
        if self.outcome.refuted is not None:
            return self.outcome.refuted + self.bounds.stride
        return self.bounds.first if self.encoding.mode == "incremental" else 0

    @property
    def conditions(self) -> str:
        """Return the words for constraints."""
        return " under the given constraints" if self.task.constraints else ""

    def result(self, status: Status, proof: str | None = None, **more: Any) -> Result:
        """Return a result of this run."""
        found = Result(status, str(self.task.objective), "asp", lower_bound=self.lower, proof=proof)
        return replace(found, **{"stopped_by": self.outcome.stopped_by, **more})


def result_of(run: ProgramRun) -> Result:
    """Return what the outcome of a run means. Raises WrongEncoding: the answer is no plan, or not as long as asked."""
    outcome, task = run.outcome, run.task
    if outcome.stopped_by == "unsolvable":
        status = Status.NO_PLAN if task.chosen(("steps", "at_most")) else Status.UNSOLVABLE
        found = run.result(status, f"by the native search: {run.impossible}", lower_bound=0, stopped_by=None)
        return replace(found, question=question_of(task, found, "the native search"))
    by = f"clingo, {run.encoding.name}" if outcome.steps else "the lower bound"
    plans, value = _plans(run)
    if plans:
        found = _with_plan(run, plans, value)
        if run.encoding.own and not found.note:
            found = replace(found, note=_numbering(run, value))
        return replace(found, question=question_of(task, found, by), cost=_cost(run, found))
    if task.known is not None and task.steps is None and run.encoding.mode == "incremental":
        return _known(run)
    found = _without_plan(run)
    return replace(found, question=question_of(task, found, by))


def _without_plan(run: ProgramRun) -> Result:
    outcome, task, bounds = run.outcome, run.task, run.bounds
    at_most = task.at_most is not None and bounds.last == task.at_most
    by, last = f"{run.conditions} ({_by(run)})", f"{bounds.last}, one less than the number of states"
    if outcome.verdict == "unsat" and outcome.stopped_by is None:
        if run.encoding.mode == "single" or task.steps is not None:
            return run.result(Status.NO_PLAN, f"clingo refuted bound {outcome.bound}{by}", lower_bound=0)
        if outcome.exhausted:
            proof = (
                f"no plan can have {errors.counted(outcome.refuted or 0, 'actions')} or more,"
                f" and none of fewer solves the level{by}"
            )
            return run.result(Status.UNSOLVABLE, proof, lower_bound=0)
        if at_most:
            return run.result(Status.NO_PLAN, _refuted(run, task.at_most or 0))
        return run.result(Status.UNSOLVABLE, f"clingo refuted every bound up to {last}{by}", lower_bound=0)
    if outcome.stopped_by is None and bounds.last is not None and bounds.first > bounds.last:
        proof = f"lower bound {bounds.first} ({run.reason}) > "
        if at_most:
            return run.result(Status.NO_PLAN, f"{proof}{bounds.last}")
        return run.result(Status.UNSOLVABLE, proof + last, lower_bound=0)
    stopped = {"memory": Status.MEMORY_OUT, "interrupt": Status.INTERRUPTED}
    found = run.result(stopped.get(str(outcome.stopped_by), Status.TIME_OUT))
    if outcome.stopped_by is None:  # clingo has one of its own
        found = replace(found, stopped_by="solve-limit")
    if task.constraints and bounds.last is None:
        return replace(
            found,
            note="perhaps no plan meets these constraints, and the search cannot see that: it goes on until --time-limit,"
            " --at-most N or --steps N",
        )
    return found


def _with_plan(run: ProgramRun, plans: tuple[Any, ...], value: int | None) -> Result:
    outcome, task = run.outcome, run.task
    asked = _asked(task)
    if asked is not None and value is not None and value > asked:  # it does not keep to the steps that it is given
        raise errors.WrongEncoding(
            f"encoding {run.encoding.name!r} gave a plan of {errors.counted(value, str(task.objective))},"
            f" asked for {asked} at most",
            legal=True,
        )
    kept = {
        "value": value,
        "plan": plans[0],
        "plans": plans if task.models != 1 else (),
        "count": (len(plans) if run.encoding.own else outcome.count) if task.count else None,
    }
    if run.encoding.mode == "single":
        # what preferences cost may be proved least among plans of this length, and says nothing of shorter ones
        best = outcome.cost is not None and outcome.complete and outcome.stopped_by is None and not _wanted(run)
        if best and run.encoding.own and (outcome.cost or (0,))[0] != value:
            best = False
            costs = ", ".join(map(str, outcome.cost or ()))
            kept["note"] = f"the program minimises something else than {task.objective}: its best answer costs {costs}"
        proof = "clingo closed the search for a better answer set" if best else None
        status = Status.OPTIMAL if best else Status.SOLVED
        return run.result(status, proof, **kept, **({"lower_bound": value} if best else {}))
    if task.steps is not None:
        return run.result(Status.SOLVED, **kept)
    if value != outcome.bound:
        raise _wrong_count(run, value or 0, outcome.bound or 0)
    assert value is not None
    if task.at_most is not None and value > run.lower:
        return run.result(Status.SOLVED, **kept)  # a longer plan that costs less
    if outcome.stopped_by is not None and (task.count or task.models != 1):
        kept["note"] = "stopped before all best plans were found"
    status = Status.SOLVED if _wanted(run) and outcome.stopped_by is not None else Status.OPTIMAL
    return run.result(status, _refuted(run, value - 1), **kept, lower_bound=value)


def _wrong_count(run: ProgramRun, value: int, bound: int) -> errors.WrongEncoding:
    """Return what is wrong where a bound is not the length of its plan: the program refuted too much, or counts otherwise."""
    who, objective = f"encoding {run.encoding.name!r}", str(run.task.objective)
    if value > bound:
        return errors.OtherObjective(
            f"{who} counts something else than {objective}: its plan at bound {bound} has {errors.counted(value, objective)}",
            legal=True,
        )
    claim = (
        f"wrong claim: {who} claims an optimum of {errors.counted(bound, objective)}, though its own plan has {value}"
    )
    shown = sum(atom.name in ("push", "move", "slide") for atom in run.outcome.answers[0])
    if shown > value and objective in errors.PARTED:
        claim += f": its {shown} actions are {errors.counted(value, objective)}: {errors.PARTED[objective]}"
    else:
        claim += f": at bound {bound} it shows {errors.counted(shown, 'actions')}"
    return errors.WrongEncoding(claim, legal=True)


def _numbering(run: ProgramRun, value: int | None) -> str | None:
    """Say how an answer of ``value`` actions numbers them, if not from 1 on: only their order is read."""
    shown = (atom for atom in run.outcome.answers[0] if f"{atom.name}/{len(atom.args)}" == run.encoding.output)
    numbers = sorted(int(atom.args[-1]) for atom in shown if atom.args[-1].lstrip("-").isdigit())
    if len(numbers) != value or numbers == [*range(1, value + 1)]:
        return None
    return f"the actions of its plan are numbered {errors.some(numbers, 4)}: the first should be 1, the next 2"


def _wanted(run: ProgramRun) -> bool:
    """Return whether the user has preferences beside the objective."""
    return run.wishes is not None and bool(run.wishes.preferences)


def require_steps(encoding: Encoding) -> None:
    """Raise EncodingError: a program without a part ``step(t)`` does not read the steps of the facts, or has its own."""
    from sokoasp.asp.statements import program_of

    program = program_of(encoding.files)
    steps, reason = {("step", 1), ("next", 2)}, ""
    if program.heads & steps:
        reason = "derives step/1 or next/2, by which it is asked for a number of steps: leave its own out"
    elif not program.needs & steps:
        reason = "has no part step(t) and reads neither step/1 nor next/2, so it does not learn how many actions are asked for"
    elif encoding.game == "klotski":
        reason = "has no part step(t), which a Klotski program needs: the facts of a board have no steps"
    if encoding.mode == "single" and reason:
        raise errors.EncodingError(f"encoding {encoding.name!r} {reason}")


def _asked(task: Task) -> int | None:
    """Return the greatest number of actions that is asked for by ``steps`` or ``at_most``; None if any will do."""
    return task.at_most if task.steps is None else task.steps - 1


def _refuted(run: ProgramRun, last: int) -> str:
    """Say what excludes every bound up to ``last``: the matching, the tables, clingo, each as far as it did."""
    first = run.outcome.steps[0].t if run.unaided and run.outcome.steps else run.bounds.first
    name = _by(run)
    if last < first:
        if run.unaided or not run.reason or last < 1:
            none = f"no plan has fewer than {errors.counted(first, 'actions')}" if first > 0 else "the start is solved"
            return f"{none}{run.conditions} (clingo, {run.encoding.name})"
        return met(first, run.reason, f"clingo, {run.encoding.name}{run.conditions}")
    asked = range(first, last + 1, run.bounds.stride)
    bounds = f"bound {first}" if len(asked) == 1 else f"bounds {first} to {asked[-1]}"
    if run.bounds.stride > 1:
        bounds += " in steps of 2" * (len(asked) > 1) + " (all plans have pushes of one parity)"
    smaller = f"; lower bound {first} ({run.reason})" if run.reason and first > 1 and not run.unaided else ""
    return f"clingo refuted {bounds}{run.conditions} ({name}){smaller}"


def _by(run: ProgramRun) -> str:
    """Name the programs that refuted something, or the one that answered, with the tables that they believe."""
    names = dict.fromkeys(step.by for step in run.outcome.steps if step.result == "unsat")
    programs = [run.programs.get(name, run.encoding) for name in names] or [run.encoding]
    tables = list(dict.fromkeys(table for program in programs for table in program.tables))
    believed = f", with the {'table' if len(tables) == 1 else 'tables'} {_listed(tables)}" if tables else ""
    return _listed([program.name for program in programs]) + believed


def _listed(names: list[str]) -> str:
    """Return ``a, b and c``."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def question_of(task: Task, found: Result, by: str) -> Question | None:
    """Answer what was asked by ``steps`` or ``at_most``; ``by`` is who says that there is no such plan.

    A program that minimises within its steps may have answered by a shorter plan.
    """
    exactly, actions = task.steps is not None, _asked(task)
    if actions is None:
        return None
    if found.plan is not None:
        return Question(actions, "yes", "the plan", exactly and found.value == actions)
    closed = found.status in (Status.NO_PLAN, Status.UNSOLVABLE)
    return Question(actions, "no" if closed else "open", by if closed else None, exactly)


def _cost(run: ProgramRun, found: Result) -> Cost | None:
    """Return what the answer costs by what is minimised beside its length, and whether that is proved least.

    Raises WrongEncoding: the referee counts otherwise than a tie-break.
    """
    outcome, task = run.outcome, run.task
    if run.wishes is None or not run.wishes.preferences:
        return None
    # what nothing in the level can add to is not among clingo's costs
    found_costs = dict.fromkeys(run.wishes.priorities, 0)
    found_costs |= dict(zip(outcome.priorities, outcome.cost or (), strict=True))
    proved = outcome.complete and outcome.stopped_by is None
    if task.then:
        from sokoasp.asp.tiebreaks import priorities

        levels = priorities(task.then)
        counts = run.domain.validate(run.problem, found.plan, None)
        for name, level in levels.items():
            claimed = found_costs.pop(level, 0)
            if proved and claimed != counts[name]:
                raise errors.WrongEncoding(
                    f"the tie-break {name!r} claims {claimed}, the referee counts {counts[name]}", legal=True
                )
    return Cost(tuple(sorted(found_costs.items(), reverse=True)), task.then, proved)


def _known(run: ProgramRun) -> Result:
    """Say how far the caller's plan is proved: optimal when every smaller bound is refuted."""
    outcome, value = run.outcome, run.known or 0
    proved = outcome.stopped_by is None and (outcome.verdict == "unsat" or run.bounds.first >= value)
    kept = {"value": value, "plan": run.task.known}
    if not proved:
        return run.result(Status.SOLVED, **kept, lower_bound=min(run.lower, value))
    proof = f"{_refuted(run, value - 1)}; the plan is the given one"
    return run.result(Status.OPTIMAL, proof, **kept, lower_bound=value)


def _plans(run: ProgramRun) -> tuple[tuple[Any, ...], int | None]:
    """Return the distinct plans of the answers, and what the first of them costs.

    Actions stay as they are where the length asked for, or constraints, keep apart what could be one action, such as two
    line pushes of one cell each.
    """
    keep = run.encoding.mode == "single" and run.task.objective == run.domain.objectives[0]
    plans, value = _decoded(run, keep)
    apart = run.task.constraints or run.task.at_most is not None or run.task.steps is not None
    if apart and not keep and any(_cost_of(run, plan) != run.outcome.bound for plan in plans):
        return _decoded(run, True)
    return plans, value


def _decoded(run: ProgramRun, keep: bool) -> tuple[tuple[Any, ...], int | None]:
    try:
        found = (run.domain.asp.decode(run.problem, atoms, run.encoding.index, keep) for atoms in run.outcome.answers)
        plans = tuple(dict.fromkeys(found))
        return plans, _cost_of(run, plans[0]) if plans else None
    except errors.IllegalPlan as error:
        raise errors.WrongEncoding(f"encoding {run.encoding.name!r} gave an illegal plan: {error}") from error


def _cost_of(run: ProgramRun, plan: Any) -> int:
    return cost(run.domain, run.problem, plan, str(run.task.objective))


def replaying(domain: Game, problem: Problem, objective: str) -> Callable[[Any], tuple[Any, int]]:
    """Return what replays a plan and counts its cost, for ``core.bounds.Bounds``."""
    return lambda plan: (plan, cost(domain, problem, plan, objective))


def cost(domain: Game, problem: Problem, plan: Any, objective: str) -> int:
    """Return what the referee counts; IllegalPlan if the plan breaks a rule."""
    return domain.validate(problem, plan, None)[objective]
