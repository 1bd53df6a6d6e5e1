"""The three worked examples of encodings/README.md do what they say."""

import re
from pathlib import Path

import pytest

from sokoasp import Limits, Plan, Status, solve
from sokoasp.sokoban.level import Cell, Level
from tests import instances
from tests.instances import FOLDER, level

README = (FOLDER.parent / "encodings" / "README.md").read_text(encoding="utf-8")
EXAMPLES = [text for text in re.findall(r"```prolog\n(.*?)```", README, re.DOTALL) if "#external" not in text]
"""Constraints; the whole program of the page has a test of its own."""
ROOM = level("""
    #######
    #     #
    # $ . #
    #     #
    # $ . #
    #@    #
    #######
""")


def _never_up(level: Level, plan: Plan) -> bool:
    return all(push.direction.name != "up" for push in plan.actions)


def _box_goes_there(level: Level, plan: Plan) -> bool:
    box = Cell(2, 2)
    for push in plan.actions:
        box = push.to if push.box == box else box
    return box == Cell(4, 4)


def _ends_at_home(level: Level, plan: Plan) -> bool:
    last = plan.actions[-1]
    end = last.to.step(last.direction.opposite)
    return abs(end.row - level.player.row) + abs(end.col - level.player.col) == 1


HOLDS = (_never_up, _box_goes_there, _ends_at_home)
LEVELS = (
    instances.ROOM,
    ROOM,
    level("""
        ########
        #@$   .#
        #$     #
        #.     #
        #      #
        ########
    """),
)


def test_there_are_three() -> None:
    assert len(EXAMPLES) == len(HOLDS) == len(LEVELS) == 3


@pytest.mark.parametrize("number", [0, 1, 2])
def test_example(number: int, tmp_path: Path) -> None:
    path = tmp_path / "mine.lp"
    assert "c5r3" in EXAMPLES[1]
    path.write_text(EXAMPLES[number].replace("c5r3", "c5r5"))
    one = LEVELS[number]
    found = solve(one, encoding="lines", constraints=(path,), limits=Limits(seconds=30))
    free = solve(one, encoding="lines", models=0)
    assert found.status is Status.OPTIMAL and HOLDS[number](one, found.plan)
    assert found.value >= free.value
    assert not all(HOLDS[number](one, plan) for plan in free.plans), "the constraint rules nothing out here"
