"""A race of searches, for tests of who enters and whose turn it is."""

from sokoasp.core.limits import Limits
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.search.model.options import Options
from sokoasp.sokoban.search.model.referee import bounds_of
from sokoasp.sokoban.search.race import Race, enter


def raced(
    level: Level, *names: str, objective: str = "pushes", first_plan: bool = False, options: Options | None = None
) -> Race:
    """Return a race into which these have entered."""
    race = Race(bounds_of(level, objective), Limits().start(), first_plan=first_plan, options=options or Options())
    enter(race, *names)
    return race
