"""The closed region of reverse search against all positions that play can come to."""

import random

from sokoasp.bench.studies.samples import random_level
from sokoasp.bench.studies.truth import labels
from sokoasp.sokoban import rules
from sokoasp.sokoban.deadlock.local import Budget
from sokoasp.sokoban.deadlock.pulled_region import pulled_region
from sokoasp.sokoban.level import DIRECTIONS, Level
from sokoasp.sokoban.rules import State


def pulls(level: Level, state: State) -> list[State]:
    free, area = level.floor - state.boxes, rules.region(level, state)
    return [
        State(state.boxes - {box} | {box.step(d)}, box.step(d, 2))
        for box in sorted(state.boxes)
        for d in DIRECTIONS
        if box.step(d) in area and box.step(d, 2) in free
    ]


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


def test_no_position_on_a_way_back_is_called_dead() -> None:
    rng = random.Random(5)
    count = {True: 0, False: 0}
    found = 0
    while min(count.values()) < 500:
        level = random_level(rng)
        truth = labels(level, states=1_000) if level is not None else None
        if level is None or truth is None:
            continue
        pool = positions(level, 600)
        for state in rng.sample(pool, min(40, len(pool))):
            alive = state in truth
            verdict = pulled_region(level, state, budget=Budget(states=500))
            assert verdict is None or not alive, f"{level}\n{level.with_state(state.boxes, state.player)}"
            count[alive] += 1
            found += verdict is not None
    assert found > 0.4 * count[False]
