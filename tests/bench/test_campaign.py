"""Whole campaigns: complete, resumable, undamaged by kill -9 and by a full disk; wrong systems are flagged."""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from sokoasp.bench.define.suite import Suite, find_view, read_suite
from sokoasp.bench.report import judge, summary, tables, views
from sokoasp.bench.report.export import runs
from sokoasp.bench.report.status import status
from sokoasp.bench.run import campaign, local, processes
from sokoasp.bench.run.campaign import Progress, Summary
from sokoasp.bench.run.job import Job, Ran
from sokoasp.bench.run.selection import Selection
from sokoasp.bench.run.store import COLUMNS, DiskFull, Store, open_existing
from sokoasp.core import kernels
from sokoasp.core.errors import CampaignError, MissingExtra, SokoaspError
from sokoasp.sokoban.search.model.options import GROUPS
from tests.processes import alive, wait_for

from . import programs
from .conftest import ASP, INSTANCES, REFERENCE, SUITE, MakeSuite, of_levels

SLOW = """
[[systems]]
name = "slow"
kind = "external"
command = ["sleep", "0.2"]
"""


def run(suite: Suite, folder: Path, **keys: object) -> Summary:
    return campaign.run(suite, folder, local.execute, **keys)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign of one system that has run."""
    folder = tmp_path_factory.mktemp("kept")
    (folder / "suite.toml").write_text(SUITE + REFERENCE)
    run(read_suite(folder / "suite.toml"), folder / "out")
    return folder / "out"


@pytest.fixture
def ran(kept: Path, tmp_path: Path) -> Path:
    """A copy of that campaign."""
    return shutil.copytree(kept, tmp_path / "out")


def outcomes(folder: Path) -> dict[tuple[str, str], str]:
    """Return the judged outcome of every (system, instance)."""
    with open_existing(folder) as store:
        rows = judge.rows(store, ("system", "instance", "outcome"))
        return {(row["system"], row["instance"]): row["outcome"] for row in rows}


def test_every_job_is_stored_once_with_what_was_measured(make_suite: MakeSuite, tmp_path: Path) -> None:
    suite = make_suite(SUITE + REFERENCE + ASP)
    reported: list[Progress] = []
    assert run(suite, tmp_path / "out", on_run=reported.append) == Summary(6, 0, 6, ())
    assert [(p.done, p.total) for p in reported] == [(n, 6) for n in range(7)]
    store = open_existing(tmp_path / "out")
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in store.rows()]
    assert len(rows) == len({row["key"] for row in rows}) == 6
    for row in rows:
        assert row["outcome"] == "optimal" and row["value"] == row["lower_bound"] and row["plan"] and row["decided"]
        assert row["wall"] > 0 and row["cpu"] > 0 and row["peak_mb"] > 0 and row["total_seconds"] > 0
        assert row["machine"] and row["attempts"] == 1
    asp = next(row for row in rows if row["system"] == "asp")
    assert min(asp["atoms"], asp["rules"]) > 0 and asp["encoding"].startswith("lines")
    assert json.loads(asp["steps"])[-1][1] == "sat"
    versions = dict(store.connection.execute("SELECT name, version FROM system"))
    assert "clingo" in versions["asp"] and "numba" in versions["reference"]
    assert "cores" in json.loads(store.connection.execute("SELECT description FROM machine").fetchone()[0])
    store.close()


def test_a_second_call_has_nothing_to_do_and_new_systems_are_added(make_suite: MakeSuite, ran: Path) -> None:
    assert run(make_suite(SUITE + REFERENCE), ran) == Summary(3, 3, 0, ())
    assert run(make_suite(SUITE + REFERENCE + ASP), ran) == Summary(6, 3, 3, ())


def test_chosen_outcomes_are_run_again(make_suite: MakeSuite, ran: Path) -> None:
    with open_existing(ran) as store:
        store.connection.execute("UPDATE run SET outcome = 'lost' WHERE key = (SELECT min(key) FROM run)")
    assert run(make_suite(SUITE + REFERENCE), ran, retry=("lost",)).ran == 1
    assert set(outcomes(ran).values()) == {"optimal"}


def test_what_is_not_selected_is_not_forgotten(make_suite: MakeSuite, ran: Path) -> None:
    with open_existing(ran) as store:
        before = dict(store.rows(("key", "finished")))
        ((one, chosen), *_) = store.rows(("key", "instance"))
    only = Selection(instances=(chosen,))
    assert run(make_suite(SUITE + REFERENCE), ran, retry=("optimal",), selection=only).ran == 1
    with open_existing(ran) as store:
        after = dict(store.rows(("key", "finished")))
    assert before.keys() == after.keys() and [key for key in after if before[key] != after[key]] == [one]


def test_what_was_asked_before_is_in_no_table_of_what_is_asked_now(make_suite: MakeSuite, ran: Path) -> None:
    """Other limits, or another version of a program under the same name: two runs of a question would stand for one."""
    suite = make_suite(SUITE + REFERENCE)
    run(replace(suite, limits=replace(suite.limits, seconds=30)), ran)
    with open_existing(ran) as store:
        assert (len(store.keys()), status(store).done) == (6, 3)
        data = tables.load(store, {})
        assert [run.limit for run in data.runs] == [30.0] * 3 and judge.counts(store) == {"optimal": 3}
        assert [one.limit_seconds for one in runs(store)] == [30.0] * 3
    summary.write(ran, width=None)
    head = (ran / "report.md").read_text().splitlines()[2]
    assert "3 runs of 1 system" in head and "Limits of a run: 30 s by the clock, 2048 MB." in head
    assert head.endswith(" Left out: 3 runs of other limits, systems or instances.")


def test_what_was_run_on_a_machine_that_has_more_still_counts(
    make_suite: MakeSuite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite = make_suite(SUITE + REFERENCE + ASP)
    run(suite, tmp_path / "out")
    monkeypatch.setattr("sokoasp.bench.run.external.missing", lambda one, by: "not here" if one.name == "asp" else None)
    assert run(suite, tmp_path / "out").left_out == ("system 'asp' is left out: not here",)
    assert len(outcomes(tmp_path / "out")) == 6


def test_another_version_of_a_program_counts_alone(make_suite: MakeSuite, tmp_path: Path) -> None:
    own = '[[systems]]\nname = "mine"\nkind = "encoding"\nencoding = "mine.lp"\n'
    found = []
    for more in ("", "% changed\n"):
        (tmp_path / "mine.lp").write_text(programs.three_or_more() + more)
        run(make_suite(SUITE + own), tmp_path / "out")
        with open_existing(tmp_path / "out") as store:
            found.append([digest for (digest,) in store.rows(("digest",), asked=True)])
    first, second = map(set, found)
    assert len(found[0]) == len(found[1]) == 3 and len(first) == len(second) == 1 and first != second


def test_the_folder_of_another_suite_is_refused(make_suite: MakeSuite, ran: Path) -> None:
    with pytest.raises(CampaignError, match="holds the campaign 'test', not 'other'"):
        run(make_suite(SUITE.replace('"test"', '"other"') + REFERENCE), ran)


def test_a_file_that_is_no_campaign_is_refused(tmp_path: Path) -> None:
    (tmp_path / "runs.db").write_text("not a database at all, but long enough to be looked at " * 20)
    with pytest.raises(CampaignError, match="not a campaign file"):
        open_existing(tmp_path)
    (tmp_path / "runs.db").write_bytes(b"")
    for folder in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(CampaignError, match="there is no campaign here"):
            open_existing(folder)


def test_the_database_of_another_program_is_refused_and_left_alone(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "runs.db")) as theirs:
        theirs.execute("CREATE TABLE run (a)")
    before = (tmp_path / "runs.db").read_bytes()
    with pytest.raises(CampaignError, match="it is another program's"):
        open_existing(tmp_path)
    assert (tmp_path / "runs.db").read_bytes() == before


@pytest.mark.parametrize("spoiled", ["pages", "json"])
def test_a_damaged_store_is_named(ran: Path, spoiled: str) -> None:
    if spoiled == "json":
        with closing(sqlite3.connect(ran / "runs.db")) as opened:
            opened.execute("UPDATE instance SET known = '{'")
            opened.commit()
    else:
        content = bytearray((ran / "runs.db").read_bytes())
        for page in range(4096, len(content), 4096):
            content[page : page + 64] = b"\xff" * 64
        (ran / "runs.db").write_bytes(content)
    with (
        pytest.raises(CampaignError, match=r"runs\.db: not a campaign file, or damaged: "),
        open_existing(ran) as opened,
    ):
        judge.verdicts(opened)


def test_systems_that_are_not_installed_are_left_out_with_a_note(make_suite: MakeSuite, tmp_path: Path) -> None:
    absent = '[[systems]]\nname = "far"\nkind = "external"\ncommand = "x"\nrequires = ["no-such-program-anywhere"]\n'
    summary = run(make_suite(SUITE + REFERENCE + absent), tmp_path / "out")
    assert summary.total == 3
    assert summary.left_out == ("system 'far' is left out: there is no program 'no-such-program-anywhere' on the PATH",)


def test_wrong_encodings_and_a_lying_solver_are_flagged(make_suite: MakeSuite, tmp_path: Path) -> None:
    for name in ("through_walls", "three_or_more", "no_answer"):
        (tmp_path / f"{name}.lp").write_text(getattr(programs, name)())
    (tmp_path / "liar.py").write_text("print('UUDDLLRR')")
    (tmp_path / "denier.py").write_text("print('there is no plan')")
    text = """title = "liars"
    [limits]
    seconds = 4
    [[instances]]
    files = ["a.xsb"]
    [[instances]]
    files = ["INSTANCES/unsolvable/generated.xsb"]
    levels = [1]
    [[systems]]
    name = "honest"
    kind = "native"
    engine = "reference"
    [[systems]]
    name = "liar"
    kind = "external"
    command = ["{python}", "{folder}/liar.py"]
    output = "lurd"
    optimal = true
    [[systems]]
    name = "denier"
    kind = "external"
    command = "{python} {folder}/denier.py"
    unsolvable = "there is no plan"
    """ + "".join(
        f'[[systems]]\nname = "{name}"\nkind = "encoding"\nencoding = "{name}.lp"\n'
        for name in ("through_walls", "three_or_more", "no_answer")
    )
    (tmp_path / "a.xsb").write_text("#######\n#     #\n#@$  .#\n#     #\n#     #\n#######\n")
    suite = make_suite(text.replace("INSTANCES", str(INSTANCES)))
    run(suite, tmp_path / "out")
    found = outcomes(tmp_path / "out")
    store = open_existing(tmp_path / "out")
    level = store.connection.execute("SELECT id FROM instance WHERE file LIKE '%a.xsb'").fetchone()[0]
    counts = judge.counts(store)
    assert {one.system: one.decided for one in status(store).systems}["denier"] == 1  # of a level that has no plan
    messages = {verdict.message for verdict in judge.verdicts(store).values()}
    store.close()
    assert found["honest", level] == "optimal"
    assert found["liar", level] == "wrong_plan"
    assert found["denier", level] == "wrong_claim"
    assert found["three_or_more", level] == "wrong_claim"
    assert found["no_answer", level] == "wrong_claim"
    assert "wrong_plan" in {found[name, instance] for name, instance in found if name == "through_walls"}
    assert any(
        text.startswith("claims 3 lines is optimal; ") and text.endswith(" has a refereed plan with 1")
        for text in messages
    )
    assert judge.alarming(counts) and next(iter(counts)) == "wrong_plan"


COMMAND = (sys.executable, "-m", "sokoasp", "bench", "run")


def test_kill_9_of_the_runner_loses_and_doubles_nothing(make_suite: MakeSuite, tmp_path: Path) -> None:
    suite = make_suite(of_levels(10) + SLOW)
    command = [*COMMAND, str(suite.path), "-o", str(tmp_path / "out")]
    path = tmp_path / "out" / "runs.db"

    def stored() -> int:
        if not path.exists():
            return 0
        store = Store(path)
        count = len(store.keys())
        store.close()
        return count

    for least in (2, 5):
        runner = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for(lambda least=least: stored() >= least, 60)
        below = processes.descendants(runner.pid)
        runner.send_signal(signal.SIGKILL)
        runner.wait()
        assert below
        wait_for(lambda below=below: not any(map(alive, below)))
    before = stored()
    assert 5 <= before < 10
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert f"10 runs, {before} of them done before" in done.stdout
    assert len(outcomes(tmp_path / "out")) == stored() == 10


def test_only_one_runner_at_a_time(make_suite: MakeSuite, tmp_path: Path) -> None:
    suite = make_suite(SUITE + REFERENCE)
    caught: list[SokoaspError] = []

    def second(progress: Progress) -> None:
        try:
            run(suite, tmp_path / "out")
        except SokoaspError as error:
            caught.append(error)

    run(suite, tmp_path / "out", on_run=second)
    assert len(caught) == 4 and "another process is running this campaign" in str(caught[0])


def test_a_full_disk_stops_the_campaign_and_it_goes_on_later(make_suite: MakeSuite, tmp_path: Path) -> None:
    suite = make_suite(of_levels(20, sets="0[12]-box*") + REFERENCE)
    with pytest.raises(DiskFull, match="what is stored is safe"):
        run(suite, tmp_path / "out", most_pages=9)
    before = len(outcomes(tmp_path / "out"))
    assert 0 < before < 40
    assert run(suite, tmp_path / "out") == Summary(40, before, 40 - before, ())


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount a small disk")
def test_a_real_full_disk(make_suite: MakeSuite, tmp_path: Path) -> None:
    out = tmp_path / "disk"
    out.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=160k", "none", str(out)], check=False, capture_output=True
    )
    if mounted.returncode:
        pytest.skip("a small disk cannot be mounted here")
    suite = make_suite(of_levels(18, sets="0[12]-box*") + REFERENCE)
    try:
        with pytest.raises(SokoaspError, match=r"no room|cannot be used"):
            run(suite, out)
        before = len(outcomes(out))
        assert 0 < before < 36
        subprocess.run(["mount", "-o", "remount,size=4m", str(out)], check=True)
        assert run(suite, out) == Summary(36, before, 36 - before, ())
    finally:
        subprocess.run(["umount", str(out)], check=False)


def test_a_campaign_in_somebody_elses_folder_can_be_read(ran: Path) -> None:
    """By status, report, view and export, in a process that may not write there; its own files go elsewhere."""
    if os.geteuid() == 0 and not all(folder.stat().st_mode & 0o001 for folder in Path(__file__).parents):
        pytest.skip("another user cannot come to this checkout")
    with tempfile.TemporaryDirectory() as name:  # tmp_path is closed to others
        theirs = shutil.copytree(ran, Path(name) / "theirs")
        (mine := Path(name) / "mine").mkdir()
        for path, mode in ((Path(name), 0o755), (mine, 0o777), (theirs, 0o555), (theirs / "runs.db", 0o444)):
            path.chmod(mode)
        before = sorted(path.name for path in theirs.iterdir())
        pid = os.fork()
        if pid == 0:
            code = 1
            try:
                if os.geteuid() == 0:
                    os.setuid(65534)
                with open_existing(theirs) as store:
                    assert status(store).done == 3 and len(list(runs(store))) == 3
                    assert len(list(views.markdown(store, find_view("native")))) > 3
                summary.write(theirs, mine, width=None)
                code = 0
            finally:
                os._exit(code)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
        assert (mine / "report.html").is_file() and sorted(path.name for path in theirs.iterdir()) == before
        theirs.chmod(0o755)


def test_without_kernels_native_systems_are_left_out_and_not_stored_as_errors(
    make_suite: MakeSuite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    native = '[[systems]]\nname = "fast"\nkind = "native"\n'
    monkeypatch.setattr(kernels, "status", lambda modules=(): kernels.Status("none", compiles=False))
    done = run(make_suite(SUITE + REFERENCE + native), tmp_path / "out")
    assert done.left_out == (f"system 'fast' is left out: {MissingExtra('the native search', 'jit')}",)
    assert {system for system, _ in outcomes(tmp_path / "out")} == {"reference"} and done.total == 3
    boards = SUITE.replace('objectives = ["lines"]', 'objectives = ["slides"]')
    boards = boards[: boards.index("[[instances]]")] + "[[instances]]\nfiles = ['b.klotski']\n" + native
    (tmp_path / "b.klotski").write_text("goal: A 3,1\nBAAC\nBAAC\nD..E\nDFFE\n....\n")
    assert run(make_suite(boards), tmp_path / "boards").ran == 1, "boards are searched in plain Python"


def test_in_a_cold_checkout_it_is_said_that_kernels_are_compiled(
    make_suite: MakeSuite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    native = '[[systems]]\nname = "fast"\nkind = "native"\n'
    said: list[str] = []

    def none(jobs: list[Job]) -> Iterator[Ran]:
        return iter(())

    for ready in (False, True):
        last = () if ready else GROUPS[-1]  # which only a search that learns needs
        monkeypatch.setattr(kernels, "status", lambda modules=(), last=last: kernels.Status("jit", modules == last))
        campaign.run(
            make_suite(SUITE + native), tmp_path / "out", none, on_run=lambda progress: said.append(progress.last)
        )
    assert said == ["compiling the native search first (two to four CPU minutes, once)", "starting"]
