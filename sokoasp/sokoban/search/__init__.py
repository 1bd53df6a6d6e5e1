"""Native searches: the plain-Python reference (the oracle) and the fast engines; docs/native.md has the arguments."""

from sokoasp.sokoban.search.options import MODULES, SWITCHES, Options
from sokoasp.sokoban.search.registry import ENGINES, solve

__all__ = ["ENGINES", "MODULES", "SWITCHES", "Options", "solve"]
