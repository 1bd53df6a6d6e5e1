"""The levels and boards that come with the package, as texts by name."""

from __future__ import annotations

from collections.abc import Mapping

from sokoasp.core.shipped import instances

SETS = ("tutorial", "graded", "klotski", "deadlocks", "unsolvable")
SUFFIXES = (".xsb", ".sok", ".klotski")
FIRST = "tutorial/tutorial.xsb"


def load() -> Mapping[str, str]:
    """Read the bundled sets, from the installed package or from the repository it is developed in."""
    folder = instances()
    found = {}
    for name in SETS:
        for path in sorted((folder / name).glob("*")):
            if path.suffix in SUFFIXES:
                found[f"{name}/{path.name}"] = path.read_text(encoding="utf-8")
    return found
