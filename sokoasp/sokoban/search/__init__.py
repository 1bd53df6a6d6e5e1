"""Native searches: the plain-Python reference (the oracle) and the fast engines; docs/native.md has the arguments."""

from sokoasp.sokoban.search.engines import ENGINES, solve
from sokoasp.sokoban.search.model.options import MODULES, SWITCHES, Options

__all__ = ["ENGINES", "MODULES", "SWITCHES", "Options", "solve"]
