"""The labels against the rules and the reference search."""

import random

from sokoasp.core.result import Status
from sokoasp.sokoban import rules
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.search.exact import reference
from tests.instances import level
from tests.studies.labels import labels
from tests.studies.samples import labelled_states, random_level


def drawn(count: int) -> list[Level]:
    rng = random.Random(21)
    made = [random_level(rng, spare=number % 3 == 0) for number in range(count)]
    return [one for one in made if one is not None]


def test_states_are_those_the_rules_reach() -> None:
    checked = 0
    for one in drawn(40):
        truth = labels(one, states=300)
        if truth is None:
            continue
        seen = {rules.canonical(one, rules.initial(one))}
        queue = list(seen)
        for state in queue:
            for _push, after in rules.unit_pushes(one, state):
                reached = rules.canonical(one, after)
                if reached not in seen:
                    seen.add(reached)
                    queue.append(reached)
        assert set(truth) == seen
        checked += 1
    assert checked >= 10


def test_labels_are_what_the_reference_search_says() -> None:
    checked = {True: 0, False: 0}
    for one, state, alive in labelled_states(22, 80, per_level=10, states=300):
        status = reference.solve(one.with_state(state.boxes, state.player), "pushes").status
        assert status is (Status.OPTIMAL if alive else Status.UNSOLVABLE)
        checked[alive] += 1
    assert min(checked.values()) > 20


def test_too_many_states() -> None:
    big = level("########\n#      #\n# $ $  #\n#@ $ ..#\n#     .#\n########")
    assert labels(big, states=100) is None


def test_the_same_seed_gives_the_same_states() -> None:
    assert list(labelled_states(5, 30, states=200)) == list(labelled_states(5, 30, states=200))
