"""Campaigns by Dask with real worker processes, some of which are killed."""

import importlib.util
import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

if importlib.util.find_spec("distributed") is None:  # importing it takes as long as ten of our tests
    pytest.skip("needs distributed", allow_module_level=True)

from sokoasp.bench.define import instances
from sokoasp.bench.run import campaign, cluster, job, local
from sokoasp.bench.run.store import open_existing
from sokoasp.cli import root as cli
from sokoasp.core.errors import SokoaspError, WrongOption
from tests.processes import alive, wait_for

from .conftest import REFERENCE, SUITE, MakeSuite, of_levels
from .test_campaign import outcomes

Farm = tuple[str, list[subprocess.Popen[bytes]]]
SCRIPTED = """
[[systems]]
name = "script"
kind = "external"
command = "{python} {folder}/script.py"
output = "lurd"
"""


def column(folder: Path, name: str) -> list[object]:
    with open_existing(folder) as store:
        return [value for (value,) in store.rows((name,))]


@contextmanager
def started(folder: Path) -> Iterator[Farm]:
    """A Dask scheduler (the first process) with two workers, each a process of its own."""
    file = folder / "scheduler.json"
    environment = {**os.environ, "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1"}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder, "env": environment}

    def process(kind: str, *words: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", *words, "--no-dashboard"]
        return subprocess.Popen(command, **quiet)  # type: ignore[call-overload, no-any-return]

    running = [process("scheduler", "--port", "0", "--host", "127.0.0.1", "--scheduler-file", str(file))]
    wait_for(lambda: file.exists() and bool(file.read_text()), 60)
    address: str = json.loads(file.read_text())["address"]
    running += [process("worker", address, "--nthreads", "1", "--memory-limit", "0") for _ in range(2)]
    yield address, running
    for one in reversed(running):
        one.terminate()
        one.wait()


@pytest.fixture(scope="module")
def farm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Farm]:
    """What the tests share that leave it whole; a worker that dies is started again."""
    with started(tmp_path_factory.mktemp("farm")) as both:
        yield both


@pytest.fixture
def own_farm(tmp_path: Path) -> Iterator[Farm]:
    with started(tmp_path) as both:
        yield both


def test_workers_here_and_those_of_a_scheduler_give_the_same_verdicts(
    make_suite: MakeSuite, tmp_path: Path, farm: Farm
) -> None:
    suite = make_suite(of_levels(6) + REFERENCE + '[[systems]]\nname="asp"\nkind="encoding"\n')
    campaign.run(suite, tmp_path / "one", partial(local.execute, workers=2))
    with cluster.connect(farm[0]) as client:
        campaign.run(suite, tmp_path / "two", partial(cluster.execute, client=client))
    verdicts = [outcomes(tmp_path / name) for name in ("one", "two")]
    assert verdicts[0] == verdicts[1] and set(verdicts[0].values()) == {"optimal"} and len(verdicts[0]) == 12
    assert column(tmp_path / "one", "value") == column(tmp_path / "two", "value")
    # runs are so short that one of the two may have made them all
    assert all(len(set(column(tmp_path / name, "worker"))) in (1, 2) for name in ("one", "two"))


def test_a_dask_worker_keeps_its_worker_process(make_suite: MakeSuite, farm: Farm) -> None:
    suite = make_suite(SUITE + REFERENCE)
    one = job.expand(suite, instances.expand(suite))[0]

    def asked(_again: int) -> tuple[str, int | None]:
        name = cluster.run_here(one).worker
        return name, cluster._mine.workers.pid(name)

    with cluster.connect(farm[0]) as client:
        client.wait_for_workers(1)
        worker = next(iter(client.scheduler_info()["workers"]))
        first, second = (client.submit(asked, again, pure=False, workers=[worker]).result() for again in range(2))
    assert first == second and first[1] is not None


def test_a_killed_dask_worker_takes_no_run_with_it(make_suite: MakeSuite, tmp_path: Path, farm: Farm) -> None:
    """kill -9 of a Dask worker in the middle: its run is done by another, the processes it had are gone."""
    (tmp_path / "script.py").write_text(
        "import os, pathlib, time\n"
        "first_mark = pathlib.Path(__file__).parent / 'first'\n"
        "try:\n    os.symlink(str(os.getpid()), first_mark)\n    first = True\n"
        "except FileExistsError:\n    first = False\n"
        "time.sleep(60 if first else 0.1)\nprint('R')\n"
    )
    suite = make_suite(of_levels(6) + SCRIPTED)
    mark = tmp_path / "first"
    killed: list[int] = []

    def kill() -> None:
        wait_for(mark.is_symlink, 60)
        solver = int(mark.readlink().name)
        killed.extend([solver, _worker_of(solver)])
        os.kill(killed[1], signal.SIGKILL)

    thread = threading.Thread(target=kill)
    with cluster.connect(farm[0]) as client:
        thread.start()
        summary = campaign.run(suite, tmp_path / "out", partial(cluster.execute, client=client))
        thread.join()
    assert summary.ran == 6 and len(killed) == 2
    assert set(column(tmp_path / "out", "outcome")) <= {"solved", "wrong_plan"}
    assert len(column(tmp_path / "out", "key")) == 6
    wait_for(lambda: not any(map(alive, killed)))


def _worker_of(pid: int) -> int:
    """Return the Dask worker above a solver: the first process up the tree beyond our worker process."""
    inside = False
    while True:
        ours = b"sokoasp.bench.run.fork_server" in Path(f"/proc/{pid}/cmdline").read_bytes()
        if inside and not ours:
            return pid
        inside = inside or ours
        pid = int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])


@pytest.mark.slow
def test_a_run_that_kills_every_worker_is_lost_and_the_others_are_done(
    make_suite: MakeSuite, tmp_path: Path, own_farm: Farm
) -> None:
    (tmp_path / "script.py").write_text(
        "import os, pathlib, signal, time\n"
        "def parent(pid):\n"
        "    return int(open(f'/proc/{pid}/stat').read().rsplit(')', 1)[1].split()[1])\n"
        "def words(pid):\n    return open(f'/proc/{pid}/cmdline').read()\n"
        "board = open('level.xsb').read()\n"
        "mark = pathlib.Path(__file__).parent / 'victim'\n"
        "if not mark.exists():\n    mark.write_text(board)\n"
        "if mark.read_text() == board:\n"
        "    pid = os.getpid()\n"
        "    while 'sokoasp.bench.run.fork_server' not in words(pid):\n        pid = parent(pid)\n"
        "    while 'sokoasp.bench.run.fork_server' in words(pid):\n        pid = parent(pid)\n"
        "    os.kill(pid, signal.SIGKILL)\n    time.sleep(60)\n"
        "print('R')\n"
    )
    suite = make_suite(SUITE + SCRIPTED.replace("script.py", "script.py {xsb}"))
    with cluster.connect(own_farm[0]) as client:
        campaign.run(suite, tmp_path / "out", partial(cluster.execute, client=client))
    found = column(tmp_path / "out", "outcome")
    assert sorted(map(str, found)).count("lost") == 1 and len(found) == 3
    assert sum("died under this run" in str(message) for message in column(tmp_path / "out", "message")) == 1


@pytest.mark.slow
def test_results_arrive_one_by_one_and_stopping_early_leaves_the_rest_for_later(
    make_suite: MakeSuite, tmp_path: Path, own_farm: Farm
) -> None:
    suite = make_suite(of_levels(8) + REFERENCE)

    class EnoughError(Exception):
        pass

    def stop(progress: campaign.Progress) -> None:
        with open_existing(tmp_path / "out") as store:
            assert len(store.keys()) == progress.done
        if progress.done == 3:
            raise EnoughError

    with cluster.connect(own_farm[0]) as client:
        execute = partial(cluster.execute, client=client)
        with pytest.raises(EnoughError):
            campaign.run(suite, tmp_path / "out", execute, on_run=stop)
        assert campaign.run(suite, tmp_path / "out", execute).before == 3
    assert len(column(tmp_path / "out", "key")) == 8


@pytest.mark.slow
def test_a_killed_scheduler_stops_the_campaign_with_what_is_stored(
    make_suite: MakeSuite, tmp_path: Path, own_farm: Farm
) -> None:
    (tmp_path / "script.py").write_text("import time\ntime.sleep(0.5)\nprint('R')\n")
    suite = make_suite(of_levels(10) + SCRIPTED)
    address, running = own_farm
    with cluster.connect(address) as client:
        execute = partial(cluster.execute, client=client)
        with pytest.raises(SokoaspError, match="run the same command again"):
            campaign.run(suite, tmp_path / "out", execute, on_run=lambda progress: progress.done and running[0].kill())
    assert 0 < (before := len(column(tmp_path / "out", "key"))) < 10
    assert campaign.run(suite, tmp_path / "out", partial(local.execute, workers=2)).before == before


def test_a_scheduler_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 1)
    with pytest.raises(SokoaspError, match="no Dask scheduler answers"), cluster.connect("tcp://127.0.0.1:9"):
        pass


@pytest.mark.parametrize(
    "address", ["tcp://node7:8786", "node7:8786", "tcp://10.0.0.7:8786", "ucx://[fe80::1]:1", "tcp://0.0.0.0:1"]
)
def test_an_address_that_anybody_reaches_is_refused(address: str, tmp_path: Path) -> None:
    with pytest.raises(WrongOption, match=f"{re.escape(address)} is open to everybody on the network"):
        cluster.check_address(address)
    done = CliRunner().invoke(cli, ["bench", "run", "smoke", "-o", str(tmp_path / "out"), "--cluster", address])
    assert isinstance(done.exception, WrongOption) and not (tmp_path / "out").exists()


@pytest.mark.parametrize("address", ["tls://node7:8786", "tcp://127.0.0.1:8786", "localhost:8786", "tcp://[::1]:8786"])
def test_tls_and_this_machine_are_taken(address: str) -> None:
    cluster.check_address(address)
