"""Views over a campaign that was run, and over one that was made up; the tables that are suites with views."""

import signal
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from sokoasp.asp import catalogue
from sokoasp.asp.export import whole
from sokoasp.bench.define.instances import expand
from sokoasp.bench.define.overrides import Changes
from sokoasp.bench.define.suite import find_suite, find_view, read_suite
from sokoasp.bench.report import views
from sokoasp.bench.run import campaign, local
from sokoasp.bench.run.store import Store, open_existing
from sokoasp.cli.bench import command
from sokoasp.cli.encodings import command as encodings
from sokoasp.core.errors import EncodingError, NotationError
from sokoasp.core.shipped import SHIPPED
from sokoasp.sokoban.formats import facts, write
from sokoasp.sokoban.formats.level_rows import level_from_rows
from tests.instances import written
from tests.levels import random_level

from .synthetic import fill


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign of the suite ``native`` on four levels, by the reference search, one of them with a long solution."""
    folder = tmp_path_factory.mktemp("views")
    file = written(folder, write([random_level(seed) for seed in (1, 2, 3)], "xsb"), "four.xsb")
    other = written(folder, "#######\n#  .  #\n#  $  #\n#  @  #\n#     #\n#######\n", "detour.xsb")
    other.with_suffix(".sol").write_text("luRurrdLdlU")
    _run(folder, (file, other), 20)
    return folder


def _run(folder: Path, files: tuple[Path, ...], seconds: float) -> None:
    changes = Changes({"engine": "reference", "seconds": seconds, "title": "mine"}, files=files)
    campaign.run(read_suite(find_suite("native"), changes), folder / "out", local.execute)


@pytest.fixture
def store(ran: Path) -> Iterator[Store]:
    opened = open_existing(ran / "out")
    yield opened
    opened.close()


def test_the_view_of_the_suite_has_every_level_and_what_it_comes_to(store: Store) -> None:
    lines = list(views.markdown(store, views.of_campaign(store)))
    assert [line.split(" | ")[0] for line in lines[2:6]] == ["| detour", "| four", "| four:2", "| four:3"]
    assert " | 3 |  | 1 | 1 | optimal | " in lines[2]
    assert lines[-3].startswith("native, pushes: 4 of 4 settled, 4 of them within 1 s; ")
    assert lines[-3].endswith("; 0 wrong.") and lines[-1] == f"4 runs, store {store.digest()}."


def test_the_hash_changes_with_a_run(ran: Path, store: Store) -> None:
    before = store.digest()
    assert before == store.digest()
    changed = Store(ran / "out" / "runs.db")
    changed.connection.execute("UPDATE run SET value = value + 1 WHERE value = 1")
    assert store.digest() != before
    changed.connection.execute("UPDATE run SET value = value - 1 WHERE value = 2 AND lower_bound = 1")
    changed.close()
    assert store.digest() == before


def test_a_view_shows_what_was_asked_for_last(ran: Path, store: Store) -> None:
    """Runs under another limit stay in the store; they are not rows of the table."""
    _run(ran, (ran / "detour.xsb",), 21)
    lines = list(views.markdown(store, views.of_campaign(store)))
    assert lines[-3].startswith("native, pushes: 1 of 1 settled") and lines[-1].startswith("5 runs, ")
    _run(ran, (ran / "four.xsb", ran / "detour.xsb"), 20)
    assert len(store.keys()) == 5
    assert any("4 of 4 settled" in line for line in views.markdown(store, views.of_campaign(store)))


def test_wrong_answers_are_judged_before_they_are_shown(tmp_path: Path) -> None:
    fill(tmp_path, 6_000)
    query = tmp_path / "mine.sql"
    query.write_text("SELECT outcome AS across, count(*) AS cell, objective FROM result GROUP BY 1 ORDER BY 1;\n")
    with open_existing(tmp_path) as made:
        head, _, row, *_ = views.markdown(made, query)
    assert head == "| objective | crash | optimal | time_out | wrong_claim |"
    assert all(int(cell) > 0 for cell in row.split(" | ")[1:4])


def test_the_view_of_ideas_counts_answers_and_their_cpu(tmp_path: Path) -> None:
    fill(tmp_path, 5)
    with open_existing(tmp_path) as made:
        made.connection.execute("UPDATE run SET outcome = 'no_plan', value = NULL, cpu = 7, total_seconds = 9")
        made.connection.execute("UPDATE instance SET known = '{}'")
    told = CliRunner().invoke(command, ["view", str(tmp_path), "ideas"]).output
    assert (
        "| whole | lines | 1/1 | 0 | 0 | 0 | 0 | 7 | 1.00 |" in told
        and " Later: levels that both answer, the row " in told
    )
    with open_existing(tmp_path) as made:
        made.connection.execute("UPDATE run SET outcome = 'time_out', decided = 0, lower_bound = 3")
    told = CliRunner().invoke(command, ["view", str(tmp_path), "programs"]).output
    assert "| grounding, wall s |" in told and "| 1.00 |  | " in told
    with open_existing(tmp_path) as made:
        made.connection.execute("UPDATE run SET lower_bound = NULL, ground_seconds = 2")
    grounded = CliRunner().invoke(command, ["view", str(tmp_path), "programs"]).output
    assert "(7: time out)" in grounded and "| 1.00 | 2.0 | " in grounded
    fill(tmp_path / "half", 10)
    with open_existing(tmp_path / "half") as made:
        spent = "decided = 1, cpu = 1 + 2 * (system = 'search') + 9 * seed"
        made.connection.execute("UPDATE run SET outcome = 'optimal', " + spent)
        made.connection.execute("DELETE FROM run WHERE (system, seed) IN (VALUES ('whole', 1), ('part b', 0))")
        made.describe({"order": "whole\nsearch\npart b", "runs": "whole\t2\npart b\t2"})
    half = CliRunner().invoke(command, ["view", str(tmp_path / "half"), "programs"]).output
    beside = [row.split(" | ")[3:5] for row in half.splitlines()[2:5]]
    assert beside == [["1.0", "1.00"], ["15.0", "3.00 (1)"], ["10.0", "– (0)"]], "questions that both were asked"
    assert "\n2 runs still to be made: all this is about those that are.\n" in half
    assert "(7: at least 3)" in told and "\nA cell in brackets is a run that decided nothing. Its CPU seconds " in told


def test_a_name_with_a_bar_stays_in_its_cell(store: Store, tmp_path: Path) -> None:
    path = written(tmp_path, "SELECT 1 AS level, 'gringo | clasp' AS across, 2 AS cell;\n", "mine.sql")
    assert list(views.markdown(store, path))[:3] == ["| level | gringo \\| clasp |", "|---|---|", "| 1 | 2 |"]


def test_systems_that_the_suite_does_not_name_come_last(store: Store, tmp_path: Path) -> None:
    path = written(tmp_path, "SELECT place('native') || ' before ' || place('another') AS sentence;\n", "mine.sql")
    assert next(views.markdown(store, path)) == "0 before 1"


def test_the_help_and_a_refusal_name_the_shipped_views(tmp_path: Path) -> None:
    reported = " ".join(CliRunner().invoke(command, ["view", "--help"]).output.split())
    *names, last = sorted(path.stem for path in (SHIPPED / "views").glob("*.sql"))
    assert f"NAME is one of {', '.join(names)} and {last};" in reported
    fill(tmp_path, 1)
    said = CliRunner().invoke(command, ["view", str(tmp_path)], catch_exceptions=True)
    assert f"or {', '.join(names)} or {last}" in str(said.exception)


def test_every_shipped_view_can_be_printed_of_any_campaign(store: Store) -> None:
    for path in (SHIPPED / "views").glob("*.sql"):
        lines = list(views.markdown(store, path))
        assert lines[-1].endswith(f"store {store.digest()}."), path
        assert lines[0].startswith("| ") or path.stem in ("deadlocks", "klotski"), "other systems"


@pytest.mark.parametrize(
    ("query", "line"),
    [
        ("SELECT 1 AS a;\n\nSELECT magic FROM result;\n", 3),
        ("DELETE FROM run;\n", 1),
        ("SELECT 1;\nDROP TABLE run;\n", 2),
        ("PRAGMA query_only = OFF;\nDELETE FROM run;\n", 1),
        ("\nATTACH DATABASE 'other.db' AS other;\n", 2),
        ("VACUUM INTO 'other.db';\n", 1),
    ],
)
def test_a_faulty_view_is_reported_with_its_line_and_changes_nothing(
    store: Store, tmp_path: Path, query: str, line: int
) -> None:
    path = written(tmp_path, query, "mine.sql")
    with pytest.raises(NotationError, match="not a valid view") as caught:
        list(views.markdown(store, path))
    assert caught.value.line == line and len(list(store.rows())) >= 4


def test_a_view_that_is_no_text_is_reported_with_its_place(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "mine.sql"
    path.write_bytes(b"SELECT 1;\n-- caf\xe9\n")
    with pytest.raises(NotationError, match=r"mine.sql:2:7: E-VIEW not UTF-8 text"):
        list(views.markdown(store, path))


@pytest.mark.usefixtures("ctrl_c")
def test_a_view_without_end_hears_ctrl_c(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "mine.sql"
    path.write_text("WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c;\n")
    timer = threading.Timer(0.2, signal.raise_signal, (signal.SIGINT,))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        list(views.markdown(store, path))
    timer.join()


def test_views_are_found_by_name_and_missing_ones_are_reported(ran: Path) -> None:
    done = CliRunner().invoke(command, ["view", str(ran / "out"), "plans"])
    assert done.exit_code == 0 and "with a plan" in done.output
    with pytest.raises(NotationError, match="there are deadlocks, ideas, klotski, native, plans"):
        find_view("nonesuch")


def test_plans_are_counted_and_measured_against_the_solutions_that_came(store: Store) -> None:
    lines = list(views.markdown(store, find_view("plans")))
    assert "-66.7 % over the known solutions on the average" in lines[-3]
    plans = [int(line.split(" | ")[1] or 0) for line in lines[2:-4]]
    assert f"{sum(map(bool, plans))} of 4 with a plan, {sum(plans)} pushes in all" in lines[-3]


def test_the_table_of_speed_has_its_rows_and_says_what_is_left_out(tmp_path: Path) -> None:
    """clingo's encodings are not there; the campaign within asks the easy level that the suite names."""
    suite = read_suite(find_suite("speed"))
    (easy,) = (one.id for one in expand(suite) if one.group == "easy")
    assert f"--instance {easy} " in str(next(one.how for one in suite.systems if one.name == "a campaign"))
    asked = [word for name in ("solve", "one box", "104*", "a run*") for word in ("--system", name)]
    CliRunner().invoke(command, ["run", "speed", *asked, "--instance", easy, "-o", str(tmp_path / "out")])
    text = CliRunner().invoke(command, ["view", str(tmp_path / "out")]).output
    rows = {row[2:4]: row.split("|")[2].strip() for row in text.splitlines() if row.startswith("| ")}
    assert rows["a."].startswith("left out: $CLINGO_ENCODINGS")
    assert all(float(rows[name]) > 0 for name in ("b.", "c.", "f."))
    with sqlite3.connect(tmp_path / "out" / "runs.db") as db:  # what shows no plan is not slow
        db.execute("""UPDATE instance SET "group" = 'shipped'""")
        db.execute("UPDATE run SET system = 'clingo', outcome = 'wrong_plan' WHERE system = 'one box'")
    assert "left out: $CLINGO" in CliRunner().invoke(command, ["view", str(tmp_path / "out")]).output


def test_a_run_that_failed_has_no_bound_in_the_table_of_programs(tmp_path: Path) -> None:
    file = tmp_path / "one.xsb"
    file.write_text("".join(f"#####{'#' * n}\n#@{' ' * n}$.#\n#####{'#' * n}\n\n" for n in range(11)))
    CliRunner().invoke(encodings, ["bench", str(file), "--encoding", "lines", "-o", str(tmp_path / "out")])
    with open_existing(tmp_path / "out") as made:
        made.connection.execute("UPDATE run SET outcome = 'error', decided = 0, value = NULL")
    done = CliRunner().invoke(command, ["view", str(tmp_path / "out")])
    rows = [line for line in done.output.splitlines() if line.startswith("| one")]
    assert [row.split()[1] for row in rows] == ["one", *(f"one:{n}" for n in range(2, 12))]  # not one:10 before one:3
    assert all(row.endswith(" | error |") for row in rows)
    assert "a wrong or undecided run counts at least as its limit" in done.output


@pytest.mark.parametrize("encoding", ["competition", "own.lp"])
def test_a_program_that_wants_steps_is_asked_for_them_before_any_run(encoding: str, tmp_path: Path) -> None:
    words = ["bench", str(written(tmp_path, "#####\n#@$.#\n#####\n", "one.xsb")), "--encoding", encoding]
    if encoding == "own.lp":
        words[-1] = str(written(tmp_path, whole(catalogue.named("competition"), ""), encoding))
    with pytest.raises(EncodingError, match="in bench --set steps=N"):
        CliRunner().invoke(encodings, words, catch_exceptions=False)
    for steps in (2, 3):
        shown = CliRunner().invoke(encodings, [*words, "--set", f"steps={steps}"]).output
        assert f" | lines, steps = {steps} | 1/1 | " in shown and "in brackets" not in shown
        assert f"\n| one | lines, steps = {steps} |  | 0." in shown, "no optimum"


def test_steps_are_a_question_of_their_own_and_a_plan_that_can_be_cut_refutes_who_finds_none(tmp_path: Path) -> None:
    file = written(tmp_path, facts.write(level_from_rows(["######", "#@$ .#", "######"]), steps=3), "one.lp")
    names = ["lines", "competition", "competition-fewest"]
    for name in names[1:]:
        names.append(str(written(tmp_path, whole(catalogue.named(name), ":- push(_,_,_,_)."), f"no-{name}.lp")))
    done = CliRunner().invoke(
        encodings, ["bench", str(file), *(word for name in names for word in ("--encoding", name))]
    )
    asked = [line.split(" | ")[1:3] for line in done.stdout.splitlines()[2:7]]
    exact, fewest = "lines, steps = own", "lines, fewest, steps = own"
    assert asked == [["lines", "1/1"], [fewest, "1/1"], [fewest, "0/1"], [exact, "1/1"], [exact, "0/1"]]
    for said in (
        "with 2 lines; lines (whose plan of 1 can be cut) has a",
        "with at most 2 lines; lines has a refereed",
    ):
        assert f": claims no plan {said}" in done.stderr


def _made(folder: Path, suite: str, *words: str) -> str:
    """Run a campaign by the command line and return what its notes and its view say; it has no wrong answer."""
    out = str(folder / "out")
    run = CliRunner().invoke(command, ["run", suite, "-o", out, "--set", "engine=reference", *words])
    assert run.exit_code == 0, run.output
    return run.output + CliRunner().invoke(command, ["view", out]).output


@pytest.mark.parametrize(
    ("suite", "words", "said"),
    [
        ("native", ("--set", "view=plans"), "with a plan"),
        ("plans", ("--time-limit", "20"), "any: 1 of 1 with a plan, 1 pushes in all; "),
    ],
    ids=["a view of the command line", "no solution that came is measured against"],
)
def test_the_view_of_plans(suite: str, words: tuple[str, ...], said: str, tmp_path: Path) -> None:
    file = written(tmp_path, "#####\n#@$.#\n#####\n", "one.xsb")
    assert said in _made(tmp_path, suite, str(file), *words)


def test_what_a_suite_does_not_ask_about_is_told(ran: Path, root: Path, tmp_path: Path) -> None:
    board = root / "instances" / "klotski" / "own.klotski"
    made = _made(tmp_path, "native", str(ran / "detour.xsb"), str(board))
    assert "1 of 1 settled" in made
    assert f"instances left out, from {board}:1 on: klotski does not count pushes" in made


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["native"], "this suite wants files of yours"),
        (["klotski", "FILE"], "this suite has instances of its own and takes none"),
        (["native", "FILE", "--set", "objectives=units"], "no system can be asked for these objectives of sokoban"),
    ],
)
def test_wishes_that_do_not_go_together(ran: Path, tmp_path: Path, words: list[str], what: str) -> None:
    given = [str(ran / "four.xsb") if word == "FILE" else word for word in words]
    done = CliRunner().invoke(command, ["run", *given, "-o", str(tmp_path / "out")])
    assert what in str(done.exception)
