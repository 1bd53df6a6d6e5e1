"""The referee replays each plan of a run once, however many ask what it costs, and everybody reads his counts."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from sokoasp import Limits, engine, sat
from sokoasp.cli.files import Found
from sokoasp.cli.solve import _headline
from sokoasp.core.errors import WrongPlan
from sokoasp.core.result import Result, Status
from sokoasp.domain import sokoban
from sokoasp.sokoban import rules
from tests import native
from tests.instances import levels

LEVEL = levels("tutorial/tutorial.xsb")[1]


@pytest.fixture
def replays(monkeypatch: pytest.MonkeyPatch) -> Counter[Any]:
    """Count the referee's replays of each plan in this process."""
    seen: Counter[Any] = Counter()

    def validate(problem: Any, plan: Any, steps: int | None) -> Mapping[str, int]:
        seen[plan] += 1
        return sokoban.DOMAIN.validate(problem, plan, steps)

    changed = sokoban.DOMAIN._replace(validate=validate)
    for module in ("engine", "engine.checking", "engine.report"):  # who asks for the game
        monkeypatch.setattr(f"sokoasp.{module}.domain_of", lambda problem: changed)
    return seen


@pytest.mark.parametrize(
    "wishes",
    [
        {},
        {"engine": "asp", "cross_check": True},
        {"engine": "asp", "then": ("moves",)},
        {"engine": "asp", "models": 0},
        {"engine": "asp", "at_most": 9},
        {"engine": "reference"},
        {"engine": "portfolio"},
        pytest.param({"engine": "sat"}, marks=pytest.mark.skipif(not sat.available(), reason="python-sat is missing")),
        {"known": True},
        {"known": True, "engine": "reference"},
    ],
    ids=str,
)
def test_each_plan_is_replayed_once(wishes: dict[str, Any], replays: Counter[Any]) -> None:
    if "known" in wishes:
        best = engine.solve(LEVEL, engine="reference", cross_check=False).plan
        wishes = wishes | {"known": rules.plan_from_lurd(LEVEL, best.lurd)}
        replays.clear()
    found = engine.solve(LEVEL, limits=Limits(seconds=60), **wishes)
    assert found.plan is not None and found.plan in replays
    row = engine.as_json(LEVEL, found)
    _headline(Found("file", 1, LEVEL, sokoban.DOMAIN, "file", alone=True), found)
    assert set(replays.values()) == {1}, sorted(replays.values())
    true = sokoban.DOMAIN.validate(LEVEL, found.plan, None)
    assert found.counts == true and {name: row[name] for name in true} == true


def test_a_shortened_plan_is_replayed_once(replays: Counter[Any]) -> None:
    native.needed()
    found = engine.solve(LEVEL, engine="reference", cross_check=False)
    replays.clear()
    changed = engine.checking.domain_of(LEVEL)
    better = engine.improve(changed, LEVEL, found.plan, "moves", Limits(seconds=20))
    engine.as_json(LEVEL, better)
    assert set(replays.values()) == {1}
    assert better.counts == sokoban.DOMAIN.validate(LEVEL, better.plan, None)


def test_counts_of_an_engine_are_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = engine.solve(LEVEL, engine="reference", cross_check=False).plan
    lies = dict.fromkeys(sokoban.DOMAIN.objectives, 1)

    def liar(*_: Any) -> Result:
        return Result(Status.OPTIMAL, "lines", "reference", plan.lines, plan.lines, plan, counts=lies)

    monkeypatch.setitem(sokoban.DOMAIN.search.native, "reference", liar)  # type: ignore[attr-defined]
    found = engine.solve(LEVEL, engine="reference")
    assert found.counts == sokoban.DOMAIN.validate(LEVEL, plan, None) != lies
    monkeypatch.setitem(  # type: ignore[attr-defined]
        sokoban.DOMAIN.search.native, "reference", lambda *_: replace(liar(), value=plan.lines + 1)
    )
    with pytest.raises(WrongPlan, match="the referee counts"):
        engine.solve(LEVEL, engine="reference")


def test_a_result_that_no_referee_has_seen_is_replayed(replays: Counter[Any]) -> None:
    found = engine.solve(LEVEL, engine="reference", cross_check=False)
    replays.clear()
    assert engine.counts_of(LEVEL, replace(found, counts={})) == found.counts
    assert replays == {found.plan: 1}
    assert engine.counts_of(LEVEL, replace(found, counts={}, plan=None)) == {}
