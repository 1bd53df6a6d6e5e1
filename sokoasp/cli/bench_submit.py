"""``sokoasp bench submit``: a campaign as a job array of a cluster's queue."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import click

from sokoasp.bench.define import slurm as tool
from sokoasp.cli import campaigns
from sokoasp.cli.files import spread
from sokoasp.cli.options import IN_FILES, OUT_FOLDER, POSITIVE, STEPS, instances_option, time_option


@click.command("submit", epilog="Example: sokoasp bench submit smoke -o results --tasks 4")
@click.argument("suite")
@click.argument("files", nargs=-1, type=IN_FILES, callback=spread)
@click.option(
    "-o", "--output", type=OUT_FOLDER, required=True, help="The campaign's folder, on a disk that all nodes see."
)
@click.option("--slurm", is_flag=True, hidden=True, expose_value=False)
@click.option("--tasks", type=STEPS, default=20, show_default=True, metavar="N", help="Array size.")
@click.option("--hours", type=POSITIVE, default=24.0, show_default=True, metavar="H", help="Hours of each task.")
@click.option("--sbatch", "options", multiple=True, metavar="OPTION", help="Another #SBATCH option; repeatable.")
@instances_option
@time_option("Wall seconds of a run, instead of the suite's.")
def submit(
    suite: str, files: tuple[Path, ...], output: Path, instances: Path | None, time_limit: float | None, **wishes: Any
) -> None:
    """Write submit.sh for a Slurm job array into the campaign's folder; send it by sbatch yourself.

    Each task makes its share of the questions in parts/K and goes on where it stopped when it is sent again. Afterwards, or
    any time, 'sokoasp bench run SUITE -o FOLDER' collects what is there and makes what is missing.
    """
    plan = campaigns.plan(suite, {}, files=files)
    folder = output.absolute()
    (folder / tool.PARTS).mkdir(parents=True, exist_ok=True)
    more = [str(file.absolute()) for file in files]
    more += [] if instances is None else ["--instances", str(instances.absolute())]
    more += [] if time_limit is None else ["--time-limit", f"{time_limit:g}"]
    text = tool.script(str(plan.path.absolute()), folder, more, memory_mb=round(plan.limits.memory_mb) + 512, **wishes)
    script = folder / "submit.sh"
    script.write_text(text, encoding="utf-8")
    click.echo(
        f"{script}\n  next: {shlex.join(('sbatch', str(script)))}\n"
        f"  then: sokoasp bench run {shlex.join(map(str, (suite, *files, '-o', output)))}"
    )
