"""The plain programs on the levels where public encodings are known to be wrong, beside programs with those mistakes."""

from pathlib import Path

import pytest

from sokoasp.core.errors import WrongEncoding
from sokoasp.engine import solve
from sokoasp.sokoban import facts
from sokoasp.sokoban.search.exact import reference
from tests.commands import run
from tests.instances import FOLDER, levels, written

PLAIN = ["rules/geometry.lp", "rules/start.lp", "rules/reach.lp", "rules/lines.lp", "rules/goal.lp"]
SAME_CELL = "#program step(t).\n:- player_at(L,t), player_at(L,t-1).\n"
WHOLE_LINES = ":- push(_,D,L,t-1), push(L,D,_,t).\n"
TOO_FAR_BACK = "player_at(L9,t) :- push(L1,D,_,t), adjacent(D,L0,L1), adjacent(D,L9,L0)."
RIGHT_PLACE = "player_at(L0,t) :- push(_,D,L2,t), adjacent(D,L0,L2)."


def _optimum(program: str) -> dict[str, int | None]:
    """Return the smallest bound (up to 8) at which a program has an answer set, per regression level."""
    import clingo

    found: dict[str, int | None] = {}
    for level in levels("regression/regression.xsb"):
        control = clingo.Control()
        control.add("base", [], facts.write(level) + program)
        control.ground([("base", [])])
        found[level.title] = None
        for t in range(1, 9):
            control.ground([("step", [clingo.Number(t)]), ("check", [clingo.Number(t)])])
            control.assign_external(clingo.Function("query", [clingo.Number(t)]), True)
            if control.solve().satisfiable:
                found[level.title] = t
                break
            control.release_external(clingo.Function("query", [clingo.Number(t)]))
    return found


def _plain() -> str:
    return "\n".join((FOLDER.parent / "encodings" / "sokoban" / name).read_text(encoding="utf-8") for name in PLAIN)


def test_the_mistakes_show_on_these_levels() -> None:
    right, same, far = _optimum(_plain()), _optimum(_plain() + SAME_CELL), _plain()
    assert RIGHT_PLACE in far
    back = _optimum(far.replace(RIGHT_PLACE, TOO_FAR_BACK))
    assert right == {"End twice on the same cell": 2, "Boxed in": 4, "Come back to the start": 2}
    assert same["End twice on the same cell"] != 2 and back["Boxed in"] == 2


@pytest.mark.parametrize("number", [0, 1, 2])
@pytest.mark.parametrize("encoding", ["lines", "competition", "competition-fewest"])
def test_our_programs_are_right(number: int, encoding: str) -> None:
    level = levels("regression/regression.xsb")[number]
    best = reference.solve(level, "lines").value
    assert best is not None
    steps = None if encoding == "lines" else best + 1
    assert solve(level, encoding=encoding, steps=steps).value == best
    if encoding == "competition":
        assert solve(level, encoding=encoding, steps=best).status == "no_plan"


def test_own_file_with_a_mistake_is_caught(tmp_path: Path) -> None:
    program = written(tmp_path, _plain().replace(RIGHT_PLACE, TOO_FAR_BACK) + "#show push/4.\n", "far.lp")
    level = levels("regression/regression.xsb")[1]
    with pytest.raises(WrongEncoding, match="illegal plan"):
        solve(level, encoding=str(program))


@pytest.mark.parametrize(
    ("asked", "claim"),
    [
        ("", ("an optimum of 3 lines", "reference search")),
        ("--no-cross-check", ("an optimum of 3 lines", "table of optima")),
        ("--no-cross-check --at-most 2", ("that no plan meets the question", "table of optima")),
        ("--no-cross-check --steps 3", ("that no plan meets the question", "table of optima")),
    ],
)
def test_own_file_that_misses_plans_is_blamed(tmp_path: Path, asked: str, claim: tuple[str, str]) -> None:
    program = written(tmp_path, _plain() + SAME_CELL + WHOLE_LINES + "#show push/4.\n", "same.lp")
    done = run("solve", FOLDER / "regression/regression.xsb", "--level", 1, "--encoding", program, *asked.split())
    said = f"wrong claim: encoding '{program}' claims {claim[0]}, but there is one of 2 lines (by the {claim[1]})"
    assert done.returncode == 1 and said in done.stderr
