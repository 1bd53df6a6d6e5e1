"""A game registers from outside, as an installed package would, and all that is not its own works for it unchanged."""

import json
import os
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from sokoasp import domain, engine, render
from sokoasp.core.result import Status
from tests import peg
from tests.commands import run

CROSS = ["#o..", ".o.o", "o.oo"]

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def installed(tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Install the game: what a package's metadata say is all there is."""
    about = tmp_path / "site" / "pegs-1.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: pegs\nVersion: 1\n")
    points = "[sokoasp.games]\npegs = tests.peg:DOMAIN\n"
    (about / "entry_points.txt").write_text(points)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(about.parent), str(root))))
    (tmp_path / "cross.pegs").write_text("\n".join(CROSS) + "\n")
    return partial(run, cwd=tmp_path, alone=True)


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(domain, "_registered", {})
    domain.register(peg.DOMAIN)


def test_the_command_line(installed: Run, tmp_path: Path) -> None:
    done = installed("solve", "cross.pegs", "--json")
    assert done.returncode == 0, done.stderr
    row = json.loads(done.stdout)
    assert (row["status"], row["value"], row["jumps"]) == ("optimal", 5, 5)
    plan = installed("solve", "cross.pegs", "--output", "lurd").stdout
    (tmp_path / "plan").write_text(plan)
    assert installed("check", "cross.pegs", "plan").returncode == 0
    (tmp_path / "plan").write_text(plan.splitlines()[1])
    assert installed("check", "cross.pegs", "plan").returncode == 30
    assert json.loads(installed("stats", "cross.pegs", "--json").stdout)["pegs"] == 6
    assert installed("translate", "cross.pegs", "--to", "pegs").stdout.split() == CROSS
    for kind in ("svg", "html"):
        assert installed("render", "cross.pegs", "-o", f"x.{kind}").returncode == 0
        assert (tmp_path / f"x.{kind}").stat().st_size > 500
    reported = installed("solve", "cross.pegs", "--engine", "sat")
    assert reported.returncode == 2 and "not jumps of pegs" in reported.stderr
    refused = installed("certify", "cross.pegs", "-o", "proof")
    assert refused.returncode == 30 and "there are no certificates for pegs" in refused.stderr, refused
    wrong = tmp_path / "wrong.pegs"
    wrong.write_text("oo.\nox.\n")
    assert "wrong.pegs:2:2" in installed("solve", "wrong.pegs").stderr


def test_the_library(registered: None) -> None:
    game = peg.board(CROSS)
    assert domain.domain_of(game) is peg.DOMAIN
    found = engine.solve(game)
    assert (found.status, found.value) == (Status.OPTIMAL, 5)
    assert engine.solve(peg.board(["o.o"])).status is Status.UNSOLVABLE
    assert render.svg(game).count('class="goal"') == 6
    assert render.timeline(game, found.plan)["counts"] == [["jumps", list(range(6))]]
    with pytest.raises(ValueError, match="already"):
        domain.register(domain.load("klotski"))


def test_the_service_of_the_page(installed: Run, registered: None) -> None:
    testclient = pytest.importorskip("starlette.testclient")
    from sokoasp.web import levels
    from sokoasp.web.app import create_app
    from sokoasp.web.questions import Settings

    problem = levels.read("\n".join(CROSS), "cross.pegs")["problems"][0]
    assert (problem["game"], problem["rows"], problem["objectives"]) == ("pegs", CROSS, ["jumps"])
    with testclient.TestClient(create_app(settings=Settings(workers=1)), base_url="http://127.0.0.1") as client:
        asked = {key: problem[key] for key in ("game", "head", "rows", "title")}
        body = {"problem": asked, "objective": "jumps", "engine": "native"}
        events = [json.loads(line) for line in client.post("/api/solve", json=body).text.splitlines()]
        assert events[-1]["result"]["value"] == 5
        assert len(events[-1]["result"]["timeline"]["moves"]) == 5
