"""Every position of a piece set: counts, distances, files, and what is answered from them."""

import json
from array import array
from pathlib import Path

import pytest

from sokoasp.core.errors import LevelError
from sokoasp.core.limits import Limits
from sokoasp.klotski import database, notation
from sokoasp.klotski.database import NEVER, Positions, build
from sokoasp.klotski.referee import validate
from sokoasp.klotski.search import solve
from sokoasp.klotski.space_counts import stats
from tests.commands import run
from tests.klotski.boards import FOLDER, random_board, shipped
from tests.klotski.oracle import distances


@pytest.fixture(scope="module")
def standard() -> Positions:
    found = build(shipped("hua-rong-dao.klotski")[1])
    assert isinstance(found, Positions)
    return found


def test_the_standard_pieces(standard: Positions) -> None:
    sizes = [list(standard.component).count(number) for number in range(4)]
    assert (len(standard.keys), max(standard.component) + 1, sizes) == (65_880, 898, [25_955, 25_955, 248, 248])
    most, hardest = standard.farthest()
    assert most == 93 and all(solve(board).value == 93 for board in hardest)
    assert standard.farthest("units")[0] == 126


def test_every_board_of_the_piece_set_is_answered(standard: Positions) -> None:
    for board in shipped("hua-rong-dao.klotski")[:4]:
        for objective in ("slides", "units"):
            plan = standard.plan(board, objective)
            assert plan is not None
            best = solve(board, objective).value
            assert validate(board, plan).cost(objective) == best == standard.distance(board, objective)
    with pytest.raises(LevelError, match="other pieces"):
        standard.distance(shipped("hua-rong-dao.klotski")[4])


def test_random_piece_sets_against_the_oracle() -> None:
    compared = 0
    for seed in range(14):
        board = random_board(seed)
        try:
            found = build(board)
        except LevelError:
            continue
        assert isinstance(found, Positions)
        for at in range(0, len(found.keys), max(1, len(found.keys) // 3)):
            here = found.board_at(at)
            for objective in ("slides", "units"):
                best, _seen, _last = distances(here, objective)
                assert found.distance(here, objective) == best
        reached = stats(board)["reachable"]
        own = found.component[found.at(database.Space(board, sliding=False).start) or 0]
        assert list(found.component).count(own) == reached
        compared += 1
    assert compared > 6


def test_files_come_back_and_damaged_ones_are_told(standard: Positions, tmp_path: Path) -> None:
    path = tmp_path / "x.kdb"
    database.write(standard, path)
    again = database.load(path)
    assert (again.keys, again.slides, again.units, again.component) == (
        standard.keys,
        standard.slides,
        standard.units,
        standard.component,
    )
    assert again.board == standard.board
    data = path.read_bytes()
    for bad in (b"", data[:100], data[:-50], b"x" + data, data[: len(data) // 2] + b"\0" * 20 + data[len(data) // 2 :]):
        path.write_bytes(bad)
        with pytest.raises(LevelError, match="no file of Klotski positions"):
            database.load(path)


def test_limits(standard: Positions) -> None:
    assert build(standard.board, Limits(states=2_000)) == "states"


def test_a_one_way_piece_makes_no_data_base() -> None:
    (board,) = notation.read("goal: a 0,2\nmoves: a r\n\na..\n")
    with pytest.raises(LevelError, match="may not go back"):
        build(board)


def test_a_component_without_a_goal_is_never() -> None:
    (board,) = notation.read("goal: a 0,0\n\nba\n")
    found = build(board)
    assert isinstance(found, Positions)
    assert found.distance(board) is None and found.plan(board) is None and NEVER in found.slides


def test_the_command(tmp_path: Path) -> None:
    board = tmp_path / "b.klotski"
    board.write_text("goal: A 1,1\nAAB.\nAAC.\n.DD.\n")
    row = json.loads(run("klotski-db", board, "--json").stdout)
    assert (row["positions"], len(row["hardest_by_slides"]), len(row["hardest_by_units"])) == (390, 5, 6)
    assert run("klotski-db", board).stdout.endswith("AA../AA.B/DD.C and 1 more\n")
    assert run("klotski-db", str(FOLDER.parent / "tutorial" / "first.xsb")).returncode == 2
    assert run("klotski-db", str(FOLDER / "hua-rong-dao.klotski"), "--time-limit", "0.001").returncode == 20


def test_the_part_that_can_be_reached() -> None:
    for seed in range(12):
        board = random_board(seed)
        try:
            whole, part = build(board), build(board, reachable=True)
        except LevelError:
            continue
        assert isinstance(whole, Positions) and isinstance(part, Positions) and not any(part.component)
        for at, key in enumerate(part.keys):
            place = whole.at(key)
            assert place is not None and (whole.slides[place], whole.units[place]) == (part.slides[at], part.units[at])


def test_boards_are_answered_from_a_file(tmp_path: Path) -> None:
    boards, kept = tmp_path / "b.klotski", str(tmp_path / "b.kdb")
    boards.write_text("goal: a 0,1\n\nab\n..\n\n\ngoal: a 0,1\n\n.b\n.a\n\n\ngoal: a 0,0\n\nba\n")
    assert run("klotski-db", str(boards), "-o", kept).returncode == 0
    rows = [json.loads(line) for line in run("solve", str(boards), "--positions", kept, "--json").stdout.splitlines()]
    assert [row.get("value") for row in rows[:2]] == [
        solve(board).value for board in notation.read(boards.read_text())[:2]
    ]
    assert rows[0]["proof"] == f"12 positions, as {kept} says: {rows[0]['value']} slides from here to the nearest goal"
    assert rows[0]["cross_check"]["agrees"] and rows[0]["engine"] == "database" and rows[2]["status"] == "error"
    assert run("solve", str(boards), "--positions", kept, "--engine", "native").returncode == 2
    assert run("solve", str(boards), "--positions", str(boards)).returncode == 30
    assert run("solve", str(FOLDER.parent / "tutorial" / "first.xsb"), "--positions", kept).returncode == 2


def test_a_lying_file_is_a_disagreement(tmp_path: Path) -> None:
    boards, kept = tmp_path / "b.klotski", tmp_path / "b.kdb"
    boards.write_text("goal: a 0,1\n\nab\n..\n")
    (board,) = notation.read(boards.read_text())
    made = build(board)
    assert isinstance(made, Positions)

    def asked(code: int) -> str:
        database.write(made, kept)
        done = run("solve", str(boards), "--positions", str(kept), alone=True)
        assert done.returncode == code
        return str(done.stdout + done.stderr)

    count = len(made.keys)
    made.slides[:] = array("H", [2 * far for far in made.slides])
    assert "claims 4 slides, the referee counts 2" in asked(1)
    made.slides[:] = array("H", [7] * count)
    assert "contradict each other" in asked(30)
    made.slides[:] = array("H", [1] * count)
    made.slides[made.at(database.Space(board, sliding=True).start) or 0] = NEVER
    assert "no goal can be reached from here" in (said := asked(1)) and "DISAGREES" in said
