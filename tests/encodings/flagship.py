"""Solving by a catalogued program or a variant of it, without the engine: what the flagship tests share."""

from __future__ import annotations

from sokoasp.asp.catalogue import Encoding
from sokoasp.asp.multishot import Outcome
from sokoasp.core.limits import Limits
from sokoasp.core.result import Horizon
from sokoasp.domain import sokoban as domain
from sokoasp.sokoban import facts
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.tables import TABLES
from tests.asp import alone


def ask(level: Level, encoding: Encoding, *, last: int, first: int = 1) -> Outcome:
    """Ask for every bound from ``first`` to ``last``, below the lower bounds too, so that a wrong cut there would show."""
    text = facts.write(level) + "".join(
        TABLES[name](level, encoding.objective, encoding.index) for name in encoding.tables
    )
    return alone.run(encoding, text, bounds=Horizon(first, 1, last), clock=Limits(seconds=120).start())


def optimum(level: Level, encoding: Encoding, *, last: int) -> int | None:
    """Return the proved optimum, None when there is no plan of 1 to ``last`` actions; the referee replays the plan."""
    outcome = ask(level, encoding, last=last)
    assert outcome.verdict in ("sat", "unsat"), outcome.stopped_by
    if outcome.verdict == "unsat":
        return None
    plan = domain.decode(level, outcome.answers[-1], encoding.index, True)
    value = domain.counts(level, plan, None)[encoding.objective]
    assert value == outcome.bound
    return value
