"""Job arrays: the script is run as Slurm would run it, and what its tasks leave is collected."""

import os
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from sokoasp.bench.define.slurm import script
from sokoasp.bench.define.suite import read_suite
from sokoasp.bench.run import campaign, local
from sokoasp.bench.run.store import open_existing
from sokoasp.cli import root as cli
from sokoasp.core.errors import WrongOption

from .conftest import REFERENCE, SUITE, MakeSuite


def submit(suite: Path, out: Path, *words: str) -> Result:
    return CliRunner().invoke(cli, ["bench", "submit", str(suite), "-o", str(out), "--slurm", "--tasks", "2", *words])


def send(out: Path, task: int, folder: Path) -> None:
    """Run a task of the array in a folder that has modules of its own."""
    (folder / "numpy.py").write_text("raise SystemExit('the wrong numpy')")
    (folder / "base64.py").write_text("raise SystemExit('the wrong base64')")
    environment = {**os.environ, "SLURM_ARRAY_TASK_ID": str(task)}
    subprocess.run(["bash", str(out / "submit.sh")], env=environment, check=True, capture_output=True, cwd=folder)


@pytest.fixture(scope="module")
def sent(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A suite and the folder of its job array, both tasks of which have ended."""
    folder = tmp_path_factory.mktemp("sent")
    suite, out = folder / "suite.toml", folder / "out"
    suite.write_text(SUITE + REFERENCE)
    assert submit(suite, out, "--sbatch=--partition=x").exit_code == 0
    for task in range(2):
        send(out, task, folder)
    return suite, out


def test_a_job_array_makes_every_run_once_and_is_collected(sent: tuple[Path, Path], tmp_path: Path) -> None:
    suite, out = read_suite(sent[0]), shutil.copytree(sent[1], tmp_path / "out")
    text = (out / "submit.sh").read_text()
    assert "#SBATCH --array=0-1\n" in text and "#SBATCH --partition=x\n" in text
    sizes = []
    for task in range(2):
        with open_existing(out / "parts" / str(task)) as store:
            sizes.append(len(store.keys()))
            ((journal,),) = store.connection.execute("PRAGMA journal_mode")
            assert journal == "delete", "SQLite forbids WAL on disks that several machines share"
    summary = campaign.run(suite, out, local.execute)
    assert min(sizes) >= 1 and sum(sizes) == summary.total == summary.before and summary.ran == 0
    assert campaign.run(suite, out, local.execute).before == summary.total


def test_a_part_whose_task_was_ended_is_left_alone_and_named(sent: tuple[Path, Path], tmp_path: Path) -> None:
    suite, out = read_suite(sent[0]), shutil.copytree(sent[1], tmp_path / "out")
    with open_existing(out / "parts" / "1") as store:
        kept = len(store.keys())
        store.describe({"finished": ""})
    summary = campaign.run(suite, out, local.execute)
    assert (summary.total - summary.before, summary.ran) == (kept, kept)
    assert summary.left_out == ("part 1 is not finished: wait for its task, or send it again (sbatch --array=1)",)


def test_files_of_ones_own_are_named_by_their_places(tmp_path: Path) -> None:
    file, out = tmp_path / "one.xsb", tmp_path / "out"
    file.write_text("#####\n#@$.#\n#####\n")
    told = CliRunner().invoke(cli, ["bench", "submit", "native", str(file), "-o", str(out), "--slurm"]).output
    assert f"sokoasp bench run native {file} -o" in told and f"native.toml {file} -o" in (out / "submit.sh").read_text()


def test_names_in_the_script_are_quoted() -> None:
    place, how = Path("/disk/100 % mine's"), {"tasks": 1, "hours": 1.0, "memory_mb": 100, "options": ()}
    text = script("my suite.toml", place, ["--instances", "a b"], **how)
    (log,) = [line for line in text.splitlines() if line.startswith("#SBATCH --output=")]
    assert shlex.split(log) == ["#SBATCH", "--output=/disk/100 %% mine's/parts/%a.log"]
    (command,) = [line for line in text.splitlines() if line.startswith("exec ")]
    words = shlex.split(command)
    assert words[2:9] == ["-P", "-m", "sokoasp", "bench", "run", "my suite.toml", "--instances"] and words[9] == "a b"


def test_an_option_with_another_line_is_refused(make_suite: MakeSuite, tmp_path: Path) -> None:
    for option in ("--partition=x\nrm -rf /", ""):
        done = submit(make_suite(SUITE + REFERENCE).path, tmp_path / "out", f"--sbatch={option}")
        assert isinstance(done.exception, WrongOption) and not (tmp_path / "out" / "submit.sh").exists()
