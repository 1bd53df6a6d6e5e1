"""Distances and next slides of any position, at once: against the search, the oracle and the command."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from sokoasp.core.errors import LevelError
from sokoasp.core.limits import Limits
from sokoasp.core.result import Status
from sokoasp.klotski import database, hints, notation, slide_rules
from sokoasp.klotski.board import Board
from sokoasp.klotski.referee import validate
from sokoasp.klotski.search import solve
from tests.commands import run
from tests.klotski.boards import FOLDER, distances, random_board
from tests.levels import some_now


@pytest.fixture(autouse=True)
def _nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "_kept", {})


def _after(board: Board, slide: slide_rules.Slide) -> Board:
    return board.with_pieces({**slide_rules.start(board), slide.piece: slide.to_cell})


@pytest.mark.parametrize("block", some_now(5, 1))
@pytest.mark.parametrize("objective", ["slides", "units"])
def test_every_answer_is_a_step_nearer(objective: str, block: int) -> None:
    asked = 0
    for seed in range(20 * block, 20 * block + 20):
        board = random_board(seed)
        best = distances(board, objective)[0]
        here = hints.solve(board, objective)
        assert here.value == best
        while here.plan:
            board = _after(board, here.plan[0])
            after = hints.solve(board, objective)
            assert here.value is not None and after.value == here.value - 1
            here = after
            asked += 1
        assert best is None or slide_rules.solved(board, slide_rules.start(board))
    assert asked > 8


def test_a_game_is_measured_once(monkeypatch: pytest.MonkeyPatch) -> None:
    built = []
    build = database.build

    def counted(board: Board, limits: Limits | None = None, *, reachable: bool = False) -> database.Positions | str:
        built.append(board)
        return build(board, limits, reachable=reachable)

    monkeypatch.setattr(database, "build", counted)
    (board,) = notation.read("goal: a 1,1\n\nab\n..\n")
    hints.solve(_after(board, hints.solve(board).plan[0]), "units")
    assert len(built) == 1
    for width in range(3, 8):  # kept sets are few
        hints.solve(notation.read(f"goal: a 0,1\n\na{'.' * width}\n")[0])
    assert sum(map(len, hints._kept.values())) == 4


def test_what_cannot_be_measured_is_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    (one_way,) = notation.read("goal: a 0,2\nmoves: a r\n\na..\n")
    assert hints.solve(one_way, "units").value == 2
    (board,) = notation.read("goal: a 1,1\n\nab\n..\n")
    monkeypatch.setattr(hints, "MOST_POSITIONS", 0)
    found = hints.solve(board)
    assert (found.status, found.value, hints._kept) == (Status.OPTIMAL, solve(board).value, {})
    assert hints.solve(board, limits=Limits(seconds=1e-9)).stopped_by == "time"


def test_a_file_beside_the_boards_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    boards = tmp_path / "b.klotski"
    boards.write_text("goal: a 0,1\n\nab\n..\n\n\ngoal: a 0,1\n\n.b\n.a\n")
    first, second = notation.read(boards.read_text(), str(boards))
    made = database.build(first)
    assert isinstance(made, database.Positions)
    database.write(made, tmp_path / "b.kdb")
    monkeypatch.setattr(hints, "_measured", lambda board, limits: pytest.fail("there is a file"))
    for board in (first, second):
        found = hints.solve(board)
        assert found.plan is not None and validate(board, found.plan).slides == found.value == solve(board).value
        assert f", as {tmp_path / 'b.kdb'} says: " in str(found.proof)
    other = replace(notation.read("goal: a 0,2\n\na..\n")[0], source=str(boards))
    monkeypatch.undo()
    measured = hints.solve(other)
    assert measured.value == 1 and "measured backwards" in str(measured.proof), "the file is of another game"


def test_the_part_that_can_be_reached() -> None:
    for seed in range(20):
        board = random_board(seed)
        try:
            whole, part = database.build(board), database.build(board, reachable=True)
        except LevelError:
            continue
        assert isinstance(whole, database.Positions) and isinstance(part, database.Positions)
        assert part.components == 1
        for at, key in enumerate(part.keys):
            place = whole.at(key)
            assert place is not None and (whole.slides[place], whole.units[place]) == (part.slides[at], part.units[at])


def test_the_command(tmp_path: Path) -> None:
    boards, kept = tmp_path / "b.klotski", str(tmp_path / "b.kdb")
    boards.write_text("goal: a 0,1\n\nab\n..\n\n\ngoal: a 0,1\n\n.b\n.a\n\n\ngoal: a 0,0\n\nba\n")
    assert run("klotski-db", str(boards), "-o", kept).returncode == 0
    rows = [json.loads(line) for line in run("solve", str(boards), "--positions", kept, "--json").stdout.splitlines()]
    assert [row.get("value") for row in rows[:2]] == [
        solve(board).value for board in notation.read(boards.read_text())[:2]
    ]
    assert rows[0]["cross_check"]["agrees"] and rows[0]["engine"] == "database" and rows[2]["status"] == "error"
    assert json.loads(run("solve", str(boards), "--level", "3", "--engine", "database", "--json").stdout)["status"] == (
        "unsolvable"
    )
    assert run("solve", str(boards), "--positions", kept, "--engine", "native").returncode == 2
    assert run("solve", str(boards), "--positions", str(boards)).returncode == 30
    assert run("solve", str(FOLDER.parent / "tutorial" / "first.xsb"), "--positions", kept).returncode == 2


def test_a_lying_file_is_a_disagreement(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # a disagreement is kept in the folder one stands in
    boards, kept = tmp_path / "b.klotski", tmp_path / "b.kdb"
    boards.write_text("goal: a 0,1\n\nab\n..\n")
    (board,) = notation.read(boards.read_text())
    made = database.build(board)
    assert isinstance(made, database.Positions)
    for at in range(len(made.keys)):
        made.slides[at] *= 2
    database.write(made, kept)
    reported = run("solve", str(boards), "--positions", str(kept))
    assert reported.returncode == 1 and "claims 4 slides, the referee counts 2" in reported.stderr
    for at in range(len(made.keys)):
        made.slides[at] = 7
    database.write(made, kept)
    reported = run("solve", str(boards), "--positions", str(kept))
    assert reported.returncode == 30 and "contradict each other" in reported.stderr
    for at in range(len(made.keys)):
        made.slides[at] = 1
    made.slides[made.at(database.Space(board, sliding=True, mirrored=False).start) or 0] = database.NEVER
    database.write(made, kept)
    reported = run("solve", str(boards), "--positions", str(kept))
    assert reported.returncode == 1 and "DISAGREES" in reported.stdout


def test_measuring_has_half_of_the_time_and_no_more_states_than_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Limits] = []

    def build(board: Board, limits: Limits, *, reachable: bool) -> str:
        given.append(limits)
        return "time"

    monkeypatch.setattr(database, "build", build)
    (board,) = notation.read("goal: a 1,1\n\nab\n..\n")
    assert hints.solve(board, limits=Limits(seconds=60, states=99)).status is Status.OPTIMAL
    assert hints.solve(board).status is Status.OPTIMAL
    assert given[0].seconds is not None and 29 < given[0].seconds <= 30
    assert [limits.states for limits in given] == [99, hints.MOST_POSITIONS]


def test_of_many_parts_of_one_game_a_few_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each part is measured by itself; the oldest is given up."""
    monkeypatch.setattr(hints, "_SETS_KEPT", 2)
    for row in ("ab#.#.", "a.#b#.", "a.#.#b"):  # b is in another room each time
        hints.solve(notation.read(f"goal: a 0,1\n\n{row}\n......\n".replace("......", "######"))[0])
    assert sum(map(len, hints._kept.values())) == 2
