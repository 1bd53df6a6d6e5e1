"""The checker proved in Coq (docs/verified), built and asked about folders."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

VERIFIED = Path(__file__).resolve().parents[2] / "docs" / "verified"
TOOLS = ("make", "coqc", "ocamlopt", "xz", "sha256sum")
MISSING = [name for name in TOOLS if shutil.which(name) is None]
Says = Callable[[Path], str | None]


def make(source: Path, build: Path, target: str) -> subprocess.CompletedProcess[str]:
    """Make a target of the sources; skip the test where the tools are not installed."""
    if MISSING:
        pytest.skip(f"not installed (Debian's coq, ocaml, make, xz-utils, coreutils): {', '.join(MISSING)}")
    command = ["make", "-s", "-C", str(source), f"BUILD={build}", target]
    return subprocess.run(command, capture_output=True, text=True, timeout=2000, check=False)


def checker(program: Path) -> Says:
    """Return what asks a program about a folder: why it is refused, None if it is accepted."""

    def says(folder: Path) -> str | None:
        done = subprocess.run([program, folder], capture_output=True, text=True, timeout=10_800, check=False)
        *picture, last = done.stdout.splitlines()
        assert done.stderr == ""
        if (done.returncode, last.split(":")[0]) in ((30, "INVALID"), (2, "not checked")):
            return last
        assert done.returncode == 0 and last.startswith("valid: "), done
        assert "\n".join(picture) == (folder / "level.xsb").read_text().removesuffix("\n"), (
            "it shows the level it judged"
        )
        value = json.loads((folder / "claim.json").read_text())["value"]
        shown = f"{value[0]} pushes and {value[1]} moves" if isinstance(value, list) else value
        assert last.startswith("valid: no moves solve" if value is None else f"valid: {shown} ")
        return None

    return says


def built(place: Path) -> Says:
    """Build the checker in a folder and return what asks it."""
    done = make(VERIFIED, place, "driver")
    assert done.returncode == 0, done.stderr
    return checker(place / "check")
