"""Levels with spare boxes for campaigns: ``python -m tests.studies.spare_goals FILES -o DIR`` takes goals out and writes facts.

Of the level numbered n of the files, from 0, 1 + n % 3 goals go, drawn with n as the seed.
"""

from __future__ import annotations

import argparse
import random
from dataclasses import replace
from pathlib import Path

from sokoasp.sokoban import facts, formats
from sokoasp.sokoban.level import Level


def without_goals(level: Level, number: int) -> Level:
    """Return the level with fewer goals."""
    goals = sorted(level.goals)
    gone = random.Random(number).sample(goals, min(1 + number % 3, len(goals) - 1))
    return replace(level, goals=level.goals.difference(gone))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    asked = parser.parse_args()
    asked.output.mkdir(parents=True, exist_ok=True)
    levels = [(file, level) for file in asked.files for level in formats.read(file.read_text(encoding="utf-8"))]
    for number, (file, level) in enumerate(levels):
        (asked.output / f"{file.stem}-{number}.lp").write_text(
            facts.write(without_goals(level, number)), encoding="utf-8"
        )


if __name__ == "__main__":
    main()
