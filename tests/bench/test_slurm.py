"""Job arrays: the script is run as Slurm would run it, and what its tasks leave is collected."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from click.testing import CliRunner

from sokoasp.bench.run import campaign, local
from sokoasp.bench.run.store import open_existing
from sokoasp.cli import root as cli

from .conftest import REFERENCE, SUITE, MakeSuite


def test_a_job_array_makes_every_run_once_and_is_collected(make_suite: MakeSuite, tmp_path: Path) -> None:
    suite = make_suite(SUITE + REFERENCE)
    out = tmp_path / "out"
    reported = CliRunner().invoke(
        cli, ["bench", "submit", str(suite.path), "-o", str(out), "--slurm", "--tasks", "2", "--sbatch=--partition=x"]
    )
    assert reported.exit_code == 0, reported.output
    script = (out / "submit.sh").read_text()
    assert "#SBATCH --array=0-1\n" in script and "#SBATCH --partition=x\n" in script
    for task in range(2):
        environment = {**os.environ, "SLURM_ARRAY_TASK_ID": str(task)}
        subprocess.run(["bash", str(out / "submit.sh")], env=environment, check=True, capture_output=True)
    sizes = []
    for task in range(2):
        with open_existing(out / "parts" / str(task)) as store:
            sizes.append(len(store.keys()))
    summary = campaign.run(suite, out, local.execute)
    assert min(sizes) >= 1 and sum(sizes) == summary.total == summary.before and summary.ran == 0
    assert campaign.run(suite, out, local.execute).before == summary.total


def test_a_part_that_is_none_is_refused(tmp_path: Path) -> None:
    reported = CliRunner().invoke(cli, ["bench", "run", "smoke", "-o", str(tmp_path), "--part", "2/2"])
    assert reported.exit_code == 2 and "is not K/N with K from 0 to N-1" in reported.output
