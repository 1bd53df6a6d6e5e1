"""Lemmas: every plan satisfies them, proofs with them are accepted, and tables that say too much are refused."""

from __future__ import annotations

import json
import lzma
import subprocess
import sys
from pathlib import Path

import pytest

from sokoasp.core.errors import EncodingError
from sokoasp.core.limits import Limits
from sokoasp.engine.proving import Request, certify
from sokoasp.proof import level_text
from sokoasp.proof.formulas import field_formula
from sokoasp.proof.refusals import Refused
from sokoasp.proof.trace import moves_trace, pushes_trace
from sokoasp.proof.verify import verify
from sokoasp.sokoban.rules import plan_from_lurd
from tests import native
from tests.proof.makers import boards, optimum, resign, satisfiable, solvable

np = pytest.importorskip("numpy")
native.needed()
pytest.importorskip("pysat")

from sokoasp.proof import group_bounds  # noqa: E402
from sokoasp.proof.lemmas import add_lemmas  # noqa: E402

EQUAL = {"lines": 9, "pushes": 12, "moves": 14}


def _levels(objective: str, count: int) -> list[tuple[object, int, str]]:
    found = solvable(3 * count, objective, EQUAL[objective])
    return [one for one in found if len(one[0].boxes) == len(one[0].goals) > 1][:count]


@pytest.mark.parametrize("objective", ["lines", "pushes", "moves"])
def test_the_least_bound_stays_the_same(objective: str) -> None:
    """With lemmas the formula holds at the optimum, of the plan we know too, and not below."""
    added = 0
    for level, value, lurd in _levels(objective, 5):
        field = level_text.read(level_text.write(level))
        bounds = group_bounds.build(field, (0,) * len(field.goals), 2, lines=objective == "lines")
        for spare in (0, 2):
            formula = field_formula(field, objective, value + spare)
            plain = len(formula.clauses)
            added += add_lemmas(formula, field, value + spare, bounds)
            more = () if objective == "moves" else (objective == "lines",)
            trace = (
                moves_trace
                if objective == "moves"
                else lambda *reported: pushes_trace(*reported[:3], lines=reported[3])
            )
            assert formula.broken(trace(field, lurd, value + spare, *more)) is None
            assert satisfiable(formula)
            assert not satisfiable(formula, (-formula.number["act", spare + 1],)), (level, plain)
    assert added > 100


@pytest.mark.parametrize("objective", ["lines", "pushes", "moves"])
def test_certificates_with_lemmas(objective: str, root: Path, tmp_path: Path) -> None:
    level, value, lurd = _levels(objective, 1)[0]
    made = certify(
        level, tmp_path, Request(objective, Limits(), plan_from_lurd(level, lurd), "refutation", lemmas=True)
    )
    assert (made.exit_code, made.value) == (0, value)
    assert [passed.name for passed in verify(tmp_path)] == [
        "claim",
        "level",
        "rules",
        "lemmas",
        "formula",
        "plan",
        "refutation",
    ]
    alone = [sys.executable, "-I", "-S", str(root / "docs" / "check_proof.py"), str(tmp_path)]
    assert subprocess.run(alone, capture_output=True, timeout=100, check=False).returncode == 0
    # planted faults: an entry too high, no tables named, others than the clauses were made of
    stored = np.frombuffer(lzma.decompress((tmp_path / "tables.xz").read_bytes()), dtype="<u2").copy()
    place = int(np.flatnonzero(stored < 30_000)[-1])
    for change in (1, -1):
        changed = stored.copy()
        changed[place] = max(0, int(changed[place]) + change)
        if (changed == stored).all():
            continue
        (tmp_path / "tables.xz").write_bytes(lzma.compress(changed.tobytes()))
        resign(tmp_path)
        if change > 0:
            with pytest.raises(Refused, match="inequality"):
                list(verify(tmp_path))
            assert subprocess.run(alone, capture_output=True, timeout=100, check=False).returncode == 30
    (tmp_path / "tables.xz").write_bytes(lzma.compress(stored.tobytes()))
    resign(tmp_path)
    claim = json.loads((tmp_path / "claim.json").read_text())
    for wrong in ({"groups": 0}, {"groups": 1}, {"groups": 3}, {"prices": [1] * len(claim["prices"])}, {"prices": []}):
        (tmp_path / "claim.json").write_text(json.dumps({**claim, **wrong}))
        with pytest.raises(Refused):
            list(verify(tmp_path))


def test_where_there_can_be_none(tmp_path: Path) -> None:
    wishes = {"kind": "refutation", "lemmas": True}
    with pytest.raises(EncodingError, match="no lemmas for klotski"):
        certify(boards()[0], tmp_path / "board", Request("units", **wishes))
    spare = next(one for one in solvable(60, "lines", 9) if len(one[0].boxes) != len(one[0].goals))
    with pytest.raises(EncodingError, match="as many goals"):
        certify(spare[0], tmp_path / "spare", Request("lines", known=plan_from_lurd(spare[0], spare[2]), **wishes))
    assert optimum(spare[0], "lines") is not None
