"""The competition's own question on its own files: the fast programs beside the plain one, in CPU seconds.

python -m sokoasp.bench.studies.decision FILES --time-limit 60
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path


def ask(file: Path, limit: float, *options: str) -> tuple[str, float]:
    """Return the answer to a file's question and the CPU seconds of the process that gave it."""
    steps = file.read_text(encoding="utf-8").count("step(")
    command = [sys.executable, "-m", "sokoasp", "solve", str(file), "--json", "--no-cross-check", "--steps", str(steps)]
    before = os.times()
    try:
        done = subprocess.run(
            ["bash", "-c", f'ulimit -t {round(limit)}; exec "$@"', "solve", *command, *options],
            capture_output=True,
            text=True,
            check=False,
        )
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        status = str(rows[0]["status"]) if rows else "out of time"
    except ValueError:
        status = "out of time"
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return {"solved": "yes", "no_plan": "no"}.get(status, status), spent


def main() -> None:
    """Print a Markdown table, a file a line, and the sums."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--time-limit", type=float, default=60.0, help="CPU seconds of each run")
    parser.add_argument("--encodings", nargs="+", default=["", "competition"], help="empty: the default programs")
    chosen = parser.parse_args()
    names = [name or "default" for name in chosen.encodings]
    _row("file", *(f"{name}, s" for name in names), "answer")
    _row(*(["---"] * (len(names) + 2)))
    sums = [0.0] * len(names)
    for file in chosen.files:
        told = [ask(file, chosen.time_limit, *(["--encoding", name] if name else [])) for name in chosen.encodings]
        for number, (_, spent) in enumerate(told):
            sums[number] += spent
        answers = " / ".join(dict.fromkeys(answer for answer, _ in told))
        _row(file.name, *(f"{spent:.2f}" for _, spent in told), answers)
    _row("sum", *(f"{total:.1f}" for total in sums), "")


def _row(*cells: str) -> None:
    sys.stdout.write(f"| {' | '.join(cells)} |\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
