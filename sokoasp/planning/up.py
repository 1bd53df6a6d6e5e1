"""sokoasp as an engine of unified-planning: Sokoban tasks are solved, all others refused with the reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import IO, Any

from sokoasp.core.errors import MissingExtra, SokoaspError
from sokoasp.core.limits import Limits
from sokoasp.core.result import Status
from sokoasp.engine import Task
from sokoasp.planning.answer import TaskAnswer, answer
from sokoasp.planning.task import PlanningTask, task_of
from sokoasp.planning.text import NoSokoban, Source

try:
    import unified_planning as up
    from unified_planning import engines
    from unified_planning.engines import LogLevel, LogMessage, PlanGenerationResult, PlanGenerationResultStatus
    from unified_planning.exceptions import UPException
    from unified_planning.io import PDDLWriter
    from unified_planning.model import ProblemKind
    from unified_planning.plans import ActionInstance, SequentialPlan
except ImportError:
    raise MissingExtra("the engine for unified-planning", "planners") from None

FEATURES = frozenset(
    {
        *("ACTION_BASED", "FLAT_TYPING", "HIERARCHICAL_TYPING", "NEGATIVE_CONDITIONS", "EQUALITIES"),
        *("UNIVERSAL_CONDITIONS", "EXISTENTIAL_CONDITIONS", "DISJUNCTIVE_CONDITIONS"),
        *("ACTIONS_COST", "PLAN_LENGTH", "INT_NUMBERS_IN_ACTIONS_COST", "STATIC_FLUENTS_IN_ACTIONS_COST"),
    }
)
"""What a Sokoban task may have, in unified-planning's words."""

_ENDS = {
    Status.OPTIMAL: PlanGenerationResultStatus.SOLVED_OPTIMALLY,
    Status.SOLVED: PlanGenerationResultStatus.SOLVED_SATISFICING,
    Status.UNSOLVABLE: PlanGenerationResultStatus.UNSOLVABLE_PROVEN,
    Status.TIME_OUT: PlanGenerationResultStatus.TIMEOUT,
    Status.MEMORY_OUT: PlanGenerationResultStatus.MEMOUT,
}


class SokoaspEngine(engines.Engine, engines.mixins.OneshotPlannerMixin):  # type: ignore[misc]
    """Plans of Sokoban tasks, proved best in the task's own metric."""

    def __init__(self, **options: Any) -> None:
        """Make the engine; ``engine`` is sokoasp's own (default ``native``)."""
        engines.Engine.__init__(self)
        engines.mixins.OneshotPlannerMixin.__init__(self)
        self.inner = str(options.get("engine", "native"))

    @property
    def name(self) -> str:
        """Return the name it is registered under."""
        return "sokoasp"

    @staticmethod
    def supported_kind() -> ProblemKind:
        """Return the features a Sokoban task may have."""
        return ProblemKind(FEATURES, version=2)

    @staticmethod
    def supports(problem_kind: ProblemKind) -> bool:
        """Return whether a kind of problem may be Sokoban; only ``solve`` sees whether one is."""
        return bool(problem_kind <= SokoaspEngine.supported_kind())

    @staticmethod
    def satisfies(optimality_guarantee: Any) -> bool:
        """Say that a plan is optimal when the answer says so."""
        return True

    def _solve(
        self,
        problem: Any,
        heuristic: Callable[[Any], float | None] | None = None,
        timeout: float | None = None,
        output_stream: IO[str] | None = None,
        **ignored: Any,
    ) -> Any:
        writer = PDDLWriter(problem)
        try:
            task = _read(writer)
        except (UPException, AssertionError, NotImplementedError) as error:
            return _without(PlanGenerationResultStatus.UNSUPPORTED_PROBLEM, f"no PDDL can be written of it: {error}")
        except ValueError as refusal:
            return _without(PlanGenerationResultStatus.UNSUPPORTED_PROBLEM, str(refusal))
        try:
            found = answer(task, Task(engine=self.inner, limits=Limits(seconds=timeout)))
        except NoSokoban as refusal:
            return _without(PlanGenerationResultStatus.UNSUPPORTED_PROBLEM, str(refusal))
        except SokoaspError as error:
            return _without(PlanGenerationResultStatus.INTERNAL_ERROR, str(error))
        return _as_plan_result(problem, writer, found)


def _read(writer: Any) -> PlanningTask:
    return task_of(Source("domain", writer.get_domain()), Source("problem", writer.get_problem()))


def _without(status: Any, reason: str) -> Any:
    return PlanGenerationResult(status, None, "sokoasp", log_messages=[LogMessage(LogLevel.ERROR, reason)])


def _as_plan_result(problem: Any, writer: Any, found: TaskAnswer) -> Any:
    messages = [LogMessage(LogLevel.INFO, found.result.proof)] if found.result.proof else []
    status = _ENDS.get(found.result.status, PlanGenerationResultStatus.UNSOLVABLE_INCOMPLETELY)
    if found.steps is None:
        return PlanGenerationResult(status, None, "sokoasp", log_messages=messages)
    named = writer.get_item_named
    expression = problem.environment.expression_manager.ObjectExp
    actions = [
        ActionInstance(named(name), tuple(expression(named(one)) for one in objects)) for name, objects in found.steps
    ]
    return PlanGenerationResult(status, SequentialPlan(actions, problem.environment), "sokoasp", log_messages=messages)


def register() -> None:
    """Make ``OneshotPlanner(name="sokoasp")`` work."""
    up.shortcuts.get_environment().factory.add_engine("sokoasp", __name__, "SokoaspEngine")
