"""Certificates of tie-breaks: made, checked by every checker, and none of the list's conditions can be left out."""

import json
from collections.abc import Callable
from heapq import heappop, heappush
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from sokoasp.cli import root
from sokoasp.core.errors import SokoaspError
from sokoasp.core.limits import Limits
from sokoasp.engine import closing
from sokoasp.engine.certificate_bounds import prices_of
from sokoasp.engine.proving import Request, certify
from sokoasp.proof import closed, group_bounds, level_text, ties
from sokoasp.proof import folder as folders
from sokoasp.proof.refusals import Cheaper
from sokoasp.proof.verify import verify
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.rules import plan_from_lurd
from tests.conftest import ROOT
from tests.instances import levels
from tests.levels import random_level
from tests.plan_campaign import Graph, brute_force
from tests.proof.forging import lax_says, says, write
from tests.proof.makers import unsolvable
from tests.proof.plain import Board

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
        assert closing.close(listed, lambda states, left: None) is None
        listed.verify()
        listed.write(tmp_path / "states.xz")
        again = _list(level, pushes, moves, largest)
        again.read(tmp_path / "states.xz")
        again.verify()
        for more in ((0, 1), (2, 0), (1, -1) if spare else (2, -1)):
            claimed = (pushes + more[0], moves + more[1])
            wrong = _list(level, *claimed, largest)
            with pytest.raises(Cheaper) as caught:
                closing.close(wrong, lambda states, left: None)
            assert (pushes, moves) <= (caught.value.value, caught.value.moves or 0) < claimed


def test_every_checker_accepts_what_is_made(tmp_path: Path) -> None:
    solved = levels("tutorial/tutorial.xsb")[9]
    for number, (level, pushes, moves) in enumerate([*_solvable(3), *_solvable(2, spare=True), (solved, 0, 0)]):
        folder = tmp_path / str(number)
        made = certify(level, folder, Request(folders.TIES, Limits()))
        assert made.claim is not None
        claim = json.loads((folder / "claim.json").read_text())
        assert (claim["format"], claim["value"]) == (f"{folders.FORMAT} 5", [pushes, moves])
        assert f"{pushes} pushes and {moves} moves are enough; fewer pushes are not" in made.reported
        assert says(folder) is None
        steps = {step.name: step.reported for step in verify(folder)}
        assert steps["rules"] == f"the plan solves the level and has {pushes} pushes and {moves} moves"


def _all_costs(board: Board) -> Costs:
    """Return what each state after a push costs at least, pushes first."""
    found: Costs = {}
    queue, number = [((0, 0), 0, (board.boxes, board.player))], 0
    while queue:
        cost, _, state = heappop(queue)
        if state in found:
            continue
        found[state] = cost
        for after, steps in board.pushes(*state):
            number += 1
            heappush(queue, ((cost[0] + 1, cost[1] + steps + 1), number, after))
    return found


Lie = Callable[[tuple[int, int]], tuple[int, int]]
FORGED: dict[str, tuple[Lie, int, str, str]] = {
    "a solved state": (lambda cost: cost, 0, "if on_goals == p.goals_to_fill:", "if False:"),
    "moves compared": (lambda cost: (cost[0], cost[1] + 2), 0, "walked.moves[there] <= moves)", "True)"),
    "pushes compared": (lambda cost: (cost[0] + 4, cost[1]), 2, "(states.cost[there] <= pushes and", "(True and"),
    "fewer pushes by parity": (
        lambda cost: (cost[0] - 1, 60_000),
        0,
        "states.cost[there] + p.claimed_pushes + 1 - p.cost_to_refute <= pushes",
        "states.cost[there] + 1 <= pushes",
    ),
    "steps to a push": (lambda cost: (cost[0], 3 * cost[1]), 0, " + steps + 1", " + 3 * (steps + 1)"),
    "the start": (lambda cost: (cost[0], cost[1] + 2), 0, " and self.moves[place] == 0", ""),
}
"""By condition: what a list lies of each state but the start, how many more pushes the plan has (0: two more moves), and how
the condition is left out of ``ties_kernel`` (the last one: of ``ties``)."""


@pytest.mark.parametrize("condition", FORGED)
def test_no_condition_can_be_left_out(condition: str, tmp_path: Path) -> None:
    """Planted fault: a checker that does not ask for a condition accepts a list that claims more than is needed."""
    lie, more, old, new = FORGED[condition]
    for level, pushes, moves in _solvable(8):
        text = level_text.write(level)
        board = Board(text)
        lurd = board.plan(pushes + more, None if more else moves + 2)
        if lurd is not None:
            break
    records, width = bytearray(), (board.n + 7) // 8
    for (boxes, player), cost in _all_costs(board).items():
        start = (boxes, player) == (board.boxes, board.player) and condition != "the start"
        said = cost if start else lie(cost)
        records += sum(1 << b for b in boxes).to_bytes(width, "little") + player.to_bytes(2, "little")
        records += b"".join(word.to_bytes(2, "little") for word in said)
    claim = {"format": f"{folders.FORMAT} 5", "objective": folders.TIES, "value": [pushes + more, len(lurd)]}
    folder = write(tmp_path / "made", text, lurd=lurd, states=bytes(records), **claim)
    assert "states: " in str(says(folder))
    module = "ties" if condition == "the start" else "ties_kernel"
    assert lax_says(folder, module, old, new) is None


def test_what_is_not_certified(tmp_path: Path) -> None:
    level, pushes, moves = _solvable(1)[0]
    longer = plan_from_lurd(level, str(Board(level_text.write(level)).plan(pushes, moves + 2)))
    with pytest.raises(SokoaspError, match=f"of {pushes} pushes and {moves + 2} moves is not best: .* {moves} moves"):
        certify(level, tmp_path / "longer", Request(folders.TIES, Limits(), longer))
    with pytest.raises(SokoaspError, match="certified by a list of states and a plan"):
        certify(next(unsolvable(1)), tmp_path / "none", Request(folders.TIES))


def test_the_commands(tmp_path: Path) -> None:
    first, folder = str(ROOT / "instances/tutorial/first.xsb"), tmp_path / "first"
    asked = ["certify", first, "--objective", "pushes", "--then", "moves", "-o", str(folder)]
    made = CliRunner().invoke(root, [*asked, "--json"])
    row = json.loads(made.output.splitlines()[-1])
    assert (made.exit_code, row["value"], row["moves"]) == (0, 2, 3)
    checked = CliRunner().invoke(root, ["check-proof", str(folder), "--level", first])
    assert checked.exit_code == 0
    assert "2 pushes and 3 moves are enough; fewer pushes are not, nor as many and fewer moves" in checked.output
    refused = CliRunner().invoke(root, ["certify", first, "--objective", "lines", "--then", "moves", "-o", str(folder)])
    assert (refused.exit_code, "--then moves is for --objective pushes" in refused.output) == (2, True)
