"""No state on the way of a known solution is called dead: levels of Debian's cavepacker-data with their solutions."""

from pathlib import Path

import pytest

from sokoasp.sokoban import formats, rules
from sokoasp.sokoban.deadlock import PRUNING, THOROUGH, Budget
from sokoasp.sokoban.formats import lurd
from sokoasp.sokoban.level import BY_LETTER, Level
from sokoasp.sokoban.rules import State
from sokoasp.sokoban.units import find_deadlock


def states_of(folder: Path, name: str) -> tuple[Level, list[State]]:
    """The level and its states after each push of the solution that comes with it."""
    (level,) = formats.read(next(folder.rglob(f"{name}.sok")).read_bytes(), source=name)
    state = rules.initial(level)
    states = [state]
    for letter in lurd.read(next(folder.rglob(f"{name}.sol")).read_text(), source=name):
        after = rules.move(level, state, BY_LETTER[letter.lower()])
        if after.boxes != state.boxes:
            states.append(after)
        state = after
    assert rules.solved(level, state.boxes)
    return level, states


def assert_no_alarm(folder: Path, name: str, budget: Budget, stride: int = 1) -> int:
    level, states = states_of(folder, name)
    for number, state in enumerate(states[::stride]):
        found = find_deadlock(level, state, budget=budget)
        assert found is None, f"{name}, state {number * stride}: {found}"
    return len(states[::stride])


NAMES = (
    "xsokoban0001 xsokoban0002 xsokoban0017 microban01_0001 microban01_0078 microban02_0030 "
    "sasquatch01_0005 sasquatch05_0010 gri0003"
)


@pytest.mark.parametrize("stride", [6, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", NAMES.split())
def test_along_known_solutions(cavepacker: Path, name: str, stride: int) -> None:
    assert assert_no_alarm(cavepacker, name, PRUNING, stride) > 1


def test_xsokoban_2_is_not_dead_at_its_start(cavepacker: Path) -> None:
    level, states = states_of(cavepacker, "xsokoban0002")
    assert find_deadlock(level, states[0], budget=THOROUGH) is None


@pytest.mark.slow
def test_xsokoban_2_thoroughly(cavepacker: Path) -> None:
    assert assert_no_alarm(cavepacker, "xsokoban0002", THOROUGH, stride=8) > 10


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("part", range(20))
def test_along_all_solutions(cavepacker: Path, part: int) -> None:
    names = sorted(path.stem for path in cavepacker.rglob("*.sol"))
    assert len(names) >= 1_000
    for name in names[part::20]:
        assert_no_alarm(cavepacker, name, PRUNING)
