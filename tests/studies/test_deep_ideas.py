"""The deeper ideas keep the answer at every length, cut plans only where they say so, and are noticed when they are wrong."""

from __future__ import annotations

import pytest

from sokoasp.sokoban import formats
from sokoasp.sokoban.level import Level
from tests import native
from tests.levels import scrambled_level
from tests.studies import deep_ideas, deep_texts

EITHER = """
########
#      #
# $  $ #
# .  . #
#  @   #
########
"""
ASIDE = """
########
#   .  #
#      #
# $ $ .#
#  @   #
########
"""
"""The left box goes through where the right one was."""
PAST = """
#########
#       #
#  @$   #
#       #
# . . $ #
#       #
#########
"""
"""The right box goes past where the other one comes to rest."""


def level_of(text: str) -> Level:
    (level,) = formats.read(text.encode(), source="level.xsb")
    return level


def differing(level: Level, lengths: range, ideas: tuple[str, ...] = deep_ideas.IDEAS[1:]) -> list[tuple[str, int]]:
    """Return ideas and lengths whose answer is not the one without the idea."""
    found = []
    for bound in lengths:
        plain = deep_ideas.ask(level, "plain", bound).verdict
        found += [(idea, bound) for idea in ideas if deep_ideas.ask(level, idea, bound).verdict != plain]
    return found


def test_the_shortest_plans_stay_with_every_idea() -> None:
    native.needed()
    level = scrambled_level(20, width=5, height=4, boxes=4)
    assert deep_ideas.ask(level, "plain", 2).verdict == "unsat" != deep_ideas.ask(level, "plain", 3).verdict
    assert not differing(level, range(3, 4))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60))
def test_every_length_of_many_levels(seed: int) -> None:
    native.needed()
    assert not differing(scrambled_level(seed, width=5, height=4, boxes=2 + seed % 3), range(2, 9))


def test_of_two_orders_of_independent_pushes_one_is_a_plan() -> None:
    level = level_of(EITHER)
    assert deep_ideas.ask(level, "plain", 2, models=0).models == 2
    assert deep_ideas.ask(level, "ordered", 2, models=0).models == 1


@pytest.mark.parametrize(("text", "condition"), [(ASIDE, "not over(A,t), "), (PAST, "not back(t), ")])
def test_the_only_order_stays(text: str, condition: str, monkeypatch: pytest.MonkeyPatch) -> None:
    level = level_of(text)
    assert (
        deep_ideas.ask(level, "ordered", 2, models=0).models == deep_ideas.ask(level, "plain", 2, models=0).models == 1
    )
    monkeypatch.setattr(deep_texts, "ORDERED", deep_texts.ORDERED.replace(condition, ""))
    assert deep_ideas.ask(level, "ordered", 2).verdict == "unsat", "without the condition the plan is lost"
