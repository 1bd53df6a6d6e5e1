"""What a failed run wrote to stderr, kept whole beside the store: ``logs/KEY.txt``."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from sokoasp.bench.run.job import Ran
from sokoasp.bench.run.outcomes import OUTCOMES

FOLDER = "logs"


def keep(folder: Path, ran: Ran, outcome: str, message: str) -> None:
    """Write the log of a run that went wrong; one that cannot be written is left out, the row of the run says enough."""
    if OUTCOMES[outcome].proper:
        return
    report = ran.report
    about = [f"{ran.job.system.name}, {ran.job.objective}: {outcome}", message]
    if report is not None:
        about += [f"exit code {report.exit_code}, {report.wall:.3f} s, {report.peak_mb:.0f} MB", "", report.stderr]
    path = folder / FOLDER / f"{ran.job.key}.txt"
    with suppress(OSError):
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(about), encoding="utf-8")


def read(folder: Path, key: str) -> str:
    """Return the log of a run, empty if there is none."""
    path = folder / FOLDER / f"{key}.txt"
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
