import re
import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from sokoasp.bench.define.systems import System, system_of
from sokoasp.bench.run import by_benchexec, external
from sokoasp.bench.run.external import ask, missing
from sokoasp.bench.run.job import Answer
from sokoasp.bench.run.local import Workers
from sokoasp.bench.run.outcomes import outcome
from sokoasp.sokoban.formats import level_from_rows

from .conftest import PUSH_ONE, TWO_LINES, content, job, report_of

LONG = level_from_rows(["#######", "#@$  .#", "#     #", "#######"])
Make = Callable[..., System]


def run(worker: Workers, system: System, level: object = PUSH_ONE, **limits: float) -> tuple[str, str, Answer | None]:
    one = job(system, level, **limits)
    report = report_of(worker, one)
    return (*outcome(one, report), report.answer)


@pytest.mark.parametrize("before", ["print('UNSATISFIABLE', flush=True)", "", "signal.signal(15, signal.SIG_IGN)"])
def test_a_run_that_its_limit_has_ended_claims_nothing(worker: Workers, external: Make, before: str) -> None:
    """incmode prints the answer of its last bound when it is stopped; what ignores the polite signal is killed."""
    system = external(f"import signal, time\n{before}\ntime.sleep(60)", output="clingo")
    assert run(worker, system, seconds=1.0)[0] == "time_out"


def test_a_lurd_plan_is_refereed_and_counted(worker: Workers, external: Make) -> None:
    status, _, found = run(worker, external("print('RRR')", output="lurd"), LONG)
    assert status == "solved" and found is not None and found.seconds["total"] > 0
    assert (found.value, found.plan, found.decided, found.lower_bound) == (1, "RRR", False, None)


@pytest.mark.parametrize("optimal", [True, "proved"])
def test_a_claim_to_be_optimal_is_read(worker: Workers, external: Make, optimal: bool | str) -> None:
    system = external("print('proved\\nplan: R')", output="lurd", plan="plan: (.*)", optimal=optimal)
    status, _, found = run(worker, system)
    assert status == "optimal" and found is not None and (found.decided, found.lower_bound) == (True, 1)


@pytest.mark.parametrize("plan", ["L", "RR", "rrrr", "push(c2r2,right,c5r2,1).", "push(c2r2,right,c9r9,1)."])
def test_a_wrong_plan_is_an_outcome_of_its_own(worker: Workers, external: Make, plan: str) -> None:
    level = level_from_rows(["######", "#@$ $.#", "#    .#", "#######"])
    status, message, _ = run(worker, external(f"print({plan!r})"), level)
    assert message and status in ("wrong_plan", "unknown" if "c9r9" in plan else "")


COST = "print('R'); import sys; print('cost 7', file=sys.stderr)"
CLINGO = "print('Answer: 1\\npush(c3r2,right,c4r2,1)\\nOptimization: {}\\nOPTIMUM FOUND')"
ENDED = """print('"Result": "UNSATISFIABLE",\\n "TIME LIMIT": 1,'); exit(65)"""


@pytest.mark.parametrize(
    ("script", "keys", "status", "words"),
    [
        (COST, {"output": "lurd", "value": r"cost (\d+)"}, "wrong_claim", "^claims 7 lines, the referee counts 1$"),
        ("print('TIME LIMIT: 1800\\nno way')", {"unsolvable": "no way"}, "unsolvable", ""),
        ("print('not so soon')", {"no_plan": "not so soon"}, "no_plan", ""),
        ("print('UNKNOWN\\nTIME LIMIT   : 1'); exit(65)", {"output": "clingo"}, "time_out", ""),
        (ENDED, {"output": "clingo"}, "time_out", ""),
        ("import sys; print('ouch', file=sys.stderr); exit(3)", {"optimal": True}, "crash", "exit code 3: ouch"),
        ("import os; os.kill(os.getpid(), 9)", {}, "crash", "signal 9"),
        ("pass", {}, "unknown", ""),
        ("print('plan: ')", {"plan": "plan: (.*)"}, "unknown", "^the plan is empty$"),
        ("print('cost 0')", {"value": r"cost (\d+)"}, "wrong_plan", "^the plan has no action"),
        ("", {"command": "echo cost 0; true > {plan}", "value": r"cost (\d+)"}, "wrong_plan", "^the plan has no"),
        (CLINGO.format(7), {}, "solved", "^it minimises something else: its best answer costs 7$"),
        (CLINGO.format(1), {}, "optimal", "^$"),
        ("raise MemoryError", {}, "memory_out", ""),
        ("", {"command": "echo noise; echo R > {plan}", "output": "lurd"}, "solved", ""),
        ("", {"command": "echo {steps}"}, "error", "uses steps"),
        ("", {"command": ("no-such-program-anywhere",)}, "error", "no-such-program-anywhere"),
    ],
)
def test_the_outcome_of_a_script_or_command_is_told(
    script: str, keys: dict[str, Any], status: str, words: str, worker: Workers, external: Make
) -> None:
    system = external(script, **keys) if script else system_of("x", "external", **keys)
    told, message, found = run(worker, system)
    assert told == status and re.search(words, message)
    if status in ("unsolvable", "no_plan"):
        assert found is not None and found.decided == (status == "unsolvable")


def test_a_plan_printed_before_the_time_limit_counts(worker: Workers) -> None:
    system = system_of("shell", "external", command="echo R; sleep 600", output="lurd", optimal=True)
    status, _, found = run(worker, system, seconds=5)
    assert status == "solved" and found is not None
    assert (found.stopped_by, found.decided, found.lower_bound) == ("time", False, None)


def test_placeholders_are_filled_in() -> None:
    names = "objective seed seconds memory_mb steps bound"
    words = " ".join(f"{{{name}}}" for name in names.split())
    system = system_of("shell", "external", command=f"echo {words} && cat {{facts}} {{pddl_problem}} {{xsb}}", steps=5)
    with pytest.MonkeyPatch.context() as patch:
        seen: list[str] = []
        patch.setattr(external, "judge", lambda job, output, *rest: seen.append(output) or Answer("unknown"))
        ask(job(system))
    assert seen[0].startswith("lines 0 20 2048 5 4\n")
    assert all(part in seen[0] for part in ("right(c2r2,c3r2).", "(define (problem", "#@$.#", "step(5)."))


@pytest.mark.parametrize(
    ("command", "status"),
    [
        ("echo R; (setsid sleep N &); sleep N", "solved"),
        ("python3 -c 'x = bytearray(400_000_000)'", "memory_out"),
        ("exit 3", "crash"),
        (("no-such-program-anywhere",), "error"),
    ],
)
def test_benchexec_limits_commands_by_cgroups(worker: Workers, command: str, status: str) -> None:
    seconds = f"{420 + time.monotonic() % 1:.6f}"
    words = command.replace("N", seconds) if isinstance(command, str) else command
    system = system_of("x", "external", command=words, output="lurd")
    if (lack := missing(system, "runexec")) is not None:
        pytest.skip(lack)
    one = job(system, seconds=1, memory_mb=200)
    one = replace(one, limits=replace(one.limits, by="runexec"))
    report = report_of(worker, one)
    assert outcome(one, report)[0] == status and (report.peak_mb < 201 or status == "error")
    assert not [p for p in Path("/proc").glob("[0-9]*/cmdline") if seconds.encode() in content(p)]


@pytest.mark.parametrize(("found", "said"), [(None, "pip install benchexec"), ((), "may not use the cgroups")])
def test_without_cgroups_commands_by_runexec_are_left_out(
    found: object, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = None if found is None else SimpleNamespace(Cgroups=SimpleNamespace(initialize=lambda: Here(found)))
    monkeypatch.setitem(sys.modules, "benchexec.cgroups", module)
    by_benchexec.lack.cache_clear()
    try:
        system = system_of("x", "external", command="true")
        assert said in str(missing(system, "runexec")) and missing(system) is None
    finally:
        by_benchexec.lack.cache_clear()


class Here(tuple[str, ...]):
    """Cgroups that may be used: none."""

    CPU, MEMORY = "cpu", "memory"


@pytest.mark.skipif(not (shutil.which("gringo") and shutil.which("clasp")), reason="gringo and clasp are not installed")
def test_gringo_and_clasp_answer_the_competition(worker: Workers) -> None:
    programs = ("rules/geometry", "rules/competition_start", "rules/line_push", "rules/competition_fewest", "show/push")
    files = " ".join(f"{{encodings}}/sokoban/{name}.lp" for name in programs)
    command = f"gringo {{facts}} {files} | clasp --outf=2"
    system = system_of("pair", "external", command=command, output="clingo", steps=4, requires=("gringo", "clasp"))
    assert missing(system) is None
    status, _, found = run(worker, system, TWO_LINES)
    assert status == "optimal" and found is not None and found.value == 2
    short = system_of("pair", "external", command=command, output="clingo", steps=2)
    status, _, found = run(worker, short, TWO_LINES)
    assert status == "no_plan" and found is not None and found.decided and found.counters["bound"] == 1


@pytest.mark.skipif(find_spec("up_fast_downward") is None, reason="Fast Downward is not installed")
def test_fast_downward_proves_fewest_pushes(worker: Workers) -> None:
    words = ("{python}", "{fast_downward}", "--plan-file", "{plan}", "{pddl_domain}", "{pddl_problem}", "--search")
    keys = {"output": "pddl", "optimal": True, "value": r"Plan cost: (\d+)"}
    system = system_of("fd", "external", command=(*words, "astar(blind())"), **keys)  # type: ignore[arg-type]
    one = job(system, LONG, "pushes")
    report = report_of(worker, one)
    assert outcome(one, report)[0] == "optimal" and report.answer is not None and report.answer.value == 3


def test_missing_programs_are_told() -> None:
    system = system_of("x", "external", command="x", requires=("no-such-program-anywhere",))
    assert missing(system) == "there is no program 'no-such-program-anywhere' on the PATH"
