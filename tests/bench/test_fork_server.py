"""Limits, crashes and kills of single runs, in real processes."""

import os
import re
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from sokoasp.bench.define.suite import RunLimits
from sokoasp.bench.define.systems import System, system_of
from sokoasp.bench.run import processes, warm
from sokoasp.bench.run.job import Report
from sokoasp.bench.run.local import Workers, execute
from sokoasp.bench.run.outcomes import outcome
from sokoasp.core import kernels
from sokoasp.sokoban.formats import level_from_rows
from tests.instances import written
from tests.processes import alive, wait_for

from .conftest import PUSH_ONE, content, job, report_of

Make = Callable[..., System]


ROOM = level_from_rows(["########", "#.     #", "#  $ $ #", "#      #", "# $  $ #", "#     .#", "#.@   .#", "########"])
"""Too many states for the plain search."""


def test_a_run_is_a_process_of_its_own_and_reports_what_it_used(worker: Workers) -> None:
    report = report_of(worker, job(system_of("asp", "encoding")))
    assert report.answer is not None and report.answer.status == "optimal"
    assert (report.exit_code, report.killed_by) == (0, None)
    assert report.cpu > 0 and report.wall > 0 and report.peak_mb > 5


def test_the_memory_limit_ends_a_command_and_all_it_started(worker: Workers, external: Make, tmp_path: Path) -> None:
    script = (
        "import os, time\n"
        f"open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\n"
        "if os.fork():\n    time.sleep(60)\nelse:\n    x = bytearray(180_000_000)\n    time.sleep(60)\n"
    )
    one = job(external(script), memory_mb=150)
    report = report_of(worker, one)
    assert report.killed_by == "memory" and report.peak_mb > 150 and outcome(one, report)[0] == "memory_out"
    wait_for(lambda: not alive(int((tmp_path / "pid").read_text())))


PAGES = """
import os, time
from sokoasp.bench.run import warm
pages = [bytearray(60_000_000)]
warm.WARM = {"native": lambda: pages.append(bytearray(100_000_000))}
os.register_at_fork(after_in_child=lambda: time.sleep(0.2))
"""


def test_no_run_has_pages_that_are_not_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor does the memory limit count those that a command's process has before it executes the command."""
    written(tmp_path, PAGES, "sitecustomize.py")
    monkeypatch.syspath_prepend(str(tmp_path))
    one, two = system_of("waits", "external", command="sleep 0.2"), system_of("asp", "encoding")
    with Workers() as worker:
        command = report_of(worker, job(one, memory_mb=50))
        reports = [report_of(worker, job(each)) for each in (system_of("search", "native"), two, one)]
    assert command.killed_by is None and max(command.peak_mb, reports[2].peak_mb) < 20
    assert reports[0].peak_mb > 170 and 60 < reports[1].peak_mb < 150


def test_what_compiles_is_another_process(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(kernels, "status", lambda modules: kernels.Status("jit", True))
    monkeypatch.setattr(warm, "_ask_each", lambda: (tmp_path / "pids").open("a").write(f"{os.getpid()}\n"))
    warm.prepare("native")
    first, second = (tmp_path / "pids").read_text().split()
    assert first != second == str(os.getpid())


def test_the_kernel_is_told_the_limits_of_a_command(worker: Workers, external: Make, tmp_path: Path) -> None:
    script = (
        "import resource\n"
        "of = [resource.getrlimit(x)[0] for x in (resource.RLIMIT_DATA, resource.RLIMIT_CPU, resource.RLIMIT_CORE)]\n"
        f"open({str(tmp_path / 'limits')!r}, 'w').write(str(of))\n"
    )
    report_of(worker, job(external(script), memory_mb=150, cpu_seconds=7))
    assert (tmp_path / "limits").read_text() == str([150_000_000 + processes.SLACK_MB * 10**6, 8, 0])


def test_the_memory_limit_holds_inside_our_own_engines(worker: Workers) -> None:
    one = job(system_of("plain", "native", engine="reference"), ROOM, "moves", memory_mb=45)
    report = report_of(worker, one)
    assert outcome(one, report)[0] == "memory_out"
    assert report.killed_by == "memory" or (report.answer is not None and report.answer.stopped_by == "memory")


def test_the_cpu_limit_ends_a_command(worker: Workers, external: Make) -> None:
    one = job(external("while True: pass"), cpu_seconds=1)
    report = report_of(worker, one)
    assert outcome(one, report) == ("time_out", "CPU limit")


def test_what_a_command_claims_after_its_cpu_limit_counts_no_more(worker: Workers, external: Make) -> None:
    """A plan does; and a solver that catches the kernel's signal has not crashed."""
    for act, ends in (("print('R')", "solved"), ("raise SystemExit(65)", "time_out")):
        script = f"import time\nwhile time.process_time() < 0.5: pass\n{act}"
        for seconds, found in ((0.2, (ends, "CPU limit")), (20, None)):
            one = job(external(script, output="lurd", optimal=True), seconds=seconds, clock="cpu")
            report = report_of(worker, one)
            assert report.answer is not None and report.answer.decided == (found is None and ends == "solved")
            assert outcome(one, report) == found or (found is None and outcome(one, report)[0] in ("optimal", "crash"))


def test_a_run_that_does_not_stop_by_itself_is_killed(worker: Workers) -> None:
    # An external command below the soft limit of its own supervisor: the supervisor itself is stopped.
    system = system_of("stuck", "external", command="kill -STOP $PPID; sleep 60")
    one = job(system, seconds=0.3)
    report = report_of(worker, one)
    assert report.killed_by == "time" and report.answer is None and outcome(one, report)[0] == "time_out"
    assert outcome(job(system, seconds=5, clock="cpu"), report)[0] == "wall_out"


class Impatient(RunLimits):
    """Limits whose guard on the wall comes after 0.3 s."""

    def wall(self, extra: float = 0.0) -> float:
        return 0.3


def test_a_run_that_the_wall_ends_within_its_cpu_seconds_says_so(worker: Workers) -> None:
    """On a busy machine a run may get a tenth of a processor: that is no time-out of the system."""
    waiting = system_of("waiting", "external", command="sleep 60")
    one = replace(job(waiting), limits=Impatient(seconds=5, clock="cpu"))
    report = report_of(worker, one)
    found, message = outcome(one, report)
    words = r"killed after \d\.\d s by the clock, 0\.\d of its 5 CPU seconds used; --retry wall_out runs it again"
    assert found == "wall_out" and re.fullmatch(words, message), message
    others = (job(waiting, seconds=5), job(waiting, seconds=0, clock="cpu"))
    assert [outcome(other, report)[0] for other in others] == ["time_out"] * 2


def test_a_solver_killed_from_outside_is_a_crash_and_hurts_no_other_run(worker: Workers) -> None:
    """kill -9 of a solver."""
    one = job(system_of("plain", "native", engine="reference"), ROOM, "moves", seconds=60)
    killed = threading.Event()

    def kill() -> None:
        wait_for(lambda: bool(processes.descendants(worker.pid("local") or 0)))
        for pid in processes.descendants(worker.pid("local") or 0):
            os.kill(pid, signal.SIGKILL)
        killed.set()

    thread = threading.Thread(target=kill)
    thread.start()
    report = report_of(worker, one)
    thread.join()
    assert killed.is_set() and report.exit_code == -signal.SIGKILL
    assert outcome(one, report) == ("crash", "died by signal 9 without an answer")
    assert report_of(worker, job(system_of("asp", "encoding"))).exit_code == 0


def test_a_killed_worker_takes_its_run_along_and_the_run_is_tried_again(external: Make, tmp_path: Path) -> None:
    """kill -9 of a worker."""
    mark = tmp_path / "pids"
    script = (
        f"import os, time\nfile = {str(mark)!r}\nopen(file, 'a').write(f'{{os.getpid()}} ')\n"
        "time.sleep(0 if len(open(file).read().split()) > 1 else 60)\nprint('R')"
    )
    with Workers() as worker:
        thread = threading.Thread(target=lambda: (wait_for(mark.exists), os.kill(worker.pid("local") or 0, 9)))
        thread.start()
        (ran,) = worker.run([job(external(script, output="lurd"))])
        thread.join()
    assert ran.attempts == 2 and ran.report is not None and ran.report.answer is not None
    assert ran.report.answer.status == "solved"
    wait_for(lambda: not alive(int(mark.read_text().split()[0])))


def test_a_run_whose_worker_is_ended_twice_while_it_forks_is_lost_without_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    hook = "import os, signal\nos.register_at_fork(before=lambda: os.kill(os.getpid(), signal.SIGTERM))\n"
    written(tmp_path, hook, "sitecustomize.py")
    monkeypatch.syspath_prepend(str(tmp_path))
    (ran,) = execute([job(system_of("plain", "native", engine="reference"), PUSH_ONE)])
    assert (ran.report, ran.attempts, capfd.readouterr().err) == (None, 2, "")


@pytest.mark.parametrize(
    "command",
    [
        "timeout 410 sleep N; true",
        "setsid sleep N & setsid setsid sleep N",
        "sleep N & setsid sleep N & echo R",
        "(setsid sh -c 'sleep N & sleep N' &); echo R; exit 3",
    ],
)
def test_nothing_that_a_run_has_started_outlives_it(worker: Workers, command: str) -> None:
    """Whether the limit ends it, or it ends by itself; also what has a process group, or a session, of its own."""
    seconds = f"{420 + time.monotonic() % 1:.6f}"  # a number that no other process has
    leaves = system_of("leaves", "external", command=command.replace("N", seconds), output="lurd")
    report = report_of(worker, job(leaves, seconds=1))
    assert report.answer is not None
    running = [path for path in Path("/proc").glob("[0-9]*/cmdline") if seconds.encode() in content(path)]
    assert not [path for path in running if alive(int(path.parent.name))]


def test_cpu_seconds_of_what_was_left_behind_are_the_runs(worker: Workers) -> None:
    busy = "(setsid python3 -c 'while True: pass' &); sleep 1; echo R"
    report = report_of(worker, job(system_of("busy", "external", command=busy, output="lurd"), seconds=20))
    assert report.answer is not None and report.answer.status == "solved" and report.cpu > 0.1


def test_files_of_runs_that_were_killed_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the memory limit, by a signal, and with the worker's end."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    hungry = system_of(
        "hungry", "external", command="python3 -c 'import time; x = bytearray(200_000_000); time.sleep(60)'"
    )
    suicidal = system_of("suicidal", "external", command="touch $TMPDIR/mine; kill -9 $PPID")
    with Workers() as worker:
        reports = [report_of(worker, job(one, memory_mb=100)) for one in (hungry, suicidal)]
        (folder,) = tmp_path.iterdir()
        assert folder.name.startswith("sokoasp-run-") and list(folder.iterdir()) == []
    assert reports[0].killed_by == "memory" and reports[1].exit_code == -signal.SIGKILL
    assert list(tmp_path.iterdir()) == []


def test_a_worker_imports_nothing_from_here_and_commands_see_the_search_path_of_the_caller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "base64.py").write_text("raise SystemExit('the wrong base64')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))  # as python -m does
    monkeypatch.setenv("PYTHONPATH", "/no/such/folder")
    system = system_of("path", "external", command='test "$PYTHONPATH" = /no/such/folder && echo R', output="lurd")
    with Workers() as worker:
        assert report_of(worker, job(system_of("asp", "encoding"))).answer is not None
        report = report_of(worker, job(system))
    assert report.answer is not None and report.answer.status == "solved"


def test_several_workers_share_the_jobs_and_each_is_done_once() -> None:
    jobs = [replace(job(system_of("asp", "encoding")), key=str(number)) for number in range(6)]
    done = list(execute(jobs, workers=2))
    assert sorted(ran.job.key for ran in done) == sorted(one.key for one in jobs)
    assert {ran.worker for ran in done} == {"local-1", "local-2"} and all(ran.report for ran in done)


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_ends_the_run_under_way(external: Make, tmp_path: Path) -> None:
    mark, main = tmp_path / "pid", threading.main_thread().ident or 0
    script = f"import os, time\nopen({str(mark)!r}, 'w').write(str(os.getpid()))\ntime.sleep(300)"
    thread = threading.Thread(
        target=lambda: (
            wait_for(lambda: mark.exists() and mark.read_text() != ""),
            signal.pthread_kill(main, signal.SIGINT),
        )
    )
    thread.start()
    # neither its limit nor garbage ends the run meanwhile: the traceback keeps the client
    with pytest.raises(KeyboardInterrupt) as stopped:
        list(execute([job(external(script), seconds=300), job(system_of("asp", "encoding"), PUSH_ONE)]))
    thread.join()
    wait_for(lambda: not alive(int(mark.read_text())))
    assert stopped.traceback


@pytest.mark.parametrize("pid", [0, 1 << 22])
def test_processes_that_are_not_there_have_no_children_and_no_memory(pid: int) -> None:
    assert processes.descendants(pid) == [] and processes.resident_mb([pid]) == 0 and processes.peak_mb(pid) == 0


@pytest.mark.parametrize("words", ["terminate called after throwing an instance of 'std::bad_alloc'", "MemoryError"])
def test_a_process_that_died_for_want_of_memory_is_out_of_it(words: str) -> None:
    one = job(system_of("hungry", "native", engine="native"))
    assert outcome(one, Report(None, 1.0, 1.0, 50.0, 1, stderr=f"sokoasp:\n{words}\n"))[0] == "memory_out"
    told = "crash", "died by exit code 1 without an answer: KeyError"
    assert outcome(one, Report(None, 1.0, 1.0, 50.0, 1, stderr="KeyError")) == told
