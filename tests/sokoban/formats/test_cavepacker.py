"""Debian's cavepacker-data: every level reads and comes back, every solution file replays."""

from __future__ import annotations

from pathlib import Path

import pytest

from sokoasp.core.errors import SokoaspError
from sokoasp.sokoban import facts, formats
from sokoasp.sokoban.formats import lurd


def test_all_levels_and_solutions(cavepacker: Path) -> None:
    read = replayed = 0
    for path in sorted(cavepacker.rglob("*.sok")):
        (found,) = formats.read_each(path.read_bytes(), source=path.name)
        if isinstance(found, SokoaspError):
            assert found.code == "E-PLAYERS"
            assert path.name.startswith("multiplayer")
            continue
        read += 1
        solution = path.with_suffix(".sol")
        if solution.exists() and solution.stat().st_size < 400:
            plan, warnings = lurd.check_solution(found, solution.read_text(), source=solution.name)
            assert plan.lines >= 1
            assert not warnings
            replayed += 1
    assert read > 500
    assert replayed > 200


@pytest.mark.slow
def test_the_long_solutions_too(cavepacker: Path) -> None:
    for path in sorted(cavepacker.rglob("*.sol")):
        (level,) = formats.read(path.with_suffix(".sok").read_bytes())
        assert lurd.check_solution(level, path.read_text(), source=path.name)[0].lines >= 1


def test_all_levels_come_back(cavepacker: Path) -> None:
    found = [formats.read(path.read_bytes())[0] for path in sorted(cavepacker.rglob("microban*.sok"))]
    found += [formats.read(path.read_bytes())[0] for path in sorted(cavepacker.rglob("gri*.sok"))]
    for to, source in (("sok", "a.sok"), ("rle", ""), ("slc", ""), ("json", "")):
        again = formats.read(formats.write(found, to), source=source)
        assert list(again) == found
        assert [level.title for level in again] == [level.title for level in found]
    for level in found:
        again_level = facts.read(facts.write(level))
        assert (again_level.floor, again_level.boxes) == (level.floor, level.boxes)
        assert (again_level.goals, again_level.player) == (level.goals, level.player)
