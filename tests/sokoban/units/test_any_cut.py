"""Whatever parts are cut out, whatever boxes and zones are searched: no false alarm."""

import random

from sokoasp.sokoban.deadlock.bitboard import bits, scene
from sokoasp.sokoban.deadlock.local import dead_alone
from sokoasp.sokoban.units.split import cut_into, joined
from sokoasp.sokoban.units.unit_verdict import movable_range
from tests.studies.samples import labelled_states


def test_any_cut_into_units_is_sound() -> None:
    rng = random.Random(41)
    found = 0
    for level, state, alive in labelled_states(41, 1_500, per_level=60, states=1_000):
        at = scene(level, state)
        for share in (0.0, 0.3, 0.6):
            part = at.boxes
            for cell in bits(at.board.floor):
                part |= cell if rng.random() < share else 0
            met = movable_range(at, cut_into(at, "any", joined(at.board, [part], at.boxes)), states=2_000)
            assert not (alive and met.stuck(at.spare)), f"{level.with_state(state.boxes, state.player)}"
            found += met.stuck(at.spare)
    assert found > 500


def test_any_boxes_in_any_zone_are_sound() -> None:
    rng = random.Random(42)
    found = 0
    for spare in (False, True):
        for level, state, alive in labelled_states(42, 1_000, spare=spare, per_level=60, states=1_000):
            at = scene(level, state)
            boxes = zone = 0
            for box in bits(at.boxes):
                boxes |= box if rng.random() < 0.8 else 0
            for cell in bits(at.board.floor):
                zone |= cell if rng.random() < 0.6 else 0
            dead = dead_alone(at, boxes, zone=zone | boxes, states=2_000)
            assert not (alive and dead), f"{level.with_state(state.boxes, state.player)}"
            found += dead is True
    assert found > 200
