"""Tests as data: every program file with facts it is given and exactly the answer sets it must have."""

import re

import clingo
import pytest

from tests.encodings.cases import bridge, forward, klotski, prune, remaining, rules
from tests.encodings.models import BASE, CORRIDOR, ENCODINGS, answers, grounded, models, solved
from tests.encodings.roots import roots

FOLDERS = (rules, forward, remaining, prune, bridge)
CASES = {name: case for folder in FOLDERS for name, case in folder.CASES.items()}
CASES |= {f"klotski {name}": case for name, case in klotski.CASES.items()}
COSTS = {
    "prefer/fewest_pushes.lp": ("passes(c,1). passes(d,1).", 2),
    "prefer/fewest_lines.lp": ("push(a,right,b,1). push(b,right,c,2).", 1),
    "prefer/fewest_moves.lp": (CORRIDOR + "player_at(a,0). box_at(d,0). behind(c,1). passes(e,1).", 3),
}
"""A tie-break, a plan of one or two actions, and what it costs."""
SHOWN = {
    "show/forward.lp": ("near_end(b,right,1). far_end(d,right,1). box_at(d,1).", "push(b,right,d,1)"),
    "show/remaining.lp": ("far_end(b,right,1). near_end(d,right,1). box_at(d,1).", "push(b,right,d,1)"),
    "show/move.lp": ("move(up,1). box_at(d,1).", "move(up,1)"),
    "show/push.lp": ("push(b,right,d,1). box_at(d,1).", "push(b,right,d,1)"),
    "../klotski/show_slide.lp": ('slide("a",1,2,1). at("a",2,1).', 'slide("a",1,2,1)'),
}

IN_ORDER = {
    "show/remaining_in_order.lp": (
        "far_end(b,right,1). near_end(d,right,1). far_end(x,up,2). near_end(y,up,2). query(2).",
        "push(b,right,d,2) push(x,up,y,1)",
    ),
    "show/move_in_order.lp": ("move(up,1). move(left,2). query(2).", "move(up,2) move(left,1)"),
}


@pytest.mark.parametrize("name", CASES)
def test_expected_answer_sets(name: str) -> None:
    files, facts, show, parts, expected = CASES[name]
    assert models(files, facts, show, parts) == expected


def test_fewest_prefers_a_short_plan() -> None:
    names = ["geometry", "competition_start", "line_push", "competition_fewest"]
    files = [*(f"rules/{name}.lp" for name in names), "show/push.lp"]
    facts = CORRIDOR + "step(1..4). next(S,S+1) :- step(S), S < 4."
    assert answers(grounded(files, facts, BASE, "0"))[-1] == ([1], {"push(b,right,d,1)"})


def test_what_is_not_reached_yet_is_so_later() -> None:
    """Every number that is asked for stands open until its step is grounded."""
    late = "#program base. late(3) :- not horizon_at_least(3). #show late/1. "
    late += "#program step(t). late(t+3) :- not horizon_at_least(t+3)."
    late = "number(3). #program step(t). #program base." + late
    control = grounded(["prune/horizon.lp"], late, BASE, "0")
    for step in range(1, 5):
        control.ground([("step", [clingo.Number(step)])])
    assert answers(control) == [([], {"late(5)", "late(6)", "late(7)"})]


@pytest.mark.parametrize("name", COSTS)
def test_what_a_tie_break_costs(name: str) -> None:
    facts, cost = COSTS[name]
    assert solved(["rules/geometry.lp", name], facts)[0] == [cost]


@pytest.mark.parametrize("name", SHOWN)
def test_what_is_shown(name: str) -> None:
    facts, shown = SHOWN[name]
    assert solved([name], facts)[1] == set(shown.split())


@pytest.mark.parametrize("name", IN_ORDER)
def test_what_is_shown_in_the_order_of_the_plan(name: str) -> None:
    """Of the bound that is asked for alone."""
    facts, shown = IN_ORDER[name]
    parts = [*BASE, ("check", [1]), ("check", [2])]
    assert answers(grounded([name], facts, parts)) == [([], set(shown.split()))]


def test_every_file_has_expected_answer_sets() -> None:
    """Examples, root files and pictures have tests of their own, against brute force, the catalogue and clingraph."""
    cases = {name for files, *_ in CASES.values() for name in files}
    tested = {*cases, *COSTS, *SHOWN, *IN_ORDER, "rules/competition_fewest.lp", "../incmode.lp", "../steps.lp"}
    ours = ENCODINGS.parent
    tested |= {str(path) for path in roots()}
    there = {str(path.relative_to(ours)) for path in ours.rglob("*.lp") if path.parent.name not in ("examples", "viz")}
    assert {str((ENCODINGS / name).resolve().relative_to(ours.resolve())) for name in tested} == there


def test_no_negative_literal_has_an_anonymous_variable() -> None:
    """clingo 6 is going to refuse them; each is projected by a rule of its own, which grounds to what clingo made of it."""
    for path in sorted(ENCODINGS.parent.rglob("*.lp")):
        code = re.sub(r"%.*", "", path.read_text(encoding="utf-8"))
        assert not re.findall(r"\bnot\s+\w+\([^)]*\b_\b", code), path.name


def test_every_file_has_its_header() -> None:
    for path in sorted(ENCODINGS.parent.rglob("*.lp")):
        head = path.read_text(encoding="utf-8")
        assert head.startswith("% Purpose:"), path.name
        assert "% Input:" in head or "% Derived:" in head, path.name
