"""Sokoban in PDDL: recognised under any names, refused with the reason, plans validated by unified-planning's validator."""

from __future__ import annotations

import importlib.util
import json
import random
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.levels import some_now

pytest.importorskip("unified_planning", reason="the extra [planners] is not installed")

from unified_planning.engines import SequentialPlanValidator
from unified_planning.plans import ActionInstance, SequentialPlan
from unified_planning.shortcuts import Always, Int, MinimizeActionCosts, Not, OneshotPlanner, get_environment

from sokoasp.cli import root as cli
from sokoasp.core.errors import NotationError
from sokoasp.core.limits import Limits
from sokoasp.core.result import Result, Status
from sokoasp.engine import Task
from sokoasp.planning import schema, up
from sokoasp.planning.answer import TaskAnswer, answer, steps_of, write
from sokoasp.planning.dialects import normal, parse
from sokoasp.planning.recognise import NoSokoban, read_task, recognise
from sokoasp.sokoban import formats
from sokoasp.sokoban.canonical import board_hash
from sokoasp.sokoban.formats import pddl
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.search.exact import reference
from tests.commands import FIRST, run
from tests.planning import tasks
from tests.sokoban import labels
from tests.sokoban.strategies import random_level

get_environment().credits_stream = None
(HALL,) = formats.read("#######\n#  .  #\n#@$$  #\n#  .  #\n#######\n")
REFERENCE = Task(engine="reference")


def task(folder: Path, texts: tuple[str, str]):  # type: ignore[no-untyped-def]
    return read_task(*tasks.files(folder, texts))


def valid(problem, found: TaskAnswer) -> bool:  # type: ignore[no-untyped-def]
    """Whether unified-planning's own validator accepts the plan."""
    manager = problem.environment.expression_manager
    plan = SequentialPlan(
        [
            ActionInstance(problem.action(name), tuple(manager.ObjectExp(problem.object(o)) for o in objects))
            for name, objects in found.steps or ()
        ]
    )
    return bool(SequentialPlanValidator().validate(problem, plan))


def levels(count: int) -> list[Level]:
    rng = random.Random(4)
    return [level for level in (random_level(rng) for _ in range(3 * count)) if not level.solved][:count]


@pytest.mark.parametrize("number", some_now(12, 6))
def test_random_levels_come_back_from_the_competitions_form(tmp_path: Path, number: int) -> None:
    level = levels(12)[number]
    rng = random.Random(number)
    pushes = number % 2 == 0
    problem = task(tmp_path, tasks.competition(level, rng, pushes=pushes))
    found = answer(problem, REFERENCE)
    assert board_hash(found.task.level) == board_hash(level)
    assert found.task.objective == ("pushes" if pushes else "moves")
    truth = reference.solve(level, found.task.objective)
    assert (found.result.status, found.result.value) == (truth.status, truth.value)
    assert found.steps is None or valid(problem, found)


@pytest.mark.parametrize("number", range(8))
def test_one_box_of_the_learning_track(tmp_path: Path, number: int) -> None:
    level = [one for one in levels(60) if len(one.boxes) == 1][number]
    problem = task(tmp_path, tasks.learning(level, random.Random(number)))
    found = answer(problem, REFERENCE)
    assert found.task.objective == "moves"
    assert found.result.value == reference.solve(level, "moves").value
    assert found.steps is None or valid(problem, found)


@pytest.mark.parametrize("wanted", [{0: 0, 1: 1}, {0: 1, 1: 0}])
def test_labelled_boxes_of_the_learning_track(tmp_path: Path, wanted: dict[int, int]) -> None:
    """The optimum is brute force's, and the plan one of the task: unified-planning's validator knows which box is which."""
    problem = task(tmp_path, tasks.learning(labels.HALL, random.Random(1), wanted))
    for engine in ("native", "asp"):
        found = answer(problem, Task(engine=engine))
        assert (found.result.value, found.result.status) == (15 if wanted[0] else 6, "optimal")
        assert valid(problem, found)


def test_tasks_made_like_those_of_the_learning_track_are_solved(tmp_path: Path) -> None:
    """Directions are constants there, and walls are cells that nothing joins."""
    for size, boxes in ((4, 1), (7, 6), (12, 15)):
        level = labels.of_the_track(random.Random(size), size, boxes)
        starts, ends = sorted(level.boxes), sorted(level.goals)
        wanted = {starts.index(box): ends.index(goal) for box, goal in level.assigned}
        domain, text = tasks.learning(level, random.Random(size), wanted)
        word = tasks.names(random.Random(size))["kind_way"]
        ways = f" w0 w1 w2 w3 - {word}"
        assert ways in text
        text = text.replace(ways, "", 1)
        domain = domain.replace("(:predicates", f"(:constants{ways}) (:predicates", 1)
        problem = task(tmp_path, (domain, text))
        found = answer(problem, Task(engine="any"))
        assert found.task.level.assigned if len(level.boxes) > 1 else not found.task.level.assigned
        assert valid(problem, found) and len(found.steps or ()) == found.result.value


def test_our_own_form_comes_back(tmp_path: Path) -> None:
    texts = (pddl.DOMAIN, pddl.write_problem(HALL))
    problem = task(tmp_path, texts)
    found = answer(problem, REFERENCE)
    assert board_hash(found.task.level) == board_hash(HALL)
    assert valid(problem, found)
    assert found.result.value == reference.solve(HALL, "pushes").value


def _competition() -> tuple[str, str]:
    return tasks.competition(HALL, random.Random(2))


FAULTS = {
    "a push that pulls": (
        "domain",
        "({way} ?b ?f ?d) ({way} ?f ?t ?d) ({goal}",
        "({way} ?f ?b ?d) ({way} ?f ?t ?d) ({goal}",
    ),
    "a walk through boxes": ("domain", "({at} ?p ?f) ({clear} ?t) ({way} ?f ?t ?d)", "({at} ?p ?f) ({way} ?f ?t ?d)"),
    "a push that leaves the box": ("domain", "(not ({at} ?s ?f))", ""),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_no_sokoban_is_refused(tmp_path: Path, fault: str) -> None:
    _, old, new = FAULTS[fault]
    word = tasks.names(random.Random(2))
    domain, problem = _competition()
    assert old.format(**word) in domain
    with pytest.raises(NoSokoban, match="its actions are those of no form"):
        recognise(task(tmp_path, (domain.replace(old.format(**word), new.format(**word)), problem)))


def _without_way(problem: str) -> str:
    word = tasks.names(random.Random(2))["way"]
    at = problem.index(f"({word} ")
    return problem[:at] + problem[problem.index(")", at) + 1 :]


def test_tasks_that_a_level_cannot_tell_are_refused_with_the_reason(tmp_path: Path) -> None:
    domain, problem = _competition()
    word = tasks.names(random.Random(2))

    def reason(text: str) -> str:
        with pytest.raises(NoSokoban) as refusal:
            recognise(task(tmp_path, (domain, text)))
        return str(refusal.value)

    assert "one direction only" in reason(_without_way(problem))
    man = f"({word['at']} man "
    place = problem.split(man)[1].split(")")[0]
    other = problem.replace("man - ", "man other - ").replace(man, f"({word['at']} other {place}) {man}")
    assert "2 players" in reason(other)
    assert "at home" in reason(problem.replace("(:init ", f"(:init ({word['home']} b0) "))
    assert "goal is not that every stone" in reason(problem.replace(f"(:goal (and ({word['home']} b0)", "(:goal (and"))
    assert "clear and taken" in reason(
        problem.replace("(:init ", f"(:init ({word['clear']} {problem.split(word['at'] + ' b0 ')[1].split(')')[0]}) ")
    )


def test_the_engine_for_unified_planning(tmp_path: Path) -> None:
    from sokoasp.planning.up import register

    register()
    problem = task(tmp_path, _competition())
    with OneshotPlanner(name="sokoasp") as planner:
        found = planner.solve(problem)
    assert found.status.name == "SOLVED_OPTIMALLY"
    assert bool(SequentialPlanValidator().validate(problem, found.plan))
    domain, text = _competition()
    broken = domain.replace(FAULTS["a push that leaves the box"][1].format(**tasks.names(random.Random(2))), "")
    with OneshotPlanner(name="sokoasp") as planner:
        refused = planner.solve(task(tmp_path, (broken, text)))
    assert refused.status.name == "UNSUPPORTED_PROBLEM"
    assert "no" in refused.log_messages[0].message


def test_the_command_writes_the_plan_as_the_competitions_want_it(tmp_path: Path) -> None:
    domain, problem = tasks.files(tmp_path, _competition())
    out = tmp_path / "plan"
    run = CliRunner().invoke
    done = run(cli, ["plan", str(domain), str(problem), "-o", str(out), "--engine", "reference", "--json"])
    assert done.exit_code == 0
    lines = out.read_text().splitlines()
    best = reference.solve(HALL, "pushes").value
    assert lines[-1] == f"; cost = {best} (general cost)"
    assert len(lines) - 1 == len(json.loads(done.output)["plan"])
    assert sum(not line.startswith("(walk ") for line in lines[:-1]) == best


def test_pddlgyms_dialect_is_read(tmp_path: Path) -> None:
    """Goal before start, and a predicate of the action's name that stands for the agent's choice."""
    domain, problem = _competition()
    word = tasks.names(random.Random(2))
    domain = domain.replace(":precondition (and (" + word["at"], ":precondition (and (walk ?d) (" + word["at"])
    domain = domain.replace("(:predicates ", f"(:predicates (walk ?d - {word['kind_way']}) ") + "\n; (:actions walk)\n"
    at, end = problem.index("(:init"), problem.index("(:goal")
    metric = problem.index("(:metric")
    turned = problem[:at] + problem[end:metric] + problem[at:end].replace("(:init", "(:init (walk w0)") + ")"
    found = answer(task(tmp_path, (domain, turned)), REFERENCE)
    assert board_hash(found.task.level) == board_hash(HALL)


def test_a_file_may_hold_domain_and_problem() -> None:
    both = "(define (domain x))\n(define (problem y))\n"
    assert parse(both, "domain") == ["define", ["domain", "x"]] and parse(both, "problem") == [
        "define",
        ["problem", "y"],
    ]


@pytest.mark.parametrize(
    "text",
    ["(define (domain x)", "(a) (b)", ")", "", "(define (domain x)) (define (domain y))", "(define (domain x)) y"],
)
def test_brackets_that_do_not_match_are_told_with_their_line(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse(text, "domain", "x.pddl")
    assert caught.value.place == "x.pddl:1"


@pytest.mark.parametrize("swapped", [True, False], ids=["swapped", "broken"])
def test_of_two_files_the_one_at_fault_is_named(swapped: bool, tmp_path: Path, root: Path) -> None:
    folder = root / "instances" / "pddl"
    domain = folder / "first.pddl" if swapped else tmp_path / "broken.pddl"
    (tmp_path / "broken.pddl").write_text("(define (domain x)")
    done = CliRunner().invoke(cli, ["plan", str(domain), str(folder / "first.pddl")])
    assert isinstance(done.exception, NotationError)
    assert done.exception.place == f"{domain}:1"


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


def test_comments_and_capitals_do_not_matter() -> None:
    first, second, facts = normal("(DEFINE (domain d)) ; (", "(define (problem p) (:goal (and)) (:init (A b)))")
    assert first == "(define (domain d))"
    assert second == "(define (problem p) (:init) (:goal (and)))"
    assert facts == [["a", "b"]]


def test_the_example_of_the_help_text_runs(root: Path) -> None:
    folder = root / "instances" / "pddl"
    done = CliRunner().invoke(cli, ["plan", str(folder / "domain.pddl"), str(folder / "first.pddl")])
    assert done.exit_code == 0
    assert "; cost = 2 (general cost)" in done.output


def _pddlgym() -> list[Path]:
    spec = importlib.util.find_spec("pddlgym")
    if spec is None or spec.origin is None:
        return []
    return sorted((Path(spec.origin).parent / "pddl").glob("sokoban*/*.pddl"))


def test_pddlgyms_own_instances_are_recognised_and_plans_come_back_in_their_words() -> None:
    files = _pddlgym()
    if not files:
        pytest.skip("pddlgym is not installed")
    solved = 0
    for file in files:
        task_ = recognise(read_task(file.parents[1] / "sokoban.pddl", file))
        assert task_.level.boxes and task_.level.goals
        found = reference.solve(task_.level, "moves", Limits(states=20_000))
        if found.plan is not None:
            named = list(steps_of(task_, found.plan.lurd))
            assert len(named) == found.plan.moves
            solved += 1
    assert len(files) >= 9 and solved >= 2


def test_the_cost_is_that_of_the_task(tmp_path: Path) -> None:
    domain, text = _competition()
    best = reference.solve(HALL, "pushes").value
    assert best is not None
    dear = domain.replace("(increase (total-cost) 1)", "(increase (total-cost) 3)")
    assert dear != domain
    found = answer(task(tmp_path, (dear, text)), Task(engine="reference"))
    assert write(found).endswith(f"; cost = {3 * best} (general cost)\n")


@pytest.mark.parametrize("costs", [[{"push": -1}], [{"push": 1}, {"move": 1}]])
def test_costs_that_count_neither_pushes_nor_moves(costs: list[dict[str, int]], tmp_path: Path) -> None:
    """What is paid back for each push asks for the most of them; of two metrics neither is the task's alone."""
    problem = task(tmp_path, _competition())
    walk = next(action.name for action in problem.actions if len(action.parameters) == 4)
    problem.clear_quality_metrics()
    for one in costs:
        of = {a: Int(one.get("move" if a.name == walk else "push", 0)) for a in problem.actions}
        problem.add_quality_metric(MinimizeActionCosts(of))
    with pytest.raises(NoSokoban, match=r"count neither|neither that of pushes"):
        recognise(problem)


def test_constraints_on_the_way_are_refused(tmp_path: Path) -> None:
    problem = task(tmp_path, _competition())
    goal = problem.goals[0]
    problem.add_trajectory_constraint(Always(Not(goal)))
    with pytest.raises(NoSokoban, match="what no form of Sokoban has: state invariants"):
        recognise(problem)


def test_an_action_that_takes_more_back_is_another() -> None:
    form = schema.FORMS[2]
    static = frozenset(["beside"])
    assert schema.find(form.actions, static) is not None
    push = form.actions["push"]
    more = replace(push, delete=push.delete | {schema.Literal("clear", ("behind",))})
    assert schema.find({**form.actions, "push": more}, static) is None


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (Status.UNSOLVABLE, "UNSOLVABLE_PROVEN"),
        (Status.TIME_OUT, "TIMEOUT"),
        (Status.NO_PLAN, "UNSOLVABLE_INCOMPLETELY"),
    ],
)
def test_what_unified_planning_hears_of_a_task_without_a_plan(
    monkeypatch: pytest.MonkeyPatch, status: Status, said: str
) -> None:
    given: list[float | None] = []

    def answered(problem: object, wishes: Task) -> object:
        given.append(wishes.limits.seconds)
        return TaskAnswer(None, Result(status, "moves", "native"), None)  # type: ignore[arg-type]

    monkeypatch.setattr(up, "answer", answered)
    assert up.SokoaspEngine()._solve(None, timeout=3.0).status.name == said
    assert given == [3.0]
