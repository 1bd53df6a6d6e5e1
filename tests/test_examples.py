"""The example files of the pages: Gymnasium's own checker, the referee, and what an agent is told."""

import random
import runpy
import sys
import warnings
from types import SimpleNamespace

import pytest

gymnasium = pytest.importorskip("gymnasium", reason="gymnasium is not installed")

from gymnasium.utils.env_checker import check_env  # noqa: E402

from sokoasp.sokoban.formats import read  # noqa: E402
from sokoasp.sokoban.search.exact import reference  # noqa: E402
from sokoasp.sokoban.validate import validate_moves  # noqa: E402
from tests.conftest import ROOT  # noqa: E402
from tests.sokoban.strategies import random_level  # noqa: E402

FILE = ROOT / "docs/examples/gym_environment.py"
EXAMPLE = SimpleNamespace(**runpy.run_path(str(FILE), run_name="example"))
LEVELS = read("#####\n#@$.#\n#####\n\n######\n#    #\n# $$ #\n#@.. #\n######\n")


def test_gymnasiums_own_checker_passes() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*not been checked|.*get_wrapper_attr.*|.*spec.*")
        check_env(EXAMPLE.SokobanEnv(LEVELS), skip_render_check=True)


def test_a_proved_plan_earns_what_it_should() -> None:
    env = EXAMPLE.SokobanEnv(LEVELS)
    env.reset(options={"level": 1})
    actions = EXAMPLE.expert(LEVELS[1])
    steps = [env.step(action) for action in actions]
    assert [done for _, _, done, _, _ in steps] == [False] * (len(steps) - 1) + [True]
    validate_moves(LEVELS[1], steps[-1][-1]["lurd"])
    wanted = EXAMPLE.STEP * len(steps) + 2 * EXAMPLE.ON_GOAL + EXAMPLE.SOLVED
    assert sum(reward for _, reward, _, _, _ in steps) == pytest.approx(wanted)


def test_an_agent_is_told_the_truth() -> None:
    rng = random.Random(11)
    dead = 0
    for _ in range(6):
        level = random_level(rng)
        env = EXAMPLE.SokobanEnv([level])
        seen, info = env.reset()
        for _ in range(5):
            here = level.with_state(env.state.boxes, env.state.player)
            best = reference.solve(here, "pushes").value
            assert info["to_go"] == (-1 if best is None else best)
            assert info["dead"] is None or best is None, "a living state was called dead"
            assert seen[2].sum() == len(level.boxes) and seen[3].sum() == 1
            dead += best is None
            seen, _, _, _, info = env.step(rng.randrange(4))
    assert dead > 3


def test_the_file_runs_as_it_says(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(sys, "argv", [str(FILE)])
    runpy.run_path(str(FILE), run_name="__main__")
    assert capsys.readouterr().out.splitlines()[-1] == "solved: True"
