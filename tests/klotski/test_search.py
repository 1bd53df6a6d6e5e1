"""The values come from the paper's boards as searched independently (claims.csv, and the shared table when it is there)."""

import csv
from pathlib import Path

import pytest

from sokoasp.core.limits import Clock, Limits
from sokoasp.core.result import Status
from sokoasp.klotski import notation, search, space
from sokoasp.klotski.board import OBJECTIVES, Board
from sokoasp.klotski.referee import validate
from sokoasp.klotski.space import Space
from tests.klotski import claims, oracle
from tests.levels import some_now

from .boards import shipped

CLAIMS = {claim.name: claim for claim in claims.claims()}


@pytest.mark.parametrize("name", some_now(CLAIMS, 2))
def test_the_minima_of_the_papers_boards(name: str) -> None:
    """The numbers of all boards are those of ``tests.bench.test_claims`` too; here the plans are refereed."""
    claim = CLAIMS[name]
    for objective, least in (("slides", claim.proved_slides), ("units", claim.proved_units)):
        result = search.solve(claim.board, objective)
        assert (result.status, result.value, result.lower_bound) == (Status.OPTIMAL, least, least)
        assert validate(claim.board, result.plan, objective=objective, claim=least).cost(objective) == least


def test_our_table_is_the_shared_one(shared: Path) -> None:
    with (shared / "data" / "klotski_boards.csv").open(encoding="utf-8", newline="") as stream:
        rows = {row["name"]: row for row in csv.DictReader(stream)}
    assert list(rows) == list(CLAIMS)
    for name, row in rows.items():
        claim = CLAIMS[name]
        said = (claim.paper_slides, claim.literature_slides, claim.paper_units, claim.game604_units)
        columns = ("paper_moves", "literature_moves", "paper_units", "game604_units")
        assert said == tuple(int(row[key]) if row[key] else None for key in columns)
        proved = (claim.proved_slides, claim.proved_units, claim.reachable)
        assert proved == tuple(int(row[key]) for key in ("opt_moves", "opt_units", "reachable_states"))
        assert "/".join(claim.board.rows()) == row["board"]


@pytest.mark.parametrize("name", ["前呼後擁", "將擋後路", "四將聯防"])
def test_the_oracle_agrees_on_boards_of_the_paper(name: str) -> None:
    claim = CLAIMS[name]
    assert oracle.distances(claim.board, "slides")[0] == claim.proved_slides


def test_hooks_two_goal_pieces_no_symmetry() -> None:
    """L-shaped pieces, a goal for two of them, no symmetry; the second board is small enough for the oracle."""
    large, small = shipped("own.klotski")[:2]
    assert len(large.goal.places) == len(small.goal.places) == 2
    for board in (large, small):
        result = search.solve(board)
        assert validate(board, result.plan, claim=result.value).slides == result.value


@pytest.mark.parametrize("board", some_now(shipped("own.klotski")[::-1], -1), ids=lambda board: board.title)
def test_own_boards_against_the_oracle(board: Board) -> None:
    """The large board of hooks, the first, is slow."""
    for objective in OBJECTIVES:
        assert search.solve(board, objective).value == oracle.distances(board, objective, most=10**6)[0]


def test_unsolvable_is_an_answer_with_a_count() -> None:
    swap = next(board for board in shipped("own.klotski") if board.title == "Odd swap")
    result = search.solve(swap)
    assert result.status is Status.UNSOLVABLE
    assert (result.value, result.plan, result.exit_code) == (None, None, 11)
    assert result.counters["states"] == 360  # 6!/2, the even permutations
    assert "360 positions" in (result.proof or "")


def test_a_solved_board_has_an_empty_plan() -> None:
    board = notation.read("goal: a 0,0\na.\n")[0]
    result = search.solve(board)
    assert (result.status, result.value, result.plan) == (Status.OPTIMAL, 0, ())


def test_limits_end_a_search_without_a_claim() -> None:
    board = CLAIMS["橫刀立馬"].board
    short = search.solve(board, "slides", Limits(steps=80))
    assert (short.status, short.value, short.lower_bound) == (Status.NO_PLAN, None, 81)
    assert (short.stopped_by, short.exit_code) == (None, 12), "a bound that is refuted is an answer and no limit"
    assert search.solve(board, "slides", Limits(steps=81)).status is Status.OPTIMAL
    few = search.solve(board, "slides", Limits(states=1000))
    assert (few.status, few.stopped_by, few.value) == (Status.MEMORY_OUT, "states", None)
    assert 0 < few.lower_bound <= 81
    late = search.solve(board, "slides", Limits(seconds=0.0))
    assert (late.status, late.stopped_by) == (Status.TIME_OUT, "time")
    with pytest.raises(ValueError, match="no objective"):
        search.solve(board, "pushes")


@pytest.mark.parametrize("looks", [1, 5, 40])
def test_an_interrupt_ends_a_search_with_what_is_refuted(monkeypatch: pytest.MonkeyPatch, looks: int) -> None:
    left = iter(range(looks))

    def look(clock: Clock, states: int = 0) -> str | None:
        if next(left, None) is None:
            raise KeyboardInterrupt
        return None

    monkeypatch.setattr(Clock, "over", look)
    result = search.solve(CLAIMS["橫刀立馬"].board)
    assert (result.status, result.stopped_by, result.exit_code) == (Status.INTERRUPTED, "interrupt", 130)
    assert result.plan is None and result.lower_bound == result.counters["depth"] + 1
    assert 1 < result.lower_bound <= looks + 1


def test_lists_of_moves_are_given_up_when_they_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    board = CLAIMS["調兵遣將"].board
    whole = Space(board, sliding=True)
    all_of_it = search.explore(whole, Limits().start())
    monkeypatch.setattr(space, "_MOST_LISTED", 200)
    small = Space(board, sliding=True)
    assert search.explore(small, Limits().start()).layers == all_of_it.layers
    assert 0 < sum(map(len, small._moves.values())) < 400 < sum(map(len, whole._moves.values()))


@pytest.mark.parametrize("looks", [1, 20])
def test_limits_are_looked_at_often_on_a_board_with_many_blanks(monkeypatch: pytest.MonkeyPatch, looks: int) -> None:
    left = iter(range(looks))
    monkeypatch.setattr(Clock, "over", lambda clock, states=0: None if next(left, None) is not None else "time")
    board = notation.read("goal: A 5,5; b 0,0\n\nAA......\nAA......\nb.c.....\n" + "........\n" * 4 + "d......e\n")[0]
    result = search.solve(board, "units")
    assert (result.status, result.stopped_by) == (Status.TIME_OUT, "time")
    assert result.counters["states"] < 64 * 30 * looks


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_the_same_plan_every_time(objective: str) -> None:
    board = CLAIMS["調兵遣將"].board
    assert len({search.solve(board, objective).plan for _ in range(3)}) == 1
