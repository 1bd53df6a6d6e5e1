"""Debian's cavepacker-data: every level reads and comes back, every solution file replays."""

from pathlib import Path

import pytest

from sokoasp.core.errors import SokoaspError
from sokoasp.sokoban import facts, formats
from sokoasp.sokoban.canonical import canonical
from sokoasp.sokoban.formats import lurd
from sokoasp.sokoban.level import Level


@pytest.mark.parametrize("stride", [4, pytest.param(1, marks=pytest.mark.slow)])
def test_all_levels_and_solutions(stride: int, cavepacker: Path) -> None:
    read = replayed = 0
    for path in sorted(cavepacker.rglob("*.sok"))[::stride]:
        (found,) = formats.read_each(path.read_bytes(), source=path.name)
        if isinstance(found, SokoaspError):
            assert found.code == "E-PLAYERS" and path.name.startswith("multiplayer")
            continue
        read += 1
        solution = path.with_suffix(".sol")
        if solution.exists() and solution.stat().st_size < 400:
            plan, warnings = lurd.check_solution(found, solution.read_text(), source=solution.name)
            assert plan.lines >= 1 and not warnings
            replayed += 1
    assert read > 500 / stride and replayed > 200 / stride


@pytest.mark.slow
def test_the_long_solutions_too(cavepacker: Path) -> None:
    for path in sorted(cavepacker.rglob("*.sol")):
        (level,) = formats.read(path.with_suffix(".sok").read_bytes())
        assert lurd.check_solution(level, path.read_text(), source=path.name)[0].lines >= 1


@pytest.mark.parametrize("stride", [25, pytest.param(1, marks=[pytest.mark.slow, pytest.mark.timeout(1200)])])
def test_every_notation_on_every_level(cavepacker: Path, stride: int) -> None:
    paths = [path for path in sorted(cavepacker.rglob("*.sok")) if not path.name.startswith("multiplayer")]
    assert len(paths) > 1000
    found = [formats.read(path.read_bytes())[0] for path in paths[::stride]]
    for to, source in (("xsb", ""), ("sok", "a.sok"), ("rle", ""), ("slc", ""), ("json", "")):
        again = formats.read(formats.write(found, to), source=source)
        assert (list(again), [level.title for level in again]) == (found, [level.title for level in found]), to
    for level in found:
        assert _board(facts.read(facts.write(level))) == _board(level)


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_pddl_of_some_levels(cavepacker: Path, tmp_path: Path) -> None:
    from sokoasp.planning.recognise import recognise
    from sokoasp.planning.task import read_task

    paths = [path for path in sorted(cavepacker.rglob("*.sok")) if not path.name.startswith("multiplayer")]
    found = sorted((formats.read(path.read_bytes())[0] for path in paths), key=lambda level: len(level.floor))
    domain, problem = tmp_path / "domain.pddl", tmp_path / "problem.pddl"
    for level in found[:: len(found) // 40][:25]:
        head, _, tail = formats.write([level], "pddl").partition("(define (problem")
        domain.write_text(head)
        problem.write_text("(define (problem" + tail)
        again = recognise(read_task(domain, problem)).level
        assert canonical(again).text == canonical(level).text


def _board(level: Level) -> tuple[object, ...]:
    return level.floor, level.boxes, level.goals, level.player
