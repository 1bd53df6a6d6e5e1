"""The checker proved in Coq (docs/verified): its extracted OCaml compiled once, and asked about folders."""

import json
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

VERIFIED = Path(__file__).resolve().parents[2] / "docs" / "verified"
Says = Callable[[Path], str | None]


def missing(*tools: str) -> list[str]:
    """Return the programs that are not installed of those that the driver needs, and these."""
    needed = ("make", "ocamlopt", "xz", "sha256sum", *tools)
    return [name for name in needed if shutil.which(name) is None]


def make(source: Path, build: Path, target: str) -> subprocess.CompletedProcess[str]:
    """Make a target of the sources; skip the test where the tools are not installed."""
    lacking = missing(*(["coqc"] if target != "driver" else []))
    if lacking:
        pytest.skip(f"not installed (Debian's coq, ocaml, make, xz-utils, coreutils): {', '.join(lacking)}")
    command = ["make", "-s", "-C", str(source), f"BUILD={build}", target]
    return subprocess.run(command, capture_output=True, text=True, timeout=2000, check=False)


def checker(program: Path) -> Says:
    """Return what asks a program about a folder: why it is refused, None if it is accepted."""

    def says(folder: Path) -> str | None:
        done = subprocess.run([program, folder], capture_output=True, text=True, timeout=10_800, check=False)
        *picture, last = done.stdout.splitlines()
        assert done.stderr == ""
        if (done.returncode, last.split(":")[0]) == (30, "INVALID"):
            return last
        assert done.returncode == 0 and last.startswith("valid: "), done
        shown = (folder / "level.xsb").read_text().removesuffix("\n")
        assert "\n".join(picture) == shown, "it shows the level it judged"
        value = json.loads((folder / "claim.json").read_text())["value"]
        claimed = f"{value[0]} pushes and {value[1]} moves" if isinstance(value, list) else value
        assert last.startswith("valid: no moves solve" if value is None else f"valid: {claimed} ")
        return None

    return says


@cache
def _place() -> tempfile.TemporaryDirectory[str]:
    """Return a folder that lasts as long as the process."""
    return tempfile.TemporaryDirectory(prefix="verified")


@cache
def built() -> Says:
    """Compile the extracted checker, once for a process, and return what asks it."""
    place = Path(_place().name)
    done = make(VERIFIED, place, "driver")
    assert done.returncode == 0, done.stderr
    return checker(place / "check")
