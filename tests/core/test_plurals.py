"""One is singular, and nothing that is printed says ``1 boxes``."""

from pathlib import Path

import pytest

from sokoasp import find_deadlock
from sokoasp.core.errors import SokoaspError, counted
from sokoasp.klotski import notation, search
from sokoasp.sokoban import formats
from tests.commands import run
from tests.prose import SLIP


@pytest.mark.parametrize(
    ("noun", "one"),
    [("boxes", "1 box"), ("pushes", "1 push"), ("searches", "1 search"), ("lines", "1 line"), ("entries", "1 entry")],
)
def test_one_is_singular(noun: str, one: str) -> None:
    assert counted(1, noun) == one and counted(0, noun) == f"0 {noun}" and counted(2000, noun) == f"2,000 {noun}"


SMALL = ("#####\n#@$.#\n#####", "#####\n#@ .#\n#$  #\n#####", "######\n#@$ .#\n######", "######\n#@.$##\n######")


@pytest.mark.parametrize("rows", SMALL[1:3])
def test_one_box_is_told_as_one(rows: str, tmp_path: Path) -> None:
    file = tmp_path / "one.xsb"
    file.write_text(rows + "\n")
    for command in (["stats"], ["deadlock", "--exhaustive"], ["solve", "--steps", "2"]):
        reported = run(command[0], file, *command[1:])
        assert reported.returncode not in (1, 2) and not SLIP.search(reported.stdout + reported.stderr), (
            reported.stdout + reported.stderr
        )


def test_verdicts_and_refusals_do_not_slip() -> None:
    boards = notation.read("goal: a 0,1\n\na.\n\n\ngoal: a 0,0\n\na\n\n\ngoal: a 0,0\n\nba\n")
    reported = [str(search.solve(board, o).proof) for o in ("slides", "units") for board in boards]
    reported += [str(find_deadlock(formats.read(rows)[0])) for rows in SMALL]
    for rows in ("####\n#@$#\n####", "#####\n#@$.#\n#..##\n#####"):
        with pytest.raises(SokoaspError) as refused:
            formats.read(rows)
        reported.append(str(refused.value))
    assert not [sentence for sentence in reported if SLIP.search(sentence)]
