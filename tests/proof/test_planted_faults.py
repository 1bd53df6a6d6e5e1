"""Faults planted in what makes certificates (formula, table, search, solver): check-proof refuses each."""

from __future__ import annotations

import lzma
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sokoasp.core.errors import SokoaspError
from sokoasp.core.limits import Limits
from sokoasp.engine import proving
from sokoasp.engine.proving import Request, certify
from sokoasp.proof import folder as folders
from sokoasp.proof import games, level_text, pushes_formula
from sokoasp.proof.cnf import Formula
from sokoasp.proof.refusals import Cheaper, Refused
from sokoasp.proof.verify import verify
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.rules import plan_from_lurd
from tests import native
from tests.proof.makers import optimum, resign, solvable, unsolvable

np = pytest.importorskip("numpy")
native.needed()
pytest.importorskip("pysat")

from sokoasp.proof import closed, group_bounds  # noqa: E402


def _level(objective: str, at_least: int) -> tuple[Level, int, str]:
    return next(one for one in solvable(40, objective, 12) if one[1] >= at_least)


def _certify(level: Level, lurd: str, folder: Path, objective: str, kind: str) -> None:
    made = certify(level, folder, Request(objective, Limits(), plan_from_lurd(level, lurd), kind))
    assert made.claim is not None


def _refused(folder: Path, step: str) -> None:
    with pytest.raises(Refused, match=step):
        list(verify(folder))


def test_a_formula_of_the_maker_that_is_not_the_checker_s(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The maker forbids the last way to solve the level, so that too short a plan is refuted easily."""
    level, _value, lurd = _level("lines", 4)
    game = games.load("sokoban")

    def with_fault(problem: Any, objective: str, horizon: int) -> Formula:
        formula = game.formula(problem, objective, horizon)
        formula.add(-formula.number["act", 1])
        return formula

    with monkeypatch.context() as fault:
        fault.setattr(proving.Maker, "game", replace(game, formula=with_fault))
        _certify(level, lurd, tmp_path, "lines", "refutation")
    _refused(tmp_path, "formula")


FORBIDDEN = {"_boxes": "from", "_walk": "walk", "_stands": "left"}
"""Function of the formula → family whose variables it rules out: no push at all, no walk, the player left nowhere."""


@pytest.mark.parametrize("place", FORBIDDEN)
def test_a_formula_false_by_mistake_in_maker_and_checker_alike(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both write the same wrong clauses, which any solver refutes: the plan as an assignment tells."""
    level, value, lurd = next(one for one in solvable(40, "lines", 12) if one[1] >= 3 and "l" in one[2])
    honest = getattr(pushes_formula, place)

    def with_fault(f: Formula, field: Any, a: int, *more: Any) -> None:
        honest(f, field, a, *more)
        for key, variable in list(f.number.items()):
            if key[0] == FORBIDDEN[place] and key[1] in (a - 1, a):
                f.add(-variable)

    monkeypatch.setattr(pushes_formula, place, with_fault)
    _folder_with(tmp_path, level, lurd, value)
    _refused(tmp_path, "plan: it does not satisfy")


def _folder_with(folder: Path, level: Level, lurd: str, value: int) -> None:
    """Write the certificate a maker with the faulty formula would write; the proof does not matter, step 3 comes first."""
    field = level_text.read(level_text.write(level))
    formula = games.load("sokoban").formula(field, "lines", value)
    (folder / "level.xsb").write_text(level_text.write(level))
    (folder / "plan.lurd").write_text(lurd + "\n")
    with (folder / "claim.cnf").open("w", newline="") as out:
        out.writelines(formula.dimacs((-formula.number["act", 1],)))
    (folder / "proof.lrat").write_text("1 0 1 0\n")
    folders.write_claim(folder, folders.ClaimFile("sokoban", "lines", value, "refutation"))


def test_a_table_with_an_entry_too_high(tmp_path: Path) -> None:
    """One entry of the stored tables is raised by one, sums written anew."""
    level, _value, lurd = _level("pushes", 6)
    _certify(level, lurd, tmp_path, "pushes", "states")
    stored = np.frombuffer(lzma.decompress((tmp_path / "tables.xz").read_bytes()), dtype="<u2")
    for place in (i for i in range(len(stored)) if stored[i] < 30_000):
        raised = stored.copy()
        raised[place] += 1
        (tmp_path / "tables.xz").write_bytes(lzma.compress(raised.tobytes()))
        resign(tmp_path)
        _refused(tmp_path, "inequality")


def test_a_maker_whose_tables_overestimate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The maker believes in tables whose single entries are one too high, and writes what follows from them."""
    honest = group_bounds.build

    def with_fault(*reported: Any, **more: Any) -> Any:
        bounds = honest(*reported, **more)
        if "stored" not in more and bounds is not None:
            low = bounds.singles < 30_000
            bounds.singles[low] += 1
        return bounds

    refused = 0
    for number, (level, _value, lurd) in enumerate(solvable(4, "pushes", 14)):
        folder = tmp_path / str(number)
        with monkeypatch.context() as patch:
            patch.setattr(group_bounds, "build", with_fault)
            _certify(level, lurd, folder, "pushes", "states")
        with pytest.raises(Refused):
            list(verify(folder))
        refused += 1
    assert refused == 4


def test_a_search_that_forgets_states(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The list's maker drops its last state as a pruning with a fault would."""
    honest = closed.ClosedList.make

    def with_fault(self: Any, *given: Any) -> str | None:
        stopped = honest(self, *given)
        if self.count > 1:
            self.p[self.closed.P.COUNT] -= 1
        return stopped

    monkeypatch.setattr(closed.ClosedList, "make", with_fault)
    dropped = 0
    for number, (level, _value, lurd) in enumerate(solvable(6, "moves", 14)):
        folder = tmp_path / str(number)
        _certify(level, lurd, folder, "moves", "states")
        if "bound of the start" in (folder / "claim.json").read_text():
            continue
        with pytest.raises(Refused):
            list(verify(folder))
        dropped += 1
    assert dropped >= 3


def test_a_search_that_takes_a_level_for_unsolvable(tmp_path: Path) -> None:
    """The claim that there is no plan, made of a level that has one: making fails, and a list that claims it is refused."""
    level, value, _lurd = _level("pushes", 4)
    field = level_text.read(level_text.write(level))
    listed = closed.ClosedList(closed.Claim(field, "pushes", None, field.boxes, (0,) * len(field.goals), 0), None)
    with pytest.raises(Cheaper):
        listed.make(lambda states, left: None)
    dead = next(iter(unsolvable(1)))
    made = certify(dead, tmp_path, Request("pushes"))
    assert made.claim is not None
    (tmp_path / "level.xsb").write_text(level_text.write(level))
    resign(tmp_path)
    with pytest.raises(SokoaspError):
        list(verify(tmp_path))
    assert value >= 4


def test_a_search_whose_plan_is_not_best(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted fault in the native search: it calls a detour optimal. No certificate comes of it."""

    from sokoasp.core.result import Result, Status

    level, value, lurd = next(one for one in solvable(30, "moves", 14) if one[2][0].islower())
    back = {"l": "r", "r": "l", "u": "d", "d": "u"}
    longer = plan_from_lurd(level, lurd[0] + back[lurd[0]] + lurd)
    domain = proving.domain_of(level)
    native = {
        "native": lambda *_: Result(Status.OPTIMAL, "moves", "native", value + 2, value + 2, longer, proof="a fault")
    }
    monkeypatch.setattr(proving, "domain_of", lambda problem: replace(domain, native=native))
    for kind in ("states", "refutation"):
        with pytest.raises(SokoaspError, match="not best"):
            certify(level, tmp_path / kind, Request("moves", kind=kind))
    assert optimum(level, "moves") == (value, lurd)


def _lines(folder: Path) -> Iterator[int]:
    proof = (folder / "proof.lrat").read_bytes().splitlines()
    yield from (n for n, line in enumerate(proof) if line.split()[1:2] not in ([b"d"], []))


@pytest.mark.parametrize("fault", ["hint", "literal", "last"])
def test_a_solver_that_derives_what_does_not_follow(fault: str, tmp_path: Path) -> None:
    """Every added clause in turn loses its hints, or a literal; or the empty clause is claimed too soon."""
    level, _value, lurd = _level("lines", 4)
    _certify(level, lurd, tmp_path, "lines", "refutation")
    proof = (tmp_path / "proof.lrat").read_bytes().splitlines()
    places = list(_lines(tmp_path))
    if fault == "last":
        places = places[:1]
    refused = tried = 0
    for place in places[:: max(1, len(places) // 12)]:
        words = proof[place].split()
        end = words.index(b"0", 1)
        if fault == "hint":
            words = [*words[: end + 1], words[-2], b"0"]
        elif fault == "literal" and end > 1:
            words = [words[0], *words[2:]]
        elif fault == "last":
            words = [words[0], *words[end:]]
        changed = [*proof[:place], b" ".join(words), *proof[place + 1 :]]
        if fault == "last":
            changed = changed[: place + 1]
        (tmp_path / "proof.lrat").write_bytes(b"\n".join(changed) + b"\n")
        resign(tmp_path)
        tried += 1
        try:
            list(verify(tmp_path))
        except Refused:
            refused += 1
    # a clause of one hint keeps it, and a stronger clause may follow as well: most do not
    assert refused >= max(1, tried // 2)
