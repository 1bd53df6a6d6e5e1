"""Graded sets: the measures against counting by hand, and what a set's levels say of themselves."""

from __future__ import annotations

import re
from itertools import islice

import pytest

from sokoasp.sokoban.formats import level_from_rows
from sokoasp.sokoban.generate import graded
from sokoasp.sokoban.generate.generator import Wish
from sokoasp.sokoban.generate.graded import measure


def test_a_straight_push_has_one_plan_and_no_detour() -> None:
    found = measure(level_from_rows(["######", "#@$ .#", "######"]))
    assert (found.pushes, found.moves, found.lines, found.plans) == (2, 2, 1, 1)
    assert (found.box_changes, found.detours, found.dead_end) == (0, 0, None), "in a corridor nothing can go wrong"


def test_two_boxes_change_and_their_orders_are_counted() -> None:
    found = measure(level_from_rows(["#######", "#     #", "# $ . #", "#@    #", "# $ . #", "#     #", "#######"]))
    assert (found.pushes, found.lines, found.box_changes) == (4, 2, 1)
    assert found.plans == 6, "the orders of two pushes of one box and two of the other: 4 over 2"


def test_a_dead_end_is_as_far_as_its_pushes() -> None:
    found = measure(level_from_rows(["#######", "#     #", "# .$@ #", "#     #", "#     #", "#######"]))
    assert found.dead_end == 1, "a push to the upper wall"
    later = measure(
        level_from_rows(["########", "#      #", "#      #", "# .$@  #", "#      #", "#      #", "########"])
    )
    assert later.dead_end == 2


def test_a_detour_is_a_push_away_from_every_goal() -> None:
    rows = ["########", "#  ..  #", "# $##$ #", "#  @$  #", "#   .  #", "########"]
    assert measure(level_from_rows(rows)).detours == 1, "one box has to make room"


def test_an_unsolvable_level_is_refused() -> None:
    with pytest.raises(ValueError, match="no solution"):
        measure(level_from_rows(["######", "#$@ .#", "######"]))


def test_a_set_goes_from_easy_to_hard_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    small = (
        ("small", Wish(rows=5, cols=6, boxes=1, min_lines=2, seed=3)),
        ("other", Wish(rows=5, cols=6, boxes=1, seed=4)),
    )
    monkeypatch.setattr(graded, "SETS", small)
    made = dict(islice(graded.sets(4), 2))
    assert list(made) == ["small", "other"]
    for name, levels in made.items():
        grades = [int(re.search(r"difficulty (\d+) of 10", level.comment).group(1)) for level in levels]  # type: ignore[union-attr]
        assert grades == sorted(grades) and len(levels) == 4
        for number, level in enumerate(levels, 1):
            assert level.title == f"{name.capitalize()} {number}"
            found = measure(level)
            assert f"optimum: {found.pushes} pushes, {found.moves} moves, {found.lines} lines" in level.comment
