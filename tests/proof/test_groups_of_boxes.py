"""Groups of boxes in ``check_proof.py``: larger ones where smaller say too little, none that overlap."""

from __future__ import annotations

import json
import lzma
import random
from itertools import combinations
from pathlib import Path

import pytest

pytest.importorskip("numpy")
pytest.importorskip("numba")

import sokoasp
from sokoasp.engine.proving import Request, certify
from sokoasp.sokoban.rules import plan_from_lurd
from tests.proof.forging import CHECKER, every_checker_says, standalone, standalone_says
from tests.proof.makers import optimum, resign

CROWD = """
#######
#   # #
#  *$ #
# * $ #
# @ ..#
#######
"""
"""A list of few states is enough, for what three boxes cost together."""
PAIRS = """
#######
#     #
# $ $ #
#.$*..#
#@    #
#######
"""
"""Eight pushes; pairs that share a box would add up to ten."""
CORNER = """
######
#    #
# $$##
## .+#
 #####
"""
"""No plan: what the two boxes need depends on which side of them the player is."""
LONGER = "rrULdlUrrrruulDulDullDRRRurD"
"""Ten pushes that solve it."""
FAULTS = {
    "overlapping groups": (
        "best(rest ^ m) for g, m in self.of.get(low, ()) if m & rest == m",
        "best(rest ^ low) for g, m in self.of.get(low, ())",
    ),
    "the player anywhere": ("self.at((*head, last), bit)", "self.at((*head, last), 1)"),
    "no group of three": (
        "for size in range(1, self.largest + 1):\n            for head",
        "for size in (1, 2):\n            for head",
    ),
}
"""What is wrong, and how."""


def _certified(text: str, folder: Path) -> Path:
    (level,) = sokoasp.read(text)
    found = optimum(level, "pushes")
    assert found is not None
    certify(level, folder, Request("pushes", known=plan_from_lurd(level, found[1]), kind="states", patterns=False))
    return folder


def _too_dear(folder: Path) -> Path:
    """Claim that ten pushes are needed: a plan of ten, and no state, as if the bound of the start excluded it."""
    _certified(PAIRS, folder)
    (folder / "plan.lurd").write_text(LONGER + "\n")
    (folder / "states.xz").write_bytes(lzma.compress(b""))
    claim = json.loads((folder / "claim.json").read_text())
    assert (claim["value"], claim["format"]) == (8, "sokoasp certificate 2")
    (folder / "claim.json").write_text(json.dumps(claim | {"value": 10}))
    resign(folder)
    return folder


def _without_triples(folder: Path) -> Path:
    """Let triples of boxes say what the boxes say alone."""
    _certified(CROWD, folder)
    claim, checker = json.loads((folder / "claim.json").read_text()), standalone()
    tables = checker.read_tables(folder, checker.Level((folder / "level.xsb").read_text()), claim)
    triples = sum(len(group) == 3 for group, _, _ in tables.entries())
    words = lzma.decompress((folder / "tables.xz").read_bytes())
    assert triples > 0
    (folder / "tables.xz").write_bytes(lzma.compress(words[: -2 * triples] + bytes(2 * triples)))
    resign(folder)
    return folder


def _faulty(fault: str, place: Path) -> Path:
    """Return the checker with a fault."""
    text, wrong = FAULTS[fault]
    whole = CHECKER.read_text(encoding="utf-8")
    assert whole.count(text) == 1
    made = place / "faulty.py"
    made.write_text(whole.replace(text, wrong), encoding="utf-8")
    return made


def test_groups_that_share_a_box_are_not_added(tmp_path: Path) -> None:
    folder = _too_dear(tmp_path / "dear")
    assert all(said and "states: the start" in said for said in every_checker_says(folder))
    python = _faulty("overlapping groups", tmp_path)
    assert standalone_says(folder, python) is None


def test_larger_groups_are_looked_up_where_smaller_say_too_little(tmp_path: Path) -> None:
    folder, without = _certified(CROWD, tmp_path / "crowd"), _without_triples(tmp_path / "without")
    assert set(every_checker_says(folder)) == {None}
    assert all(said and "states: " in said for said in every_checker_says(without))
    python = _faulty("no group of three", tmp_path)
    assert standalone_says(folder, python) is not None


def test_groups_are_looked_up_where_the_player_is(tmp_path: Path) -> None:
    (level,) = sokoasp.read(CORNER)
    certify(level, tmp_path / "corner", Request("pushes", kind="states", patterns=False))
    assert set(every_checker_says(tmp_path / "corner")) == {None}
    python = _faulty("the player anywhere", tmp_path)
    assert standalone_says(tmp_path / "corner", python) is not None


def _random_groups(rng: random.Random, boxes: int) -> list[tuple[tuple[int, ...], int]]:
    """Return groups of up to four of the boxes, and what each gains."""
    sizes = [rng.randrange(1, min(4, boxes) + 1) for _ in range(rng.randrange(7))]
    return [(tuple(sorted(rng.sample(range(boxes), size))), rng.randrange(4)) for size in sizes]


def _best(groups: list[tuple[tuple[int, ...], int]]) -> int:
    """Return the most that groups without a common box gain, of all choices."""
    chosen = (some for size in range(len(groups) + 1) for some in combinations(groups, size))
    apart = [some for some in chosen if len({b for g, _ in some for b in g}) == sum(len(g) for g, _ in some)]
    return max(sum(gain for _, gain in some) for some in apart)


def test_groups_are_packed_as_well_as_can_be() -> None:
    """Against all choices of groups without a common box, of random ones."""
    rng = random.Random(5)
    given = [(boxes, _random_groups(rng, boxes)) for boxes in (rng.choice((*range(2, 8), 30, 31)) for _ in range(200))]
    bests = [_best(groups) for _, groups in given]
    for (boxes, groups), best in zip(given, bests, strict=True):
        alone = {3 * box: rng.randrange(3) for box in range(boxes)}
        gains = standalone().Gains(alone)
        for group, gain in groups:
            gains.add([3 * box for box in group], sum(alone[3 * box] for box in group) + gain)
        assert gains.some() <= gains.best() == best <= gains.most()
    assert len(set(bests)) > 5
