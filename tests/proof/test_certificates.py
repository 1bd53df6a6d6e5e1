"""Certificates of every kind made and checked end to end, and every kind of tampering refused."""

from __future__ import annotations

import json
import lzma
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sokoasp.core.errors import IllegalPlan, SokoaspError
from sokoasp.core.limits import Limits
from sokoasp.core.result import Result, Status
from sokoasp.domain.sokoban import DOMAIN
from sokoasp.engine import proving
from sokoasp.engine.proving import Made, Request, certify
from sokoasp.klotski.board import Board
from sokoasp.proof.refusals import Refused
from sokoasp.proof.verify import CHECKERS, verify
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.rules import plan_from_lurd
from tests import native
from tests.instances import levels
from tests.proof.makers import best_slides, boards, optimum, resign, solvable, unsolvable

native.needed()
pytest.importorskip("pysat")


def _made(problem: Level | Board, folder: Path, objective: str, kind: str, plan: Any = None) -> Made:
    return certify(problem, folder, Request(objective, Limits(), plan, kind))


def _steps(folder: Path) -> list[str]:
    return [passed.name for passed in verify(folder)]


@pytest.mark.parametrize("objective", ["lines", "pushes", "moves"])
@pytest.mark.parametrize("kind", ["states", "refutation"])
def test_sokoban(objective: str, kind: str, tmp_path: Path) -> None:
    for number, (level, value, lurd) in enumerate(solvable(4, objective, 9)):
        made = _made(level, tmp_path / str(number), objective, kind, plan_from_lurd(level, lurd))
        assert (made.exit_code, made.value) == (0, value)
        steps = _steps(tmp_path / str(number))
        assert steps[:3] == ["claim", "level", "rules"]
        assert steps[-1] == kind


@pytest.mark.parametrize("kind", ["states", "refutation"])
def test_klotski(kind: str, tmp_path: Path) -> None:
    for number, board in enumerate(boards()):
        for objective in ("slides", "units"):
            value, plan = best_slides(board, objective)
            folder = tmp_path / f"{number}{objective}"
            assert _made(board, folder, objective, kind, plan).value == value
            assert _steps(folder)[-1] == kind


def test_unsolvable(tmp_path: Path) -> None:
    for number, level in enumerate((*levels("unsolvable/unsolvable.xsb"), *unsolvable(3))):
        made = _made(level, tmp_path / str(number), "pushes", "auto")
        assert (made.exit_code, made.value) == (11, None)
        assert _steps(tmp_path / str(number))[-1] == "states"


def test_the_bound_of_the_start_alone(tmp_path: Path) -> None:
    """Where the tables' bound is the value no state is listed, and the folder says so."""
    alone = 0
    for number, (level, _value, lurd) in enumerate(solvable(6, "pushes", 9)):
        _made(level, tmp_path / str(number), "pushes", "states", plan_from_lurd(level, lurd))
        reported = [passed.reported for passed in verify(tmp_path / str(number))][-1]
        empty = not lzma.decompress((tmp_path / str(number) / "states.xz").read_bytes())
        assert empty == ("no state need be listed" in reported)
        alone += empty
    assert 0 < alone < 6


def test_deadlocks_name_the_boxes(tmp_path: Path) -> None:
    named = 0
    for name in ("block", "corner", "corner-pair", "wall", "region", "doorway"):
        for number, level in enumerate(levels(f"deadlocks/{name}.xsb")[:2]):
            made = _made(level, tmp_path / f"{name}{number}", "pushes", "auto")
            if made.claim is None or made.claim.value is not None:
                continue
            assert _steps(tmp_path / f"{name}{number}")[-1] == "states"
            named += bool(made.claim.boxes)
    assert named >= 1


def test_a_list_that_takes_too_long_makes_way_for_a_refutation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    level, value, lurd = next(one for one in solvable(30, "moves", 14) if one[1] > 9)
    monkeypatch.setattr(proving.Maker, "going", lambda self, what: lambda states, left: "states")
    made = certify(level, tmp_path, Request("moves", Limits(seconds=600), plan_from_lurd(level, lurd)))
    assert made.claim is not None
    assert (made.claim.kind, made.value) == ("refutation", value)
    assert _steps(tmp_path)[-1] == "refutation"


def test_solved_at_the_start(tmp_path: Path) -> None:
    level = levels("tutorial/tutorial.xsb")[9]
    assert _made(level, tmp_path, "lines", "auto").value == 0
    assert _steps(tmp_path)[-1] == "goal"


def test_a_plan_that_is_not_best_is_no_certificate(tmp_path: Path) -> None:
    level = levels("tutorial/first.xsb")[0]
    for kind in ("states", "refutation"):
        plan = plan_from_lurd(level, _longer(level))
        with pytest.raises(IllegalPlan, match="not best"):
            _made(level, tmp_path / kind, "moves", kind, plan)


@pytest.mark.parametrize(("status", "code"), [(Status.TIME_OUT, 20), (Status.MEMORY_OUT, 21)])
def test_without_a_plan_it_says_which_limit_came_first(
    status: Status, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = Result(status, "pushes", "native", stopped_by=str(status).split("_")[0])
    monkeypatch.setitem(DOMAIN.native, "native", lambda *_: ended)  # type: ignore[attr-defined]
    made = certify(levels("tutorial/first.xsb")[0], tmp_path, Request("pushes"))
    assert (made.claim, made.stopped_by, made.exit_code) == (None, str(status).split("_")[0], code)


def _longer(level: Level) -> str:
    found = optimum(level, "moves")
    assert found is not None
    lurd = found[1]
    first = lurd[0].lower()
    back = {"l": "r", "r": "l", "u": "d", "d": "u"}[first]
    return next(way + lurd for way in (first + back, back + first, "lr", "rl", "ud", "du") if _walks(level, way))


def _walks(level: Level, way: str) -> bool:
    cells = [level.player]
    for letter in way:
        step = {"l": (0, -1), "r": (0, 1), "u": (-1, 0), "d": (1, 0)}[letter]
        cells.append(type(cells[0])(cells[-1].row + step[0], cells[-1].col + step[1]))
    return all(cell in level.floor and cell not in level.boxes for cell in cells)


def test_a_search_that_answers_falsely_is_caught(tmp_path: Path) -> None:
    """Planted fault in a maker: a claim of one action more than needed has no certificate that passes."""
    level, value, lurd = next(solvable(1, "lines", 6))
    plan = plan_from_lurd(level, lurd)
    for kind in ("states", "refutation"):
        folder = tmp_path / kind
        claim = _made(level, folder, "lines", kind, plan).claim
        assert claim is not None
        row = json.loads((folder / "claim.json").read_text())
        for changed in (value + 1, value - 1, None):
            (folder / "claim.json").write_text(json.dumps({**row, "value": changed}))
            with pytest.raises(Refused):
                list(verify(folder))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One certificate of each kind with every file in it."""
    level, _value, lurd = next(one for one in solvable(30, "moves", 14) if one[1] > 9)
    found = {}
    for kind in ("states", "refutation"):
        found[kind] = tmp_path_factory.mktemp(kind)
        assert _made(level, found[kind], "moves", kind, plan_from_lurd(level, lurd)).exit_code == 0
    return found


def _copy(folder: Path, to: Path) -> Path:
    to.mkdir(parents=True, exist_ok=True)
    for path in folder.iterdir():
        (to / path.name).write_bytes(path.read_bytes())
    return to


@pytest.mark.parametrize(
    ("kind", "name"),
    [("states", n) for n in ("level.xsb", "plan.lurd", "tables.xz", "states.xz", "claim.json")]
    + [("refutation", n) for n in ("level.xsb", "plan.lurd", "claim.cnf", "proof.lrat", "claim.json")],
)
def test_every_byte_is_covered_by_its_sum(kind: str, name: str, made: dict[str, Path], tmp_path: Path) -> None:
    """Without new sums any change, truncation or addition is refused; claim.json itself is read strictly."""
    folder = _copy(made[kind], tmp_path)
    data = (folder / name).read_bytes()
    rng = random.Random(name)
    for at in [rng.randrange(len(data)) for _ in range(4)]:
        for changed in (data[:at], data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]):
            (folder / name).write_bytes(changed)
            if name == "claim.json" and _same_claim(data, changed):
                continue
            with pytest.raises(Refused):
                list(verify(folder))
    (folder / name).unlink()
    with pytest.raises(Refused):
        list(verify(folder))


def _same_claim(data: bytes, changed: bytes) -> bool:
    """Return whether a change is in words on which nothing depends (who made it)."""
    try:
        rows = [json.loads(text) for text in (data, changed)]
    except ValueError:
        return False
    return [{k: v for k, v in row.items() if k not in ("version", "upper", "lower")} for row in rows][1:] == [
        {k: v for k, v in row.items() if k not in ("version", "upper", "lower")} for row in rows
    ][:1]


@pytest.mark.parametrize("kind", ["states", "refutation"])
def test_a_deceiver_with_honest_sums_is_refused(kind: str, made: dict[str, Path], tmp_path: Path) -> None:
    """Level, plan and claim changed, sums written anew: a step fails."""
    folder = made[kind]
    level = (folder / "level.xsb").read_text()
    plan = (folder / "plan.lurd").read_text()
    changes: list[tuple[str, bytes]] = [
        ("plan.lurd", plan.swapcase().encode()),
        ("plan.lurd", plan[1:].encode()),
        ("plan.lurd", (plan.strip()[:-1] + "\n").encode()),
        ("level.xsb", level.replace("$", " ", 1).encode()),
        ("level.xsb", level.replace(".", " ", 1).encode()),
        ("level.xsb", level.replace("@", " ").replace("+", ".").encode()),
    ]
    if kind == "refutation":
        cnf = (folder / "claim.cnf").read_text().splitlines(keepends=True)
        proof = (folder / "proof.lrat").read_text().splitlines(keepends=True)
        head = next(at for at, line in enumerate(cnf) if line[0] == "p")
        left_out = (head, head + 1, len(cnf) // 2, len(cnf) - 1)
        changes += [("claim.cnf", "".join(cnf[:at] + cnf[at + 1 :]).encode()) for at in left_out]
        changes += [("claim.cnf", "".join([*cnf, "1 0\n"]).encode()), ("proof.lrat", b"")]
        changes += [("proof.lrat", "".join(proof[:at]).encode()) for at in (1, len(proof) // 2)]
        empty = next(line for line in proof if line.split()[1] == "0")
        changes.append(("proof.lrat", empty.encode()))
    else:
        states, tables = (lzma.decompress((folder / name).read_bytes()) for name in ("states.xz", "tables.xz"))
        width = _width(folder)
        changes += [
            ("states.xz", lzma.compress(states[:at] + states[at + width :])) for at in (0, width, len(states) - width)
        ]
        changes += [("states.xz", lzma.compress(states + states[:width])), ("states.xz", lzma.compress(states[:-1]))]
        changes += [("states.xz", b"none"), ("tables.xz", lzma.compress(tables[:-2])), ("tables.xz", b"")]
        changes.append(("tables.xz", lzma.compress(b"\x05\x00" + tables[2:])))
    for number, (name, data) in enumerate(changes):
        other = _copy(folder, tmp_path / str(number))
        (other / name).write_bytes(data)
        resign(other)
        with pytest.raises(Refused):
            list(verify(other))


def _width(folder: Path) -> int:
    """Return the bytes of a listed state."""
    from sokoasp.proof import group_bounds, level_text

    field = level_text.read((folder / "level.xsb").read_text())
    row = json.loads((folder / "claim.json").read_text())
    bounds = group_bounds.build(field, row["prices"], row["groups"], lines=False)
    assert bounds is not None
    return (len(bounds.floor.floor_of) + 7) // 8 + 4


def test_claims_that_are_none(tmp_path: Path) -> None:
    level = levels("tutorial/first.xsb")[0]
    assert _made(level, tmp_path, "lines", "refutation").claim is not None
    good = (tmp_path / "claim.json").read_text()
    row = json.loads(good)
    for changed in (
        "",
        "[]",
        "{",
        good.replace("certificate 2", "certificate 9"),
        *(
            json.dumps({**row, **change})
            for change in (
                {"value": -1},
                {"value": True},
                {"value": 10**9},
                {"value": 0},
                {"objective": "slides"},
                {"game": "chess"},
                {"kind": "solved"},
                {"kind": "word"},
                {"prices": [1.5]},
                {"boxes": [[1]]},
                {"files": {}},
                {"other": 1},
                {"files": {**row["files"], "../x": "0"}},
            )
        ),
    ):
        (tmp_path / "claim.json").write_text(changed)
        with pytest.raises(Refused):
            list(verify(tmp_path))


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("precious")
    with pytest.raises(SokoaspError, match="other files"):
        _made(levels("tutorial/first.xsb")[0], tmp_path, "lines", "auto")
    assert (tmp_path / "mine.txt").read_text() == "precious"


def _alone(root: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", "-S", str(root / "docs" / "check_proof.py"), str(folder)]
    return subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)


@pytest.mark.parametrize(("objective", "kind"), [("lines", "refutation"), ("pushes", "states"), ("moves", "states")])
def test_the_standalone_checker(objective: str, kind: str, root: Path, tmp_path: Path) -> None:
    for number, (level, value, lurd) in enumerate(solvable(2, objective, 9)):
        folder = tmp_path / str(number)
        assert _made(level, folder, objective, kind, plan_from_lurd(level, lurd)).exit_code == 0
        done = _alone(root, folder)
        assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "valid"), done.stderr
        assert f"{value} {objective}" in done.stdout


@pytest.mark.parametrize("kind", ["states", "refutation"])
def test_the_standalone_checker_refuses(kind: str, root: Path, made: dict[str, Path], tmp_path: Path) -> None:
    folder = _copy(made[kind], tmp_path)
    assert _alone(root, folder).returncode == 0
    path = folder / ("states.xz" if kind == "states" else "proof.lrat")
    data = path.read_bytes()
    if kind == "states":
        path.write_bytes(lzma.compress(lzma.decompress(data)[: -_width(folder)]))
    else:
        path.write_bytes(b"".join(data.splitlines(keepends=True)[:-1]))
    assert _alone(root, folder).returncode == 30
    resign(folder)
    assert _alone(root, folder).returncode == 30


@pytest.mark.parametrize(
    ("name", "wrong"),
    [("level.xsb", "#%"), ("level.xsb", ""), ("plan.lurd", "x"), ("states.xz", "no xz"), ("claim.json", "{}")],
)
def test_the_standalone_checker_reads_no_rubbish(
    name: str, wrong: str, root: Path, made: dict[str, Path], tmp_path: Path
) -> None:
    folder = _copy(made["states"], tmp_path)
    path = folder / name
    path.write_text(path.read_text().replace(*wrong) if len(wrong) == 2 else wrong)
    if name != "claim.json":
        resign(folder)
    done = _alone(root, folder)
    assert (done.returncode, done.stderr) == (30, ""), done.stderr
    assert "INVALID" in done.stdout


@pytest.fixture
def outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put stand-ins for the checkers of others on the PATH; the real ones are asked the same way."""
    tools = tmp_path / "tools"
    tools.mkdir()
    script = (Path(__file__).parent / "outside_checker.py").read_text()
    for name in CHECKERS:
        (tools / name).write_text(f"#!{sys.executable}\n{script}")
        (tools / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:/usr/bin:/bin")
    return tools


@pytest.mark.parametrize("binary", [pytest.param(False, marks=pytest.mark.slow), True])
def test_checkers_of_others_are_asked_as_they_want_to_be(binary: bool, outside: Path, tmp_path: Path) -> None:
    level, _value, lurd = next(one for one in solvable(10, "lines", 6) if one[1] > 1)
    folder = tmp_path / "made"
    certify(level, folder, Request("lines", Limits(), plan_from_lurd(level, lurd), "refutation", binary=binary))
    reported = [passed.reported for passed in verify(folder, outside=True) if passed.name == "outside"]
    assert reported == [f"{name} accepts it" for name in CHECKERS]
    for name in CHECKERS[1:]:
        (outside / name).unlink()
    # what our own checker accepts and another does not is refused, by the other's name
    (outside / CHECKERS[0]).write_text("#!/bin/sh\necho 's NOT VERIFIED'\n")
    with pytest.raises(Refused, match=f"outside: {CHECKERS[0]}"):
        list(verify(folder, outside=True))
    (outside / CHECKERS[0]).unlink()
    assert "none of" in [passed.reported for passed in verify(folder, outside=True)][-1]


def test_a_list_of_states_is_nothing_for_the_checkers_of_others(made: dict[str, Path]) -> None:
    last = list(verify(made["states"], outside=True))[-1]
    assert (last.name, last.reported) == (
        "outside",
        "the checkers of others read formulas, and this certificate has none",
    )
