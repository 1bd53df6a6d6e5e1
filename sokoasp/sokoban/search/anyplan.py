"""``any``: a plan as soon as possible, by seekers and greedy searches in turns; nothing is proved but on the way."""

from __future__ import annotations

from sokoasp.core.limits import Limits
from sokoasp.core.result import Result
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.plan import Plan
from sokoasp.sokoban.search import push_board
from sokoasp.sokoban.search.certificates import Certificates
from sokoasp.sokoban.search.options import Options
from sokoasp.sokoban.search.plans.branching import load
from sokoasp.sokoban.search.plans.entrant import FillingSeeker
from sokoasp.sokoban.search.turns import Turns

ALONE = 2.0
"""Seconds the filling seeker has for itself before the greedy searches fill their tables."""


def anyplan(
    level: Level,
    objective: str = "lines",
    limits: Limits | None = None,
    options: Options | None = None,
    upper: Plan | None = None,
) -> Result:
    """Find a plan, whatever it costs; arguments as for ``direct.forward``.

    Raises:
        MissingExtra: numba is not installed.
    """
    options = options or Options()
    load(options)
    clock = (limits or Limits()).start()
    race = Turns(Certificates(level, objective), options, clock, first_plan=True)
    stopped: str | None = None
    try:
        if upper is not None:
            race.proofs.offer(upper, "the caller")
        stopped = _run(race)
    except KeyboardInterrupt:
        stopped = "interrupt"
    race.seconds["total"] = clock.elapsed
    return race.proofs.result("any", stopped_by=stopped, seconds=race.seconds, counters=race.counters)


def _run(race: Turns) -> str | None:
    if enter_seekers(race):
        stopped = race.run(ALONE)
        if stopped not in (None, "steps"):
            return stopped
    if not race.over():
        race.enter_greedy()
    return None if race.over() else race.run()


def enter_seekers(race: Turns) -> bool:
    """Add the seekers that take this level; return whether there are any."""
    level = race.proofs.level
    if len(level.boxes) != len(level.goals) or level.solved:
        return False
    board = push_board.build(level)
    if board.dead_start:
        return False
    race.seekers.append(FillingSeeker(level, board, race.options))
    return True
