"""The deeper ideas keep the answer at every length, cut plans only where they say so, and are noticed when they are wrong."""

from __future__ import annotations

import pytest

from sokoasp.sokoban import formats
from sokoasp.sokoban.level import Level
from tests import native
from tests.levels import scrambled_level
from tests.studies import deep_ideas

ORDER = """
########
#      #
# $  $ #
# .  . #
#  @   #
########
"""


def answers(level: Level, ideas: tuple[str, ...], lengths: range) -> int:
    """Compare each idea with the program it stands beside at each length; return how many lengths have a plan."""
    there = 0
    for bound in lengths:
        plain = deep_ideas.ask(level, "plain", bound)
        there += plain.verdict == "sat"
        for idea in ideas:
            assert deep_ideas.ask(level, idea, bound).verdict == plain.verdict, (idea, bound)
    return there


@pytest.mark.parametrize("seed", [2, 5])
def test_every_length_has_the_answer_that_it_has_without_the_idea(seed: int) -> None:
    native.needed()
    level = scrambled_level(seed, width=4, height=4, boxes=3)
    assert answers(level, deep_ideas.IDEAS[1:], range(2, 6))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60))
def test_every_length_of_many_levels(seed: int) -> None:
    native.needed()
    level = scrambled_level(seed, width=5, height=4, boxes=2 + seed % 3)
    answers(level, deep_ideas.IDEAS[1:], range(2, 9))


def test_of_two_orders_of_independent_pushes_one_is_a_plan() -> None:
    (level,) = formats.read(ORDER.encode(), source="order.xsb")
    assert deep_ideas.ask(level, "plain", 2, models=0).models == 2
    assert deep_ideas.ask(level, "ordered", 2, models=0).models == 1
