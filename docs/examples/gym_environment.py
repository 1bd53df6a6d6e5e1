"""Sokoban as a Gymnasium environment: an example of what the library offers to learning agents.

Run it in a clone: ``pip install gymnasium`` and ``python docs/examples/gym_environment.py``. It lets a proved plan play a level
and prints what the agent sees. To train an agent, copy the file and change rewards and observations as you need them.

An action is one step of the player: 0 left, 1 right, 2 up, 3 down. An observation is a uint8 array: wall, goal, box and player
× rows × columns. The rewards are those of the Boxoban papers. ``info["dead"]`` is the sentence of a deadlock proof. None means
that no proof was found, not that the state can be solved. ``info["to_go"]`` is the fewest pushes to a solution, -1 if there is
none, and None if the search met its limit of states.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

import sokoasp
from sokoasp.core.limits import Limits
from sokoasp.core.result import Status
from sokoasp.sokoban import rules
from sokoasp.sokoban.level import DIRECTIONS, Cell, Level
from sokoasp.sokoban.search.exact import reference
from sokoasp.sokoban.units import PRUNING, find_deadlock

LAYERS = ("#", ".+*", "$*", "@+")
"""The glyphs of each layer of an observation: wall, goal, box, player."""
STEP, ON_GOAL, SOLVED = -0.1, 1.0, 10.0
"""Rewards of a step, of a box that comes onto a goal (minus that for one that leaves), and of the solution."""


class SokobanEnv(gymnasium.Env[Any, Any]):
    """One level of several an episode; an episode ends with the solution and is cut off after ``max_steps``."""

    def __init__(self, levels: Sequence[Level], max_steps: int = 200, oracle_states: int = 20_000) -> None:
        self.levels, self.max_steps, self.oracle_states = tuple(levels), max_steps, oracle_states
        self.shape = max(level.height for level in levels), max(level.width for level in levels)
        self.action_space = spaces.Discrete(len(DIRECTIONS))
        self.observation_space = spaces.Box(0, 1, (len(LAYERS), *self.shape), np.uint8)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin with a level drawn at random, or with that of ``options={"level": index}``."""
        super().reset(seed=seed)
        index = (options or {}).get("level", self.np_random.integers(len(self.levels)))
        self.level = self.levels[index]
        self.state, self.lurd, self.steps = rules.initial(self.level), "", 0
        return self._observation(), self._info()

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Take one step of the player; a step that the rules forbid leaves all as it is."""
        direction = DIRECTIONS[int(action)]
        reward, before = STEP, self.state.boxes
        self.steps += 1
        if (after := rules.move(self.level, self.state, direction)) is not None:
            self.state = after
            self.lurd += direction.letter.upper() if after.boxes != before else direction.letter
        reward += ON_GOAL * (len(self.state.boxes & self.level.goals) - len(before & self.level.goals))
        solved = rules.solved(self.level, self.state.boxes)
        return self._observation(), reward + SOLVED * solved, solved, self.steps >= self.max_steps, self._info()

    def _info(self) -> dict[str, Any]:
        proof = find_deadlock(self.level, self.state, budget=PRUNING)
        here = self.level.with_state(self.state.boxes, self.state.player)
        found = reference.solve(here, "pushes", Limits(states=self.oracle_states))
        to_go = {Status.OPTIMAL: found.value, Status.UNSOLVABLE: -1}.get(found.status)
        return {"lurd": self.lurd, "dead": proof.reason if proof else None, "to_go": to_go}

    def _observation(self) -> Any:
        now, (rows, cols) = self.level.with_state(self.state.boxes, self.state.player), self.shape
        cells = [[Cell(row, col) for col in range(cols)] for row in range(rows)]
        glyphs = np.array([[now.glyph(cell) if cell in now.floor else "#" for cell in line] for line in cells])
        return np.stack([np.isin(glyphs, list(layer)) for layer in LAYERS]).astype(np.uint8)


def expert(level: Level) -> list[int]:
    """Return a plan of the fewest pushes as actions: a trajectory to learn from."""
    plan = reference.solve(level, "pushes").plan
    assert plan is not None, "the level has no solution"
    letters = [direction.letter for direction in DIRECTIONS]
    return [letters.index(letter.lower()) for letter in plan.lurd]


def main() -> None:
    """Let a proved plan play a level."""
    levels = sokoasp.read(Path("instances/tutorial/tutorial.xsb").read_text(encoding="utf-8"))
    env = SokobanEnv(levels)
    _, info = env.reset(seed=1, options={"level": 1})
    print(f"pushes to go: {info['to_go']}")
    solved = False
    for action in expert(env.level):
        _, reward, solved, _, info = env.step(action)
        print(f"{reward:+.1f}  {info['lurd']}")
    print(f"solved: {solved}")


if __name__ == "__main__":
    main()
