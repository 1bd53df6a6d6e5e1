from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from sokoasp.bench.define.systems import System, system_of
from sokoasp.bench.run.external import settles
from sokoasp.bench.run.job_child import answer
from sokoasp.core.result import Result
from sokoasp.domain.sokoban import DOMAIN
from sokoasp.sokoban.facts import read
from sokoasp.sokoban.formats import level_from_rows
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.search.exact import reference
from tests.instances import written

from . import programs
from .conftest import PUSH_ONE, TWO_LINES
from .conftest import job as any_job

job = partial(any_job, memory_mb=1e6)
"""A job without a memory limit: answered inside pytest's own process, whose size is not the run's."""


@pytest.mark.parametrize(
    "system", [system_of("asp", "encoding", encoding="lines"), system_of("plain", "native", engine="reference")]
)
def test_our_systems_answer_with_a_refereed_plan(system: System) -> None:
    found = answer(job(system, TWO_LINES))
    assert (found.status, found.value, found.lower_bound, found.decided) == ("optimal", 2, 2, True)
    assert found.plan and found.plan.upper().count("D") >= 1
    assert found.seconds["total"] > 0
    if system.kind == "encoding":
        assert found.encoding == "lines" and found.counters["atoms"] > 0 and found.steps[-1][1] == "sat"


def test_an_encoding_with_illegal_plans_is_flagged(tmp_path: Path) -> None:
    """Of a level without a plan: pushes through walls would solve it."""
    unsolvable = level_from_rows(["#####", "# ####", "# $ .#", "# *@##", "#####"])
    path = written(tmp_path, programs.through_walls(), "wrong.lp")
    system = system_of("wrong", "encoding", encoding=str(path))
    found = answer(job(system, unsolvable, seconds=60))
    assert found.status == "wrong_plan" and "cannot reach c" in found.message and not found.decided


def test_shown_atoms_that_are_no_plan_are_a_wrong_plan(tmp_path: Path) -> None:
    path = written(tmp_path, "push(nowhere,right,nowhere,S) :- step(S).\n#show push/4.\n", "nonsense.lp")
    found = answer(job(system_of("nonsense", "encoding", encoding=str(path), steps=2)))
    assert found.status == "wrong_plan" and "not a plan" in found.message


def test_a_miscounted_plan_is_a_wrong_claim(monkeypatch: pytest.MonkeyPatch) -> None:
    def boasts(level: Level, objective: str, *rest: object) -> Result:
        return replace(reference.solve(level, objective), value=1)

    monkeypatch.setitem(DOMAIN.search.native, "reference", boasts)  # type: ignore[attr-defined]
    found = answer(job(system_of("boaster", "native", engine="reference"), TWO_LINES))
    assert (found.status, found.message) == ("wrong_claim", "engine 'reference' claims 1 line, the referee counts 2")


def test_a_native_engine_with_an_illegal_plan_is_flagged(monkeypatch: pytest.MonkeyPatch) -> None:
    def jumps(level: Level, objective: str, *rest: object) -> Result:
        honest = reference.solve(level, objective)
        return replace(honest, plan=honest.plan._replace(lurd="U" + honest.plan.lurd))

    monkeypatch.setitem(DOMAIN.search.native, "reference", jumps)  # type: ignore[attr-defined]
    found = answer(job(system_of("jumper", "native", engine="reference"), TWO_LINES))
    assert found.status == "wrong_plan" and "illegal plan" in found.message


def test_a_time_limit_ends_a_run_softly(tmp_path: Path) -> None:
    path = written(tmp_path, programs.ENDLESS, "endless.lp")
    found = answer(job(system_of("asp", "encoding", encoding=str(path)), TWO_LINES, seconds=0.5))
    assert (found.status, found.stopped_by, found.decided) == ("time_out", "time", False)


def test_the_bound_proved_under_constraints_is_kept(tmp_path: Path) -> None:
    path = written(tmp_path, "#program check(t).\n:- query(t).\n", "never.lp")
    own = system_of("own", "encoding", encoding="lines", constraints=(str(path),), question="never.lp (0)")
    found = answer(job(own, TWO_LINES, seconds=1))
    assert found.status == "time_out"
    assert found.lower_bound == 1 + max(t for t, said, *_ in found.steps if said == "unsat")


def test_steps_of_the_instance_or_of_the_system_are_the_question() -> None:
    facts = "right(a,b). right(b,c). top(c,c2). box(b). solution(c). sokoban(a). step(1..2). next(1,2)."
    level = read(facts)
    exact = system_of("exact", "encoding", encoding="competition", steps="own")
    assert (answer(job(exact, level)).status, answer(job(exact, level)).decided) == ("solved", True)
    asked = system_of("asked", "encoding", encoding="competition", steps=2)
    assert (answer(job(asked, PUSH_ONE)).status, answer(job(asked, PUSH_ONE)).decided) == ("solved", True)
    far = system_of("far", "encoding", encoding="competition", steps=4)
    none = answer(job(far, PUSH_ONE))
    assert (none.status, none.decided, none.counters["bound"]) == ("no_plan", True, 3)
    assert settles(job(far, PUSH_ONE), "solved", 3) and not settles(job(far, PUSH_ONE), "solved", 1), "a shorter plan"
    assert not settles(job(system_of("x", "encoding", steps=4, fewest=True), PUSH_ONE), "solved", 3), "not proved best"
    assert asked.digest != "a00b4bad74d4f56c", "of when a plan for a number of steps was undecided"
