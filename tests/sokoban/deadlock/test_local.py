"""The local search against the truth: over the whole floor it decides like the oracle, and corridors of any length alike."""

import random

import pytest

from sokoasp.sokoban.deadlock.bitboard import board_of, scene
from sokoasp.sokoban.deadlock.local import PRUNING, THOROUGH, dead_alone
from sokoasp.sokoban.level import Cell, Level, reachable
from sokoasp.sokoban.rules import State
from tests.studies.labels import labels
from tests.studies.samples import labelled_states, pulled


@pytest.mark.parametrize(("seed", "count", "spare"), [(11, 400, False), (12, 150, True)])
def test_all_boxes_over_the_whole_floor_decide_like_the_oracle(seed: int, count: int, spare: bool) -> None:
    for level, state, alive in labelled_states(seed, count, spare=spare, per_level=60, states=1_000):
        at = scene(level, state)
        assert dead_alone(at, at.boxes, zone=at.board.floor, states=10_000) is not alive


def tunnelled(rng: random.Random) -> Level:
    """Two random rooms joined by a tunnel, and often by a second one."""
    length = rng.randint(2, 5)
    width = 6 + length
    floor = {Cell(r, c) for r in range(3) for c in (*range(3), *range(width - 3, width)) if rng.random() > 0.15}
    floor |= {Cell(1, c) for c in range(width)}
    if rng.random() < 0.6:
        floor |= {Cell(4, c) for c in range(width)} | {Cell(3, 0), Cell(3, width - 1), Cell(2, 0), Cell(2, width - 1)}
    floor = reachable(Cell(1, 3), floor)
    cells = sorted(floor)
    inside = [Cell(1, c) for c in range(3, 3 + length)]
    goals = frozenset(rng.sample([c for c in cells if c not in inside or rng.random() < 0.2], 2))
    start = State(goals, rng.choice([c for c in cells if c not in goals]))
    start = pulled(rng, floor, start, rng.randint(1, 40))
    return Level(frozenset(floor), start.boxes, goals, start.player)


def test_tunnels_are_walked_through_at_once_without_harm() -> None:
    rng = random.Random(3)
    alive_seen = dead_seen = 0
    for _ in range(40):
        level = tunnelled(rng)
        truth = labels(level, states=3_000)
        if truth is None:
            continue
        for state in rng.sample(sorted(truth, key=repr), min(25, len(truth))):
            at = scene(level, state)
            dead = dead_alone(at, at.boxes, zone=at.board.floor, states=10_000)
            assert dead is not truth[state], f"{level.with_state(state.boxes, state.player)}"
            alive_seen += truth[state]
            dead_seen += not truth[state]
    assert alive_seen > 100
    assert dead_seen > 100


def test_too_few_positions_is_undecided() -> None:
    level, state, _alive = next(s for s in labelled_states(13, 50) if s[2])
    at = scene(level, state)
    assert dead_alone(at, at.boxes, zone=at.board.floor, states=1) in (None, False)


def test_budget_shrinks_with_the_board_only() -> None:
    small = board_of(Level(frozenset(Cell(0, c) for c in range(5)), frozenset(), frozenset(), Cell(0, 0)))
    large = board_of(
        Level(frozenset(Cell(r, c) for r in range(50) for c in range(50)), frozenset(), frozenset(), Cell(0, 0))
    )
    assert THOROUGH.on(small) == THOROUGH
    assert PRUNING.on(small) == PRUNING
    assert 10 <= THOROUGH.on(large).states < THOROUGH.states
