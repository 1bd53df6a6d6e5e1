"""A level and a task in, a refereed and cross-checked result out: every way a run can end."""

import os
import re
from pathlib import Path

import pytest

from sokoasp import EncodingError, IllegalPlan, Limits, Plan, Status, solve, validate
from sokoasp.asp.catalogue import encodings
from sokoasp.core import kernels
from sokoasp.core.errors import WrongEncoding, WrongOption
from sokoasp.core.result import Question, Step
from sokoasp.engine import Task, as_json, asp_result, portfolio
from sokoasp.klotski import notation
from sokoasp.sokoban import rules
from sokoasp.sokoban.level import Cell, Level
from sokoasp.sokoban.search.exact import reference
from tests.instances import FOLDER, level, levels, written
from tests.levels import random_level, some_now

THREE = "tutorial/tutorial.xsb"


@pytest.mark.parametrize("block", some_now(20, 1))
def test_asp_verdict_is_the_oracles_on_random_levels(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portfolio, "FEW", 2.0)  # a level or two without a plan is refuted by the search that joins
    solvable = 0
    for seed in range(10 * block, 10 * block + 10):
        one = random_level(seed)
        for objective in ("lines", "pushes"):
            truth = reference.solve(one, objective)
            found = solve(one, objective=objective, cross_check=False, limits=Limits(seconds=60))
            assert (found.status, found.value) == (truth.status, truth.value), (seed, objective)
            if truth.value is not None:  # else as far as clingo had come when it was known
                assert found.lower_bound == truth.value
        solvable += truth.value is not None
    assert 1 <= solvable <= 9


@pytest.mark.parametrize("seed", range(0, 200, 20))
def test_asp_moves_verdict_is_the_oracles(seed: int) -> None:
    one = random_level(seed, width=4, height=4)
    truth = reference.solve(one, "moves")
    found = solve(one, objective="moves", cross_check=False, limits=Limits(seconds=60))
    assert (found.status, found.value) == (truth.status, truth.value)


@pytest.mark.parametrize("block", some_now(5, 1))
def test_more_boxes_than_goals(block: int) -> None:
    checked = 0
    for seed in range(8 * block, 8 * block + 8):
        one = random_level(seed, boxes=3, spare=1)
        for objective in ("lines", "pushes"):
            truth = reference.solve(one, objective)
            found = solve(one, objective=objective, cross_check=False)
            assert (found.status, found.value) == (truth.status, truth.value), seed
            checked += truth.value is not None and truth.value > 0
    assert checked > 1


def test_competition_question_is_about_exactly_that_length() -> None:
    one = levels(THREE)[8]
    best = reference.solve(one, "lines").value
    assert best == 4
    for steps in range(1, 8):
        found = solve(one, steps=steps)
        exists = _exact(one, steps - 1)
        assert found.status is (Status.SOLVED if exists else Status.NO_PLAN), steps
        assert found.exit_code == (0 if exists else 12)
        if found.plan is not None:
            assert validate(one, found.plan, steps=steps).lines == steps - 1
        assert found.cross_check.agrees is (None if exists and steps != 5 else True)


def test_a_program_that_minimises_within_its_steps_answers_for_at_most_so_many() -> None:
    one = levels(THREE)[8]
    for steps, exactly in ((5, True), (7, False)):
        found = solve(one, encoding="competition-fewest", steps=steps)
        assert (found.value, found.question) == (4, Question(steps - 1, "yes", "the plan", exactly))


def test_where_the_start_is_solved_the_proof_says_so() -> None:
    assert solve(level("#####\n#@ *#\n#####"), encoding="lines").proof == "the start is solved (clingo, lines)"


def test_a_program_that_does_not_keep_to_its_steps_has_not_answered(tmp_path: Path) -> None:
    """It said "a plan of at most 3 actions: yes" beside a plan of 4, or of any length that the program has built in."""
    own = tmp_path / "own.lp"
    program = "\n".join(file.read_text() for file in encodings()["competition"].files)
    its_own = re.sub(r"\b(step|next)\(", r"my_\1(", program)
    own.write_text(f"{its_own}my_step(1..5). my_next(S,S+1) :- my_step(S), S < 5. :- not step(1).\n")
    one = levels(THREE)[8]
    found = solve(one, encoding=str(own), steps=5)
    assert (found.value, found.question) == (4, Question(4, "yes", "the plan", True))
    with pytest.raises(WrongEncoding, match="a plan of 4 lines, asked for 3 at most") as raised:
        solve(one, encoding=str(own), steps=4)
    assert raised.value.legal


def test_an_optimum_of_something_else_is_no_optimum(tmp_path: Path) -> None:
    """A program of one's own that minimises what it likes calls its plan the best; the second engine knows of a better one."""
    program = "\n".join(file.read_text() for file in encodings()["competition-fewest"].files)
    own, one = tmp_path / "own.lp", levels(THREE)[8]
    own.write_text(re.sub(r"#minimize\b", "#maximize", program))
    found = solve(one, encoding=str(own), steps=7)
    assert (found.status, found.value, found.lower_bound) == (Status.SOLVED, 6, 0)
    assert found.note == "the program minimises something else than lines: its best answer costs -6"
    own.write_text(f"{program}\n:- not acts(6).\n")
    with pytest.raises(WrongEncoding, match="claims an optimum of 6 lines, but there is one of 4 lines"):
        solve(one, encoding=str(own), steps=7)


def test_no_plan_of_at_most_the_optimum_is_a_disagreement(tmp_path: Path) -> None:
    own = tmp_path / "own.lp"
    program = "\n".join(file.read_text() for file in encodings()["lines"].files)
    own.write_text(f"{program}\n#program check(t).\n:- query(t), t < 6.\n")
    found = solve(levels(THREE)[8], encoding=str(own), at_most=3)
    assert found.status is Status.NO_PLAN and found.cross_check is not None
    assert (found.cross_check.value, found.cross_check.agrees) == (4, True)
    for most in (4, 5):
        with pytest.raises(WrongEncoding, match="the question, but there is one of 4 lines"):
            solve(levels(THREE)[8], encoding=str(own), at_most=most)


def test_a_plan_of_another_length_than_its_bound_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of our own programs each step is one action: where the referee counts otherwise, their bounds are worth nothing."""
    monkeypatch.setattr(asp_result, "_cost_of", lambda run, plan: 5)
    with pytest.raises(WrongEncoding, match="its plan at bound 4 has 5 lines"):
        solve(levels(THREE)[8], cross_check=False)


def _exact(one: Level, length: int) -> bool:
    """Decide by the rules alone whether exactly that many line pushes can end solved."""
    states = {rules.canonical(one, rules.initial(one))}
    for _ in range(length):
        states = {rules.canonical(one, after) for state in states for _, after in rules.line_pushes(one, state)}
    return any(rules.solved(one, state.boxes) for state in states)


def test_enumeration_gives_every_optimal_plan_once() -> None:
    one = levels(THREE)[4]
    found = solve(one, models=0)
    assert found.status is Status.OPTIMAL
    assert len(set(found.plans)) == len(found.plans) == _optimal_plans(one, 2)


def _optimal_plans(one: Level, length: int) -> int:
    paths = [rules.initial(one)]
    for _ in range(length):
        paths = [after for state in paths for _, after in rules.line_pushes(one, state)]
    return sum(rules.solved(one, state.boxes) for state in paths)


@pytest.mark.parametrize("block", some_now(3, 1))
@pytest.mark.parametrize("objective", ["lines", "pushes"])
def test_every_program_enumerates_the_same_plans(objective: str, block: int) -> None:
    """A pruning rule may not cost an optimal plan, only plans that are not optimal."""
    compared = 0
    for seed in range(10 * block, 10 * block + 10):
        one = random_level(seed, width=4, height=4)
        names = [objective, f"{objective}-remaining", f"{objective}-forward"]
        found = [solve(one, objective=objective, encoding=name, models=0, cross_check=False) for name in names]
        if found[0].status is Status.OPTIMAL:
            assert set(found[0].plans) == set(found[1].plans) == set(found[2].plans), seed
            compared += len(found[0].plans) > 1
    assert compared >= 1


def test_a_known_plan_is_proved_optimal_or_beaten() -> None:
    one = levels(THREE)[8]
    best = reference.solve(one, "lines").plan
    longer = reference.solve(one, "moves").plan
    for engine in ("asp", "native", "portfolio"):
        if engine == "native" and not kernels.status().there:
            continue
        for known in (best, longer):
            found = solve(one, engine=engine, known=known)
            assert (found.status, found.value) == (Status.OPTIMAL, 4)


def test_an_illegal_known_plan_is_refused() -> None:
    with pytest.raises(IllegalPlan):
        solve(levels(THREE)[8], known=Plan((), ""))


@pytest.mark.parametrize("engine", ["forward", "reverse", "bidirectional", "native", "portfolio"])
def test_native_engines_agree_with_asp(engine: str) -> None:
    if not kernels.status().there:
        pytest.skip("numba is not installed")
    for one in levels(THREE)[3:6]:
        found = solve(one, engine=engine, cross_check=True)
        assert found.cross_check is None or found.cross_check.agrees is not False
        assert found.value == reference.solve(one, "lines").value


def test_time_limit_keeps_the_refuted_bound() -> None:
    endless = random_level(4, boxes=3)  # no plan, which the bounds alone never show
    seen: list[Step] = []
    task = Task(encoding="lines", probes=False, cross_check=False)
    found = solve(endless, task, on_step=seen.append, watch=lambda: "time" if len(seen) == 3 else None)
    assert (found.status, found.stopped_by, found.exit_code) == (Status.TIME_OUT, "time", 20)
    assert {step.result for step in seen} == {"unsat"} and found.lower_bound == seen[-1].t + 1


def test_memory_limit_is_a_result() -> None:
    found = solve(levels(THREE)[7], limits=Limits(memory_mb=1), cross_check=False)
    assert (found.status, found.exit_code, found.stopped_by) == (Status.MEMORY_OUT, 21, "memory")


def test_interrupt_is_a_result() -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    found = solve(levels(THREE)[7], watch=interrupt, cross_check=False)  # type: ignore[arg-type]
    assert found.stopped_by == "interrupt"
    assert found.exit_code == 130


CONSTRAINTS = {
    "no push upwards": "#program step(t).\n:- push(_,up,_,t).\n",
    "this box ends on that goal": (
        "tracked(c3r3,0).\n"
        "#program step(t).\n"
        "tracked(L2,t) :- tracked(L1,t-1), push(L1,_,L2,t).\n"
        "tracked(L,t) :- tracked(L,t-1), not left(L,t).\n"
        "#program check(t).\n"
        ":- query(t), not tracked(c4r3,t).\n"
    ),
}


def test_constraints_make_plans_longer(tmp_path: Path) -> None:
    path = written(tmp_path, CONSTRAINTS["no push upwards"])
    one = level("""
        #######
        #     #
        # $.  #
        # . $ #
        #@    #
        #######
    """)
    free, bound = solve(one), solve(one, constraints=(path,), limits=Limits(seconds=20))
    assert free.plan is not None
    assert all(push.direction.name != "up" for push in bound.plan.actions)
    assert bound.value >= free.value  # type: ignore[operator]
    assert "constraints" in bound.proof


def test_a_box_can_be_sent_to_a_goal_of_ones_choice(tmp_path: Path) -> None:
    one = level("""
        #######
        #@    #
        # $.. #
        # $   #
        #     #
        #######
    """)
    path = tmp_path / "mine.lp"
    program = CONSTRAINTS["this box ends on that goal"].replace("tracked(c3r3,0)", "#program base. tracked(c3r3,0)")
    values = []
    for goal in ("c4r3", "c5r3"):
        path.write_text(program.replace("c4r3", goal))
        found = solve(one, constraints=(path,))
        box = Cell(2, 2)
        for push in found.plan.actions:
            box = push.to if push.box == box else box
        assert box == Cell(2, int(goal[1]) - 1)
        values.append(found.value)
        assert found.cross_check.agrees
    assert min(v for v in values if v is not None) == solve(one).value


def test_single_programs_need_steps() -> None:
    with pytest.raises(EncodingError, match="steps"):
        solve(levels(THREE)[0], encoding="competition")


def test_a_long_board_is_answered_by_the_search_unless_asp_alone_can_do_what_is_asked() -> None:
    data = (FOLDER / "klotski" / "hua-rong-dao.klotski").read_text(encoding="utf-8")
    long = notation.read(data, "hua-rong-dao.klotski")[1]
    found = solve(long)
    assert (found.status, found.value, found.engine, found.encoding) == (Status.OPTIMAL, 81, "native", None)
    assert found.proof is not None and found.proof.startswith("breadth-first search")
    small = notation.read("goal: a 0,1\n\na.\n..\n")[0]
    assert solve(small).engine == "native"
    for asked in ({"models": 0}, {"encoding": "slides"}, {"steps": 2}, {"seed": 1}, {"engine": "asp"}):
        one = solve(small, **asked)
        assert (one.engine, one.value) == ("asp", 1), asked
        assert one.cross_check.agrees is True, asked
    assert solve(levels(THREE)[1]).engine == "asp"


def test_a_known_plan_of_a_board_is_kept_when_a_limit_strikes() -> None:
    data = (FOLDER / "klotski" / "hua-rong-dao.klotski").read_text(encoding="utf-8")
    board = notation.read(data, "hua-rong-dao.klotski")[16]
    known = solve(board).plan
    early = solve(board, known=known, limits=Limits(states=100))
    assert (early.status, early.value, early.plan, early.exit_code) == (Status.SOLVED, 21, known, 10)
    assert 0 < early.lower_bound < 21
    short_of_it = solve(board, limits=Limits(steps=20)).counters["states"] - 1
    assert solve(board, limits=Limits(states=short_of_it)).status is Status.MEMORY_OUT
    proved = solve(board, known=known, limits=Limits(states=short_of_it))
    assert (proved.status, proved.value, proved.plan, proved.exit_code) == (Status.OPTIMAL, 21, known, 0)


def test_what_only_asp_can_do_is_not_passed_over_in_silence(tmp_path: Path) -> None:
    one = levels(THREE)[1]
    constraints = written(tmp_path, CONSTRAINTS["no push upwards"])
    for asked in ({"steps": 3}, {"models": 2}, {"constraints": (constraints,)}):
        for engine in ("native", "reference", "portfolio"):
            with pytest.raises(WrongOption, match="that is for engine asp"):
                solve(one, engine=engine, **asked)
    with pytest.raises(WrongOption, match="has no encoding"):
        solve(one, engine="reference", encoding="lines")


def test_constraints_that_are_no_text_are_an_error(tmp_path: Path) -> None:
    path = tmp_path / "binary.lp"
    path.write_bytes(b"\xff\x00 a b.")
    with pytest.raises(EncodingError, match=":1:1: not UTF-8 text") as caught:
        solve(levels(THREE)[1], constraints=(path,))
    assert caught.value.source == str(path)
    dead = levels("unsolvable/unsolvable.xsb")[4]  # which no program is asked about
    with pytest.raises(EncodingError, match="not UTF-8 text"):
        solve(dead, constraints=(path,))


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("mine.lp", "\ufeff" + CONSTRAINTS["no push upwards"], r"mine\.lp:1:1: a byte order mark"),
        (os.fsdecode(b"caf\xe9.lp"), CONSTRAINTS["no push upwards"], "whose name is not UTF-8"),
        ("mine.lp", '% größer\nname("Ü").\n:- push(_,_,_,T),\u00a0T > 9.\n', r"mine\.lp:3:18: '\\xa0' \(U\+00A0\)"),
    ],
    ids=["byte order mark", "name", "character"],
)
def test_programs_over_which_clingo_would_panic_are_refused(name: str, text: str, said: str, tmp_path: Path) -> None:
    path = written(tmp_path, text, name)
    for asked in ({"constraints": (path,)}, {"encoding": str(path)}):
        with pytest.raises(EncodingError, match=said):
            solve(levels(THREE)[1], **asked)


def test_wrong_objective_and_engine_are_errors() -> None:
    one = levels(THREE)[0]
    with pytest.raises(ValueError, match="sokoban has no objective 'slides'") as refused:
        solve(one, objective="slides")
    assert isinstance(refused.value, WrongOption)
    with pytest.raises(WrongOption, match="engine"):
        solve(one, engine="magic")
    with pytest.raises(EncodingError, match="counts lines"):
        solve(one, objective="pushes", encoding="lines")


def test_json_keys_are_the_contracts() -> None:
    one = levels(THREE)[1]
    row = as_json(one, solve(one), file="x.xsb", level=2)
    wanted = "file level title status objective value lower_bound lines pushes moves plan engine encoding proof"
    assert {*wanted.split(), "cross_check", "seconds", "steps"} <= set(row)
    assert row["plan"]["actions"] == [[[2, 2], "right", [2, 4], 1]]
    assert {"ground", "solve", "total"} <= set(row["seconds"])
    assert set(row["steps"][0]) == {"t", "result", "seconds", "conflicts"}


def test_three_runs_give_the_same_plan() -> None:
    one = levels(THREE)[7]
    plans = {solve(one, cross_check=False).plan for _ in range(3)}
    assert len(plans) == 1


@pytest.mark.slow
def test_competition_files_have_their_optimum(shared: Path) -> None:
    import csv

    from sokoasp.sokoban import facts

    folder = shared / "data"
    right = 0
    with (folder / "optima" / "asp-competition-2009-optimize.csv").open() as rows:
        for row in csv.DictReader(rows):
            path = folder / "asp-competition-2009-optimize" / row["file"]
            one = facts.read(path.read_text(), source=row["file"])
            found = solve(one, limits=Limits(seconds=60), cross_check=False)
            assert found.value in (None, int(row["optimal_lines"])), row["file"]
            right += found.status is Status.OPTIMAL
    assert right >= 24


def test_first_microban_levels(shared: Path, cavepacker: Path) -> None:
    import csv

    from sokoasp.sokoban import formats

    with (shared / "data" / "optima" / "microban1.csv").open() as rows:
        optima = {int(row["level"]): row for row in csv.DictReader(rows)}
    decided = 0
    for number in range(1, 21):
        path = next(cavepacker.rglob(f"microban01_{number:04}.sok"))
        one = formats.read(path.read_bytes(), source=path.name)[0]
        found = solve(one, limits=Limits(seconds=60), cross_check=False)
        assert found.value in (None, int(optima[number]["optimal_lines"])), number
        decided += found.status is Status.OPTIMAL
    assert decided == 20


@pytest.mark.parametrize("limits", [Limits(seconds=float("nan")), Limits(memory_mb="5")])  # type: ignore[arg-type]
def test_limits_that_are_no_numbers_are_refused(limits: Limits) -> None:
    with pytest.raises(WrongOption, match="a limit is a number or None, not "):
        solve(levels(THREE)[4], limits=limits)
