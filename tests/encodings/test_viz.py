"""The graphs for clingraph: a node for each cell in its place, what stands on it in each state, and the push that comes next."""

import clingo

from sokoasp.asp.catalogue import folder
from sokoasp.domain import load
from sokoasp.engine import solve
from sokoasp.sokoban import facts
from tests.instances import level

BOARD = level("""
    #######
    #  .  #
    # $#$ #
    #@  . #
    #######
""")


def atoms(text: str) -> set[str]:
    control = clingo.Control(["--warn=none"])
    control.add("base", [], text)
    control.load(str(folder() / "sokoban" / "viz" / "clingraph.lp"))
    control.ground([("base", [])])
    found: list[set[str]] = []
    control.solve(on_model=lambda model: found.append(set(map(str, model.symbols(atoms=True)))))
    assert len(found) == 1, "clingraph wants one answer set"
    return found[0]


def test_each_state_is_a_graph_of_the_level() -> None:
    plan = load("sokoban").texts.write_plan["push"](BOARD, solve(BOARD, engine="asp").plan)
    assert plan == "push(c3r3,up,c3r2,1).\npush(c3r2,right,c4r2,2).\npush(c5r3,down,c5r4,3).\n"
    found = atoms(facts.write(BOARD) + plan)
    assert sum(atom.startswith("graph(") for atom in found) == 4
    assert sum(atom.startswith("node(") for atom in found) == 4 * len(BOARD.floor)
    boxes = [("c3r3", "c5r3"), ("c3r2", "c5r3"), ("c4r2", "c5r3"), ("c4r2", "c5r4")]
    for time, (players, two) in enumerate(zip(("c2r4", "c3r3", "c3r2", "c5r3"), boxes, strict=True)):
        said = {atom for atom in found if atom.startswith("attr(node") and f",{time}),label," in atom}
        labelled = {f'attr(node,({cell},{time}),label,"box")' for cell in two}
        labelled.add(f'attr(node,({players},{time}),label,"player")')
        assert {atom for atom in said if not atom.endswith('"")')} == labelled
        assert len(said) == len(BOARD.floor)
    assert {atom for atom in found if atom.startswith("edge(")} == {
        "edge(((c3r3,0),(c3r2,0)),t(0))",
        "edge(((c3r2,1),(c4r2,1)),t(1))",
        "edge(((c5r3,2),(c5r4,2)),t(2))",
    }
    place = {name: (column, -row) for (row, column), name in facts.name_of(BOARD).items()}
    least = place[min(place)]
    for cell, (column, row) in place.items():
        for name, value in (("x", column - least[0]), ("y", row - least[1])):
            assert f"attr(node,({cell},0),(pos,{name}),{value})" in found
