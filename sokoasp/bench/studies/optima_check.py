"""Look at rows of the table of proved optima a second time."""

from __future__ import annotations

from pathlib import Path

from sokoasp.bench.define.instances import solution
from sokoasp.bench.studies.optima_rows import costs
from sokoasp.core.errors import SokoaspError
from sokoasp.core.limits import CpuLimits, free_mb
from sokoasp.core.result import Result, Status
from sokoasp.sokoban import optima_table, rules
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.optima_table import Optimum
from sokoasp.sokoban.plan import Plan
from sokoasp.sokoban.search import engines


def second_look(
    level: Level, objective: str, row: Optimum, seconds: float, came: Plan | None = None
) -> tuple[str, str]:
    """Look a second time at a row, its plan in the level's own orientation, and return a verdict and its reason.

    The plan is refereed and the bound proved again by the native search, with the row's plan as its first. ``holds``: both went
    through. ``plan holds``: the bound was not proved again within ``seconds`` of CPU time.
    ``not decided``: the same of a row without a value, which needs no plan.
    ``no plan``: the row has none, and ``came``, the solution that came with the level, is none of that cost.
    ``WRONG``: the row is contradicted by an illegal plan, another cost, a better plan, or a bound above a plan.
    """
    plan: Plan | None = None
    if row.value and not row.has_plan:
        cost = "" if came is None else optima_table.shown(costs(level, came, objective))
        if cost != row.value:
            return "no plan", "the table has none" + f", the one that came with the level costs {cost}" * bool(cost)
        plan = came
    elif row.value:
        try:
            plan = rules.plan_from_lurd(level, row.plan)
            cost = optima_table.shown(costs(level, plan, objective))
        except SokoaspError as error:
            return "WRONG", f"the plan: {error}"
        if cost != row.value:
            return "WRONG", f"the plan costs {cost}, the row says {row.value}"
    if row.status == "proved" and row.value != row.bound:
        return "WRONG", f"proved, but {row.value} is not {row.bound}"
    return _compared(level, row, _ask(level, row, seconds, plan))


def _ask(level: Level, row: Optimum, seconds: float, upper: Plan | None) -> Result:
    """Answer a row's question natively within ``seconds`` CPU seconds."""
    limits = CpuLimits(seconds=seconds, memory_mb=free_mb())
    if "+" in row.objective:
        from sokoasp.sokoban.search.exact.lexicographic import break_ties

        found = break_ties(level, tuple(row.objective.split("+")), limits)
    else:
        closer = row.closed_by.partition(" ")[0]
        engine = closer if closer in ("forward", "reverse", "bidirectional") else "native"  # where they share the time
        found = engines.solve(level, row.objective, limits, engine=engine, upper=upper)
    return found.uninterrupted()


def second_looks(level: Level, path: Path, rows: dict[str, Optimum], seconds: float) -> dict[str, tuple[str, str]]:
    """Look a second time at a level's rows, their plans in its own orientation; a solution may stand in its file or beside it."""
    lacking = any(row.value and not row.has_plan for row in rows.values())
    came = solution(level, path) if lacking else None
    return {name: second_look(level, name, row, seconds, came) for name, row in sorted(rows.items())}


def _compared(level: Level, row: Optimum, found: Result) -> tuple[str, str]:
    """Return the verdict on a row, given a second answer to its question."""
    ours, bound = optima_table.parse(row.value), optima_table.parse(row.bound)
    theirs = () if found.plan is None else costs(level, found.plan, row.objective)
    proved = theirs if found.status is Status.OPTIMAL else (found.lower_bound,)
    if found.status is Status.UNSOLVABLE and row.status != "unsolvable":
        return "WRONG", "the level was proved unsolvable"
    if theirs and (row.status == "unsolvable" or (row.status == "proved" and theirs < ours)):
        return "WRONG", f"a plan of {optima_table.shown(theirs)} was found"
    if theirs and bound > theirs:
        return "WRONG", f"a plan of {optima_table.shown(theirs)} lies below the bound {row.bound}"
    if ours and proved > ours:
        return "WRONG", f"the bound {optima_table.shown(proved)} was proved, above the plan of {row.value}"
    undecided = "plan holds" if row.value else "not decided"
    if row.status == "open":
        return "holds" if bound and proved >= bound else undecided, "open row"
    if found.status in (Status.OPTIMAL, Status.UNSOLVABLE):
        return "holds", found.proof or ""
    return undecided, f"bound {found.lower_bound} within the limit"
