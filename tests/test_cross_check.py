"""Where a second engine is said to agree: a planted disagreement turns each such sentence red."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sokoasp import Limits, Status, solve
from sokoasp.core.result import CrossCheck, Result
from sokoasp.domain import domain_of
from sokoasp.engine import Task, checking
from sokoasp.sokoban.level import Level
from tests.commands import run as run_command
from tests.instances import ROOM, level, levels, written
from tests.test_wrong_programs import PUSH, complete_program

SHORT = level("""
    #####
    #@$.#
    #####
""")
"""One push, and after it none that keeps the box on its goal."""
STUCK = level("""
    ######
    #@$ .#
    #$  .#
    ######
""")
NO_UP = "#program step(t).\n:- push(_,up,_,t).\n"
NO_PUSH = "#program step(t).\n:- push(_,_,_,t).\n"


def checked(problem: Level, second: Callable[[Result], Result], **wishes: Any) -> CrossCheck:
    """Return what comes of comparing a true answer with the second engine's, changed by ``second``."""
    domain, task = domain_of(problem), Task(objective="lines", **wishes)
    domain = domain._replace(
        search=domain.search._replace(second=lambda *given: second(domain_of(problem).search.second(*given)))
    )
    task = replace(task, cross_check=False)
    answer = solve(problem, task)
    found = checking.cross_check(domain, problem, replace(task, cross_check=None), answer, Limits().start())
    assert found is not None
    return found


def value(other: int | None) -> Callable[[Result], Result]:
    """Return what gives a second answer another value."""
    status = Status.UNSOLVABLE if other is None else Status.OPTIMAL
    return lambda second: replace(second, status=status, value=other, plan=None)


def true(second: Result) -> Result:
    """Leave the second answer as it is."""
    return second


def under(text: str, wishes: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Return wishes with a text as constraints, if there is one."""
    return {**wishes, "constraints": (written(folder, text),)} if text else wishes


@pytest.mark.parametrize(
    ("problem", "wishes", "text", "lies"),
    [
        pytest.param(ROOM, {}, "", [1, 3, None], id="optimum"),
        pytest.param(ROOM, {"models": 0}, "", [1, 3, None], id="all plans"),
        pytest.param(STUCK, {}, "", [1, 9], id="unsolvable"),
        pytest.param(ROOM, {"at_most": 1}, "", [0, 1], id="none of at most one"),
        pytest.param(ROOM, {"at_most": 3}, "", [1, 3, None], id="best of at most three"),
        pytest.param(ROOM, {"steps": 2}, "", [1], id="none of exactly one"),
        pytest.param(ROOM, {"steps": 3}, "", [3, None], id="one of exactly two"),
        pytest.param(ROOM, {}, NO_UP, [3, None], id="the optimum, also under a constraint"),
        pytest.param(STUCK, {}, NO_UP, [], id="unsolvable, also under a constraint"),
    ],
)
def test_what_is_said_to_agree_could_have_disagreed(
    problem: Level, wishes: dict[str, Any], text: str, lies: list[int | None], tmp_path: Path
) -> None:
    wishes = under(text, wishes, tmp_path)
    assert checked(problem, true, **wishes).agrees is True
    for lie in lies:
        assert checked(problem, value(lie), **wishes).agrees is False, lie


@pytest.mark.parametrize(
    ("problem", "wishes", "text", "said"),
    [
        (ROOM, {"at_most": 3}, NO_PUSH, "asked without the constraints"),
        (ROOM, {"steps": 5}, "", "a plan of exactly 4 was asked for"),
    ],
)
def test_what_an_optimum_says_nothing_of_is_not_comparable(
    problem: Level, wishes: dict[str, Any], text: str, said: str, tmp_path: Path
) -> None:
    found = checked(problem, true, **under(text, wishes, tmp_path))
    assert (found.agrees, found.note) == (None, f"not comparable: {said}")


def test_no_plan_of_exactly_so_many_is_asked_of_another_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """The optimum, one line, says nothing of exactly three."""
    found = checked(SHORT, true, steps=4)
    assert (found.engine, found.agrees, found.note) == ("encoding lines-forward", True, "asked for exactly 3")
    real = checking.by_asp
    lying = lambda *given: replace(real(*given), status=Status.SOLVED, value=3)  # noqa: E731
    monkeypatch.setattr(checking, "by_asp", lying)
    assert checked(SHORT, true, steps=4).agrees is False


def test_a_bound_beyond_the_optimum_is_a_disagreement() -> None:
    stopped = replace(solve(ROOM, cross_check=False), status=Status.SOLVED, lower_bound=2)
    domain = domain_of(ROOM)
    domain = domain._replace(search=domain.search._replace(second=lambda *given: value(1)(solve(ROOM))))
    found = checking.cross_check(domain, ROOM, Task(), stopped, Limits().start())
    assert found is not None and found.agrees is False


def test_the_command_says_so() -> None:
    done = run_command("solve", "-", "--steps", "4", stdin="\n".join(SHORT.rows()))
    assert "agrees (asked for exactly 3)" in done.stdout and done.returncode == 12


def test_a_shorter_plan_than_was_asked_for_is_not_confirmed(tmp_path: Path) -> None:
    """A program that may idle answers for at most so many actions."""
    idle = (
        "{ push(B,D,M,t) : can(B,D,M,t) } 1.\nmoved(t) :- push(_,_,_,t).\nplayer(L,t) :- player(L,t-1), not moved(t).\n"
    )
    (tmp_path / "idle.lp").write_text(complete_program().replace(PUSH, idle))
    found = solve(SHORT, steps=4, encoding=str(tmp_path / "idle.lp"))
    assert found.question is not None and (found.question.answer, found.question.exactly) == ("yes", False)
    assert found.cross_check is not None and found.cross_check.agrees is None
    assert "the plan has 1 line, and the question was about 3" in found.cross_check.note
    first = level("######\n#@$ .#\n######")
    several = solve(first, steps=3, encoding=str(tmp_path / "idle.lp"), models=0)
    assert {len(plan.actions) for plan in several.plans} == {1, 2}
    for way, status in (("up", Status.SOLVED), ("right", Status.NO_PLAN)):
        (tmp_path / "way.lp").write_text(f":- push(_,{way},_,_).")
        assert solve(first, steps=3, encoding="competition", constraints=(tmp_path / "way.lp",)).status is status


@pytest.mark.parametrize("objective", ["minimize", "maximize"])
def test_what_a_program_of_ones_own_minimises_counts_like_a_preference(tmp_path: Path, objective: str) -> None:
    wish = f"\n#program step(t).\n#{objective} {{ 1,t : push(_,up,_,t) }}.\n"
    (tmp_path / "plain.lp").write_text(complete_program())
    (tmp_path / "mine.lp").write_text(complete_program() + wish)
    (tmp_path / "wish.lp").write_text(wish)
    problem = levels("tutorial/tutorial.xsb")[8]
    mine = solve(problem, encoding=str(tmp_path / "mine.lp"), count=True)
    apart = solve(problem, encoding=str(tmp_path / "plain.lp"), constraints=(tmp_path / "wish.lp",), count=True)
    assert mine.cost == apart.cost is not None and mine.count == apart.count > 1


def test_facts_that_ask_are_answered_by_a_program_of_steps() -> None:
    found = solve(replace(SHORT, steps=4), encoding="competition")
    assert found.question is not None and (found.question.actions, found.question.answer) == (3, "no")
