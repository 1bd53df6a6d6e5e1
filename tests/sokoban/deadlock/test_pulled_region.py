"""The closed region of reverse search against all positions that play can come to."""

import random
from dataclasses import replace

import pytest

from sokoasp.sokoban import rules
from sokoasp.sokoban.deadlock.bitboard import Bitboard, board_of
from sokoasp.sokoban.deadlock.local import Budget
from sokoasp.sokoban.deadlock.pulled_region import pulled_region
from sokoasp.sokoban.deadlock.verdict import Verdict
from sokoasp.sokoban.level import DIRECTIONS, Level, spread
from sokoasp.sokoban.rules import State
from tests.spoil import spoilt
from tests.studies.labels import labels
from tests.studies.pruning import pulls
from tests.studies.samples import random_level


def positions(level: Level, most: int) -> list[State]:
    """Positions of reverse search, from every region the player may end in."""
    starts = {rules.canonical(level, State(level.goals, cell)) for cell in level.floor - level.goals}
    queue = sorted(starts, key=lambda s: s.player)
    seen = set(queue)
    for state in queue:
        if len(seen) > most:
            break
        for after in pulls(level, state):
            reached = rules.canonical(level, after)
            if reached not in seen:
                seen.add(reached)
                queue.append(reached)
    return queue


def claim(level: Level, state: State, verdict: Verdict) -> None:
    """The boxes stand around the player and, alone, are never pulled back to the start; the sentence says how many they are."""
    boxes, area = frozenset(verdict.boxes), rules.region(level, state)
    around = {cell.step(d) for cell in area for d in DIRECTIONS}
    assert boxes == around & state.boxes and set(verdict.cells) == boxes | area
    who, them = ("1 box shuts", "it") if len(boxes) == 1 else (f"{len(boxes)} boxes shut", "them")
    assert verdict.reason == f"{who} the player in: alone on the board, pulling {them} never leads back to the start"
    first = rules.canonical(level, State(boxes, state.player))
    for here in spread([first], lambda here: (rules.canonical(level, pulled) for pulled in pulls(level, here))):
        assert not (here.boxes <= level.boxes and level.player in rules.region(level, here))


def refused(level: Level, state: State, verdict: Verdict) -> bool:
    try:
        claim(level, state, verdict)
    except AssertionError:
        return True
    return False


@pytest.mark.parametrize("states", [100, pytest.param(500, marks=pytest.mark.slow)])
def test_no_position_on_a_way_back_is_called_dead(states: int) -> None:
    rng = random.Random(5)
    count = {True: 0, False: 0}
    found = 0
    while min(count.values()) < states:
        level = random_level(rng)
        truth = labels(level, states=1_000) if level is not None else None
        if level is None or truth is None:
            continue
        pool = positions(level, 600)
        for state in rng.sample(pool, min(40, len(pool))):
            alive = state in truth
            verdict = pulled_region(level, state, budget=Budget(states=500))
            assert verdict is None or not alive, f"{level}\n{level.with_state(state.boxes, state.player)}"
            if verdict is not None and found < 40:
                claim(level, state, verdict)
                assert all(refused(level, state, replace(verdict, reason=false)) for false in spoilt(verdict.reason))
            count[alive] += 1
            found += verdict is not None
    assert found > 0.4 * count[False]


def test_pulls_make_none_of_types_1_to_3() -> None:
    # a box that has just been pulled stands in no corner and in no full 2x2 square, and in no wall run it was not in before
    rng = random.Random(11)
    made = 0
    while made < 3_000:
        level = random_level(rng)
        if level is None:
            continue
        board = board_of(level)
        for state in positions(level, 60):
            for after in pulls(level, state):
                (box,), (left,) = after.boxes - state.boxes, state.boxes - after.boxes
                bit, full = board.bit(box), board.walls | board.mask(after.boxes)
                assert not bit & board.corners
                assert not any(square & full == square for square in _squares(board, bit))
                assert all(board.bit(left) & run for run in board.runs if bit & run)
                made += 1


def _squares(board: Bitboard, bit: int) -> list[int]:
    corners = [bit, bit >> 1, bit >> board.stride, bit >> board.stride + 1]
    return [corner * (3 | 3 << board.stride) for corner in corners]
