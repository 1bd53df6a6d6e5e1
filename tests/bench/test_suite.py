from pathlib import Path

import pytest

from sokoasp.bench.define.instances import expand, known_values, with_solution
from sokoasp.bench.define.suite import READY_SUITES, find_suite, read_suite
from sokoasp.bench.define.systems import system_of
from sokoasp.bench.define.toml_lines import line_at, lines_of
from sokoasp.bench.run import campaign
from sokoasp.bench.run.job import expand as expanded
from sokoasp.core.errors import NotationError
from sokoasp.sokoban import formats
from sokoasp.sokoban.search.model.options import FOR_ANY
from tests.commands import run

from .conftest import ASP, REFERENCE, SUITE, MakeSuite, of_levels

GOOD = SUITE + REFERENCE
NATIVE, PROGRAM = 'kind = "native"\nengine = "reference"', 'kind = "encoding"\nencoding'


def test_a_suite_is_read_with_its_defaults(make_suite: MakeSuite) -> None:
    suite = make_suite(GOOD + ASP)
    assert suite.title == "test" and suite.objectives == ("lines",)
    assert (suite.limits.seconds, suite.limits.cpu_seconds, suite.limits.memory_mb) == (20, None, 2048)
    assert [system.name for system in suite.systems] == ["reference", "asp"]
    assert suite.repetitions == 1 and suite.seeds == (0,)


def test_each_idea_is_left_out_beside_those_that_all_go_without(make_suite: MakeSuite) -> None:
    suite = make_suite(GOOD.replace('engine = "reference"', 'engine = "any"\nwithout = ["each", "beam", "patterns"]'))
    whole, *others = suite.systems
    rest = [name for name in FOR_ANY if name not in ("beam", "patterns")]
    assert whole.how.without == ("beam", "patterns") and [one.how.without for one in others] == [
        ("beam", "patterns", name) for name in rest
    ]
    assert {one.base for one in others} == {whole.name} and others[-1].name == f"{whole.name} without shortening"


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ('title = "test"', 'titel = "test"', 2, "did you mean 'title'"),
        ('title = "test"', "", 1, "lacks the key 'title'"),
        ('title = "test"', "title = 3", 2, "title must be a text"),
        ("seconds = 20", "seconds = -1", 5, "seconds must be a number above 0"),
        ("seconds = 20", "second = 20", 5, "did you mean 'seconds'"),
        ('objectives = ["lines"]', 'objectives = ["fun"]', 3, "there is no objective 'fun'"),
        ('objectives = ["lines"]', "objectives = []", 3, "at least 1 entry"),
        ('kind = "native"', 'kind = "magic"', 12, "must be one of 'encoding', 'native', 'sat'"),
        ('engine = "reference"', 'encoding = "lines"', 13, "encoding is for systems of kind 'encoding'"),
        ('engine = "reference"', 'base = "x"', 13, "not another system"),
        ('engine = "reference"', 'detectors = ["corner"]', 13, "detectors is for systems of kind 'deadlock'"),
        ('kind = "native"', 'kind = "deadlock"\ndetectors = ["fly"]', 13, "has an entry that must be one of "),
        ("levels = [1, 2, 3]", 'claims = "none.csv"', 8, "there is no file 'none.csv'"),
        ('engine = "reference"', 'without = ["magic"]', 13, "search has no idea named 'magic', only matching, "),
        ("levels = [1", "levels = [0", 8, "has an entry that must be a whole number from 1 to 100000"),
        ('objectives = ["lines"]', "seeds = [4294967296]", 3, "must be a whole number from 0 to 4294967295"),
        ('objectives = ["lines"]', "repetitions = 1000000", 3, "must be a whole number from 1 to 100000"),
        ('objectives = ["lines"]', 'view = "mine"', 3, "'mine': there is no view file or ready view of this name"),
        ("files = [", "flies = [", 7, "did you mean 'files'"),
        (REFERENCE, REFERENCE * 2, 16, "two systems named"),
        ("seconds = 20", "seconds = = 20", 5, "not valid TOML"),
        ('engine = "reference"', 'engine = "warp"', 13, "there is no native engine 'warp'; there are "),
        ('engine = "reference"', "shorten = 3", 13, "shorten is for the plan of 'known'"),
        (NATIVE, f'{PROGRAM} = "mine.lp"', 13, "there is no file 'mine.lp'"),
        (NATIVE, f'{PROGRAM} = "lines"\noptions = ["--heuristik=x"]', 14, "(clingo does not take this option: unknown"),
        (NATIVE, f'{PROGRAM} = "lines,nonesuch"', 13, "there is no encoding 'nonesuch'"),
        (NATIVE, f'{PROGRAM} = "lines-remaining"\nwithout = ["magic"]', 14, "has no idea named 'magic'"),
        (NATIVE, 'kind = "external"', 10, "lacks the key 'command'"),
        (NATIVE, 'kind = "external"\ncommand = "solve {levl}"', 13, "no placeholder {levl}"),
        (NATIVE, 'kind = "external"\ncommand = "solve"\nplan = "no group"', 14, "must be a regular expression with"),
        (NATIVE, 'kind = "external"\ncommand = "solve"\noptimal = "("', 14, "must be a regular expression"),
        (NATIVE, 'kind = "external"\ncommand = "solve"\noptimal = "true"', 14, "leave out the quotes of true"),
        (NATIVE, 'kind = "external"\ncommand = ["{folder}/none"]', 10, "suite.toml:10: E-SUITE there is no program '/"),
        (NATIVE, NATIVE + '\nwithout = ["freeze"]', 14, "the reference search has no idea named 'freeze', only none"),
        (NATIVE, 'kind = "encoding"\nwithout = ["corner"]', 13, "a system without 'encoding' has no idea named"),
        (NATIVE, 'kind = "encoding"\nconfiguration = "trendi"', 13, "trendi); did you mean 'trendy'?"),
        (NATIVE, 'kind = "encoding"\noptions = ["--models=2"]', 10, "arguments=--models=2: say which plans you want"),
        (NATIVE, f'{PROGRAM} = "pushes"', 10, "encoding 'pushes' counts pushes, not lines"),
        (NATIVE, f'{NATIVE}\nobjectives = ["moves"]', 3, "no system can be asked for these objectives"),
        ("seconds = 20", "memory_mb = 1e300", 5, "memory_mb must be a number above 0, at most 1e9"),
        (NATIVE, 'kind = "encoding"\nknown = true', 13, "known is for systems of kind 'native' or 'sat', this one is"),
    ],
)
def test_faults_are_told_with_their_line(make_suite: MakeSuite, old: str, new: str, line: int, words: str) -> None:
    with pytest.raises(NotationError) as caught:
        suite = make_suite(GOOD.replace(old, new))
        campaign._asked(suite, None)
    assert (caught.value.line, Path(caught.value.source).name) == (line, "suite.toml")
    assert words in str(caught.value)
    assert caught.value.exit_code == 30


def test_a_changed_program_is_another_system(make_suite: MakeSuite, tmp_path: Path) -> None:
    digests = set()
    for text in ("#show push/4.\n", "#show push/4. a.\n"):
        (tmp_path / "mine.lp").write_text(text)
        digests.add(make_suite(GOOD.replace(NATIVE, f'{PROGRAM} = "mine.lp"')).systems[0].digest)
    assert len(digests) == 2


@pytest.mark.parametrize(
    "command",
    [
        '["clingo", "{facts}", "{folder}/my own.lp"]',
        '["sh", "-c", "clingo {facts} --program={folder}/a.lp|cat"]',
        '"clingo {facts} < a.lp > log; true"',
    ],
)
def test_a_command_whose_file_is_changed_is_another_system(make_suite: MakeSuite, tmp_path: Path, command: str) -> None:
    suite = f'{SUITE}[[systems]]\nname = "x"\nkind = "external"\ncommand = {command}\n'
    digests = [make_suite(suite).systems[0].digest]
    for read, other in (("a.", "a"), ("a.", "b"), ("b.", "b")):
        for name, text in {"a.lp": read, "my own.lp": read, "log": other, "b.lp": other}.items():
            (tmp_path / name).write_text(text)
        digests.append(make_suite(suite).systems[0].digest)
    none, one, same, changed = digests
    assert one == same and len({none, one, changed}) == 3
    shown = '["cat", "{encodings}/sokoban/show/push.lp"]\nfewest = true'
    ours = make_suite(suite.replace(command, shown)).systems[0]
    assert ours.how.sources and ours.how.fewest  # type: ignore[union-attr]
    assert system_of("x", "external", command="a").digest == "f448608b6befcc52", "of when no file was looked at"


def test_constraints_make_a_question_whatever_the_program(make_suite: MakeSuite, tmp_path: Path) -> None:
    def question(encoding: str, text: str = "") -> str:
        (tmp_path / "mine.lp").write_text(text)
        own = 'constraints = ["mine.lp"]\n' * bool(text)
        suite = f'{SUITE}[[systems]]\nname = "x"\nkind = "encoding"\nencoding = "{encoding}"\n{own}'
        return make_suite(suite).systems[0].question

    assert question("lines") == ""
    assert question("lines", "a.") == question("lines-forward", "a.") != question("lines", "b.")
    assert question("lines", "a.").startswith("mine.lp (")


def test_globs_that_match_nothing_are_faults_unless_optional(make_suite: MakeSuite) -> None:
    text = 'title = "t"\n[[instances]]\nfiles = ["no/*.xsb"]\n' + REFERENCE
    with pytest.raises(NotationError, match="no file matches") as caught:
        expand(make_suite(text))
    assert caught.value.line == 3
    with pytest.raises(NotationError, match="the suite has no instances"):
        expand(make_suite(text.replace("xsb", 'xsb"]\noptional = true\n#["')))


def test_instances_are_files_levels_and_boards_once_each(make_suite: MakeSuite, tmp_path: Path) -> None:
    (tmp_path / "a.xsb").write_text("#####\n#@$.#\n#####\n\n######\n#@$ .#\n######\n")
    (tmp_path / "b.xsb").write_text("#####\n#@$.#\n#####\n; the first of a.xsb again\n")
    (tmp_path / "c.klotski").write_text("goal: A 3,1\nBAAC\nBAAC\nD..E\nDFFE\n....\n")
    text = 'title = "t"\n[[instances]]\nfiles = ["*.xsb", "*.klotski"]\n' + REFERENCE
    found = expand(make_suite(text))
    assert [(Path(i.file).name, i.level) for i in found] == [("a.xsb", 1), ("a.xsb", 2), ("c.klotski", 1)]
    assert found[-1].game == "klotski"
    chosen = expand(make_suite(text.replace('"*.klotski"]', '"*.klotski"]\nlevels = [2]')))
    assert [(Path(i.file).name, i.level) for i in chosen] == [("a.xsb", 2)]


def test_a_faulty_level_or_solution_is_told_and_left_out(tmp_path: Path) -> None:
    level = "#####\n#@$.#\n#####\n"
    (tmp_path / "a.xsb").write_text(f"#####\n#@$ #\n#####\n\n{level}")
    (tmp_path / "a.sol").write_text("-\n\nuR\n")
    (tmp_path / "const.lp").write_text("#const t=3.\nbox(1).\n")
    done = run("bench", "run", "optima", "const.lp", "a.xsb", "--system", "native", "-o", "made", cwd=tmp_path)
    assert done.returncode == 0 and "  optimal 1\n" in done.stdout and "const.lp:1:1: E-FACTS" in done.stderr
    assert (
        "a.xsb:1: E-COUNT" in done.stderr and "a.xsb:2: a solution that came with it is left out: move 1" in done.stderr
    )


def test_a_campaign_takes_solutions_of_a_sol_file_alone(tmp_path: Path) -> None:
    board, file = "#####\n#@$.#\n#####\n", tmp_path / "a.xsb"
    file.write_text(board)
    file.with_suffix(".sok").write_text(f"{board}Solution:\nR\n")
    (level,) = formats.read(board)
    assert with_solution(level, file).solutions == ()
    file.with_suffix(".sol").write_text("R\n")
    assert with_solution(level, file).solutions == ("R",)


def test_instances_of_the_user_replace_the_placeholder(make_suite: MakeSuite, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "a.xsb").write_text("#####\n#@$.#\n#####\n")
    suite = make_suite('title = "t"\n[[instances]]\nfiles = ["{instances}/*.xsb"]\n' + REFERENCE)
    assert len(expand(suite, tmp_path / "mine")) == 1
    with pytest.raises(NotationError, match="give --instances"):
        expand(suite)


def test_solutions_that_came_with_a_level_are_known_once_refereed(make_suite: MakeSuite, tmp_path: Path) -> None:
    (tmp_path / "a.xsb").write_text(
        "######\n#@$ .#\n######\nSolution: RR\n\n"
        "######\n# @$.#\n######\nSolution: lrR\nSolution: R\nSolution: lrlrR\n\n"
        "######\n#@$ .#\n#    #\n######\nSolution: R\n"
    )
    found = expand(make_suite('title = "t"\n[[instances]]\nfiles = ["*.xsb"]\n' + REFERENCE))
    assert found[0].known == {"plan:lines": 1, "plan:pushes": 2, "plan:moves": 2}
    assert found[1].known == {"plan:lines": 1, "plan:pushes": 1, "plan:moves": 1}, "the best of three"
    assert found[2].known == {}


def test_compared_systems_run_one_after_the_other_in_random_order(make_suite: MakeSuite) -> None:
    text = (of_levels(12) + REFERENCE).replace('"test"', '"test"\nrepetitions = 2\nseeds = [1, 2]') + ASP
    suite = make_suite(text)
    found = expand(suite)
    jobs = expanded(suite, found)
    assert len(jobs) == len({job.key for job in jobs}) == len(found) * 2 * 2 * 2
    pairs = list(zip(jobs[::2], jobs[1::2], strict=True))
    for one, two in pairs:
        assert (one.instance, one.seed, one.repetition) == (two.instance, two.seed, two.repetition)
        assert {one.system.name, two.system.name} == {"reference", "asp"}
    assert {one.system.name for one, _ in pairs} == {"reference", "asp"}
    assert [job.instance for job in jobs[::8]] != [instance.id for instance in found]
    assert [job.key for job in expanded(suite, found)] == [job.key for job in jobs]


def test_lines_of_tables_and_keys_are_known() -> None:
    text = 'a = 1\n[t]\nb = """\nc = 2\n"""\n[[s]]\nd = 3\n[[s]]\n"e" = 4\n'
    places = lines_of(text)
    s = {("s", 0): 6, ("s", 0, "d"): 7, ("s", 1): 8, ("s", 1, "e"): 9}
    assert places == {(): 1, ("a",): 1, ("t",): 2, ("t", "b"): 3, **s}
    assert line_at(places, ("s", 1, "nothing", "here")) == 8


@pytest.mark.parametrize("path", sorted(READY_SUITES.glob("*.toml")), ids=lambda path: path.stem)
def test_ready_suites_are_valid(path: Path) -> None:
    suite = read_suite(path)
    assert suite.title == path.stem
    assert find_suite(path.stem) == path


def test_an_unknown_suite_is_told_with_the_ready_ones() -> None:
    for name in "no-such-suite", "no/such.toml":
        with pytest.raises(NotationError, match=r"there are .*native-vs-asp"):
            find_suite(name)


def test_a_level_that_no_file_has_is_told_with_its_line(make_suite: MakeSuite, tmp_path: Path) -> None:
    one = "#####\n#@$.#\n#####\n"
    (tmp_path / "two.xsb").write_text(f"{one}\n#####\n#.$@#\n#####\n")
    (tmp_path / "one.xsb").write_text(one)
    text = 'title = "test"\n[[instances]]\nfiles = ["*.xsb"]\nlevels = [2]\n' + REFERENCE
    assert [one.level for one in expand(make_suite(text))] == [2]
    with pytest.raises(NotationError, match=r"suite\.toml:4: E-SUITE no file of these has a level 3"):
        expand(make_suite(text.replace("[2]", "[2, 3]")))


def test_suites_of_windows_editors_are_read_and_others_refused_with_their_place(
    make_suite: MakeSuite, tmp_path: Path
) -> None:
    make_suite(GOOD)
    path = tmp_path / "suite.toml"
    path.write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    assert read_suite(path).title == make_suite(GOOD).title
    path.write_bytes(b'title = "caf\xe9"\n')
    with pytest.raises(NotationError, match=r"suite\.toml:1:13: E-SUITE not UTF-8 text"):
        read_suite(path)


def test_a_known_value_that_is_no_number_is_no_value(tmp_path: Path) -> None:
    (tmp_path / "known.csv").write_text(
        "instance,level,objective,value\na.xsb,²,lines,3\na.xsb,1,lines,²\na.xsb,2,lines,4\n"
    )
    assert known_values(tmp_path / "known.csv") == {("a.xsb", 2, "lines"): 4}
