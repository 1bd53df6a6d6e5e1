"""The wheel, installed somewhere else, brings its encodings and instances along and solves."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def wheel(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    pytest.importorskip("hatchling")
    code = f"import os; os.chdir({str(root)!r}); from hatchling.build import build_wheel; print(build_wheel({str(folder)!r}))"
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, timeout=120)
    return next(folder.glob("*.whl"))


def test_wheel_holds_programs_and_instances(wheel: Path, root: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    programs = {str(path.relative_to(root / "encodings")) for path in (root / "encodings").rglob("*.lp")}
    assert {"sokoasp/lp/" + name for name in programs} <= set(names) and "sokoban/prune/near_pairs.lp" in programs
    assert "sokoasp/lp/sokoban/catalogue.toml" in names
    assert "sokoasp/instances/tutorial/first.xsb" in names
    assert "sokoasp/py.typed" in names
    assert not [name for name in names if name.startswith(("tests/", "encodings/", "instances/"))]


def test_wheel_solves_from_elsewhere(wheel: Path, tmp_path: Path) -> None:
    """Unpack as an installer would, away from the checkout, with only the wheel and the installed dependencies in sight."""
    target = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(target)
    code = (
        f"import sys; sys.path.insert(0, {str(target)!r})\n"
        "import sokoasp\n"
        f"assert sokoasp.__file__.startswith({str(target)!r}), sokoasp.__file__\n"
        "from sokoasp.asp.catalogue import folder\n"
        f"assert str(folder()).startswith({str(target)!r}), folder()\n"
        "from sokoasp.cli import main\n"
        f"main(['solve', {str(target / 'sokoasp/instances/tutorial/first.xsb')!r}, '--output', 'lurd'])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout) == (0, "rRR\n"), done.stderr
