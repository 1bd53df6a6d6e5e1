"""Variants of systems, asked in this process: what they do to the answer, and which faults of a suite are noticed."""

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sokoasp.asp import catalogue, statements, user_program
from sokoasp.bench.define.instances import expand, solution
from sokoasp.bench.define.overrides import Changes, read
from sokoasp.bench.define.suite import RunLimits, find_suite, read_suite
from sokoasp.bench.define.systems import DIGEST_VERSION, System, system_of
from sokoasp.bench.run import core_pinning, warm
from sokoasp.bench.run.job import Answer
from sokoasp.bench.run.job import expand as expanded
from sokoasp.bench.run.job_child import answer
from sokoasp.core import kernels
from sokoasp.core.errors import NotationError, WrongOption
from sokoasp.core.limits import CpuLimits
from sokoasp.sokoban import facts
from sokoasp.sokoban.formats import write
from sokoasp.sokoban.level import Level
from tests.instances import level, levels
from tests.levels import scrambled_level

from .conftest import ASP, SUITE, MakeSuite, job

needs_native = pytest.mark.skipif(not kernels.status().there, reason="the native search is not installed")
BAY = level("########\n#  .   #\n#@$# $ #\n#  . ###\n########")
DETOUR = level("#######\n#  .  #\n#  $  #\n#  @  #\n#     #\n#######")
ROOM = level("#######\n#.$ @ #\n#   $.#\n#######")
LONG_WAY = "luRurrdLdlU"
"""A solution of ``DETOUR`` in three pushes; one is enough."""


def asked(problem: Level = BAY, objective: str = "lines", **keys: Any) -> Answer:
    kind = keys.pop("kind", "encoding")
    return answer(job(system_of("it", kind, **keys), problem, objective, clock="cpu"))  # type: ignore[arg-type]


def variants_of(make_suite: MakeSuite, keys: str) -> list[System]:
    return list(make_suite(SUITE + ASP.replace('name = "asp"', 'name = "it"') + keys).systems)


def test_each_idea_is_left_out_once(make_suite: MakeSuite) -> None:
    whole = catalogue.encodings()["lines-remaining"]
    base, *parts = variants_of(make_suite, 'encoding = "lines-remaining"\nwithout = "each"\n')
    assert (base.name, base.how.without, base.base) == ("it", (), None)
    assert [part.how.without for part in parts] == [(idea.name,) for idea in whole.ideas]
    assert {one.base for one in parts} == {"it"}
    assert len({one.digest for one in (base, *parts)}) == len(parts) + 1


@pytest.mark.parametrize("keys", [{"without": (idea.name,)} for idea in catalogue.encodings()["lines-remaining"].ideas])
def test_a_program_without_an_idea_is_another_program_with_the_same_optimum(keys: dict[str, Any]) -> None:
    whole, part = asked(encoding="lines-remaining"), asked(encoding="lines-remaining", **keys)
    assert (part.status, part.value) == (whole.status, whole.value) == ("optimal", 5)
    assert part.counters["rules"] != whole.counters["rules"]


def test_programs_in_turns() -> None:
    found = asked(encoding="lines-forward,lines-remaining")
    assert (found.status, found.value) == ("optimal", 5)


def test_a_file_begins_at_the_first_bound_and_is_checked_by_the_worker_as_ours_are(tmp_path: Path) -> None:
    copy, dead = tmp_path / "copy.lp", level("#####\n#$  #\n#@ .#\n#####")
    copy.write_text("\n".join(path.read_text() for path in catalogue.encodings()["lines"].files))
    for problem in (BAY, dead):
        ours, theirs = (asked(problem, encoding=name) for name in ("lines", str(copy)))
        assert (ours.status, ours.message.replace("lines", str(copy))) == (theirs.status, theirs.message)
        assert [one[:2] for one in ours.steps] == [one[:2] for one in theirs.steps]
    for one in (caches := (user_program.checked, statements._together)):
        one.cache_clear()
    warm.read(job(system_of("it", "encoding", encoding=str(copy))))
    assert [one.cache_info().currsize for one in caches] == [1, 1]


def test_values_of_the_command_line_take_the_place_of_the_suites(tmp_path: Path) -> None:
    file = tmp_path / "[odd] name.xsb"
    file.write_text(write([BAY], "xsb"))
    pairs = read(["engine=forward", "known=true", "seconds=7.5", "objectives=lines", "title=mine", "without=freeze"])
    suite = read_suite(find_suite("native"), Changes(pairs, files=(file,)))
    how = suite.systems[0].how
    assert (how.engine, how.known, how.without, suite.title) == ("forward", True, ("freeze",), "mine")
    assert (suite.limits.seconds, suite.limits.clock, suite.objectives) == (7.5, "cpu", ("lines",))
    (found,) = expand(suite)
    assert found.file == str(file)


@pytest.mark.parametrize(
    ("pair", "words"),
    [
        ("engine", "--set: 'engine' is not KEY=VALUE"),
        ("magic=1", "--set: a suite has no key 'magic'"),
        ("seconds=x", "command line: seconds must be a number above 0, at most 1e9, not 'x'"),
        ("clock=3", "command line: clock must be"),
        ("repetitions=0", "command line: repetitions must be"),
        ("shorten=x", "command line: shorten must be"),
        ("encoding=lines", "command line: no system of this suite"),
        ("engine=foo", "command line: there is no native engine 'foo'"),
        ("without=foo", "command line: .* has no idea named 'foo'"),
        ("objectives=foo", "command line: there is no objective 'foo'"),
        ("objectives=foo,moves", r"there is no objective 'foo,moves', only .*; a list is written KEY=\["),
        ("seed=1 seed=2", r"--set: 'seed' is given twice; a list is written KEY=\["),
    ],
)
def test_wrong_changes_are_reported_and_not_laid_to_the_suite(pair: str, words: str) -> None:
    with pytest.raises(WrongOption, match=words) as caught:
        suite = read_suite(find_suite("smoke" if "foo" in pair else "native"), Changes(read(pair.split())))
        expanded(suite, expand(suite))
    assert caught.value.exit_code == 2


def test_a_suite_that_wants_files_says_so() -> None:
    with pytest.raises(NotationError, match="this suite wants files of yours"):
        expand(read_suite(find_suite("native")))


def test_files_that_a_suite_has_no_place_for_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "mine.xsb"
    file.write_text(write([BAY], "xsb"))
    with pytest.raises(WrongOption, match="FILES: this suite has instances of its own") as refused:
        read_suite(find_suite("smoke"), Changes({}, files=(file,)))
    assert refused.value.exit_code == 2
    with pytest.raises(WrongOption, match="--instances: this suite asks for no folder"):
        expand(read_suite(find_suite("smoke")), tmp_path)


def test_files_may_stand_beside_those_of_the_suite(tmp_path: Path, make_suite: MakeSuite) -> None:
    file, beside = tmp_path / "mine.xsb", tmp_path / "theirs.xsb"
    file.write_text(write([BAY], "xsb"))
    beside.write_text(write([ROOM], "xsb"))
    head = SUITE.partition("[[instances]]")[0]
    made = make_suite(f'{head}[[instances]]\nname = "both"\nfiles = ["{{files}}", "{beside}"]\n{ASP}').path
    found = expand(read_suite(made, Changes({}, files=(file,))))
    assert [one.file for one in found] == [str(file), str(beside)]


def test_a_limit_of_cpu_seconds_is_backed_up_by_the_kernel_and_the_wall() -> None:
    limits = RunLimits(seconds=10, clock="cpu")
    assert isinstance(limits.of_engine(), CpuLimits) and limits.of_engine(3).seconds == 3
    assert (limits.wall(), limits.kernel_seconds(), limits.kernel_seconds(5)) == (160, 12.5, 17.75)
    assert (RunLimits(seconds=10).wall(5), RunLimits(seconds=10).kernel_seconds()) == (15, None)


def test_clock_and_cores_make_another_question(make_suite: MakeSuite) -> None:
    keys = set()
    for more in ("", 'clock = "cpu"\n', "cores = 1\n"):
        suite = make_suite((SUITE + ASP).replace("seconds = 20\n", f"seconds = 20\n{more}"))
        keys |= {one.key for one in expanded(suite, expand(suite))}
    assert len(keys) == 9


def test_keys_and_digests_are_what_they_were() -> None:
    """A campaign that is begun with one version goes on with the next; who changes this raises the number in the key."""
    assert (DIGEST_VERSION, system_of("asp", "encoding").digest) == (3, "3ce6b53e8637e697")
    assert system_of("asp", "encoding", threads=2).digest != system_of("asp", "encoding").digest


def test_a_limit_is_the_same_with_and_without_a_point(make_suite: MakeSuite) -> None:
    texts = (SUITE + ASP, (SUITE + ASP).replace("seconds = 20", "seconds = 20.0"))
    keys = [[one.key for one in expanded(suite, expand(suite))] for suite in map(make_suite, texts)]
    assert keys[0] == keys[1]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_solution_beside_the_file_comes_with_the_level(make_suite: MakeSuite, tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "detour.xsb"
    file.write_text(write([DETOUR], "xsb"))
    file.with_suffix(".sol").write_text(LONG_WAY, encoding=encoding)
    suite = read_suite(find_suite("native"), Changes({}, files=(file,)))
    (found,) = expand(suite)
    assert found.known == {"plan:lines": 3, "plan:pushes": 3, "plan:moves": 11}
    plan = solution(DETOUR, file)
    assert plan is not None and plan.pushes == 3


@needs_native
def test_a_native_engine_starts_from_the_plan_that_came_shortened_if_that_is_wished() -> None:
    given = replace(DETOUR, solutions=(LONG_WAY,))
    for keys, start in (({}, None), ({"known": True}, 3), ({"known": True, "shorten": 5.0}, 1)):
        found = asked(given, "pushes", kind="native", engine="forward", **keys)
        assert (found.status, found.value, found.counters.get("start")) == ("optimal", 1, start)
    found = asked(levels("tutorial/first.xsb")[0], "pushes", kind="native", engine="forward", known="table")
    assert found.counters["start"] == found.value


@needs_native
def test_a_native_search_without_an_idea_gives_the_same_optimum_with_more_work() -> None:
    problem = scrambled_level(3, boxes=5, pulls=300)
    whole, part = (asked(problem, "pushes", kind="native", engine="forward", without=w) for w in ((), ("matching",)))
    assert (part.status, part.value) == (whole.status, whole.value)
    assert part.counters["expanded"] > whole.counters["expanded"]


@needs_native
def test_sat_rises_from_nothing_or_starts_from_the_plan_of_the_table() -> None:
    pytest.importorskip("pysat")
    for known, start in ((False, None), ("table", 2)):
        found = asked(levels("tutorial/tutorial.xsb")[1], "pushes", kind="sat", known=known)
        assert (found.status, found.value, found.counters.get("start")) == ("optimal", 2, start)


def test_a_files_own_question_is_answered() -> None:
    for steps, status in ((6, "solved"), (5, "no_plan")):
        for keys in ({"encoding": "competition", "steps": "own"}, {"steps": "own"}):
            found = asked(facts.read(facts.write(BAY, steps=steps)), **keys)
            assert (found.status, found.decided, found.counters["bound"]) == (status, True, steps - 1)
    found = asked(encoding="competition-fewest", steps=7)
    assert (found.status, found.decided, found.value, found.lower_bound) == ("optimal", True, 5, 5), "at most 6"


def test_a_run_has_processors_of_its_own_while_they_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core_pinning, "FOLDER", tmp_path)  # campaigns of this machine hold the real ones
    there, claimed = os.sched_getaffinity(0), []
    stay, leave = os.pipe()
    for _ in range(2):
        inlet, outlet = os.pipe()
        if os.fork() == 0:
            os.close(leave)
            mine = core_pinning.take(1)
            os.write(outlet, bytes([*mine, *os.sched_getaffinity(0)]))
            os.read(stay, 1)
            os._exit(0)
        claim, bound = os.read(inlet, 8)
        assert claim == bound
        claimed.append(claim)
    os.close(leave)
    for _ in claimed:
        os.wait()
    assert set(claimed) <= there == os.sched_getaffinity(0)
    assert len(set(claimed)) == min(2, len(there))
