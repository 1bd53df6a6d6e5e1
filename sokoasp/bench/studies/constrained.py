"""What a constraint costs that does not bind: each level free and under "never more than 50 pushes upwards", in CPU seconds.

python -m sokoasp.bench.studies.constrained FILES --time-limit 60 --results rows.jsonl --pause 900

Rows are kept as they come; the same line again runs what is open. A level that is not proved free is not asked again under
the constraint.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sokoasp.bench.studies.speed import answered, installed
from sokoasp.core.words import counted

CONSTRAINT = """\
#program check(t).
:- query(t), #count { T : push(_,up,_,T), T = 1..t } > 50.
"""


def run(file: Path, limit: float, options: Sequence[str], environment: Mapping[str, str]) -> dict[str, Any]:
    """Solve a level by the command; return status, value and the CPU seconds of the process."""
    command = [sys.executable, "-m", "sokoasp", "solve", str(file), "--json", "--no-cross-check", "--engine", "asp"]
    said, seconds = answered([*command, *options], limit, environment)
    reported = json.loads(said.splitlines()[0]) if said.strip() else {}
    return {
        "status": reported.get("status", "out of time"),
        "value": reported.get("value"),
        "seconds": round(seconds, 2),
        "conflicts": reported.get("counters", {}).get("conflicts"),
    }


def row(file: Path, limit: float, constraint: Path, environment: Mapping[str, str]) -> dict[str, Any]:
    """Measure one level both ways.

    Raises:
        AssertionError: The constraint, which does not bind, has changed the optimum.
    """
    free = run(file, limit, (), environment)
    found: dict[str, Any] = {"file": file.name, "limit": limit, "free": free, "constrained": None}
    if free["status"] == "optimal":
        bound = run(file, limit, ("--constraints", str(constraint)), environment)
        found["constrained"] = bound
        if bound["status"] == "optimal" and bound["value"] != free["value"]:
            raise AssertionError(f"{file.name}: {free['value']} free, {bound['value']} under the constraint")
    return found


def main() -> None:
    """Measure what is open, then print a Markdown table of all rows and what they come to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="*")
    parser.add_argument("--time-limit", type=float, default=60.0, help="CPU seconds of each run")
    parser.add_argument("--results", type=Path, required=True, help="rows are read from here and added")
    parser.add_argument("--pause", type=float, default=float("inf"), help="wall seconds after which no row is begun")
    chosen = parser.parse_args()
    lines = chosen.results.read_text(encoding="utf-8").splitlines() if chosen.results.exists() else []
    rows = [json.loads(line) for line in lines]
    measured = {one["file"] for one in rows}
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        constraint = Path(folder) / "never_more_than_50_up.lp"
        constraint.write_text(CONSTRAINT, encoding="utf-8")
        environment = installed(Path(folder) / "compiled")
        for file in chosen.files:
            if file.name in measured or time.monotonic() - began > chosen.pause:
                continue
            rows.append(row(file, chosen.time_limit, constraint, environment))
            with chosen.results.open("a", encoding="utf-8") as out:
                out.write(json.dumps(rows[-1]) + "\n")
    for line in table(rows):
        sys.stdout.write(line + "\n")


def table(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the rows and what they come to, in Markdown."""
    reported = ["| level | lines | free, s | constrained, s | times |", "| --- | --- | --- | --- | --- |"]
    ratios = []
    for one in rows:
        free, bound = one["free"], one["constrained"]
        if bound is not None and bound["status"] == "optimal":
            ratios.append(bound["seconds"] / free["seconds"])
        last = f"{ratios[-1]:.1f}" if bound is not None and bound["status"] == "optimal" else ""
        cells = [one["file"], free["value"], *(_told(half) for half in (free, bound)), last]
        reported.append(f"| {' | '.join(str(cell) for cell in cells)} |")
    proved = [one for one in rows if one["free"]["status"] == "optimal"]
    both = [one for one in proved if one["constrained"]["status"] == "optimal"]
    sums = [sum(one[half]["seconds"] for one in both) for half in ("free", "constrained")]
    twice = sum(ratio <= 2 for ratio in ratios)
    reported.append("")
    reported.append(
        f"{counted(len(rows), 'levels')}, {len(proved)} proved free, {len(both)} of them under the constraint too: "
        f"{sums[0]:.1f} s free, {sums[1]:.1f} s constrained; within twice the free time {twice}"
    )
    return reported


def _told(half: Mapping[str, Any] | None) -> str:
    if half is None:
        return ""
    return f"{half['seconds']:.2f}" + ("" if half["status"] == "optimal" else f" ({half['status']})")


if __name__ == "__main__":
    main()
