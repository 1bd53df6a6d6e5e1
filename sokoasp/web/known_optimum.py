"""What is true of a level, asked while somebody plays it: proved optima or bounds, and where a play lost its pushes or slides."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from sokoasp import engine
from sokoasp.core.limits import Limits
from sokoasp.core.result import Result, Status
from sokoasp.domain import Problem, domain_of
from sokoasp.render.pictures import timeline

KnownOptimum = dict[str, Any]
ORDER = ("pushes", "moves", "lines", "slides", "units")
"""What players ask for first."""


def known_optima(problem: Problem, limits: Limits, have: frozenset[str] = frozenset()) -> Iterator[KnownOptimum]:
    """Yield what is known by objective: from the shipped table at once, else by a native search within the limits each.

    Args:
        problem: The level or board.
        limits: Of each search.
        have: Objectives whose optimum the page has.
    """
    reported = dict(tabled(problem, have))
    yield from reported.values()
    for name in wanted(problem, have):
        if name not in reported:
            found = engine.solve(problem, objective=name, engine="native", limits=limits, cross_check=False)
            yield _of_result(problem, found)


def wanted(problem: Problem, have: Collection[str] = ()) -> list[str]:
    """Return the objectives of a problem whose optimum the page does not have, those first that players ask for first."""
    return [name for name in ORDER if name in domain_of(problem).objectives and name not in have]


def tabled(problem: Problem, have: Collection[str] = ()) -> Iterator[tuple[str, KnownOptimum]]:
    """Yield what the shipped table says of the objectives; no search, nothing compiled."""
    domain = domain_of(problem)
    for name in wanted(problem, have):
        row = domain.optimum(problem, name, True)
        if row is not None and row["status"] != "open":
            yield name, _of_table(problem, name, row)


def _of_table(problem: Problem, objective: str, row: Mapping[str, Any]) -> KnownOptimum:
    truth: KnownOptimum = {
        "objective": objective,
        "status": "unsolvable" if row["status"] == "unsolvable" else "optimal",
        "value": row["value"],
        "lower_bound": row["bound"],
        "by": f"table of optima ({row['closed_by']})",
        "origin": f"table of optima: {row['origin']}, closed by {row['closed_by']}",
    }
    if row["certificate"]:
        truth["origin"] += f", certificate {row['certificate'][:12]} checked"
    if row["plan"] is not None:
        plan = {"lurd": domain_of(problem).write_plan["lurd"](problem, row["plan"]).strip()}
        truth |= {"plan": plan, "timeline": timeline(problem, row["plan"])}
    return truth


def _of_result(problem: Problem, found: Result) -> KnownOptimum:
    answer = engine.as_json(problem, found)
    keys = ("objective", "status", "value", "lower_bound", "plan")
    truth: KnownOptimum = {**{name: answer[name] for name in keys}, "by": answer["engine"]}
    truth["origin"] = f"searched here: {answer['proof']}" if answer["proof"] else f"searched here by {answer['engine']}"
    if found.plan is not None:
        truth["timeline"] = timeline(problem, found.plan)
    return truth


Cost = tuple[str, int | None]
"""``("proved", total)``, ``("dead", None)`` or ``("open", None)``: pushes (slides) made and to go together, if they are known."""


def losses(problem: Problem, play: str, seconds: float) -> Iterator[tuple[int, Cost]]:
    """Yield for numbers of pushes (a board: slides) made what the whole solution costs at least from there, as it gets known.

    Totals never fall along a play, so a stretch whose ends agree needs no more searches: a play with few losses needs few. What
    is not known within the time is left out.

    Args:
        problem: The level or board.
        play: A play from its start, not necessarily to its end: letters, or slides as plans are written.
        seconds: For everything together.

    Raises:
        IllegalPlan: A move or slide is not possible.
    """
    along = domain_of(problem).positions
    assert along is not None, "the game has been looked at"
    objective, positions = along(problem, play)
    end = time.monotonic() + seconds

    def cost(at: int) -> Cost:
        left = end - time.monotonic()
        if left <= 0:
            return "open", None
        limits = Limits(seconds=left)
        found = engine.solve(positions[at], objective=objective, engine="native", limits=limits, cross_check=False)
        return judged(at, found)

    yield from _between(len(positions) - 1, cost)


def judged(at: int, found: Result) -> Cost:
    """Turn a result at some number of pushes (slides) into the total it means."""
    if found.status is Status.UNSOLVABLE:
        return "dead", None
    if found.status is Status.OPTIMAL and found.value is not None:
        return "proved", at + found.value
    return "open", None


def _between(last: int, cost: Callable[[int], Cost]) -> Iterator[tuple[int, Cost]]:
    """Ask for both ends, then for the middle of every stretch whose ends differ."""
    known: Mapping[int, Cost] = {at: cost(at) for at in sorted({0, last})}
    yield from known.items()
    stretches = [(0, last, known[0], known[last])]
    while stretches:
        low, high, first, final = stretches.pop()
        if high - low < 2 or "open" in (first[0], final[0]):
            continue
        if first == final:
            yield from ((at, first) for at in range(low + 1, high))
            continue
        middle = (low + high) // 2
        found = cost(middle)
        yield middle, found
        stretches += [(middle, high, found, final), (low, middle, first, found)]
