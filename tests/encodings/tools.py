"""What reads an exported program, as it is and unrolled: the table of docs/encodings.md.

``python -m tests.encodings.tools`` installs the tools by pip in a temporary environment, which takes a minute, and prints the
table. ``clingo``, ``gringo`` and ``clasp`` are those on the PATH. It is no part of CI.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from sokoasp.asp.catalogue import encodings
from sokoasp.asp.export import whole
from sokoasp.asp.steps_unrolled import unrolled
from sokoasp.bench.report import markdown_table
from sokoasp.engine.by_asp import facts_of
from tests.encodings.test_export import BEST, CORNER, cost

INSTALLED = {"asprin": "3.1.2", "ngo": "1.0.2", "telingo": "2.1.3", "xclingo": "2.0b24"}
TOOLS = {
    "`clingo`": "clingo {}",
    "`python -m clingo`": "{bin}/python -m clingo {}",
    "`gringo` with `clasp`": "gringo {} | clasp",
    "ngo, then `clingo`": "{bin}/ngo < {} | clingo",
    "asprin": "{bin}/asprin {}",
    "telingo": "{bin}/telingo --imax=20 {}",
    "xclingo": "{bin}/xclingo {}",
}


def said(command: str) -> str:
    """Return ``plan`` if the plan that a tool prints is one of the fewest lines, else what it says."""
    done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=120, check=False)
    text = done.stdout + done.stderr
    pushes = " ".join(re.findall(r"push\([^)]*\)", done.stdout))
    if pushes and cost(pushes, "lines") == BEST["lines"]:
        return "plan"
    if "clingo_ran_without_incmode" in text:
        return "no: `clingo_ran_without_incmode`"
    faults = [line for line in text.splitlines() if "error" in line.lower()]
    return f"no: {faults[0].strip()[:90]}" if faults else "no plan"


def main() -> None:
    """Print the table."""
    encoding = encodings()["lines-forward"]
    facts = facts_of(CORNER, encoding)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
        wanted = [f"{tool}=={version}" for tool, version in INSTALLED.items()]
        subprocess.run([folder / "venv/bin/pip", "install", "-q", *wanted], check=True)
        (folder / "exported.lp").write_text(whole(encoding, facts))
        (folder / "unrolled.lp").write_text(unrolled(encoding, facts, BEST["lines"]))
        rows = []
        for tool, command in TOOLS.items():
            files = (folder / "exported.lp", folder / "unrolled.lp")
            rows.append((tool, *(said(command.format(file, bin=folder / "venv/bin")) for file in files)))
    print("\n".join(markdown_table.lines(("tool", "as it is exported", "with `--steps N`"), rows)))


if __name__ == "__main__":
    main()
