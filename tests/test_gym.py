"""The Gymnasium environment: Gymnasium's own checker, the referee, the oracle against brute force, determinism."""

from __future__ import annotations

import random
import warnings

import pytest

gymnasium = pytest.importorskip("gymnasium", reason="the extra [gym] is not installed")

import numpy as np  # noqa: E402
from gymnasium.utils.env_checker import check_env  # noqa: E402

from sokoasp.core.errors import IllegalPlan, LevelError  # noqa: E402
from sokoasp.gym import DIRECTIONS, OFF_GOAL, ON_GOAL, SOLVED, STEP, SokobanEnv, expert  # noqa: E402
from sokoasp.sokoban import rules  # noqa: E402
from sokoasp.sokoban.formats import read  # noqa: E402
from sokoasp.sokoban.search.exact import reference  # noqa: E402
from sokoasp.sokoban.validate import validate_moves  # noqa: E402
from tests.sokoban.strategies import random_level  # noqa: E402

LEVELS = read("#####\n#@$.#\n#####\n\n######\n#    #\n# $$ #\n#@.. #\n######\n")


@pytest.mark.parametrize("observation", ["array", "text"])
@pytest.mark.parametrize("render_mode", ["ansi", "rgb_array"])
def test_gymnasiums_own_checker_passes(observation: str, render_mode: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*not been checked|.*get_wrapper_attr.*|.*spec.*")
        check_env(SokobanEnv(LEVELS, observation=observation, render_mode=render_mode), skip_render_check=False)


def test_it_is_registered() -> None:
    env = gymnasium.make("sokoasp/Sokoban-v0", levels=LEVELS)
    assert env.reset(seed=1)[0].shape == (4, 5, 6)


def test_the_optimal_plan_earns_what_it_should() -> None:
    env = SokobanEnv(LEVELS)
    env.reset(options={"level": 1})
    plan = reference.solve(LEVELS[1], "pushes").plan
    total, done = 0.0, False
    for action in expert(LEVELS[1], plan.lurd):
        assert not done
        _, reward, done, _, info = env.step(action)
        total += reward
    assert done
    assert info["lurd"] == plan.lurd
    validate_moves(LEVELS[1], info["lurd"])
    assert total == pytest.approx(STEP * len(plan.lurd) + 2 * ON_GOAL + SOLVED)


def test_observations_say_the_state() -> None:
    text, array = SokobanEnv(LEVELS, observation="text"), SokobanEnv(LEVELS)
    rng = random.Random(3)
    seen, picture = text.reset(options={"level": 1})[0], array.reset(options={"level": 1})[0]
    for _ in range(60):
        rows = seen.split("\n")
        for r, row in enumerate(rows):
            for c, char in enumerate(row):
                layers = (char == "#", char in "+*.", char in "$*", char in "@+")
                assert tuple(picture[:, r, c]) == tuple(map(int, layers))
        action = rng.randrange(4)
        seen, picture = text.step(action)[0], array.step(action)[0]


def test_the_player_stands_on_the_colour_of_the_cell() -> None:
    env = SokobanEnv(read("#####\n#+$ #\n#####\n\n#####\n#@$.#\n#####\n"), render_mode="rgb_array")
    corners = []
    for level in (0, 1):
        env.reset(options={"level": level})
        picture, size = env.render(), env.render().shape[0] // 3
        corners.append(picture[size, size])
        assert (picture[size + size // 2, size + size // 2] != picture[size, size]).any()
    assert (corners[0] == picture[size, 3 * size]).all() and (corners[0] != corners[1]).any()


def test_a_step_that_is_none_changes_nothing_but_the_count() -> None:
    env = SokobanEnv(LEVELS, max_steps=2)
    first, _ = env.reset(options={"level": 0})
    left = [d.letter for d in DIRECTIONS].index("l")
    seen, reward, terminated, truncated, info = env.step(left)
    assert np.array_equal(first, seen)
    assert (reward, terminated, truncated, info["lurd"]) == (STEP, False, False, "")
    assert env.step(left)[3] is True


def test_a_box_that_leaves_its_goal_costs() -> None:
    (level,) = read("########\n#@* . ##\n#   $  #\n########\n")
    env = SokobanEnv([level])
    env.reset()
    right = [d.letter for d in DIRECTIONS].index("r")
    assert env.step(right)[1] == pytest.approx(STEP + OFF_GOAL)


@pytest.mark.parametrize("seed", [11, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (12, 13))])
def test_the_oracle_is_exact_and_dead_states_are_minus_one(seed: int) -> None:
    """Against a breadth-first search over pushes, written here."""
    rng = random.Random(seed)
    checked = dead = 0
    for _ in range(9):
        level = random_level(rng)
        env = SokobanEnv([level], oracle=True, max_steps=10_000)
        _, info = env.reset()
        for _ in range(6):
            best = _fewest_pushes(level, env.state)
            assert info["to_go"] == (-1 if best is None else best)
            assert info["dead"] is None or best is None, "a living state was called dead"
            checked, dead = checked + 1, dead + (best is None)
            info = env.step(rng.randrange(4))[4]
    assert checked > 30 and 3 < dead < checked - 3


def _fewest_pushes(level, start) -> int | None:  # type: ignore[no-untyped-def]
    layer, seen, pushes = {rules.canonical(level, start)}, set(), 0
    while layer:
        if any(rules.solved(level, state.boxes) for state in layer):
            return pushes
        seen |= layer
        after = {rules.canonical(level, s) for state in layer for _, s in rules.unit_pushes(level, state)}
        layer, pushes = after - seen, pushes + 1
    return None


def test_the_same_seed_plays_the_same_levels() -> None:
    def played(seed: int) -> list[int]:
        env = SokobanEnv(LEVELS)
        first = env.reset(seed=seed)[1]["level"]
        return [first, *(env.reset()[1]["level"] for _ in range(12))]

    assert played(5) == played(5)
    assert len({tuple(played(seed)) for seed in range(8)}) > 1


def test_dead_ends_the_episode_only_when_asked() -> None:
    (level,) = read("######\n#    #\n#@$ .#\n#    #\n######\n")
    for wish in (True, False):
        env = SokobanEnv([level], end_when_dead=wish)
        env.reset()
        for letter in "dru":
            _, _, ended, _, info = env.step([d.letter for d in DIRECTIONS].index(letter))
        assert info["dead"] is not None
        assert ended is wish


def test_levels_may_come_one_by_one() -> None:
    env = SokobanEnv(level for level in LEVELS)
    assert env.levels == tuple(LEVELS) and env.observation_space == SokobanEnv(LEVELS).observation_space
    with pytest.raises(LevelError, match="wants levels"):
        SokobanEnv(level for level in ())


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(LevelError, match="levels="):
        gymnasium.make("sokoasp/Sokoban-v0")
    labelled = read("######\n#@$$ #\n# .. #\n######\nAssigned: 1,2>2,2; 1,3>2,3\n")
    for levels, what in (
        ([], "levels="),
        ("abc", "levels="),
        (LEVELS[0], "levels="),
        (labelled, "an environment takes"),
    ):
        with pytest.raises(LevelError, match=what):
            SokobanEnv(levels)
    for wrong in ({"max_steps": 0}, {"oracle_states": -1}):
        with pytest.raises(ValueError, match="an episode has one step at least"):
            SokobanEnv(LEVELS, **wrong)
    with pytest.raises(ValueError, match="observation"):
        SokobanEnv(LEVELS, observation="pixels")
    env = SokobanEnv(LEVELS)
    with pytest.raises(LevelError, match="there is no level -1, only 0 to"):
        env.reset(options={"level": -1})
    env.reset()
    for action in (-1, 4, 1.5, "left"):
        with pytest.raises(ValueError, match="is no action: 0 left"):
            env.step(action)
    with pytest.raises(IllegalPlan):
        expert(LEVELS[0], "xx")


def test_what_the_page_shows_is_real(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Both pieces of docs/gym.md run, one after the other."""
    from tests.conftest import ROOT

    monkeypatch.chdir(ROOT)
    scope: dict[str, object] = {}
    for code in (ROOT / "docs" / "gym.md").read_text().split("```python\n")[1:]:
        exec(code.split("```", 1)[0], scope)
    assert capsys.readouterr().out.splitlines()[-1] == "True True"
