"""Programs that take turns: who decides, what is shared, that it is the same every time, and what nothing is paid for."""

from collections.abc import Callable
from pathlib import Path

import pytest

from sokoasp import solve
from sokoasp.asp import multishot
from sokoasp.asp.catalogue import Encoding, encodings
from sokoasp.asp.multishot import ClingoOptions, Sweep
from sokoasp.core.errors import WrongEncoding
from sokoasp.core.limits import Limits
from sokoasp.core.result import Horizon, Status, Step
from sokoasp.domain import sokoban
from sokoasp.sokoban import formats
from sokoasp.sokoban.level import Level
from tests.levels import scrambled_level

EASY = """
#program step(t).
take(t).
#program check(t).
#external query(t).
:- query(t), goal(N), N > t.
#show take/1.
"""
# one pigeon more than holes: hopeless, however long one waits
HARD = """
#program check(t).
#external query(t).
{ in(P,H,t) : H = 1..t + 29 } = 1 :- P = 1..t + 30.
:- in(P,H,t), in(Q,H,t), P < Q, query(t).
"""
ROOMS = scrambled_level(49, width=7, height=6, boxes=4, pulls=60)
"""Two of its bounds are refuted, each by another program if turns are short."""
SUBSETS = "#program step(t).\n{ take(t;t+10;t+20) }.\n#program check(t).\n#external query(t).\n:- query(t), t < 2.\n#show take/1."


def program(tmp_path: Path, name: str, text: str) -> Encoding:
    path = tmp_path / f"{name}.lp"
    path.write_text(text)
    return Encoding(name, "none", "steps", "incremental", (path,), "take/1", "", "")


def entry(
    tmp_path: Path, name: str, text: str, facts: str | Callable[[], str] = "goal(3).", **options: object
) -> multishot.Entry:
    return multishot.Entry(program(tmp_path, name, text), facts, ClingoOptions(**options))  # type: ignore[arg-type]


def run(*entries: multishot.Entry, bounds: Horizon | None = None, turn: int = 50) -> multishot.Finish:
    return multishot.run(entries, bounds=bounds or Horizon(1), clock=Limits(seconds=60).start(), turn=turn)


def test_a_hopeless_program_costs_its_turn_only(tmp_path: Path) -> None:
    hard, easy = entry(tmp_path, "hard", HARD), entry(tmp_path, "easy", EASY)
    seen: list[Step] = []
    finish = multishot.run(
        [hard, easy], bounds=Horizon(1), clock=Limits(seconds=60).start(), turn=50, on_step=seen.append
    )
    assert finish.winner is easy.program
    assert (finish.outcome.verdict, finish.outcome.bound, finish.outcome.refuted) == ("sat", 3, 2)
    assert [(s.t, s.result, s.by) for s in finish.outcome.steps] == [
        (1, "unsat", "easy"),
        (2, "unsat", "easy"),
        (3, "sat", "easy"),
    ]
    assert seen == finish.outcome.steps
    assert 50 <= finish.outcome.counters["conflicts"] < 100


def test_a_refutation_by_either_moves_both(tmp_path: Path) -> None:
    """The first is hopeless at bounds 1 and 2 but has an answer at once at 3; the second refutes 1 and 2 and is hopeless at 3."""
    first = (HARD + "#show take(1) : query(3).\n").replace(":- in(P,H,t)", ":- t < 3, in(P,H,t)")
    helper = HARD.replace("in(", "inn(") + ":- query(t), t < 3.\n"
    entries = entry(tmp_path, "first", first), entry(tmp_path, "helper", helper)
    finish = run(*entries)
    assert finish.winner is entries[0].program
    assert (finish.outcome.verdict, finish.outcome.bound, finish.outcome.refuted) == ("sat", 3, 2)
    assert [(s.t, s.by) for s in finish.outcome.steps] == [(1, "helper"), (2, "helper"), (3, "first")]


def test_the_last_bound_refuted_by_either_ends_it(tmp_path: Path) -> None:
    entries = entry(tmp_path, "hard", HARD), entry(tmp_path, "easy", EASY, "goal(9).")
    finish = run(*entries, bounds=Horizon(1, 1, 4))
    assert (finish.outcome.verdict, finish.outcome.refuted) == ("unsat", 4)


def test_an_easy_problem_pays_nothing_for_the_second_program(tmp_path: Path) -> None:
    def never() -> str:
        raise AssertionError("the second program's facts were made")

    finish = run(entry(tmp_path, "easy", EASY), entry(tmp_path, "second", HARD, never))
    assert (finish.outcome.verdict, finish.outcome.bound) == ("sat", 3)


def test_a_limit_keeps_what_all_have_refuted(tmp_path: Path) -> None:
    then_hard = EASY + HARD.replace(":- in(P,H,t)", ":- t > 2, in(P,H,t)")
    seen: list[Step] = []
    finish = multishot.run(
        [entry(tmp_path, "hard", HARD), entry(tmp_path, "then", then_hard)],
        bounds=Horizon(1),
        clock=Limits(seconds=60).start(),
        on_step=seen.append,
        watch=lambda: "time" if len(seen) == 2 else None,
        turn=50,
    )
    assert finish.winner is None
    assert (finish.outcome.stopped_by, finish.outcome.refuted) == ("time", 2)


@pytest.mark.parametrize("turn", [1, 7, 10_000])
def test_all_answers_are_given_whatever_the_turn(turn: int, tmp_path: Path) -> None:
    one, two = (entry(tmp_path, name, SUBSETS, models=0) for name in ("one", "two"))
    outcome = run(one, two, turn=turn).outcome
    assert (outcome.bound, outcome.complete, len(set(outcome.answers))) == (2, True, 64)


def test_two_runs_are_equal_to_the_conflict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(multishot, "FIRST_TURN", 1)
    both = [solve(ROOMS, engine="asp", cross_check=False, encoding=None) for _ in range(2)]
    reported = [[(s.t, s.result, s.conflicts, s.by) for s in found.steps] for found in both]
    assert reported[0] == reported[1]
    assert both[0].counters["conflicts"] == both[1].counters["conflicts"] > 5
    assert both[0].status is Status.OPTIMAL


def test_the_proof_names_each_program_that_refuted_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(multishot, "FIRST_TURN", 1)
    monkeypatch.setitem(sokoban.ORDER, "lines", ("lines-remaining-dom", "lines-forward"))
    found = solve(ROOMS, engine="asp", cross_check=False)
    refuters = {step.by for step in found.steps if step.result == "unsat"}
    assert len(refuters) == 2 and refuters <= set(sokoban.ORDER["lines"])
    assert all(name in str(found.proof) for name in refuters)
    wanted = {table for name in refuters for table in encodings()[name].tables}
    assert all(table in str(found.proof) for table in wanted)
    alone = solve(ROOMS, encoding="lines", cross_check=False)
    assert alone.value == found.value and "lines-" not in str(alone.proof)


BOARDS = {17: 4, 49: 5}
"""Seeds and the fewest lines, as the native search and each program alone give them."""


def wrong_answers() -> list[int]:
    """Return the seeds of levels where turns of one conflict bring another optimum."""
    boards = {n: scrambled_level(n, width=7, height=6, boxes=4, pulls=60) for n in BOARDS}
    return [n for n, one in boards.items() if _value(one) != BOARDS[n]]


def _value(given: Level) -> int | None:
    """Return the optimum, None where a bound brought a plan of another length, which is noticed."""
    try:
        return solve(given, engine="asp", cross_check=False).value
    except WrongEncoding:
        return None


def test_turns_bring_the_optimum_and_a_bound_left_out_wrongly_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fault: an undecided bound is taken for refuted."""
    monkeypatch.setattr(multishot, "FIRST_TURN", 1)
    assert wrong_answers() == []
    real = Sweep._ask

    def ask(self: Sweep, conflicts: int | None) -> bool | None:
        verdict = real(self, conflicts)
        if verdict is None and conflicts is not None:
            self.outcome.refuted = self.bound
        return verdict

    monkeypatch.setattr(Sweep, "_ask", ask)
    assert wrong_answers()


def test_the_default_of_every_objective_is_a_schedule_of_two(board: Level = ROOMS) -> None:
    for objective, order in sokoban.ORDER.items():
        assert len(order) == 2 and sokoban.default_encoding(board, objective) == list(order)


def test_the_plain_program_begins_on_small_levels_only() -> None:
    """The smallest level without it has one cell more than the largest with it."""
    for cells, small in ((40, True), (41, False)):
        (board,) = formats.read(f"{'#' * (cells + 2)}\n#@$.{' ' * (cells - 3)}#\n{'#' * (cells + 2)}\n")
        for objective, order in sokoban.ORDER.items():
            begins = [objective] if small and objective != "moves" else []
            assert sokoban.default_encoding(board, objective) == [*begins, *order]


def test_a_short_turn_is_the_only_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    turns: list[tuple[str, int | None]] = []
    advance = Sweep.advance

    def noted(sweep: Sweep, conflicts: int | None) -> bool:
        turns.append((sweep.session.encoding.name, conflicts))
        return advance(sweep, conflicts)

    monkeypatch.setattr(Sweep, "advance", noted)
    hard, other = (entry(tmp_path, name, HARD) for name in ("hard", "other"))
    finish = multishot.run(
        [hard._replace(once=3), other],
        bounds=Horizon(1),
        clock=Limits().start(),
        watch=lambda: "three turns" if len(turns) > 3 else None,
        turn=10,
    )
    assert finish.outcome.stopped_by == "three turns"
    assert turns == [("hard", 3), ("other", 10), ("other", 20), ("other", 40)]
    assert [one.name for one in finish.programs] == ["hard", "other"]
