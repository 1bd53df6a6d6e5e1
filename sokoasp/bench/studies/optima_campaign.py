"""Make and verify the open table of proved optima: a campaign that goes on where it stopped, and a second look at every row."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from sokoasp import __version__
from sokoasp.core.errors import SokoaspError
from sokoasp.core.limits import Limits
from sokoasp.core.result import Result, Status
from sokoasp.sokoban import formats, optima_table, rules
from sokoasp.sokoban.canonical import Canonical, canonical
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.optima_table import Optimum
from sokoasp.sokoban.plan import Plan
from sokoasp.sokoban.search import registry
from sokoasp.sokoban.validate import validate

_SAVE_EVERY = 20.0
"""Seconds after which the campaign writes what it has."""


@dataclass(frozen=True, slots=True)
class Campaign:
    """What a row is made with."""

    objectives: tuple[str, ...] = ("pushes",)
    seconds: float = 5.0
    """Wall seconds for each row."""
    engine: str = "native"
    collection: str | None = None
    """Name of the collection; None takes it from the file's name."""


def levels(files: Iterable[Path]) -> Iterator[tuple[Path, int, Level]]:
    """Yield every readable level of the files with its number in its file, from 1."""
    for path in files:
        for number, found in enumerate(formats.read_each(path.read_bytes(), source=str(path)), 1):
            if isinstance(found, Level):
                yield path, number, found


def make(files: Iterable[Path], folder: Path, wishes: Campaign) -> Iterator[Optimum]:
    """Add rows to the table in ``folder`` and yield each as soon as it is there.

    A settled row is left as it is; an open one is tried again when it was given less time. What is there is written every
    20 seconds, at the end and when the run is interrupted.

    Raises:
        NotationError: The table that is there cannot be read.
    """
    table = optima_table.read(folder) if (folder / optima_table.ROWS).exists() else {}
    saved = time.monotonic()
    try:
        for path, number, level in levels(files):
            form = canonical(level)
            collection, index = origin(path, number, wishes.collection)
            for objective in wishes.objectives:
                before = table.get(form.name, {}).get(objective)
                if before is not None and (before.status != "open" or float(before.limit) >= wishes.seconds):
                    continue
                row = _row(level, form, objective, wishes, before, (collection, index))
                table.setdefault(form.name, {})[objective] = row
                yield row
            if time.monotonic() - saved > _SAVE_EVERY:
                optima_table.write(folder, optima_table.rows_of(table))
                saved = time.monotonic()
    finally:
        optima_table.write(folder, optima_table.rows_of(table))


def origin(path: Path, number: int, collection: str | None = None) -> tuple[str, str]:
    """Return collection and number of a level: ``microban02_0063.sok`` is microban02 63, others are file and level."""
    parts = re.fullmatch(r"([A-Za-z]+(?:\d\d_)?)(\d{4})", path.stem)
    if parts is not None and number == 1:
        return collection or parts[1].rstrip("_"), str(int(parts[2]))
    return collection or f"{path.parent.name}/{path.name}", str(number)


def _row(
    level: Level,
    form: Canonical,
    objective: str,
    wishes: Campaign,
    before: Optimum | None,
    place: tuple[str, str],
) -> Optimum:
    upper = None
    if before is not None and before.plan:
        upper = rules.plan_from_lurd(level, form.turn.back.lurd(before.plan))
    found = registry.solve(level, objective, Limits(seconds=wishes.seconds), engine=wishes.engine, upper=upper)
    plan = found.plan
    if plan is not None and getattr(validate(level, plan), objective) != found.value:
        raise SokoaspError(f"{' '.join(place)}: the plan does not cost {found.value} {objective}")
    return Optimum(
        board=form.name,
        objective=objective,
        status=_status(found),
        value="" if plan is None else str(found.value),
        bound="" if found.status is Status.UNSOLVABLE else str(found.lower_bound),
        collection=place[0],
        number=place[1],
        closed_by=found.engine,
        limit=f"{wishes.seconds:g}",
        version=__version__,
        plan="" if plan is None else form.turn.lurd(plan.lurd),
    )


def _status(found: Result) -> str:
    if found.status is Status.UNSOLVABLE:
        return "unsolvable"
    return "proved" if found.status is Status.OPTIMAL else "open"


def second_look(level: Level, objective: str, row: Optimum, seconds: float) -> tuple[str, str]:
    """Look a second time at a row, its plan in the level's own orientation, and return a verdict and its reason.

    The plan is refereed and the bound proved again by the native search, with the row's plan as its first. ``holds``: both went
    through. ``plan holds``: the bound was not proved again within ``seconds``. ``WRONG``: the row is contradicted by an illegal
    plan, another cost, a better plan, or a bound above a plan.
    """
    plan: Plan | None = None
    if row.value:
        try:
            plan = rules.plan_from_lurd(level, row.plan)
            cost = getattr(validate(level, plan), objective)
        except SokoaspError as error:
            return "WRONG", f"the plan: {error}"
        if str(cost) != row.value:
            return "WRONG", f"the plan costs {cost}, the row says {row.value}"
    if row.status == "proved" and row.value != row.bound:
        return "WRONG", f"proved, but {row.value} is not {row.bound}"
    found = registry.solve(level, objective, Limits(seconds=seconds), upper=plan)
    return _compared(row, found)


def _compared(row: Optimum, found: Result) -> tuple[str, str]:
    """Return the verdict on a row, given a second answer to its question."""
    solvable = found.plan is not None
    if row.status == "unsolvable" and solvable:
        return "WRONG", f"a plan of {found.value} was found"
    if found.status is Status.UNSOLVABLE and row.status != "unsolvable":
        return "WRONG", "the level was proved unsolvable"
    if row.status == "proved" and solvable and found.value is not None and found.value < int(row.value):
        return "WRONG", f"a plan of {found.value} was found"
    if solvable and found.value is not None and row.bound and int(row.bound) > found.value:
        return "WRONG", f"a plan of {found.value} lies below the bound {row.bound}"
    if row.value and found.lower_bound > int(row.value):
        return "WRONG", f"the bound {found.lower_bound} was proved, above the plan of {row.value}"
    settled = _status(found) != "open"
    if row.status == "open":
        return "holds" if row.bound and found.lower_bound >= int(row.bound) else "plan holds", "open row"
    return ("holds", found.proof or "") if settled else ("plan holds", f"bound {found.lower_bound} within the limit")
