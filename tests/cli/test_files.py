"""FILES and folders: every reading command takes them, one bad file among many does not stop the others."""

import csv
import io
import json
import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from sokoasp.cli import collection, root
from sokoasp.core import kernels
from sokoasp.core.result import Result, Status
from sokoasp.sokoban import formats
from sokoasp.web.levels import bundled
from tests.commands import FIRST, TUTORIAL, rows, run
from tests.instances import FOLDER

ONE = "#######\n#@ $ .#\n#######\n"
TWO = "######\n#@ $.#\n######\n"
LONG = "########\n#@ $  .#\n#      #\n########\n"
BAD = "#####\n#@$ #\n#####\n"
BOARD = "goal: a 0,1\na.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An author's folder: one level a file with a solution beside it, one faulty, one board of another game, a note."""
    made = tmp_path / "mine"
    (made / "deep").mkdir(parents=True)
    for name, text in {
        "a2.xsb": ONE,
        "a10.xsb": TWO,
        "bad.xsb": BAD,
        "a2.txt": "Levels of mine, by hand.\n",
        "README.md": ONE,
        "a2.sol": "rRR\n",
        "a10.lurd": "Author: me\nSolution: rR\n",
        "deep/c.txt": ONE,
        "deep/c.sok": ONE + "Solution: rRR\n",
    }.items():
        (made / name).write_text(text)
    return made


def test_a_folder_is_its_level_files_in_their_order(folder: Path) -> None:
    done = run("stats", folder, "--json")
    found = [(Path(str(row["file"])).name, row["level"], "error" in row) for row in rows(done)]
    assert found == [("a2.xsb", 1, False), ("a10.xsb", 1, False), ("bad.xsb", 1, True)]
    assert done.returncode == 30 and done.stderr.count("error: ") == 1 and "bad.xsb:1: E-COUNT" in done.stderr
    deep = rows(run("stats", folder, "-r", "--json"))
    assert [Path(str(row["file"])).name for row in deep] == ["a2.xsb", "a10.xsb", "bad.xsb", "c.sok", "c.txt"]


@pytest.mark.parametrize(
    "command",
    [
        ["translate", "--to", "sok"],
        ["optima", "--json"],
        ["solve", "--output", "lurd"],
        ["deadlock", "--csv"],
        ["units", "--csv"],
        ["improve", "--csv"],
        ["render", "-o", "made/"],
        ["stats", "--csv"],
        ["check", "--csv"],
        ["certify", "-o", "made", "--csv"],
    ],
    ids=lambda words: words[0],
)
def test_every_reading_command_takes_files_and_folders(command: list[str], folder: Path, tmp_path: Path) -> None:
    if command[0] == "improve" and not kernels.status().there:
        pytest.skip("no compiled kernels")
    one, every = (run(*command, *words, cwd=tmp_path) for words in ([FIRST], [FIRST, folder]))
    assert (one.returncode, every.returncode) == (0, 30), every.stderr
    assert every.stderr.count("bad.xsb:1: E-COUNT") == 1 and every.stderr.count("error: ") == 1
    assert len(every.stdout) > len(one.stdout) or command[0] == "render"
    if "--csv" in command:
        files = [Path(row["file"]).name for row in csv.DictReader(io.StringIO(every.stdout))]
        assert files == ["first.xsb", "a2.xsb", "a10.xsb", "bad.xsb"]


def test_level_numbers_are_those_of_each_file(folder: Path) -> None:
    done = run("stats", TUTORIAL, folder / "a2.xsb", "--level", "1-2,12-13,15", "--csv", "--time-limit", "0")
    found = [f"{Path(row['file']).stem} {row['level']}" for row in csv.DictReader(io.StringIO(done.stdout))]
    assert found == ["tutorial 1", "tutorial 2", "tutorial ", "a2 1", "a2 "]
    assert done.returncode == 30 and "a2.xsb: E-INDEX there is no level 2,12-13,15, the file has 1 level" in done.stderr


def test_what_is_no_level_file_is_said_in_one_sentence(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "outer" / "inner").mkdir(parents=True)
    (tmp_path / "loop.xsb").symlink_to(tmp_path / "loop.xsb")
    (folder / "deep" / "up").symlink_to(folder)
    (folder / "gone.xsb").symlink_to("nowhere")
    os.mkfifo(folder / "pipe.xsb")
    with (folder / "huge.xsb").open("wb") as huge:
        huge.truncate(65_000_000)
    (tmp_path / "task.pddl").write_text("(define (problem x))")
    words = [tmp_path / name for name in ("empty", "outer", "task.pddl")]
    assert "read twice: give a file" in run("solve", FIRST, "--constraints", folder / "pipe.xsb").stderr
    done = run("stats", *words, folder, FIRST, "-r", "--time-limit", "0")
    assert done.returncode == 30 and done.stdout.count("boxes on goals") == 5
    assert [line.replace(f"{tmp_path}/", "") for line in done.stderr.splitlines()] == [
        "error: empty: E-NOLEVEL there is no level in this folder",
        "error: outer: E-NOLEVEL there is no level in this folder",
        "error: task.pddl: a PDDL task is for sokoasp solve and sokoasp plan alone",
        "error: mine/bad.xsb:1: E-COUNT 1 box, 0 goals",
        "error: mine/gone.xsb: No such file or directory",
        "error: mine/huge.xsb:1:1: E-SIZE the file has more than 64000000 bytes",
    ]
    for words, said in ((["stats"], True), (["site", "-o", "x"], True), (["bench", "run", "smoke", "-o", "x"], True)):
        assert ("-r looks into the folders in it" in run(*words, tmp_path / "outer").stderr) is said
    assert "-r looks" not in run("bench", "submit", "smoke", "-o", "x", tmp_path / "outer").stderr
    assert run("stats", tmp_path / "loop.xsb").returncode == 2
    assert run("stats", folder / "a2.txt").returncode == 30


def test_what_may_not_be_read_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever runs the tests may be allowed to read all."""
    scan, read = os.scandir, Path.open

    def refused(path: Path | str) -> bool:
        if Path(path).name in ("deep", "a2.xsb"):
            raise PermissionError(13, "Permission denied", str(path))
        return False

    monkeypatch.setattr(os, "scandir", lambda path: refused(path) or scan(path))
    monkeypatch.setattr(Path, "open", lambda path, *how, **more: refused(path) or read(path, *how, **more))
    done = CliRunner().invoke(root, ["optima", str(folder), "-r"])
    assert done.exit_code == 30 and done.stdout.count("a10.xsb:1: ") >= 1
    assert f"error: {folder}/a2.xsb: Permission denied\n" in done.stderr
    assert done.stderr.endswith(f"error: {folder}/deep: Permission denied\n")


def test_what_is_not_for_a_game_is_said_when_the_others_are_done(folder: Path) -> None:
    board = folder / "aa.klotski"
    board.write_text(f"{BOARD}\n{BOARD}")
    (folder / "bad.xsb").unlink()
    done = run("deadlock", folder, "--json")
    assert done.returncode == 30 and [row.get("verdict") for row in rows(done)] == ["none_found", "none_found", None]
    assert done.stderr == f"error: {board}: deadlocks are for Sokoban levels, this is klotski\n"
    assert run("deadlock", board).returncode == 2
    done = run("translate", folder, "--to", "json")
    assert done.returncode == 30 and "this is klotski: one file holds levels of one game" in done.stderr
    assert len(formats.read(done.stdout)) == 2


def test_a_level_that_cannot_be_written_is_told_with_its_place_and_takes_no_other_along() -> None:
    done = run("translate", FOLDER / "regression" / "careless.json", "--to", "xsb")
    assert done.stdout.count("#  @  #") == 1 and done.stderr.count("careless.json:3: E-COUNT 2 boxes, 1 goal: ") == 1


def test_a_thousand_files_one_after_the_other(tmp_path: Path) -> None:
    for number in range(1000):
        (tmp_path / f"screen.{number}").write_text(ONE)
    files = [Path(row["file"]).name for row in csv.DictReader(io.StringIO(run("optima", tmp_path, "--csv").stdout))]
    assert list(dict.fromkeys(files)) == [f"screen.{number}" for number in range(1000)]


def test_files_made_of_a_folder_keep_its_names(folder: Path, tmp_path: Path) -> None:
    done = run("translate", folder, "-r", "--to", "xsb", "-o", f"{tmp_path}/made/")
    assert done.returncode == 30 and "note: xsb cannot hold solutions; sok and json can" in done.stderr
    made = sorted(str(path.relative_to(tmp_path / "made")) for path in (tmp_path / "made").rglob("*.xsb"))
    assert made == ["a10.xsb", "a2.xsb", "deep/c.txt.xsb", "deep/c.xsb"]
    done = run("translate", folder, "--to", "xsb", "-o", folder)
    assert done.stderr.count("would be written over, and it is read: give another folder") == 2
    run("translate", TUTORIAL, "--level", "2", "--to", "xsb", "-o", f"{tmp_path}/other/")
    assert [path.name for path in (tmp_path / "other").iterdir()] == ["tutorial-0002.xsb"]


def test_a_collection_made_of_a_folder_has_names_and_solutions(folder: Path) -> None:
    made = folder.parent / "made.sok"
    done = run("solve", folder, "--at-most", "0", "-o", made)
    assert done.returncode == 30 and "note: what could not be read is missing in the collection" in done.stderr
    for text in (run("translate", folder, "--to", "sok").stdout, made.read_text()):
        found = [(level.title, level.solutions) for level in formats.read(text)]
        assert found == [("a2", ("rRR",)), ("a10", ("rR",))]
    made.write_text(f"{made.read_text()}Solution: rrrr\n")
    done = run("translate", made, "--to", "sok")
    assert (
        done.stdout.count("rrrr") == done.stderr.count(f"note: wrong solution: {made}:2: ") == 1 == 1 - done.returncode
    )
    assert (plans := run("solve", folder, "--format", "lurd").stdout) == "rRR\n\nrR\n\n-\n\n"
    assert "E-NOLEVEL" in run("stats", "-", stdin=plans[:9]).stderr


def test_solutions_are_found_beside_levels(folder: Path, tmp_path: Path) -> None:
    done = run("check", folder, "-r", "--json")
    found = [(Path(str(row["file"])).name, row.get("valid")) for row in rows(done)]
    assert found == [("a2.xsb", True), ("a10.xsb", True), ("bad.xsb", None), ("c.sok", True), ("c.txt", True)]
    (folder / "a10.lurd").write_text("Solution: r\n")
    (folder / "a2.sol").unlink()
    done = run("check", folder)
    assert done.returncode == 30 and "1 solution: 0 valid, 1 not; 1 level without a solution" in done.stdout
    assert f"error: {folder}/a10.xsb:1: {folder}/a10.lurd: after " in done.stderr
    missing = f"{folder}/a2.xsb:1: no solution came with the level: give a PLAN, or put it beside the level as a2.sol"
    assert f"note: {missing}\n" in done.stderr
    (folder / "bad.xsb").unlink()
    (folder / "a10.lurd").write_text("Solution: rR\n")
    assert run("check", folder).returncode == 0
    both = tmp_path / "both.xsb"
    both.write_text(f"{ONE}\n{TWO}")
    both.with_suffix(".sol").write_text("Solution: rRR\nSolution: rR\n")
    for name in ("screen.1", "screen.2"):
        (tmp_path / name).write_text(f"{ONE}\n")
    (tmp_path / "screen.2.sol").write_text("rRR\n")
    assert "beside the level as screen.1.sol" in run("check", tmp_path / "screen.1").stderr
    assert run("check", tmp_path / "screen.2").returncode == 0
    assert "1 valid, 0 not; 1 level" in run("check", *sorted(tmp_path.glob("screen.*"))).stdout
    run("render", tmp_path / "screen.1", tmp_path / "screen.2", "-o", f"{tmp_path}/made/")
    assert {path.name for path in (tmp_path / "made").iterdir()} == {"screen.1.svg", "screen.2.svg"}
    assert run("check", both).stdout.splitlines() == [
        f"{both}:1: valid: 1 line, 2 pushes, 3 moves",
        f"{both}:2: valid: 1 line, 1 push, 2 moves",
        "2 solutions: 2 valid, 0 not",
    ]


def test_what_many_levels_lack_is_not_said_of_each_and_atoms_of_one_level_stand_alone(tmp_path: Path) -> None:
    done = run("check", TUTORIAL)
    assert (done.returncode, done.stderr.count("error: ")) == (30, 4)
    assert done.stderr.endswith("error: no solution came with 7 levels more\n")
    asked = ("solve", TUTORIAL, "--level", "2", "--format", "push")
    assert run(*asked).stdout.startswith("push(") and run(*asked, "-o", tmp_path / "plan").stdout == ""
    assert (tmp_path / "plan").read_text().startswith("%\n\npush(")


def test_the_last_word_is_a_plan_if_it_holds_no_level(folder: Path) -> None:
    (folder / "plan.txt").write_text("rRR")
    for plan in ("rRR", folder / "plan.txt", folder / "a2.sol"):
        assert run("check", folder / "a2.xsb", plan).stdout == "valid: 1 line, 2 pushes, 3 moves\n"
    assert run("check", folder / "a2.xsb", folder / "deep" / "c.txt").stdout.count(": valid") == 2
    done = run("check", folder / "a2.xsb", folder / "a10.xsb", "rRR")
    assert done.returncode == 2 and "PLAN is for one level: name one file, and its level with --level" in done.stderr
    assert "'nowhere.txt' is neither a file nor moves" in run("check", folder, "nowhere.txt").stderr
    (folder / "none.xsb").write_text(ONE)
    done = run("check", folder / "none.xsb", folder / "a2.xsb")
    assert done.stdout.endswith("1 solution: 1 valid, 0 not; 1 level without a solution\n")
    done = run("check", *sorted(path for path in folder.glob("a*.[xsl]*")))
    assert done.returncode == 0 and done.stdout.endswith("2 solutions: 2 valid, 0 not\n")
    assert "check: FILES is missing" in run("check").stderr


def test_a_page_plays_the_solution_that_came_with_the_level(folder: Path, tmp_path: Path) -> None:
    (folder / "a2.sol").write_text("rlrRR\n")
    assert run("render", folder, "-o", f"{tmp_path}/pages/", "--format", "html").returncode == 30
    assert sorted(path.name for path in (tmp_path / "pages").iterdir()) == ["a10.html", "a2.html"]
    (folder / "a10.lurd").write_text("r")
    assert "note: wrong solution: " in run("render", folder / "a10.xsb", "-o", tmp_path / "a.html").stderr
    other = run("render", folder / "a2.xsb", "rlrRR", "-o", "-", "--format", "html").stdout
    assert (tmp_path / "pages" / "a2.html").read_text() == other


@pytest.mark.skipif(not kernels.status().there, reason="no compiled kernels")
def test_improve_writes_both_solutions_and_never_over_its_input(folder: Path, tmp_path: Path) -> None:
    (folder / "a2.xsb").write_text(LONG)
    (folder / "a2.sol").write_text("drulrRRR\n\nrR\n")
    (folder / "a10.lurd").write_text("rlrR\n\nrR\n")
    kept = tmp_path / "kept.sok"
    done = run("improve", folder, "--objective", "moves", "-o", kept)
    first, second = done.stdout.splitlines()[:2]
    assert first.startswith(f"{folder}/a2.xsb:1: shortened from 8 to 4 moves; proved best; ") and second == "  rRRR"
    assert done.returncode == 30 and "a10.xsb:1: 2 moves as before; proved best" in done.stdout
    assert f"note: wrong solution: {folder}/a2.sol: solution 2: after move 2 (the last) 1 goal is empty" in done.stderr
    assert [(level.title, level.solutions) for level in formats.read(kept.read_text())] == [
        ("a2", ("rRRR", "drulrRRR")),
        ("a10", ("rR", "rlrR")),
    ]
    before = kept.read_text()
    assert run("improve", folder / "a10.xsb", "-o", "-").stdout == f"{TWO}Solution:\nrR\nSolution:\nrlrR\n"
    assert run("check", kept).stderr == ""
    done = run("improve", kept, "-o", kept)
    assert done.returncode == 2 and "--force to write over it" in done.stderr and kept.read_text() == before
    assert run("improve", kept, "-o", kept, "--force", "--objective", "pushes").returncode == 0
    best = [(one.title, collection._costs(one, "lines", one.solutions[0])) for one in formats.read(kept.read_text())]
    assert best == [("a2", [1, 3, 4]), ("a10", [1, 1, 2])], "what was asked for counts first"
    kept.write_text(f"{before}\n{BAD}")
    done = run("improve", kept, "-o", kept, "--force")
    assert done.returncode == 30 and "also has what cannot be read, so it stays; the answer is in " in done.stderr
    assert BAD in kept.read_text()
    assert len(formats.read((tmp_path / "kept-improved.sok").read_text())) == 2


def test_what_was_improved_before_an_interrupt_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def improve(domain: Any, level: Any, plan: Any, objective: str, limits: Any) -> Result:
        if level.title == "second":
            raise KeyboardInterrupt
        cost = plan.cost(objective)
        return Result(Status.OPTIMAL, objective, "improve", cost, cost, plan)

    monkeypatch.setattr("sokoasp.engine.improve", improve)
    own = tmp_path / "own.sok"
    own.write_text(f"{ONE}Solution: rRR\n\n{TWO}Title: second\nSolution: rR\n\n{TWO}Title: third\nSolution: rR\n")
    text = own.read_text()
    assert CliRunner().invoke(root, ["improve", str(own), "-o", str(own), "--force"]).exit_code == 1
    assert own.read_text() == text
    assert len(formats.read((tmp_path / "own-improved.sok").read_text())) == 2


@pytest.mark.usefixtures("ctrl_c")
def test_solutions_beside_levels_that_an_interrupt_has_left_are_kept_too(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def improve(domain: Any, level: Any, plan: Any, objective: str, limits: Any) -> Result:
        with suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        return Result(Status.SOLVED, objective, "improve", 1, 0, plan)

    monkeypatch.setattr("sokoasp.engine.improve", improve)
    made = tmp_path / "made.sok"
    assert CliRunner().invoke(root, ["improve", str(folder), "-o", str(made)]).exit_code == 130
    assert [level.solutions for level in formats.read(made.read_text())] == [("rRR",), ("rR",)]


@pytest.mark.skipif(not kernels.status().there, reason="no compiled kernels")
def test_known_and_proved_pushes_as_a_table(folder: Path) -> None:
    (folder / "bad.xsb").write_text(f"{TWO}Title: Mine\n\n{BAD}")
    (folder / "a2.xsb").write_text("#######\n#     #\n#@ $ .#\n#     #\n#######\n")
    (folder / "a2.sol").write_text("rRR\n")
    table = csv.DictReader(io.StringIO(run("improve", folder, "--objective", "pushes", "--csv").stdout))
    found = [(Path(row["file"]).name, row["before"], row["value"], row["lower_bound"], row["title"]) for row in table]
    faults = [("bad.xsb", "", "", "", title) for title in ("Mine", "")]
    assert found == [("a2.xsb", *"222", ""), ("a10.xsb", *"111", ""), *faults]


def test_the_game_and_the_largest_board_can_be_said() -> None:
    assert json.loads(run("solve", "-", "--json", stdin=BOARD).stdout)["objective"] == "slides"
    wrong = run("solve", "-", "--domain", "sokoban", stdin=BOARD)
    assert (wrong.returncode, "E-" in wrong.stderr) == (30, True), wrong.stderr
    near = run("solve", FIRST, "--domain", "sokobann")
    assert (near.returncode, near.stderr.count("did you mean 'sokoban'?")) == (2, 1)
    small, large = (run("stats", FIRST, "--max-cells", number) for number in (20, 21))
    assert (small.returncode, "E-SIZE" in small.stderr, large.returncode) == (30, True, 0)


SOLVED = f"{ONE}\nSolution: rRR\n\n{TWO}\nSolution: rR\n"


def test_no_level_of_the_authors_file_is_lost_by_improving_one(tmp_path: Path) -> None:
    mine, other = tmp_path / "mine.sok", tmp_path / "mine-improved.sok"
    for path in (mine, other):
        path.write_text(SOLVED.replace("Solution: rR\n", "Solution: rr\n"))
    done = run("improve", mine, "--level", "2", "-o", mine, "--force")
    assert (
        done.returncode == 0 and mine.read_text() == other.read_text() != SOLVED and "the answer is in" in done.stderr
    )
    (level,) = formats.read((tmp_path / "mine-improved+.sok").read_bytes())
    assert level.solutions == ("rR",)


def test_no_file_is_written_over_by_another_and_none_is_read_again(tmp_path: Path) -> None:
    (tmp_path / "c.sok").write_text(SOLVED)
    (tmp_path / "c-0001.xsb").write_text(LONG)
    for _ in range(2):
        assert run("translate", tmp_path, "-r", "--format", "xsb", "-o", f"{tmp_path}/out/").returncode == 0
        made = {path.name: formats.read(path.read_bytes())[0].boxes for path in (tmp_path / "out").rglob("*")}
        assert sorted(made) == ["c+-0001.xsb", "c-0001.xsb", "c-0002.xsb"]


def test_faulty_files_of_a_folder_are_told_when_they_are_meant_as_levels(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(f"{ONE}moves: 4\ngoal: to win\n")
    (tmp_path / "b.json").write_text('{"format": "sokoasp-levels", "levels": [],}')
    (tmp_path / "c.json").write_text('{"name": "no levels"}')
    (tmp_path / "d.sok").write_text(f"{SOLVED}Solution: rRRR\n{ONE}")
    done = run("solve", tmp_path)
    assert done.returncode == 30 and done.stdout.count(" optimal, ") == 4
    assert "b.json:1:" in done.stderr and "c.json" not in done.stderr
    (tmp_path / "d.sok").write_text(f"{SOLVED}\n{ONE}\nSolution: rrrr\n")
    assert f"error: {tmp_path}/d.sok:3: move 4 ('r')" in run("improve", tmp_path / "d.sok").stderr
    assert f"error: {tmp_path}/d.sok:3: move 4 ('r')" in run("check", tmp_path / "d.sok").stderr


def test_a_solution_is_of_its_own_level(tmp_path: Path) -> None:
    mine, beside = tmp_path / "mine.xsb", tmp_path / "mine.sok"
    mine.write_text(f"{ONE}\n{TWO}\n{LONG}")
    beside.write_text(f"{ONE}\nSolution: rRR\nSolution: rRR\n\n{LONG}\nSolution: rRRR\n")
    found = formats.read(run("translate", mine, "--format", "sok").stdout)
    assert [level.solutions for level in found] == [("rRR", "rRR"), (), ("rRRR",)]
    assert "beside a level that is read" in run("translate", mine, "--format", "sok", "-o", beside).stderr
    beside.unlink()
    for objective in ("pushes", "moves"):  # the second adds to what the first has made
        assert run("solve", mine, "--objective", objective, "-o", beside).returncode == 0
    assert [len(level.solutions) for level in formats.read(beside.read_text())] == [1, 1, 1]
    beside.unlink()
    assert run("solve", mine, "--format", "lurd", "-o", tmp_path / "mine.sol").returncode == 0
    assert run("solve", mine, "-o", tmp_path / "mine.json").stdout == ""
    assert json.loads((tmp_path / "mine.json").read_text().splitlines()[0])["value"] == 1
    table = ["solve", mine, "-o", tmp_path / "mine.csv"]
    assert "mine.csv is the name of a table, which --csv writes" in run(*table).stderr
    assert run(*table, "--csv").returncode == 0 and (tmp_path / "mine.csv").read_text().startswith("file,level,")
    for words in ([mine], [mine, tmp_path / "mine.sol"], [tmp_path / "mine.sol", mine]):  # as ``check *`` names them
        assert run("check", *words).stdout.endswith("3 solutions: 3 valid, 0 not\n")
        assert run("check", *words, "--level", "2").returncode == 0
    (tmp_path / "mine.sol").write_text("rRRR\n")
    assert run("check", mine, tmp_path / "mine.sol", "--level", "3").stdout == "valid: 1 line, 3 pushes, 4 moves\n"
    (tmp_path / "mine.sol").write_text("r\nlRxR\n\n-\n\nrRRR\n")
    (tmp_path / "x.sok").write_text(f"{ONE}Solution:\nr\nlRxR\n\n{TWO}\n{LONG}Solution: rRRR\n")
    for file, at in (mine, f" {tmp_path}/mine.sol:"), (tmp_path / "x.sok", ""):
        done = run("check", file)
        assert f"{file}:1:{at} E-SOL 'x' is no move" in done.stderr and ": character 4 of the" in done.stderr
        assert "2 solutions: 1 valid, 1 not" in done.stdout


def test_what_a_notation_cannot_hold_is_told() -> None:
    text = f"Author: me\n\n{ONE}Comment: easy\nSolution: rRR\n"
    notes = [
        run("translate", "-", "--format", form, stdin=text).stderr for form in ("slc", "xsb", "facts", "sok", "json")
    ]
    lost = ("slc cannot hold comment, ", "xsb cannot hold author, comment, ", "facts cannot hold ")
    assert notes == [*(f"note: {one}solutions; sok and json can\n" for one in lost), "", ""]


def test_an_older_collection_loses_no_level_and_no_solution(tmp_path: Path) -> None:
    made = tmp_path / "made.sok"
    made.write_text(f"{ONE}Solution:\nrlrRR\nSolution:\nrR\n")  # one more, and one that is wrong
    (tmp_path / "one.xsb").write_text(ONE)
    for command in (["solve"], ["improve", "rRR"]):
        words = [command[0], "one.xsb", *command[1:], "-o", "made.sok"]
        assert "note: made.sok keeps a wrong solution of a level\n" in run(*words, cwd=tmp_path).stderr
        assert formats.read(made.read_text())[0].solutions == ("rRR", "rlrRR", "rR")
    made.write_text(f"Collection: Ann\n\nFree to copy.\n\n{ONE}Title: New\nEmail: me\nComment: easy\n")
    (tmp_path / "one.xsb").write_text(f"{ONE}Title: Old\nComment: short\n")
    for _ in range(2):
        done = run("solve", "one.xsb", "-o", "made.sok", cwd=tmp_path)
        assert done.stderr.endswith("\nnote: made.sok keeps its own title of 1 level\n")
        (kept,) = formats.read(made.read_text())
        assert (kept.title, kept.collection, kept.solutions) == ("New", "Ann", ("rRR",))
        assert kept.comment.split("\n") == ["Free to copy.", "Email: me", "easy", "short"]
    made.write_text(other := f"Collection: Eve\n\n{TWO}")
    done = run("solve", "one.xsb", "-o", "made.sok", cwd=tmp_path)
    assert "made.sok also has level 1, so it stays; the answer is in made-improved.sok" in done.stderr
    assert made.read_text() == other and "Eve" not in (tmp_path / "made-improved.sok").read_text()
    assert run("improve", "one.xsb", "-o", "made.sok", cwd=tmp_path).stderr.endswith("level 1, so it stays\n")


def test_an_older_collection_keeps_its_name_and_what_it_says_of_equal_boards(tmp_path: Path) -> None:
    made = tmp_path / "made.sok"
    (tmp_path / "a.txt").write_text("\n".join(f"{ONE}Title: {name}\nComment: {name}\n" for name in "xyz"))
    (tmp_path / "b.txt").write_text(ONE)
    made.write_text("Collection: C\n\n" + "\n".join(f"{ONE}Title: {name}\n" for name in "NzM"))
    for more, names in ([], "N M z"), (["b.txt"], "N M z b"), (["b.txt"], "N M z b"):
        run("solve", "a.txt", *more, "-o", "made.sok", cwd=tmp_path)
        kept = [(level.title, level.comment, level.collection) for level in formats.read(made.read_text())]
        assert kept == list(zip(names.split(), ["x", "y", "z", ""], "CCCC", strict=False))


def test_the_name_of_a_collection_is_kept_where_several_become_one_file(tmp_path: Path) -> None:
    (tmp_path / "a.sok").write_text(f"Collection: Ann\n\n{ONE}Title: a\nComment: easy\n")
    (tmp_path / "b.sok").write_text(TWO)
    made = run("translate", tmp_path, "--format", "sok").stdout
    assert [level.comment for level in formats.read(made)] == ["easy\nCollection: Ann", ""]
    assert run("translate", "-", "--format", "sok", stdin=made).stdout == made
    slc = run("translate", tmp_path, "--format", "slc")
    assert "<Title></Title>" in slc.stdout and "slc cannot hold collection, comment;" in slc.stderr
    for files, comments in (["a.sok"], ["easy"]), *[(["a.sok", "b.sok"], ["easy\nCollection: Ann", ""])] * 2:
        assert run("solve", *files, "-o", "all.sok", cwd=tmp_path).returncode == 0
        assert [level.comment for level in formats.read((tmp_path / "all.sok").read_text())] == comments


def test_what_solve_prints_of_several_plans_and_levels_is_read_back(tmp_path: Path) -> None:
    hall, mine = tmp_path / "hall.xsb", tmp_path / "mine.xsb"
    assert [run("solve", FIRST, "-o", "again.sok", cwd=tmp_path).returncode for _ in range(2)] == [0, 0]
    halls = tmp_path / "halls.xsb"
    hall.write_text("#########\n#. $@$ .#\n#########\n")
    halls.write_text(hall.read_text() + "\n" + hall.read_text())
    for form in ("lurd", "push", "text"):
        for level in "1", "2":
            printed = run("solve", halls, "--level", level, "--models", "0", "--format", form).stdout
            assert run("check", halls, "-", "--level", level, stdin=printed).stdout.count(": valid") == 2
    mine.write_text(f"{ONE}\n{BAD}\n#####\n#@* #\n#####\n\n{TWO}")
    for code in (30, 2):  # the second time the solutions are those of mine.xsb
        assert run("solve", mine, "--format", "lurd", "-o", "mine.sol", cwd=tmp_path).returncode == code
    assert (tmp_path / "mine.sol").read_text() == "rRR\n\n-\n\n-\n\nrR\n\n"
    assert run("check", mine).stdout.endswith("3 solutions: 3 valid, 0 not\n")
    for _ in range(2):
        done = run("translate", mine, "--level", "1", "--to", "facts", "-o", "a.lp", cwd=tmp_path)
        assert done.stderr == "note: facts cannot hold solutions; sok and json can\n"
    for levels, plans in (("1,4", "rRR\n\n-\n\n-\n\nrR\n\n"), ("4", "-\n\n-\n\n-\n\nrR\n\n")):
        assert run("solve", mine, "--level", levels, "-o", "mine.sol", cwd=tmp_path).returncode == 2
        (tmp_path / "mine.sol").unlink()
        assert run("solve", mine, "--level", levels, "-o", "mine.sol", cwd=tmp_path).returncode == 0
        assert (tmp_path / "mine.sol").read_text() == plans
    (tmp_path / "mine.sol").write_text("rR\n")
    done = run("translate", mine, "--to", "sok")
    assert (
        "rR" not in done.stdout
        and f"note: wrong solution: {tmp_path}/mine.sol for {mine}:1: after move 2" in done.stderr
    )
    assert run("solve", hall, FIRST, "--format", "lurd").stdout.endswith("\n\nrRR\n\n")
    assert run("solve", mine, hall, "-o", "all.sok", cwd=tmp_path).returncode == 30
    found = [f"{one.title} {len(one.solutions)}" for one in formats.read((tmp_path / "all.sok").read_bytes())]
    assert found == ["mine-0001 1", "mine-0003 0", "mine-0004 1", "hall 1"]


def test_the_table_of_optima_has_a_line_for_each_level() -> None:
    lines = run("optima", TUTORIAL).stdout.splitlines()
    assert rows(run("optima", "-", "--json", stdin=LONG)) == [{"file": "-", "level": 1, "status": "unknown"}]
    assert len(lines) == 10 and lines[1] == f"{TUTORIAL}:2 (Around the corner): known optimum 1 line; 3 moves; 2 pushes"


def test_a_site_is_made_of_what_can_be_played(tmp_path: Path) -> None:
    folder, page = tmp_path / "mine", tmp_path / "page"
    (folder / "d").mkdir(parents=True)
    for name, text in {
        "d/a.xsb": ONE,
        "d/b.xsb": TWO,
        "bad.xsb": BAD,
        "mine.xsb": f"{ONE}\n{TWO}",
        "c.sok": SOLVED,
    }.items():
        (folder / name).write_text(text)
    (tmp_path / "note.sok").write_text(f"{ONE}\n{BAD}")
    made = run("site", "-r", folder / "bad.xsb", folder, tmp_path / "note.sok", "--without-clingo", "-o", page)
    assert made.returncode == 30 and made.stderr.count("warning: not playable: ") == 3
    assert f" playable: {tmp_path}/note.sok:" in made.stderr
    assert f", {len(bundled()) + 4} collections," in made.stdout
    assert (
        '{"opened":{"name":"mine (single files).sok","title":"","problems":[{"nu' in (page / "index.html").read_text()
    )
    assert run("site", folder / "bad.xsb", "--without-clingo", "-o", page).returncode == 30
    (page / "index.html").write_text("another page")
    assert "is another page: name another folder" in run("site", "--without-clingo", "-o", page).stderr


@pytest.mark.parametrize(
    "asked",
    [
        "solve a.xsb --plan a.sol --format lurd -o a.sol", "solve a.xsb --constraints=c.lp --output=c.lp",
        "improve a.xsb -o a.sol", "improve a.xsb a.sol -oa.sol", "render a.xsb a.sol -o a.sol --format svg",
        "encodings export lines a.xsb -o a.xsb", "klotski-db a.xsb -o a.xsb", "encodings grade x --html x/c.lp",
        "plan a.xsb c.lp -o c.lp", "bench export x -o x/runs.db --format csv", "solve a.xsb --engine nativ -o old.txt",
        "solve a.xsb --level 7 -o old.txt", "translate . --to sok -o a.xsb",
        "bench export x -o s.toml --format csv", "solve c.lp -o a.xsb",
    ],
)  # fmt: skip
def test_no_file_that_is_named_is_written_over(asked: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x").mkdir()
    texts = {"a.xsb": ONE, "a.sol": "rRR", "c.lp": ":- push(_,left,_,t).", "x/c.lp": "", "x/runs.db": ""}
    texts |= {"old.txt": "old", "s.toml": ""}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    done = CliRunner().invoke(root, asked.split())
    refused = "give the output another name" in done.stderr or "a.sol would hold a collection" in done.stderr
    assert done.exit_code and ("old.txt" in asked or refused)
    assert {name: (tmp_path / name).read_text() for name in texts} == texts
