"""Sokoban in PDDL: recognised under any names, refused with the reason and its place, plans in the task's own actions."""

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from sokoasp.cli import root as cli
from sokoasp.core.errors import NotationError, WrongPlan
from sokoasp.engine import Task
from sokoasp.planning import answer as answers
from sokoasp.planning.answer import answer, write
from sokoasp.planning.recognise import recognise
from sokoasp.planning.replay import replay
from sokoasp.planning.task import PlanningTask, task_of
from sokoasp.planning.text import NoSokoban, Source
from sokoasp.sokoban import formats
from sokoasp.sokoban.canonical import board_hash
from sokoasp.sokoban.formats import pddl
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.search.exact import reference
from tests.commands import FIRST, run
from tests.levels import some_now
from tests.planning import tasks
from tests.sokoban.strategies import random_level

(HALL,) = formats.read("#######\n#  .  #\n#@$$  #\n#  .  #\n#######\n")
OWN = pddl.DOMAIN, pddl.write_problem(HALL)
COMPETITION = tasks.competition(HALL, random.Random(2))
WORD = tasks.names(random.Random(2))
REFERENCE = Task(engine="reference")
BEST = reference.solve(HALL, "pushes").value or 0


def task(texts: tuple[str, str]) -> PlanningTask:
    return task_of(*(Source(name, text) for name, text in zip(("d.pddl", "p.pddl"), texts, strict=True)))


def changed(old: str, new: str, texts: tuple[str, str] = COMPETITION) -> PlanningTask:
    """The task with every such passage of its two files replaced."""
    old, new = old.format(**WORD), new.format(**WORD)
    assert any(old in text for text in texts)
    first, second = (text.replace(old, new) for text in texts)
    return task((first, second))


def refused(given: PlanningTask) -> str:
    with pytest.raises(NoSokoban) as refusal:
        recognise(given)
    return str(refusal.value)


def levels(count: int) -> list[Level]:
    rng = random.Random(4)
    return [level for level in (random_level(rng) for _ in range(3 * count)) if not level.solved][:count]


@pytest.mark.parametrize("number", some_now(12, 6))
def test_random_levels_come_back_from_the_competitions_form(number: int) -> None:
    level = levels(12)[number]
    pushes = number % 2 == 0
    found = answer(task(tasks.competition(level, random.Random(number), pushes=pushes)), REFERENCE)
    assert found.task.objective == ("pushes" if pushes else "moves")
    truth = reference.solve(level, found.task.objective)
    same = board_hash(found.task.level) == board_hash(level)
    assert same or truth.value is None, "actions do not tell which cells that no box reaches are goals"
    assert (found.result.status, found.cost) == (truth.status, truth.value)


def test_boxes_with_goals_of_their_own_are_refused() -> None:
    assert "p.pddl:1:" in (told := refused(task(tasks.learning(HALL, random.Random(1)))))
    assert "each box a goal cell of its own, and boxes of a level are alike" in told


FAULTS = [
    (
        "({way} ?b ?f ?d) ({way} ?f ?t ?d) ({goal}",
        "({way} ?f ?b ?d) ({way} ?f ?t ?d) ({goal}",
        "it may not be pushed here",
    ),
    ("({at} ?p ?f) ({clear} ?t) ({way}", "({at} ?p ?f) ({way}", "action walk is that of no form of Sokoban"),
    ("(not ({at} ?s ?f))", "", "action in is that of no form of Sokoban"),
    ("({home} ?s) (increase", "({home} ?s) (not ({clear} ?f)) (increase", "action in is that of no form of Sokoban"),
]


@pytest.mark.parametrize(("old", "new", "reason"), FAULTS)
def test_what_is_no_sokoban_is_refused(old: str, new: str, reason: str) -> None:
    told = refused(changed(old, new))
    assert told.startswith("d.pddl:1:") and reason in told


def test_a_player_who_pushes_himself_is_no_sokoban() -> None:
    """Two roles of an action, the player and the box, may not be one parameter."""
    domain, problem = COMPETITION
    begin, mark, pushes = domain.partition("(:action in")
    pushes = pushes.replace("?p - {kind_man} ?s".format(**WORD), "?s").replace("?p", "?s")
    assert "action in is that of no form of Sokoban" in refused(task((begin + mark + pushes, problem)))


CONDITIONS = {
    "(smooth ?t)": "lies where the player can never get",
    "(not (= ?t x0))": "it may be pushed here, though nobody may walk so",
    "(or (not (smooth ?f)) (= ?d w0))": "there are ways that lead in one direction only",
    "(= ?f ?t)": "lies where the player can never get",
    "(not ({at} ?p ?t))": "a condition that no action of Sokoban has: (not ...)",
    "({clear} x0)": "names the object x0",
}


@pytest.mark.parametrize("condition", CONDITIONS)
def test_a_further_condition_is_refused_where_it_rules_something_out(condition: str) -> None:
    domain, problem = COMPETITION
    domain = domain.replace(
        "(:predicates ", f"(:constants x0 - {WORD['kind_cell']} w0 - {WORD['kind_way']}) (:predicates (smooth ?c) "
    )
    problem = (
        problem.replace(" x0 ", " ", 1).replace(" w0 ", " ", 1).replace("(:init ", "(:init (smooth x0) (smooth x1) ")
    )
    told = refused(changed("({way} ?f ?t ?d))", f"({{way}} ?f ?t ?d) {condition})", (domain, problem)))
    assert CONDITIONS[condition].format(**WORD) in told


@pytest.mark.parametrize(
    "condition",
    ["(not (= ?f ?t))", "(not (= ?t ?d))", "(fine ?t)", "(not (foul ?f))", "(and)", "(or (foul ?t) (fine ?f))"],
)
def test_a_further_condition_that_the_map_makes_true_is_none(condition: str) -> None:
    domain, problem = COMPETITION
    domain = domain.replace("(:predicates ", "(:predicates (fine ?c) (foul ?c) ")
    fine = " ".join(f"(fine x{n})" for n in range(len(HALL.floor)))
    problem = problem.replace("(:init ", f"(:init (foul w0) {fine} ")
    given = changed("({way} ?f ?t ?d))", f"({{way}} ?f ?t ?d) {condition})", (domain, problem))
    assert board_hash(recognise(given).level) == board_hash(HALL)


NAMES = ("walk", "object", "define", "and", "not", WORD["at"], WORD["kind_cell"])


@pytest.mark.parametrize("name", NAMES)
def test_an_object_may_be_called_like_anything_else(name: str) -> None:
    domain, problem = COMPETITION
    for old in ("man", "b0", "x1", "w2"):
        text = problem.replace(f" {old} ", f" {name} ").replace(f" {old})", f" {name})")
        assert text != problem
        assert answer(task((domain, text)), REFERENCE).cost == BEST


GOALS: dict[str, Callable[[str], str]] = {
    "each": lambda home: f"(forall (?s - {WORD['kind_box']}) ({home} ?s))",
    "each of all": lambda home: f"(forall (?x) (imply (box ?x) ({home} ?x)))",
    "nested": lambda home: f"(and (and) (and ({home} b0) ({home} b0)) ({home} b1))",
    "with what always holds": lambda home: (
        f"(and ({home} b0) ({home} b1) (not (= b0 b1)) (box b0) (exists (?x) (box ?x)))"
    ),
    "one way open": lambda home: f"(and ({home} b0) (or ({home} b1) (= b0 b1)))",
}


@pytest.mark.parametrize("kind", GOALS)
def test_goals_over_a_finite_type(kind: str) -> None:
    domain, problem = COMPETITION
    domain = domain.replace("(:predicates ", "(:predicates (box ?x) ")
    problem = problem.replace("(:init ", "(:init (box b0) (box b1) ")
    old = f"(:goal (and ({WORD['home']} b0) ({WORD['home']} b1)))"
    assert answer(changed(old, f"(:goal {GOALS[kind](WORD['home'])})", (domain, problem)), REFERENCE).cost == BEST


@pytest.mark.parametrize(
    ("goal", "reason"),
    [
        ("(or ({home} b0) ({home} b1))", "it leaves a choice: or"),
        ("(exists (?s - {kind_box}) ({home} ?s))", "it leaves a choice: exists"),
        ("(and ({home} b0) ({home} b1) (not ({clear} x0)))", "it has not of a fact that actions change"),
        ("(imply ({home} b0) ({home} b1))", "it has imply of a fact that actions change"),
        ("(and ({home} b0) ({home} b1) (= b0 b1))", "nothing can make it true"),
        ("({home} b0)", "it is not that every stone is on a goal cell"),
    ],
)
def test_other_goals_are_refused_at_their_place(goal: str, reason: str) -> None:
    told = refused(changed("(and ({home} b0) ({home} b1))", goal))
    assert told.startswith("p.pddl:1:") and reason in told


def test_tasks_that_a_level_cannot_tell_are_refused_with_the_reason() -> None:
    _, problem = COMPETITION
    way = problem[problem.index(f"({WORD['way']} ") :].partition(")")[0] + ")"
    one, other = way.split()[1:3]
    back = next(x for x in problem.split("(") if x.startswith(f"{WORD['way']} {other} {one} ")).strip()
    assert "one direction only" in refused(changed(way, ""))
    assert "no thin walls" in refused(task((COMPETITION[0], problem.replace(way, "").replace(f"({back}", ""))))
    place = problem.split(f"({WORD['at']} man ")[1].partition(")")[0]
    two_men = COMPETITION[0], problem.replace("man - ", "man other - ")
    assert "2 players" in refused(changed("(:init ", f"(:init ({{at}} other {place}) ", two_men))
    assert "at home" in refused(changed("(:init ", "(:init ({home} b0) "))
    assert "clear and taken" in refused(changed("(:init ", f"(:init ({{clear}} {place}) "))
    assert "two boxes are on one cell" in refused(changed("(:init ", f"(:init ({{at}} b0 {other}) "))
    assert "both a goal and no goal" in refused(changed("(:init ", f"(:init ({{goal}} {place}) "))
    ways = way.split()[-1].rstrip(")"), back.split()[-1].rstrip(")")
    loops = " ".join(f"({{way}} {place} {place} {d})" for d in ways)
    assert "is in two places at once" in refused(changed("(:init ", f"(:init {loops} "))


@pytest.mark.parametrize("directions", [2, 6])
def test_boards_with_another_number_of_directions(directions: int) -> None:
    """A corridor is a level; a board of hexagons is none."""
    domain, problem = COMPETITION
    if directions == 2:
        (hall,) = formats.read("######\n#@$ .#\n######\n")
        assert answer(task(tasks.competition(hall, random.Random(1))), REFERENCE).cost == 2
        return
    problem = problem.replace("w0 w1", "w4 w5 w0 w1").replace(
        "(:init ", f"(:init ({WORD['way']} x0 x9 w4) ({WORD['way']} x9 x0 w5) "
    )
    assert "directions: a level has four" in refused(task((domain, problem)))


@pytest.mark.parametrize(
    ("old", "new", "cost"),
    [
        ("(= (total-cost) 0) ", "", BEST),
        ("(= (total-cost) 0) ", "(= (total-cost) 7) ", BEST),
        ("(increase (total-cost) 1)", "(increase (total-cost) 3)", 3 * BEST),
        ("(:metric minimize (total-cost))", "(:metric minimize total-cost)", BEST),
        ("(:metric minimize (total-cost))", "", reference.solve(HALL, "moves").value),
    ],
)
def test_the_cost_is_that_of_the_task(old: str, new: str, cost: int) -> None:
    found = answer(changed(old, new), REFERENCE)
    kind = "general" if ":metric" in COMPETITION[1].replace(old, new) else "unit"
    assert write(found).endswith(f"; cost = {cost} ({kind} cost)\n")


def test_costs_that_count_neither_pushes_nor_moves() -> None:
    domain, problem = COMPETITION
    once = domain.replace("(increase (total-cost) 1)", "(increase (total-cost) 2)", 1)
    assert "(walk 0, out 1, in 2) count neither pushes nor moves" in refused(task((once, problem)))
    with pytest.raises(NoSokoban, match="a cost that is not a fixed whole number"):
        changed("(increase (total-cost) 1)", "(increase (total-cost) -1)")


@pytest.mark.parametrize(
    ("section", "reason"),
    [
        ("(:durative-action walk)", "an action that takes time"),
        ("(:derived (p) (q))", "a derived predicate"),
        ("(:constraints (and))", "a constraint on the way"),
    ],
)
def test_what_no_form_has_is_refused_at_its_place(section: str, reason: str) -> None:
    with pytest.raises(NoSokoban, match=rf"d\.pddl:1:\d+: {reason}: no form of Sokoban has one"):
        changed("(:action walk", f"{section} (:action walk")


def test_a_domain_without_types_says_by_static_predicates_what_is_what() -> None:
    domain, problem = OWN
    domain = domain.replace("(:types cell direction)", "").replace(
        "(:predicates", "(:predicates (cell ?c) (direction ?d)"
    )
    domain = domain.replace(" - cell ?d - direction", " ?d").replace(" - cell", "")
    domain = domain.replace("(and (player ?from)", "(and (cell ?from) (cell ?to) (direction ?d) (player ?from)")
    kinds = [f"(cell {name})" for name in pddl.names(HALL).values()] + [
        f"(direction {d})" for d in ("up", "down", "left", "right")
    ]
    problem = problem.replace(" - cell", "").replace(" - direction", "").replace("(:init", f"(:init {' '.join(kinds)}")
    assert answer(task((domain, problem)), REFERENCE).cost == BEST


def test_what_would_take_too_long_is_refused() -> None:
    deep = "(not " * 120 + "(= b0 b1)" + ")" * 120
    with pytest.raises(NotationError, match=r"p\.pddl:1:\d+: brackets nested more than 100 deep"):
        changed("(and ({home} b0) ({home} b1))", deep)
    wide = "(forall (?a ?b ?c ?d ?e) (not (= b0 b1)))"
    assert "its conditions range over too many objects" in refused(changed("(and ({home} b0) ({home} b1))", wide))


PLAN = (
    ("move", ("c2r3", "c2r2", "up")),
    ("move", ("c2r2", "c3r2", "right")),
    ("push", ("c3r2", "c3r3", "c3r4", "down")),
)


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        (PLAN, "the goal of the task does not hold"),
        ((("fly", ()),), r"action 1 of the plan, \(fly\), is none of the task"),
        ((("move", ("c2r3", "c2r2")),), "is none of the task"),
        ((("move", ("c2r3", "up", "c2r2")),), "has up for .to, which is of another type"),
        ((*PLAN[:2], ("move", ("c3r2", "c3r3", "down"))), "action 3 .* may not be carried out"),
        ((*PLAN, PLAN[2]), "action 4 .* may not be carried out"),
    ],
)
def test_the_referee_of_tasks_refuses_false_plans(steps: tuple[tuple[str, tuple[str, ...]], ...], said: str) -> None:
    with pytest.raises(WrongPlan, match=said):
        replay(task(OWN), steps)


def test_a_plan_that_the_task_refuses_is_never_printed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Were the recognition wrong, the replay in the task's own actions would say so."""
    files = [str(path) for path in tasks.files(tmp_path, OWN)]
    real = answers.steps_of
    monkeypatch.setattr(answers, "steps_of", lambda known, lurd: list(real(known, lurd))[1:])
    done = CliRunner().invoke(cli, ["plan", *files, "--engine", "reference"])
    assert isinstance(done.exception, WrongPlan) and not done.stdout
    monkeypatch.setattr(answers, "steps_of", real)
    monkeypatch.setattr(answers, "replay", lambda task, steps: replay(task, steps) + 1)
    with pytest.raises(WrongPlan, match="the plan costs 4 in the task's own actions, and 3 as a level"):
        answer(task(OWN), REFERENCE)


def test_the_command_writes_the_plan_as_the_competitions_want_it(tmp_path: Path) -> None:
    domain, problem = tasks.files(tmp_path, COMPETITION)
    out = tmp_path / "plan"
    run = CliRunner().invoke
    done = run(cli, ["plan", str(domain), str(problem), "-o", str(out), "--engine", "reference", "--json"])
    assert done.exit_code == 0
    lines = out.read_text().splitlines()
    best = reference.solve(HALL, "pushes").value
    assert lines[-1] == f"; cost = {best} (general cost)"
    assert len(lines) - 1 == len(json.loads(done.output)["plan"])
    assert sum(not line.startswith("(walk ") for line in lines[:-1]) == best


@pytest.mark.parametrize("swapped", [True, False], ids=["swapped", "broken"])
def test_of_two_files_the_one_at_fault_is_named(swapped: bool, tmp_path: Path, root: Path) -> None:
    folder = root / "instances" / "pddl"
    domain = folder / "first.pddl" if swapped else tmp_path / "broken.pddl"
    (tmp_path / "broken.pddl").write_text("\ufeff(define (domain x)", encoding="utf-8")
    done = CliRunner().invoke(cli, ["plan", str(domain), str(folder / "first.pddl")])
    assert isinstance(done.exception, NotationError)
    assert done.exception.place == f"{domain}:1:1"


def test_a_task_that_was_not_finished_says_what_stopped_it(root: Path) -> None:
    words = ["plan", root / "instances" / "pddl" / "domain.pddl", root / "instances" / "pddl" / "first.pddl"]
    done = run(*words, "--engine", "reference", "--time-limit", "1e-9")
    assert (done.returncode, "first.pddl: time out, stopped by: time (form" in done.stderr) == (20, True), done.stderr


def test_a_plan_goes_to_stdout_by_a_dash_and_is_no_task_where_it_is_a_plan(tmp_path: Path, root: Path) -> None:
    task_ = root / "instances" / "pddl" / "first.pddl"
    done = run("solve", task_, "-o", "-", cwd=tmp_path)
    assert "; cost = 2 (general cost)" in done.stdout
    wrong = run("solve", task_, "--output", "lurd", cwd=tmp_path)
    assert wrong.returncode == 2
    assert not list(tmp_path.iterdir())
    plan = tmp_path / "plan.pddl"
    plan.write_text("(move c2r2 c3r2 right)\n(push c3r2 c4r2 c5r2 right)\n(push c4r2 c5r2 c6r2 right)\n")
    assert "the plan is the given one" in run("solve", FIRST, "--plan", plan).stdout
