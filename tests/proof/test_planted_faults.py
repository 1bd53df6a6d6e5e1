"""Faults planted in what makes certificates (table, search): check-proof refuses each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sokoasp.core.errors import SokoaspError
from sokoasp.core.limits import Limits
from sokoasp.engine import proving
from sokoasp.engine.proving import Request, certify
from sokoasp.proof.refusals import Refused
from sokoasp.proof.verify import verify
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.rules import plan_from_lurd
from tests import native
from tests.proof.makers import optimum, solvable

np = pytest.importorskip("numpy")
native.needed()

from sokoasp.proof import group_bounds  # noqa: E402


def _certify(level: Level, lurd: str, folder: Path, objective: str) -> None:
    made = certify(level, folder, Request(objective, Limits(), plan_from_lurd(level, lurd)))
    assert made.claim is not None


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
            _certify(level, lurd, folder, "pushes")
        with pytest.raises(Refused):
            list(verify(folder))
        refused += 1
    assert refused == 4


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
    monkeypatch.setattr(
        proving, "domain_of", lambda problem: domain._replace(search=domain.search._replace(native=native))
    )
    with pytest.raises(SokoaspError, match="not best"):
        certify(level, tmp_path, Request("moves"))
    assert optimum(level, "moves") == (value, lurd)
