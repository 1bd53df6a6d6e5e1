"""The wheel, installed somewhere else, brings its encodings and instances along and solves."""

import json
import os
import subprocess
import sys
import tarfile
import urllib.request
import venv
import zipfile
from pathlib import Path

import pytest

from tests.commands import python


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
    assert "sokoasp/lp/sokoban/catalogue.json" in names
    assert "sokoasp/instances/tutorial/first.xsb" in names
    assert "sokoasp/py.typed" in names
    assert not [name for name in names if name.startswith(("tests/", "encodings/", "instances/"))]


def test_the_source_distribution_is_enough_for_its_own_tests(root: Path, tmp_path: Path) -> None:
    """Tests read the pages, the contracts, the build scripts and what stands at the top: all that git keeps is in it."""
    pytest.importorskip("hatchling")
    kept = subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, text=True, check=False)
    if kept.returncode:
        pytest.skip("no checkout")
    code = f"import os; os.chdir({str(root)!r}); from hatchling.build import build_sdist; print(build_sdist({str(tmp_path)!r}))"
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, timeout=120)
    with tarfile.open(next(tmp_path.glob("*.tar.gz"))) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    assert set(kept.stdout.splitlines()) - held == set()


def test_the_lowest_versions_are_those_promised(root: Path) -> None:
    """What ``.ci/lowest`` installs: each lower bound of pyproject as an exact version."""
    done = subprocess.run([sys.executable, str(root / ".ci/lowest")], capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert {"click==8.1", "clingo==5.7", "numpy==1.26", "numba==0.60"} <= set(lines)
    assert not [line for line in lines if ">" in line or "sokoasp" in line]


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
    done = python(code, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "rRR\n"), done.stderr


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with nothing but the wheel that .ci/wheel has built ($SOKOASP_WHEEL) and what it asks for."""
    built = os.environ.get("SOKOASP_WHEEL")
    if not built:
        pytest.skip("SOKOASP_WHEEL names no wheel with compiled kernels (.ci/wheel builds it, which takes minutes)")
    place = tmp_path_factory.mktemp("installed") / "venv"
    venv.create(place, with_pip=True)
    command = [place / "bin/python", "-m", "pip", "install", "-q", f"{built}[player]"]
    subprocess.run(command, check=True, timeout=600)
    return place


def asked(installed: Path, *words: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "SOKOASP"))}
    return subprocess.run(
        [installed / "bin/sokoasp", *words],
        cwd=installed,
        env={**kept, "SOKOASP_BACKEND": "aot", "SOKOASP_CACHE_DIR": str(installed / "no cache")},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.timeout(900)
def test_an_installed_wheel_searches_natively_without_numba(installed: Path, root: Path) -> None:
    packages = next((installed / "lib").glob("python3*/site-packages"))
    assert not list(packages.glob("numba")) and not list(packages.glob("llvmlite"))
    level = [str(root / "instances/tutorial/tutorial.xsb"), "--level", "9"]
    for engine, expected in (("native", ["optimal"]), ("reverse", ["optimal"]), ("any", ["optimal", "solved"])):
        done = asked(installed, "solve", *level, "--engine", engine, "--json")
        row = json.loads(done.stdout)
        assert row["status"] in expected and row["plan"]["lurd"] and not done.stderr, done.stderr
    folder = str(installed / "certificate")
    done = asked(installed, "certify", *level, "-o", folder)
    assert done.returncode == 0, done.stderr
    assert asked(installed, "check-proof", folder).returncode == 0
    assert not (installed / "no cache").exists()


def test_an_installed_wheel_serves(installed: Path) -> None:
    command = [installed / "bin/sokoasp", "serve", "--port", "0"]
    with subprocess.Popen(command, cwd=installed, stdout=subprocess.PIPE, text=True) as server:
        try:
            url = server.stdout.readline().split()[2]
            with urllib.request.urlopen(url, timeout=20) as page:
                assert page.status == 200 and b"<title>sokoasp" in page.read()
        finally:
            server.terminate()
