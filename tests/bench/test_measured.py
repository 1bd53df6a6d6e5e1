"""Deadlock detectors as systems of a campaign; the boards they are measured on."""

from pathlib import Path
from typing import Any

import pytest

from sokoasp.bench.define.suite import find_suite, read_suite
from sokoasp.bench.define.systems import System, system_of
from sokoasp.bench.report import views
from sokoasp.bench.run import campaign, store
from sokoasp.bench.run.job import Answer
from sokoasp.bench.run.job_child import answer
from sokoasp.core.shipped import SHIPPED
from sokoasp.sokoban import formats, units
from sokoasp.sokoban.deadlock import Verdict
from sokoasp.sokoban.formats import level_from_rows
from tests.klotski.boards import shipped
from tests.studies import samples

from .conftest import here, job

CORNER = level_from_rows(["######", "#   $#", "# @  #", "#.   #", "######"])
OPEN = level_from_rows(["######", "#    #", "# @$ #", "#.   #", "######"])


def asked(problem: Any, kind: str, **keys: Any) -> Answer:
    return answer(job(system(kind, keys), problem, "pushes"))


def system(kind: str, keys: dict[str, Any]) -> System:
    return system_of("it", kind, **keys)


def test_detectors_prove_levels_dead_and_say_nothing_of_others() -> None:
    found = asked(CORNER, "deadlock", detectors=("corner",))
    assert (found.status, found.message, found.decided) == ("unsolvable", "corner", True)
    assert [asked(one, "deadlock", detectors=("doorway",)).status for one in (CORNER, OPEN)] == ["unknown", "unknown"]
    assert asked(shipped("own.klotski")[0], "deadlock").status == "error"


def test_a_detector_that_is_wrong_is_a_wrong_answer_of_the_campaign(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A planted fault: the corner detector calls everything dead."""
    (tmp_path / "open.xsb").write_text(formats.write([OPEN], "xsb"))
    text = find_suite("deadlocks").read_text().replace("../measured/states.xsb", "open.xsb")
    (tmp_path / "suite.toml").write_text(text)
    monkeypatch.setitem(units.DETECTORS, "corner", lambda at, _: Verdict("corner", (), (), "", ""))
    campaign.run(read_suite(tmp_path / "suite.toml"), tmp_path / "out", here)
    with store.open_existing(tmp_path / "out") as opened:
        lines = list(views.markdown(opened, views.of_campaign(opened)))
    false = {line.split(" | ")[0]: line.split(" | ")[4] for line in lines if line.startswith("| ")}
    assert false["| corner"] == false["| all together"] == "1" and false["| wall"] == "0"


def test_the_boards_are_what_the_study_draws() -> None:
    text = (SHIPPED / "measured" / "states.xsb").read_text(encoding="utf-8")
    assert text == formats.write(list(samples.states()), "xsb")


def test_the_seconds_of_a_verdict_are_its_own() -> None:
    seconds = asked(CORNER, "deadlock").seconds["total"]
    assert 0 < seconds < 1
