"""Plans in any notation, distinguished by their looks."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sokoasp.core.errors import NotationError, SokoaspError
from sokoasp.sokoban import formats
from sokoasp.sokoban.level import Cell, Direction
from sokoasp.sokoban.plan import Push

LEVEL = formats.read("#######\n#@$ . #\n#######\n")[0]
PUSH = Push(Cell(1, 2), Direction.right, Cell(1, 4))
ROW = {"file": "a", "level": 1, "status": "optimal", "plan": {"lurd": "RR", "actions": [[[1, 2], "right", [1, 4], 1]]}}
NONE = {"file": "a", "level": 2, "status": "unsolvable", "plan": None}


@pytest.mark.parametrize(
    ("text", "plan"),
    [
        ("RR\n", "RR"),
        (":: mine\n2R", "RR"),
        ("", ""),
        ("{}", ()),
        ('["R", "R"]', "RR"),
        ('["l", "2R",\n "r"]\n', "lRRr"),
        ('["right", "LEFT", "up", "Down"]', "rlud"),
        ("['right', 'left'], up\nDOWN\n", "rlud"),
        ("['r', 'RR']", "rRR"),
        ('["push(c3r2,right,c5r2,1)"]', (PUSH,)),
        (" (R)2(r)\n", "Rrr"),
        ("push(c3r2,right,c5r2,1).", (PUSH,)),
        ("l.xsb:1: optimal, 1 line\n  1. push the box at (1,2) right to (1,4)\r\n  RR\n", "RR"),
        ("1. push the box at (1,2) right to (1,4)\n", (PUSH,)),
        ("1. push the box at (1,2) right to (1,4)\nl.xsb:2: unsolvable\n", (PUSH,)),
        (":: mine\npush(c3r2,right,c5r2,1).", (PUSH,)),
        ("Answer: 1\npush(c3r2,right,c5r2,1)\nSATISFIABLE\n", (PUSH,)),
        ("{push(c3r2,right,c5r2,1)}", (PUSH,)),
        (
            "telingo version 2.1.2\nReading from rules.lp ...\nSolving...\nSolving...\nAnswer: 1 (Time: 0.073s)\n"
            " State 0:\n  at(c3r2)\n State 1:\n  at(c5r2)\n  push(c3r2,right,c5r2)\nSATISFIABLE\n",
            (PUSH,),
        ),
        (" State 0:\n State 1:\n  push(c3r2,right,c5r2)\nSATISFIABLE\n", (PUSH,)),
        ("; plan\n(push c2r2 c3r2 c4r2 right)\n(push c3r2 c4r2 c5r2 right)\n", "RR"),
        ("; cost = 0 (general cost)\n", ""),
        ("\n; a plan\r\n\n  ; of no action", ""),
        (json.dumps({"Call": [{"Witnesses": [{"Value": ["push(c3r2,right,c5r2,1)"]}]}]}), (PUSH,)),
        ("Answer: 1\nmove(right,2) move(right,1)\nSATISFIABLE\n", "rr"),
        (json.dumps({"Call": [{"Witnesses": [{"Value": ["move(left,1)", "move(right,2)"]}]}]}), "lr"),
        (json.dumps(ROW), "RR"),
        (json.dumps(ROW, indent=1), "RR"),
        (json.dumps([ROW]), "RR"),
        (f"{json.dumps(NONE)}\n{json.dumps(ROW)}\n", "RR"),
        (json.dumps(ROW["plan"]), "RR"),
        ('{"lurd": "2R"}', "RR"),
    ],
)
def test_read(text: str, plan: object) -> None:
    assert formats.read_plan(LEVEL, text) == plan


def test_ways_between_pushes_and_lines_in_several_actions_are_kept() -> None:
    """A plan that was given may walk to and fro, and the competition's question may cut a line in two."""
    halves = [[[1, 2], "right", [1, 3], 1], [[1, 3], "right", [1, 4], 2]]
    words = "".join(f"  {n}. push the box at ({a[0]},{a[1]}) right to ({b[0]},{b[1]})\n" for a, _, b, n in halves)
    cut = tuple(Push(Cell(*a), Direction.right, Cell(*b)) for a, _, b, _ in halves)
    for one, text in ((halves, words), (halves[:1], words.splitlines()[0])):
        plan = {"lurd": "RR" if len(one) == 2 else "Rlr", "actions": one}
        expected = cut if len(one) == 2 else "Rlr"
        assert formats.read_plan(LEVEL, json.dumps({"plan": plan})) == expected
        assert formats.read_plan(LEVEL, f"{text}\n  {plan['lurd']}\n") == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]RR", "reverse mode"),
        (
            "1. push the box at (1,2) right to (1,4)\n1. push the box at (1,2) right to (1,4)\n",
            "give the text of one plan",
        ),
        ("1. push the box at (1,2) east to (1,4)", "'east' is no direction"),
        ("2(lR)Rx", "1:7: E-SOL 'x' is no move"),
        ("R,R", "1:2: E-SOL ',' is no move"),
        ("; mine\nRR", "1:1: E-SOL ';' is no move"),
        ("box(c3r2).", "no push atoms"),
        ("pushtogoal(p,s,a,b,c,right,1) move(p,a,b,left,2)", "pushtogoal/7 belongs to the competition of 2013"),
        (
            "Answer: 1\n State 0:\n State 1:\n  push(c3r2,right,c5r2) push(c3r2,right,c4r2)\nSATISFIABLE\n",
            "two pushes at step 1",
        ),
        (json.dumps(NONE), "no plan, only null: its status is 'unsolvable'$"),
        ('{"plan": null}', "no plan, only null$"),
        (f"{json.dumps(ROW)}\n{json.dumps(ROW)}\n", "2 plans in this JSON"),
        ('{"plan": "R"}', "not an object"),
        ('{"plan": {}}', "neither"),
        (json.dumps(ROW).replace("RR", "R"), "moves of this plan are not those of its actions"),
        (json.dumps(ROW).replace("RR", ""), "moves of this plan are not those of its actions"),
        (json.dumps(ROW).replace("RR", "RlL"), "moves of this plan are not those of its actions"),
        ("1. push the box at (1,2) right to (1,4)\n  R\n", "moves of this plan are not those of its actions"),
        (json.dumps(ROW).replace("4], 1]", "4], 2]"), "action 1 is said to be step 2"),
        ('["R", "x"]', "no move"),
        ('["R", 1]', "as a JSON list has moves"),
        ('{"plan": {"actions": [1]}}', "action 1 is not"),
        ('{"plan": {"lurd": "RR", "action": []}}', "unknown key 'action'"),
        ('{"plan": {"lurd": "RR"}, "plan": {"lurd": "R"}}', "p:1:26: .*the key 'plan' stands twice in one object"),
        (
            '{"lurd": "RR"}\n{"plan": {"lurd": "RR", "lurd": "R"}}',
            "p:2:25: .*the key 'lurd' stands twice in one object",
        ),
        ('{"plan": {"actions": [[[1, 2], ["right"], [1, 4], 1]]}}', "action 1 is not"),
        ('{"plan": {"actions": [[[1, 2], "right", [1], 1]]}}', "not .row, column"),
        ('{"plan": {"actions": [[[1, 2], "right", [0, 0], 1]]}}', "no floor at row 0, column 0"),
        ('{"a": ', "not valid JSON"),
        ("(push c2r2)", "1 arguments"),
        ("move(right,1). move(right,3).", r"no move\(D,2\)"),
        ("move(east,1).", r"no move\(D,1\)"),
    ],
)
def test_refused(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message) as caught:
        formats.read_plan(LEVEL, text, source="p")
    assert caught.value.place.startswith(
        "p:4" if "State" in text else "p:2" if "twice" in message and "\n" in text else "p:1"
    )
    assert caught.value.code in ("E-PLAN", "E-SOL", "E-FACTS", "E-JSON", "E-2013")


@given(text=st.text(alphabet='lurdR()[]{}0:"pushmove,.c3r2actions \n', max_size=120))
def test_any_text(text: str) -> None:
    try:
        formats.read_plan(LEVEL, text, source="p")
    except SokoaspError as error:
        assert error.place.startswith("p:")
