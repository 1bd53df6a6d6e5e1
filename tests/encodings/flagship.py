"""Solving by a catalogued program or a variant of it, without the engine: what the flagship tests share."""

from sokoasp.asp.catalogue import Encoding
from sokoasp.asp.multishot import Outcome
from sokoasp.core.limits import Limits
from sokoasp.core.result import Horizon
from sokoasp.domain import sokoban as domain
from sokoasp.sokoban import facts, tables
from sokoasp.sokoban.level import Level
from tests.asp import alone

MADE: dict[tuple[str, str, str, str], str] = {}
"""Table, facts of a level, objective, index → the table's facts, made once for all programs that are asked about a level."""


def ask(level: Level, encoding: Encoding, *, last: int, first: int = 1) -> Outcome:
    """Ask for every bound from ``first`` to ``last``, below the lower bounds too, so that a wrong cut there would show."""
    text = whole = facts.write(level)
    for name in encoding.tables:
        key = name, text, encoding.objective, encoding.index
        if key not in MADE:
            MADE[key] = tables.facts(name, level, encoding.objective, encoding.index)
        whole += MADE[key]
    return alone.run(encoding, whole, bounds=Horizon(first, 1, last), clock=Limits(seconds=120).start())


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
