"""Minimal cores, of a program of no game and of refuted bounds of levels."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from sokoasp.asp import catalogue
from sokoasp.asp.catalogue import Encoding
from sokoasp.asp.multishot import Stopped
from sokoasp.asp.unsat_cores import Core, minimal_core
from sokoasp.core.errors import EncodingError
from sokoasp.core.limits import Limits
from sokoasp.core.result import Status
from sokoasp.sokoban import facts
from sokoasp.sokoban.level import Cell, Level
from sokoasp.sokoban.search.exact import reference
from tests.instances import level
from tests.levels import random_level

WEIGHTS = """
{ serve(X) : weight(X,_) }.
#program check(t).
#external query(t).
:- query(t), #sum { W,X : serve(X), weight(X,W) } > t.
"""


def program(tmp_path: Path, text: str) -> Encoding:
    path = tmp_path / "program.lp"
    path.write_text(text)
    return Encoding("own", "none", "steps", "incremental", (path,), "serve/1", "", "")


def core_of(tmp_path: Path, text: str, given: str, bound: int, seconds: float = 60) -> Core | None:
    return minimal_core(program(tmp_path, text), given, bound=bound, clock=Limits(seconds=seconds).start())


@pytest.mark.parametrize("bound", range(10))
def test_core_is_minimal(tmp_path: Path, bound: int) -> None:
    weights = {"a": 1, "b": 2, "c": 3, "d": 4}
    given = "".join(f"weight({x},{w})." for x, w in weights.items())
    core = core_of(tmp_path, WEIGHTS, given, bound)
    assert core is not None and core.minimal
    chosen = [weights[atom.args[0]] for atom in core.atoms]
    assert sum(chosen) > bound
    assert all(sum(rest) <= bound for rest in combinations(chosen, len(chosen) - 1))


def test_nothing_to_explain(tmp_path: Path) -> None:
    assert core_of(tmp_path, WEIGHTS, "weight(a,2). weight(b,2).", 4) is None


def test_program_without_answers_needs_no_assumption(tmp_path: Path) -> None:
    core = core_of(tmp_path, WEIGHTS + ":- query(t).", "weight(a,2).", 4)
    assert core == Core((), minimal=True)


def test_program_without_assumable_atoms(tmp_path: Path) -> None:
    with pytest.raises(EncodingError, match="no atoms serve/1"):
        core_of(tmp_path, "#program check(t).\n#external query(t).", "", 1)


def test_limit_before_any_core(tmp_path: Path) -> None:
    with pytest.raises(Stopped, match="time"):
        core_of(tmp_path, WEIGHTS, "weight(a,2).", 1, seconds=0.0)


def explain(given: Level, what: str, bound: int) -> set[Cell] | None:
    encoding = catalogue.encodings()[f"lines-explain-{what}"]
    core = minimal_core(encoding, facts.write(given), bound=bound, clock=Limits(seconds=60).start())
    if core is None:
        return None
    assert core.minimal
    places = facts.cell_of(given)
    return {places[atom.args[0]] for atom in core.atoms}


def within(given: Level, bound: int) -> bool:
    found = reference.solve(given, "lines")
    assert found.status in (Status.OPTIMAL, Status.UNSOLVABLE)
    return found.value is not None and found.value <= bound


@pytest.mark.parametrize("seed", range(6))
def test_explained_goals_and_boxes_are_right_and_minimal(seed: int) -> None:
    given = random_level(seed, width=4, height=4, boxes=2)
    for bound in (1, 3):
        goals, boxes = explain(given, "goals", bound), explain(given, "boxes", bound)
        assert (goals is None) == within(given, bound)
        if goals is not None:
            assert not within(_with(given, goals=goals), bound)
            assert all(within(_with(given, goals=goals - {g}), bound) for g in goals)
        if boxes is not None:
            assert not _storable(given, boxes, bound)
            assert all(_storable(given, boxes - {b}, bound) for b in boxes)


def _with(given: Level, *, goals: set[Cell]) -> Level:
    return Level(given.floor, given.boxes, frozenset(goals), given.player)


def _storable(given: Level, boxes: set[Cell], bound: int) -> bool:
    """Return whether these boxes, alone, can each get onto some goal."""
    return any(
        within(Level(given.floor, frozenset(boxes), frozenset(chosen), given.player), bound)
        for chosen in combinations(sorted(given.goals), len(boxes))
    )


def test_the_box_in_the_corner_is_named() -> None:
    corner = level("""
        #######
        #$ .  #
        # @$. #
        #     #
        #######
    """)
    assert explain(corner, "boxes", 4) == {Cell(1, 1)}
    assert explain(corner, "goals", 1) == {Cell(1, 3), Cell(2, 4)}
