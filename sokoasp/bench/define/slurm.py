"""A campaign as a Slurm job array: the script, and what its tasks bring home."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from sokoasp.core.errors import WrongOption

PARTS = "parts"
"""Folder, in the campaign's, of the tasks' own campaigns."""


def script(
    suite: str,
    folder: Path,
    arguments: list[str],
    *,
    tasks: int,
    hours: float,
    memory_mb: int,
    options: tuple[str, ...],
) -> str:
    """Return the script for ``sbatch``; a task that is sent again goes on where it stopped.

    Each of the ``tasks`` makes every so-many-th question with all its systems. ``arguments`` are those of ``bench run``,
    ``options`` more #SBATCH lines, such as ``--partition=short``. Raises WrongOption: an option has more than one line.
    """
    for option in options:
        if len(option.splitlines()) != 1:
            raise WrongOption(f"an option of sbatch is one line, not {option!r}", source="--sbatch")
    minutes = max(1, round(60 * hours))
    part = f"{shlex.quote(str(folder / PARTS))}/$SLURM_ARRAY_TASK_ID"
    command = [sys.executable, "-P", "-m", "sokoasp", "bench", "run", suite, *arguments]
    run = " ".join(map(shlex.quote, command))
    log = shlex.quote(str(folder / PARTS).replace("%", "%%") + "/%a.log")
    lines = [
        "#!/bin/bash",
        "#SBATCH --job-name=sokoasp",
        f"#SBATCH --array=0-{tasks - 1}",
        f"#SBATCH --time={minutes}",
        f"#SBATCH --mem={memory_mb}M",
        "#SBATCH --cpus-per-task=1",
        *(f"#SBATCH {option}" for option in options),
        f"#SBATCH --output={log}",
        "",
        f"mkdir -p {part}",
        f"exec {run} -o {part} --part $SLURM_ARRAY_TASK_ID/{tasks}",
    ]
    return "\n".join(lines) + "\n"
