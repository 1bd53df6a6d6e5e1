"""All engines, objectives and subsets of the prunings against the oracle on seeded random levels, solvable and not."""

import itertools

import pytest

from sokoasp.core.limits import Limits
from sokoasp.core.result import Status
from sokoasp.sokoban.plan import OBJECTIVES
from sokoasp.sokoban.search import SWITCHES, Options, solve
from sokoasp.sokoban.validate import validate
from tests.instances import levels
from tests.levels import random_level, some_now, truth

SUBSETS = [c for size in range(len(SWITCHES) + 1) for c in itertools.combinations(SWITCHES, size)]
LIMITS = Limits(seconds=30)


def engines(objective: str, spare: int) -> list[str]:
    return ["forward"] if objective == "moves" or spare else ["forward", "reverse", "bidirectional"]


def agree(seed: int, subsets: list[tuple[str, ...]], most: int = 3_000, **shape: int) -> set[tuple[str, Status]]:
    """Compare all engines with the oracle on one level; return what was seen."""
    level = random_level(seed, **shape)
    seen = set()
    for objective in OBJECTIVES:
        best = truth(level, objective, Limits(states=most))
        if best.stopped_by:
            continue
        for engine in engines(objective, shape.get("spare", 0)):
            for subset in subsets:
                found = solve(level, objective, LIMITS, engine=engine, options=Options(), switches=subset)
                where = f"seed {seed} {shape} {objective} {engine} {subset}\n{level}"
                assert (found.status, found.value) == (best.status, best.value), where
                if found.plan is not None:
                    assert found.value == found.lower_bound == found.plan.cost(objective), where
                    assert getattr(validate(level, found.plan), objective) == found.value, where
                seen.add((objective, found.status))
    return seen


@pytest.mark.parametrize("block", some_now(3, 1))
def test_engines_agree_with_the_oracle(block: int) -> None:
    seen = set()
    for seed in range(block * 8, block * 8 + 8):
        # all, none, and one subset that changes from seed to seed
        seen |= agree(seed, [SWITCHES, (), SUBSETS[seed % len(SUBSETS)]])
    assert seen == {(o, s) for o in OBJECTIVES for s in (Status.OPTIMAL, Status.UNSOLVABLE)}


@pytest.mark.parametrize("seed", range(12))
def test_corridors_and_dead_ends(seed: int) -> None:
    agree(seed, [SWITCHES, ("matching", "corral"), ("patterns", "matching")], width=7, height=3, boxes=3)


@pytest.mark.parametrize("seed", range(12))
def test_more_boxes_than_goals(seed: int) -> None:
    agree(seed, [SWITCHES, (), ("freeze",), ("corral",), ("matching",)], boxes=3, spare=1 + seed % 2)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_a_search_for_any_plan_ends_with_the_proof_that_there_is_none(objective: str) -> None:
    for name in ("unsolvable", "generated"):
        for level in levels(f"unsolvable/{name}.xsb"):
            found = solve(level, objective, LIMITS, engine="any", options=Options())
            assert found.status is Status.UNSOLVABLE, (level.source, level.line)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(20))
def test_two_thousand_levels(block: int) -> None:
    for seed in range(1000 + 100 * block, 1100 + 100 * block):
        shape = [{}, {"width": 7, "height": 3, "boxes": 3}, {"width": 4, "height": 4, "boxes": 4}, {"boxes": 2}][
            seed % 4
        ]
        agree(seed, [SWITCHES, (), SUBSETS[seed % 16], SUBSETS[(seed * 7 + 3) % 16]], 6_000, **shape)
        agree(seed, [SWITCHES, ("freeze", "corral")], 6_000, boxes=2 + seed % 2, spare=1)
