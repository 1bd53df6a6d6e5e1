"""The planning task: its parts, and plans of it decoded into moves."""

import importlib.util
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sokoasp.core.errors import IllegalPlan, NotationError
from sokoasp.domain import load
from sokoasp.sokoban import formats
from sokoasp.sokoban.formats import lurd, pddl
from sokoasp.sokoban.level import BY_LETTER, Level
from sokoasp.sokoban.rules import initial, move, moves, plan_from_lurd
from sokoasp.sokoban.search.exact import reference
from tests.sokoban.strategies import levels

LEVEL = formats.read("One\n\n#######\n#@$ . #\n#######\n")[0]


def state_of(level: Level) -> set[tuple[str, ...]]:
    """The changing atoms of the problem's start, read from its text."""
    init = pddl.write_problem(level).split("(:init")[1].split("(:goal")[0]
    atoms = [tuple(found.split()) for found in re.findall(r"\(([^()=]+)\)", init)]
    return {atom for atom in atoms if atom[0] != "total-cost"}


def as_actions(level: Level, lurd: str) -> tuple[list[str], set[tuple[str, ...]]]:
    """Carry moves out in the planning task itself: the plan's lines, and the atoms afterwards."""
    atoms, name, state, lines = state_of(level), pddl.names(level), initial(level), []
    for letter in lurd:
        direction = BY_LETTER[letter.lower()]
        one, two, three = (name.get(state.player.step(direction, n), "none") for n in range(3))
        after = move(level, state, direction)
        assert ("next", one, two, direction.name) in atoms
        if letter.isupper():
            assert {("box", two), ("free", three), ("next", two, three, direction.name)} <= atoms
            atoms = atoms - {("player", one), ("box", two), ("free", three)} | {
                ("player", two),
                ("free", two),
                ("box", three),
            }
            lines.append(f"(push {one} {two} {three} {direction.name})")
        else:
            assert ("free", two) in atoms
            atoms = atoms - {("player", one)} | {("player", two)}
            lines.append(f"(move {one} {two} {direction.name})")
        state = after
    return lines, atoms


@given(level=levels(), seed=st.integers(0, 2**32))
def test_plans_come_back_and_the_task_follows_the_rules(level: Level, seed: int) -> None:
    rng, state, lurd = random.Random(seed), initial(level), ""
    for _ in range(30):
        possible = list(moves(level, state))
        if not possible:
            break
        letter, state = rng.choice(possible)
        lurd += letter
    lines, atoms = as_actions(level, lurd)
    assert pddl.read_plan("\n".join(lines).upper() + "\n; cost = 3\n", level) == lurd
    assert atoms == state_of(level.with_state(state.boxes, state.player))


def test_the_text() -> None:
    text = formats.write([LEVEL], "pddl")
    assert text.count("(define") == 2
    assert text.count("(") - text.count(")") == 0 and "(:goal (and (box c5r2)))" in text
    assert "; #@$ . #" in text


def test_decorated_plan_lines() -> None:
    text = "; a plan\n0.000: (PUSH c2r2 c3r2 c4r2 right) [1.0]\n1: (push c3r2 c4r2 c5r2 right)\n"
    assert pddl.read_plan(text, LEVEL) == "RR"
    split = "(push c2r2 c3r2 c4r2 right)\n(move c3r2 c2r2 left)\n(move c2r2 c3r2 right)\n(push c3r2 c4r2 c5r2 right)\n"
    moves = pddl.read_plan(split, LEVEL)
    assert moves == "RlrR" and [push.length for push in plan_from_lurd(LEVEL, moves).actions] == [1, 1]
    assert pddl.read_plan("; cost = 0\n", LEVEL) == ""


@pytest.mark.parametrize(
    ("actions", "message", "at"),
    [
        ("(move c4r2 c5r2 right)", "action 1 (move c4r2 c5r2 right): the player is on c2r2", 1),
        ("(move c2r2 c3r2 right)", "action 1 (move c2r2 c3r2 right): a box is on c3r2", 1),
        ("(push c2r2 c3r2 c4r2 right)\n(push c2r2 c3r2 c4r2 right)",
         "action 2 (push c2r2 c3r2 c4r2 right): the player is on c3r2", 2),
        ("(push c2r2 c3r2 c4r2 right)\n(move c3r2 c4r2 right)", "action 2 (move c3r2 c4r2 right): a box is on c4r2", 2),
    ],
)  # fmt: skip
def test_the_player_must_be_where_an_action_begins(actions: str, message: str, at: int) -> None:
    with pytest.raises(IllegalPlan) as caught:
        formats.read_plan(LEVEL, f"; plan\n{actions}\n", source="p.plan")
    assert (caught.value.message, caught.value.at, caught.value.place) == (message, at, f"p.plan:{at + 1}")


def test_a_push_of_no_box_is_found_by_the_referee() -> None:
    there = "(move c2r3 c2r2 up)\n(push c2r2 c3r2 c4r2 right)"
    (level,) = formats.read("######\n#  . #\n#@$  #\n######\n")
    with pytest.raises(IllegalPlan, match=r"move 2 \(R\): it does not push a box"):
        load("sokoban").texts.read_plan(level, there, "p.plan")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("rRR", "is no action"),
        ("(push c2r2 c3r2 c4r2)", "3 arguments"),
        ("(walk c2r2 c3r2 right)", "no action of this domain"),
        ("(push c2r2 c3r2 c9r9 right)", "no cell c9r9"),
        ("(push c2r2 c3r2 c4r2 east)", "east is no direction"),
        ("(push c2r2 c3r2 c4r2 left)", "side by side"),
        ("(push c2r2 c3r2 c5r2 right)", "side by side"),
    ],
)
def test_refused(line: str, message: str) -> None:
    with pytest.raises(NotationError, match=message) as caught:
        pddl.read_plan(f"; plan\n{line}\n", LEVEL, source="p.plan")
    assert caught.value.place == "p.plan:2:1"


def test_a_planner_takes_the_task(tmp_path: Path) -> None:
    """Fast Downward (extra ``[planners]``), where installed, proves the known push optimum of an own level."""
    spec = importlib.util.find_spec("up_fast_downward")
    if spec is None or not spec.submodule_search_locations:
        pytest.skip("Fast Downward is not installed")
    driver = Path(spec.submodule_search_locations[0]) / "downward" / "fast-downward.py"
    (level,) = formats.read("#######\n#     #\n#@$  .#\n# $ . #\n#     #\n#######\n")
    (tmp_path / "domain.pddl").write_text(pddl.DOMAIN)
    (tmp_path / "problem.pddl").write_text(pddl.write_problem(level))
    command = [sys.executable, str(driver), "--plan-file", "plan", "domain.pddl", "problem.pddl"]
    subprocess.run([*command, "--search", "astar(blind())"], cwd=tmp_path, check=True, capture_output=True, timeout=60)
    plan = plan_from_lurd(level, pddl.read_plan((tmp_path / "plan").read_text(), level))
    best = reference.solve(level, "pushes").plan
    assert plan.pushes == best.pushes and lurd.check_solution(level, plan.lurd)[0].actions
