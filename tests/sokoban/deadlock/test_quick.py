"""The compiled detectors against plain search: never a living state called dead, exact where they search everything."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from sokoasp.bench.studies.labels import labels
from sokoasp.bench.studies.samples import labelled_states, random_level
from sokoasp.sokoban.deadlock.bitboard import scene
from sokoasp.sokoban.deadlock.local import dead_alone, hopeless
from sokoasp.sokoban.deadlock.simple import examine_dead_square, examine_freeze, examine_matching
from sokoasp.sokoban.level import Cell, Level
from sokoasp.sokoban.rules import State

pytest.importorskip("numba")

from sokoasp.sokoban.deadlock.quick import SIMPLE, Depth, Judge

EVERYTHING = Depth(0, 0, 0), Depth(1, 0, 0), Depth(1, 150, 0), Depth(2, 150, 0), Depth(3, 1_000, 3_000)


def judged(depth: Depth, states: list[tuple[Level, State, bool]]) -> Iterator[tuple[Level, State, bool, int]]:
    judges: dict[Level, Judge] = {}
    for level, state, alive in states:
        if level not in judges:
            judges[level] = Judge(level, depth)
        yield level, state, alive, judges[level].rule(state.boxes, state.player)


@pytest.fixture(scope="module")
def sample() -> list[tuple[Level, State, bool]]:
    return list(labelled_states(44, 900, per_level=40))


def test_no_living_state_is_called_dead_and_more_depth_finds_more(sample: list[tuple[Level, State, bool]]) -> None:
    found = []
    for depth in EVERYTHING:
        rules = [(alive, rule) for *_, alive, rule in judged(depth, sample)]
        assert not any(alive and rule for alive, rule in rules)
        found.append(sum(rule > 0 for _, rule in rules))
    assert found == sorted(found)
    assert found[-1] == sum(not alive for *_, alive in sample), "the whole space of these levels fits the last depth"


def test_every_state_of_a_level_is_judged_as_exhaustive_search_has_it() -> None:
    rng = random.Random(45)
    tried = 0
    while tried < 12:
        level = random_level(rng)
        truth = labels(level, states=1_500) if level is not None else None
        if level is None or truth is None:
            continue
        tried += 1
        judge = Judge(level, Depth(1, 100, 2_000))
        for state, alive in truth.items():
            assert judge.dead(state.boxes, state.player) is not alive


def test_the_simple_rules_are_those_of_plain_python(sample: list[tuple[Level, State, bool]]) -> None:
    for level, state, _alive, rule in judged(Depth(1, 0, 0), sample):
        at = scene(level, state)
        expected = 1 if examine_dead_square(at) else 2 if examine_freeze(at) else 3 if examine_matching(at) else None
        assert rule == expected or (expected is None and rule in (0, 4))


def test_a_local_search_agrees_with_plain_python(sample: list[tuple[Level, State, bool]]) -> None:
    compared = 0
    for level, state, _alive, rule in judged(Depth(1, 3_000, 3_000), sample):
        at = scene(level, state)
        if hopeless(at.board, at.boxes, 0) or rule == 3:
            continue
        plain = dead_alone(at, at.boxes, zone=at.board.floor, states=20_000)
        assert plain is (rule == 4)
        compared += 1
    assert compared > 300


@pytest.mark.parametrize("table", ["goal", "dead", "side", "neighbour"])
def test_a_planted_fault_is_seen(table: str, sample: list[tuple[Level, State, bool]]) -> None:
    """With a table broken, living states are called dead or dead ones no more: the tests above would fail."""
    wrong = 0
    for level in {level for level, *_ in sample}:
        judge = Judge(level, Depth(3, 1_000, 3_000))
        array = getattr(judge.land, table)
        if table == "goal":
            array[judge.number[min(level.goals)]] = 0
        elif table == "dead":
            array[judge.number[min(level.goals)]] = 1
        elif table == "side":
            array[:] = array.max()
        else:
            array[0, :] = len(judge.number)
        mine = [(state, alive) for its, state, alive in sample if its == level]
        wrong += sum(judge.dead(state.boxes, state.player) is alive for state, alive in mine)
    assert wrong > 5


def test_what_it_cannot_judge_is_refused() -> None:
    row = [Cell(0, c) for c in range(12)]
    spare = Level(frozenset(row), frozenset(row[2:5]), frozenset(row[6:8]), row[0])
    with pytest.raises(ValueError, match="as many goals as boxes"):
        Judge(spare)
    hall = [Cell(r, c) for r in range(20) for c in range(20)]
    with pytest.raises(ValueError, match="too many"):
        Judge(Level(frozenset(hall), frozenset(hall[:20]), frozenset(hall[20:40]), hall[-1]), SIMPLE)
