"""Every position of a piece set: counts, distances, files, and the graph for other programs."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from sokoasp.core.errors import LevelError
from sokoasp.core.limits import Limits
from sokoasp.klotski import database, notation
from sokoasp.klotski.board import Board
from sokoasp.klotski.database import NEVER, Positions, build
from sokoasp.klotski.graph import Graph, dot, graph, graphml
from sokoasp.klotski.referee import validate
from sokoasp.klotski.search import solve
from sokoasp.klotski.space_counts import stats
from sokoasp.picture import position_map
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
    assert (len(standard.keys), standard.components, sizes) == (65_880, 898, [25_955, 25_955, 248, 248])
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
    for seed in range(24):
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
        own = found.component[found.at(database.Space(board, sliding=False, mirrored=False).start) or 0]
        assert list(found.component).count(own) == reached
        compared += 1
    assert compared > 10


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
    assert graph(standard.board, limits=Limits(states=100)) == "states"


def small() -> Board:
    (board,) = notation.read("goal: a 0,1\n\nab\n..\n")
    return board


def test_graphs_have_every_position_and_move() -> None:
    made = graph(small(), "units")
    assert isinstance(made, Graph) and not made.directed
    assert len(made.rows) == len(set(made.rows)) == stats(small())["reachable"]
    assert made.rows[0] == "ab/.." and made.depth[0] == 0
    root = ElementTree.fromstring("\n".join(graphml(made)))
    spaces = {"g": "http://graphml.graphdrawing.org/xmlns"}
    assert len(root.findall(".//g:node", spaces)) == len(made.rows)
    assert len(root.findall(".//g:edge", spaces)) == len(made.edges)
    assert sum(" -- " in line for line in dot(made)) == len(made.edges)


@pytest.mark.parametrize("rows", ["ab/..", "ab/cd/e."])
def test_pictures_show_every_position_and_move(rows: str) -> None:
    (board,) = notation.read(f"goal: a 1,1\n\n{rows}\n")
    made = graph(board, "units")
    assert isinstance(made, Graph)
    root = ElementTree.fromstring(position_map.svg(made, "a < b"))
    tag = "{http://www.w3.org/2000/svg}"
    nodes = [one for one in root.iter() if one.find(f"{tag}title") is not None and one.tag != f"{tag}svg"]
    named = [one.findtext(f"{tag}title") for one in nodes]
    assert sorted(map(str, named)) == sorted(made.rows)
    assert len(root.findall(f"{tag}path")) == len(made.edges)
    marked = [one for one in nodes if "goal" in str(one.get("class"))]
    assert len(marked) == sum(made.goal) and "start" in str(nodes[0].get("class"))
    places = {(one.get("x", one.get("cx")), one.get("y", one.get("cy"))) for one in nodes}
    assert len(places) == len(nodes), "no two stand on one place"


def test_what_is_too_large_is_no_picture() -> None:
    made = graph(shipped("hua-rong-dao.klotski")[16])
    assert isinstance(made, Graph)
    with pytest.raises(ValueError, match="too many for a picture"):
        position_map.svg(made)


def test_a_one_way_piece_makes_a_directed_graph_and_no_data_base() -> None:
    (board,) = notation.read("goal: a 0,2\nmoves: a r\n\na..\n")
    made = graph(board, "units")
    assert isinstance(made, Graph) and made.directed and made.edges == ((0, 1), (1, 2))
    assert "n0 -> n1" in "\n".join(dot(made))
    assert [line.count("filled") for line in dot(made) if "label" in line] == [1, 0, 0]
    (mixed,) = notation.read("goal: a 0,2\nmoves: a r\n\na..\n..b\n")
    made = graph(mixed, "units")
    assert isinstance(made, Graph) and made.directed, "b goes back, a does not"
    with pytest.raises(LevelError, match="may not go back"):
        build(board)


def test_a_component_without_a_goal_is_never() -> None:
    (board,) = notation.read("goal: a 0,0\n\nba\n")
    found = build(board)
    assert isinstance(found, Positions)
    assert found.distance(board) is None and found.plan(board) is None and NEVER in found.slides


def test_the_command(tmp_path: Path) -> None:
    boards, kept = tmp_path / "b.klotski", str(tmp_path / "b.kdb")
    boards.write_text("goal: a 0,1\n\nab\n..\n\n\ngoal: a 0,1\n\n.b\n.a\n")
    made = run("klotski-db", str(boards), "-o", kept, "--graph", str(tmp_path / "g.dot"), "--json")
    row = json.loads(made.stdout)
    assert made.returncode == 0 and row["positions"] == 12 and row["graph"]["nodes"] == 12
    far = json.loads(run("klotski-db", str(boards), "--farthest", "--objective", "units", "--json").stdout)
    assert (far["farthest_pair"], len(far["between"])) == (4, 2), "both go two cells round"
    asked = [json.loads(line) for line in run("klotski-db", str(boards), "--use", kept, "--json").stdout.splitlines()]
    assert [one["distance"] for one in asked] == [solve(board).value for board in notation.read(boards.read_text())]
    assert run("klotski-db", str(boards), "--use", str(boards)).returncode == 30
    assert run("klotski-db", str(boards), "--graph", "x.png").returncode == 2
    assert run("klotski-db", str(boards), "--graph", str(tmp_path / "g.svg")).returncode == 0
    ElementTree.parse(tmp_path / "g.svg")
    assert run("klotski-db", str(FOLDER.parent / "tutorial" / "first.xsb")).returncode == 2
    assert run("klotski-db", str(FOLDER / "hua-rong-dao.klotski"), "--time-limit", "0.001").returncode == 20
