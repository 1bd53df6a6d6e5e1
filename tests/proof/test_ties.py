"""Certificates of tie-breaks: made, checked by every checker, and none of the list's conditions can be left out."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from heapq import heappop, heappush
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner

from sokoasp.cli import root
from sokoasp.core.errors import SokoaspError
from sokoasp.core.limits import Limits
from sokoasp.engine.certificate_bounds import prices_of
from sokoasp.engine.proving import Request, certify
from sokoasp.proof import folder as folders
from sokoasp.proof import level_text
from sokoasp.proof.refusals import Cheaper
from sokoasp.proof.verify import verify
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.rules import plan_from_lurd
from tests import native
from tests.conftest import ROOT
from tests.instances import levels
from tests.levels import random_level
from tests.plan_campaign import Graph, brute_force
from tests.proof.forging import CHECKER, every_checker_says, package_says, standalone, standalone_says, write
from tests.proof.makers import unsolvable

np = pytest.importorskip("numpy")
native.needed()

from sokoasp.proof import closed, group_bounds, ties  # noqa: E402

Costs = dict[tuple[frozenset[int], int], tuple[int, int]]
"""By boxes and the player's cell: pushes and moves."""


def _solvable(count: int, spare: bool = False) -> list[tuple[Level, int, int]]:
    """Return random levels with their fewest pushes and, of those, fewest moves."""
    found, seed = [], 0
    while len(found) < count:
        seed += 1
        level = random_level(seed, width=4, height=4, spare=spare)
        best = brute_force(Graph(level), ("pushes", "moves"))
        if best is not None and 2 < best[0] < 14 and (len(level.boxes) > len(level.goals)) == spare:
            found.append((level, *best))
    return found


def _list(level: Level, pushes: int, moves: int, largest: int) -> Any:
    field = level_text.read(level_text.write(level))
    largest = largest if len(field.boxes) == len(field.goals) else 0
    prices = tuple(prices_of(level, "pushes")) if largest else (0,) * len(field.goals)
    bounds = group_bounds.build(field, prices, largest, lines=False) if largest else None
    return ties.listing(closed.Claim(field, folders.TIES, pushes, field.boxes, prices, largest, moves), bounds)


@pytest.mark.parametrize("largest", [0, 1, 3])
@pytest.mark.parametrize("spare", [False, True])
def test_the_optimum_can_be_shown_and_nothing_more(largest: int, spare: bool, tmp_path: Path) -> None:
    for level, pushes, moves in _solvable(5, spare):
        listed = _list(level, pushes, moves, largest)
        assert listed.make(lambda states, left: None) is None
        listed.verify()
        listed.write(tmp_path / "states.xz")
        again = _list(level, pushes, moves, largest)
        again.read(tmp_path / "states.xz")
        again.verify()
        for more in ((0, 1), (2, 0), (1, -1) if spare else (2, -1)):
            claimed = (pushes + more[0], moves + more[1])
            wrong = _list(level, *claimed, largest)
            with pytest.raises(Cheaper) as caught:
                wrong.make(lambda states, left: None)
            assert (pushes, moves) <= (caught.value.value, caught.value.moves or 0) < claimed


def test_every_checker_accepts_what_is_made(tmp_path: Path) -> None:
    solved = levels("tutorial/tutorial.xsb")[9]
    for number, (level, pushes, moves) in enumerate([*_solvable(3), *_solvable(2, spare=True), (solved, 0, 0)]):
        folder = tmp_path / str(number)
        made = certify(level, folder, Request(folders.TIES, Limits(), kind="states"))
        assert made.claim is not None
        claim = json.loads((folder / "claim.json").read_text())
        assert (claim["format"], claim["value"]) == (folders.WITH_TIES, [pushes, moves])
        assert f"{pushes} pushes and {moves} moves are enough; fewer pushes are not" in made.reported
        assert (package_says(folder), standalone_says(folder)) == (None, None)
        steps = {step.name: step.reported for step in verify(folder)}
        assert steps["rules"] == f"the plan solves the level and has {pushes} pushes and {moves} moves"


def _all_costs(one: Any) -> Costs:
    """Return what each state after a push costs at least, pushes first, by the steps of a checker's level."""
    start = frozenset(one.boxes), one.player
    found: Costs = {}
    queue = [((0, 0), 0, start)]
    number = 0
    while queue:
        cost, _, state = heappop(queue)
        if state in found:
            continue
        found[state] = cost
        for boxes, player, steps in one.walked_pushes(*state):
            number += 1
            heappush(queue, ((cost[0] + 1, cost[1] + steps + 1), number, (boxes, player)))
    return found


Lie = Callable[[tuple[int, int]], tuple[int, int]]
FORGED: dict[str, tuple[Lie, int, str, str]] = {
    "a solved state": (lambda cost: cost, 0, 'demand(not solved(b), "states: one is solved too soon")', "pass"),
    "moves compared": (lambda cost: (cost[0], cost[1] + 2), 0, "known[1] <= moves", "True"),
    "pushes compared": (lambda cost: (cost[0] + 4, cost[1]), 2, "known[0] <= pushes and", "True and"),
    "fewer pushes by parity": (lambda cost: (cost[0] - 1, 60_000), 0, "known[0] + 1 + parity", "known[0] + 1"),
    "steps to a push": (lambda cost: (cost[0], 3 * cost[1]), 0, "cost[1] + steps + 1", "cost[1] + 3 * (steps + 1)"),
    "the start": (lambda cost: (cost[0], cost[1] + 2), 0, "listed.get(start) == (0, 0)", "listed.get(start)"),
}
"""By condition: what a list lies of each state but the start, how many more pushes the plan has (0: two more moves), and the
condition that is left out."""


def _lax(old: str, new: str) -> ModuleType:
    """Return ``docs/check_proof.py`` with a fault."""
    text = CHECKER.read_text()
    at = text.index("def check_ties")
    end = text.index("\ndef ", at)
    assert text[at:end].count(old) == 1, old
    module = ModuleType("lax")
    exec(text[:at] + text[at:end].replace(old, new) + text[end:], module.__dict__)
    return module


def _plan(one: Any, pushes: int, moves: int | None) -> str | None:
    """Return a plan of that number of pushes and of moves (None: as few as these pushes need); None if there is none."""
    start = frozenset(one.boxes), one.player, 0
    layer: dict[Any, str] = {start: ""}
    for count in range(200 if moves is None else moves + 1):
        found = [lurd for (boxes, _, made), lurd in layer.items() if made == pushes and boxes == one.goals]
        if found and count == (moves or count):
            return found[0]
        after: dict[Any, str] = {}
        for (boxes, player, made), lurd in layer.items():
            for then, to in one.steps(boxes, player, "moves"):
                letter = "lrud"[one.to[player].index(to)]
                if (pushed := then != boxes) + made <= pushes:
                    after.setdefault((then, to, made + pushed), lurd + (letter.upper() if pushed else letter))
        layer = after
    return None


@pytest.mark.parametrize("condition", FORGED)
def test_no_condition_can_be_left_out(condition: str, tmp_path: Path) -> None:
    """A list that is closed but for one condition claims more than is needed.

    The planted fault: a checker that does not ask for this condition accepts it.
    """
    lie, more, old, new = FORGED[condition]
    module = _lax(old, new)
    for level, pushes, moves in _solvable(8):
        text = level_text.write(level)
        one: Any = module.Level(text)
        lurd = _plan(one, pushes + more, None if more else moves + 2)
        if lurd is not None:
            break
    assert lurd is not None
    records, width = bytearray(), (one.n + 7) // 8
    start = frozenset(one.boxes), one.player
    for (boxes, player), cost in _all_costs(one).items():
        said = cost if (boxes, player) == start and condition != "the start" else lie(cost)
        records += sum(1 << b for b in boxes).to_bytes(width, "little") + player.to_bytes(2, "little")
        records += b"".join(word.to_bytes(2, "little") for word in said)
    claim = {"format": folders.WITH_TIES, "objective": folders.TIES, "value": [pushes + more, len(lurd)]}
    folder = write(tmp_path, text, lurd=lurd, states=bytes(records), **claim)
    assert all("states: " in str(why) for why in every_checker_says(folder))
    assert module.run([str(folder)]) == 0


def test_claims_that_are_none(tmp_path: Path) -> None:
    level, pushes, moves = _solvable(1)[0]
    assert certify(level, tmp_path, Request(folders.TIES, Limits(), kind="states")).claim is not None
    honest = json.loads((tmp_path / "claim.json").read_text())
    changes: tuple[dict[str, Any], ...] = (
        {"value": pushes},
        {"value": None},
        {"value": [pushes]},
        {"value": [pushes, moves, 0]},
        {"value": [pushes, True]},
        {"value": [pushes, 60_001]},
        {"value": [0, moves]},
        {"value": [0, 0], "kind": "solved"},
        {"kind": "refutation"},
        {"format": folders.FORMAT},
        {"format": folders.WITH_CORRALS},
        {"objective": "pushes"},
        {"objective": "pushes", "value": pushes},
        {"objective": "moves+pushes"},
        {"format": "sokoasp certificate 6"},
    )
    made = [tmp_path, *(shutil.copytree(tmp_path, tmp_path.parent / f"wrong{at}") for at in range(len(changes)))]
    for change, folder in zip(changes, made[1:], strict=True):
        (folder / "claim.json").write_text(json.dumps({**honest, **change}))
        assert None not in (package_says(folder), standalone_says(folder)), change


def test_what_is_not_certified(tmp_path: Path) -> None:
    level, pushes, moves = _solvable(1)[0]
    one: Any = standalone().Level(level_text.write(level))
    longer = plan_from_lurd(level, str(_plan(one, pushes, moves + 2)))
    with pytest.raises(SokoaspError, match=f"of {pushes} pushes and {moves + 2} moves is not best: .* {moves} moves"):
        certify(level, tmp_path / "longer", Request(folders.TIES, Limits(), longer, "states"))
    for request in (Request(folders.TIES, Limits(), longer, "refutation"), Request(folders.TIES)):
        wrong = level if request.known is not None else next(unsolvable(1))
        with pytest.raises(SokoaspError, match="certified by a list of states and a plan"):
            certify(wrong, tmp_path / ("known" if request.known else "none"), request)


def test_the_commands(tmp_path: Path) -> None:
    first, folder = str(ROOT / "instances/tutorial/first.xsb"), tmp_path / "first"
    asked = ["certify", first, "--objective", "pushes", "--then", "moves", "-o", str(folder)]
    made = CliRunner().invoke(root, [*asked, "--json"])
    row = json.loads(made.output.splitlines()[-1])
    assert (made.exit_code, row["value"], row["moves"]) == (0, 2, 3)
    checked = CliRunner().invoke(root, ["check-proof", str(folder), "--level", first])
    assert checked.exit_code == 0
    assert "2 pushes and 3 moves are enough; fewer pushes are not, nor as many and fewer moves" in checked.output
    for wrong in (["--objective", "lines", "--then", "moves"], [*asked[2:6], "--kind", "refutation"]):
        refused = CliRunner().invoke(root, ["certify", first, *wrong, "-o", str(folder)])
        assert (refused.exit_code, "--then moves is for --objective pushes" in refused.output) == (2, True)
    solved = [
        "solve",
        first,
        "--objective",
        "pushes",
        "--then",
        "moves",
        "--engine",
        "native",
        "--certificate",
        str(folder),
    ]
    assert CliRunner().invoke(root, solved).exit_code == 0
    assert json.loads((folder / "claim.json").read_text())["value"] == [2, 3]
