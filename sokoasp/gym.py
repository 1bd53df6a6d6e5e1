"""Sokoban as a Gymnasium environment: levels in, observations, rewards, a dead flag and the exact distance to go out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sokoasp.core.errors import LevelError, MissingExtra
from sokoasp.core.limits import Limits
from sokoasp.core.result import Status
from sokoasp.sokoban import rules
from sokoasp.sokoban.level import DIRECTIONS, Cell, Level
from sokoasp.sokoban.rules import State
from sokoasp.sokoban.search.exact import reference
from sokoasp.sokoban.units import PRUNING, find_deadlock

try:
    import gymnasium
    import numpy as np
    from gymnasium import spaces
except ImportError:
    raise MissingExtra("the Gymnasium environment", "gym") from None

LAYERS = ("wall", "goal", "box", "player")
"""The layers of an array observation, in order."""
TEXT = "#-@+$*.\n"
"""The characters of a text observation; ``-`` is empty floor."""
STEP, ON_GOAL, OFF_GOAL, SOLVED = -0.1, 1.0, -1.0, 10.0
"""Rewards: of each step, of a box that comes onto a goal or leaves one, and of the solution (those of the Boxoban papers)."""
_COLOURS = {"#": (70, 62, 56), "-": (238, 232, 220), ".": (226, 168, 84), "$": (168, 108, 50), "*": (72, 132, 72)}
_PLAYER = (46, 92, 160)
_CELL = 12


class SokobanEnv(gymnasium.Env[Any, Any]):
    """One level after the other; an action is one step of the player, as ``DIRECTIONS`` orders them.

    A step into a wall or against a box that cannot move leaves all as it is and costs a step. An episode terminates when the
    level is solved (and, with ``end_when_dead``, when the state is proved dead) and is truncated after ``max_steps``.

    ``info`` has ``lurd`` (the moves so far), ``moves``, ``pushes``, ``level`` (its index), ``dead`` (a proof, or None: nothing
    found never means solvable) and, with ``oracle``, ``to_go``: the fewest pushes to a solution, -1 if there is none, None where
    the search for it met its limit of states.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 8}  # noqa: RUF012  (as Gymnasium declares it)

    def __init__(
        self,
        levels: Iterable[Level] = (),
        *,
        observation: str = "array",
        max_steps: int = 200,
        end_when_dead: bool = False,
        oracle: bool = False,
        oracle_states: int = 20_000,
        render_mode: str | None = None,
    ) -> None:
        """Make the environment.

        Args:
            levels: What is played; each reset draws one, or takes the one of ``options={"level": index}``.
            observation: ``array`` (uint8, layers × rows × columns of the largest level, ``LAYERS``) or ``text`` (XSB rows).
            max_steps: Steps after which an episode is truncated.
            end_when_dead: Whether a state proved dead ends the episode.
            oracle: Whether ``info`` has the exact distance to go.
            oracle_states: Most states of each search for it.
            render_mode: ``ansi``, ``rgb_array`` or None.

        Raises:
            LevelError: There is no level, what is given is none, or a level gives each goal to one box.
            ValueError: No such observation, render mode or number of steps or states.
        """
        levels = () if isinstance(levels, Level) else tuple(levels)
        _check(levels, max_steps, oracle_states)
        if observation not in ("array", "text"):
            raise ValueError(f"no observation {observation!r}: array or text")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"no render mode {render_mode!r}: {', '.join(self.metadata['render_modes'])}")
        self.levels = levels
        self.observation, self.max_steps, self.end_when_dead = observation, max_steps, end_when_dead
        self.oracle, self.oracle_states, self.render_mode = oracle, oracle_states, render_mode
        self._rows = max(level.height for level in levels)
        self._cols = max(level.width for level in levels)
        self.action_space = spaces.Discrete(len(DIRECTIONS))
        self.observation_space: spaces.Space[Any] = (
            spaces.Box(0, 1, (len(LAYERS), self._rows, self._cols), np.uint8)
            if observation == "array"
            else spaces.Text(max_length=self._rows * (self._cols + 1), min_length=1, charset=TEXT)
        )
        self._known: dict[tuple[int, State], int | None] = {}
        self._begin(0)

    def _begin(self, index: int) -> None:
        self.index, self.level = index, self.levels[index]
        self.state, self.lurd = rules.initial(self.level), ""
        self.dead: str | None = None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode; ``options={"level": index}`` names its level."""
        super().reset(seed=seed)
        given = (options or {}).get("level")
        if given is not None and given not in range(len(self.levels)):
            raise LevelError(f"there is no level {given!r}, only 0 to {len(self.levels) - 1}")
        self._begin(int(self.np_random.integers(len(self.levels))) if given is None else int(given))
        self._examine()
        return self._observe(), self._info()

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Take one step of the player. Raises ValueError: the action is none."""
        if action not in range(len(DIRECTIONS)):
            raise ValueError(f"{action!r} is no action: 0 left, 1 right, 2 up, 3 down")
        direction = DIRECTIONS[int(action)]
        after = rules.move(self.level, self.state, direction)
        reward = STEP
        if after is not None:
            pushed = after.boxes != self.state.boxes
            self.lurd += direction.letter.upper() if pushed else direction.letter
            home = len(after.boxes & self.level.goals) - len(self.state.boxes & self.level.goals)
            reward += {1: ON_GOAL, -1: OFF_GOAL}.get(home, 0.0)
            self.state = after
            if pushed:
                self._examine()
        else:
            self.lurd += "-"
        solved = rules.solved(self.level, self.state.boxes)
        terminated = solved or (self.end_when_dead and self.dead is not None)
        reward += SOLVED if solved else 0.0
        return self._observe(), reward, terminated, len(self.lurd) >= self.max_steps, self._info()

    def to_go(self) -> int | None:
        """Return the fewest pushes from here to a solution, -1 if there is none, None where the search met its limit."""
        key = (self.index, rules.canonical(self.level, self.state))
        if key not in self._known:
            here = self.level.with_state(self.state.boxes, self.state.player)
            found = reference.solve(here, "pushes", Limits(states=self.oracle_states))
            exact = {Status.OPTIMAL: found.value, Status.UNSOLVABLE: -1}
            self._known[key] = exact.get(found.status)
        return self._known[key]

    def _examine(self) -> None:
        proof = find_deadlock(self.level, self.state, budget=PRUNING)
        self.dead = None if proof is None else proof.reason

    def _info(self) -> dict[str, Any]:
        moves = self.lurd.replace("-", "")
        about: dict[str, Any] = {
            "level": self.index,
            "lurd": moves,
            "moves": len(moves),
            "pushes": sum(letter.isupper() for letter in moves),
            "dead": self.dead,
        }
        return {**about, "to_go": self.to_go()} if self.oracle else about

    def _rows_now(self) -> list[str]:
        now = self.level.with_state(self.state.boxes, self.state.player)
        return [
            "".join(
                now.glyph(Cell(row, col)).replace(" ", "-") if Cell(row, col) in now.floor else "#"
                for col in range(self._cols)
            )
            for row in range(self._rows)
        ]

    def _observe(self) -> Any:
        rows = self._rows_now()
        if self.observation == "text":
            return "\n".join(rows)
        picture = np.array([list(row) for row in rows])
        signs = ("#", "+*.", "$*", "@+")
        return np.stack([np.isin(picture, list(layer)) for layer in signs]).astype(np.uint8)

    def render(self) -> Any:
        """Return the state as text (``ansi``) or as an array of rows × columns × RGB (``rgb_array``)."""
        if self.render_mode == "ansi":
            return "\n".join(self._rows_now()) + "\n"
        if self.render_mode != "rgb_array":
            return None
        picture = np.zeros((self._rows * _CELL, self._cols * _CELL, 3), np.uint8)
        for row, text in enumerate(self._rows_now()):
            for col, char in enumerate(text):
                top, left = row * _CELL, col * _CELL
                floor = {"@": "-", "+": "."}.get(char, char)
                picture[top : top + _CELL, left : left + _CELL] = _COLOURS[floor]
                if char in "@+":
                    picture[top + 3 : top + _CELL - 3, left + 3 : left + _CELL - 3] = _PLAYER
        return picture


def _check(levels: Sequence[Level], max_steps: int, oracle_states: int) -> None:
    """Refuse what cannot be played. Raises LevelError: levels that are none, or labelled; ValueError: numbers below 1."""
    if max_steps < 1 or oracle_states < 1:
        raise ValueError(f"an episode has one step at least, a search one state: not {max_steps}, {oracle_states}")
    if not levels or not all(isinstance(level, Level) for level in levels):
        raise LevelError("an environment wants levels: gymnasium.make(NAME, levels=sokoasp.read(TEXT))")
    for level in levels:
        level.require_alike("an environment")


def expert(level: Level, plan_lurd: str) -> list[int]:
    """Return a plan as the environment's actions, for imitation learning.

    Raises:
        IllegalPlan: The plan breaks a rule.
    """
    letters = [direction.letter for direction in DIRECTIONS]
    return [letters.index(letter.lower()) for letter in rules.plan_from_lurd(level, plan_lurd).lurd]


if "sokoasp/Sokoban-v0" not in gymnasium.registry:
    gymnasium.register("sokoasp/Sokoban-v0", entry_point="sokoasp.gym:SokobanEnv")
