"""Certificates of every kind made and checked end to end, and every kind of tampering refused."""

import json
import lzma
import random
import shutil
from pathlib import Path
from typing import Any

import pytest

from sokoasp.core.errors import IllegalPlan, SokoaspError
from sokoasp.core.limits import Limits
from sokoasp.core.result import Result, Status
from sokoasp.domain.sokoban import DOMAIN
from sokoasp.engine import certificates
from sokoasp.engine.certificates import certify_result, make_certificate
from sokoasp.engine.proving import Made, Request, certify
from sokoasp.proof import folder as folders
from sokoasp.proof.refusals import Refused
from sokoasp.proof.verify import verify
from sokoasp.sokoban import formats
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.rules import plan_from_lurd
from tests import instances
from tests.instances import levels
from tests.levels import DETOUR
from tests.proof.forging import says
from tests.proof.makers import resign, rest_on_patterns, solvable, unsolvable


def _made(problem: Level, folder: Path, objective: str, plan: Any = None) -> Made:
    return certify(problem, folder, Request(objective, Limits(), plan))


def _steps(folder: Path) -> list[str]:
    return [passed.name for passed in verify(folder)]


@pytest.mark.parametrize("objective", ["lines", "pushes", "moves"])
def test_sokoban(objective: str, tmp_path: Path) -> None:
    for number, (level, value, lurd) in enumerate(solvable(4, objective, 9)):
        made = _made(level, tmp_path / str(number), objective, plan_from_lurd(level, lurd))
        assert (made.exit_code, made.value) == (0, value)
        steps = _steps(tmp_path / str(number))
        assert steps[:3] == ["claim", "level", "rules"]
        assert steps[-1] == "states"


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (Result(Status.UNSOLVABLE, "pushes", "given"), "shows 2 pushes, not that there is no plan"),
        (Result(Status.OPTIMAL, "pushes", "given", value=3), "shows 2 pushes, not 3 pushes"),
    ],
)
def test_a_certificate_of_another_value_is_none_of_the_answer(answer: Result, said: str, tmp_path: Path) -> None:
    with pytest.raises(Refused, match=said):
        certify_result(instances.level("######\n#@$ .#\n######"), answer, tmp_path / "made", Limits())


def test_a_certificate_of_another_level_is_none_of_the_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = instances.level("#######\n#@ $ .#\n#######")
    monkeypatch.setattr(certificates, "certify", lambda _, folder, request: certify(other, folder, request))
    asked = Request("pushes", Limits())
    assert make_certificate(other, tmp_path / "own", asked).verdict == "accepted"
    with pytest.raises(Refused, match="which is not the level asked for"):
        make_certificate(instances.level("######\n#@$ .#\n######"), tmp_path / "made", asked)


def test_unsolvable(tmp_path: Path) -> None:
    for number, level in enumerate((*levels("unsolvable/unsolvable.xsb"), *unsolvable(3))):
        made = _made(level, tmp_path / str(number), "pushes")
        assert (made.exit_code, made.value) == (11, None)
        assert _steps(tmp_path / str(number))[-1] == "states"


def test_the_bound_of_the_start_alone(tmp_path: Path) -> None:
    """Where the tables' bound is the value no state is listed, and the folder says so."""
    alone = 0
    for number, (level, _value, lurd) in enumerate(solvable(6, "pushes", 9)):
        _made(level, tmp_path / str(number), "pushes", plan_from_lurd(level, lurd))
        reported = [passed.reported for passed in verify(tmp_path / str(number))][-1]
        empty = not lzma.decompress((tmp_path / str(number) / "states.xz").read_bytes())
        assert empty == ("no state need be listed" in reported)
        alone += empty
    assert 0 < alone < 6


def test_deadlocks_name_the_boxes(tmp_path: Path) -> None:
    named = 0
    for name in ("block", "corner", "corner-pair", "wall", "region", "doorway"):
        for number, level in enumerate(levels(f"deadlocks/{name}.xsb")[:2]):
            made = _made(level, tmp_path / f"{name}{number}", "pushes")
            if made.claim is None or made.claim.value is not None:
                continue
            assert _steps(tmp_path / f"{name}{number}")[-1] == "states"
            named += bool(made.claim.boxes)
    assert named >= 1


def test_solved_at_the_start(tmp_path: Path) -> None:
    level = levels("tutorial/tutorial.xsb")[9]
    assert _made(level, tmp_path, "lines").value == 0
    assert _steps(tmp_path)[-1] == "goal"


@pytest.mark.parametrize("given", [True, False])
def test_a_plan_that_is_not_best_is_no_certificate(
    given: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody gives it or, a planted fault, the native search calls it optimal."""
    level, value, lurd = next(one for one in solvable(30, "moves", 14) if one[2][0].islower())
    back = {"l": "r", "r": "l", "u": "d", "d": "u"}[lurd[0]]
    longer = plan_from_lurd(level, lurd[0] + back + lurd)
    lie = Result(Status.OPTIMAL, "moves", "native", value + 2, value + 2, longer, proof="a fault")
    monkeypatch.setitem(DOMAIN.search.native, "native", lambda *_: lie)  # type: ignore[attr-defined]
    with pytest.raises(IllegalPlan if given else SokoaspError, match="not best"):
        _made(level, tmp_path, "moves", longer if given else None)


@pytest.mark.parametrize(("status", "code"), [(Status.TIME_OUT, 20), (Status.MEMORY_OUT, 21)])
def test_without_a_plan_it_says_which_limit_came_first(
    status: Status, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = Result(status, "pushes", "native", stopped_by=str(status).split("_")[0])
    monkeypatch.setitem(DOMAIN.search.native, "native", lambda *_: ended)  # type: ignore[attr-defined]
    made = certify(levels("tutorial/first.xsb")[0], tmp_path, Request("pushes"))
    assert (made.claim, made.stopped_by, made.exit_code) == (None, str(status).split("_")[0], code)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate with tables and a list."""
    level, _value, lurd = next(one for one in solvable(30, "moves", 14) if one[1] > 9)
    folder = tmp_path_factory.mktemp("made")
    assert _made(level, folder, "moves", plan_from_lurd(level, lurd)).exit_code == 0
    return folder


@pytest.mark.parametrize("name", ["level.xsb", "plan.lurd", "tables.xz", "states.xz"])
def test_every_byte_is_covered_by_its_sum(name: str, made: Path, tmp_path: Path) -> None:
    """Without new sums any change, truncation or addition is refused."""
    folder = shutil.copytree(made, tmp_path / "copy")
    data = (folder / name).read_bytes()
    rng = random.Random(name)
    for at in [rng.randrange(len(data)) for _ in range(4)]:
        for changed in (data[:at], data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]):
            (folder / name).write_bytes(changed)
            with pytest.raises(Refused):
                list(verify(folder))
    (folder / name).unlink()
    with pytest.raises(Refused):
        list(verify(folder))


@pytest.mark.parametrize("form", [2, 3, 4, 5, 6])
def test_what_is_no_claim(form: int, tmp_path: Path) -> None:
    """Of each format an honest claim, and changes that no checker accepts."""
    level = formats.read(DETOUR.strip("\n") + "\n")[0]
    assert certify(level, tmp_path, Request(folders.TIES if form == 5 else "pushes")).claim is not None
    if form in (3, 4, 6):
        assert rest_on_patterns(tmp_path, random.Random(0), 1, corrals=form > 3, walls=form == 6)
    path = tmp_path / "claim.json"
    honest = json.loads(path.read_text())
    assert honest["format"] == f"{folders.FORMAT} {form}" and says(tmp_path) is None
    value, files = honest["value"], honest["files"]
    pushes, moves = value if form == 5 else (value, 9)
    values = [-1, True, 10**9, 0, None, "7", [pushes], [pushes, moves, 0], [pushes, True], [pushes, 60_001], [0, moves]]
    changes: list[dict[str, Any]] = [
        *({"format": f"{folders.FORMAT} {number}"} for number in range(1, 8) if number != form),
        *({"value": one} for one in (*values, pushes if form == 5 else [pushes, moves])),
        *({"objective": one} for one in ("moves", "slides", "moves+pushes", "pushes" if form == 5 else folders.TIES)),
        *({"game": one} for one in ("chess", "klotski")),
        *({"kind": one} for one in ("solved", "word", "refutation")),
        *(
            {"files": one}
            for one in ({}, {**files, "../x": "0"}, {name: sum_ for name, sum_ in files.items() if name < "s"})
        ),
        {"value": [0, 0], "kind": "solved"},
        {"objective": "pushes", "value": pushes + 1},
        {"groups": 0, "prices": []},
        {"prices": [1.5]},
        {"boxes": [[1]]},
        {"version": "an escaped \u2028"},
        {"other": 1},
    ]
    for change in changes:
        path.write_text(json.dumps({**honest, **change}))
        assert says(tmp_path) is not None, change
    path.write_text(json.dumps({**honest, "format": "sokoasp certificate 1"}))
    assert "certify the level again" in str(says(tmp_path))


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("precious")
    with pytest.raises(SokoaspError, match="other files"):
        _made(levels("tutorial/first.xsb")[0], tmp_path, "lines")
    assert (tmp_path / "mine.txt").read_text() == "precious"


def test_a_floor_too_large_to_be_checked_is_one_sentence(tmp_path: Path) -> None:
    """Nine million cells, as a stranger may send them: refused by the size of the text, before a cell is looked at."""
    level, _value, _lurd = next(solvable(1, "pushes", 9))
    _made(level, tmp_path, "pushes")
    wide = "#" * 3000 + "\n"
    (tmp_path / "level.xsb").write_text(wide + "#@$." + " " * 2995 + "#\n" + ("#" + " " * 2998 + "#\n") * 2997 + wide)
    resign(tmp_path)
    with pytest.raises(Refused, match="9,003,000 signs, more than the 1,048,576 that are read"):
        _steps(tmp_path)
