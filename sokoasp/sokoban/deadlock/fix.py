"""What to do about a deadlock: how many pushes to take back, and which pushes from there are not dead."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass

from sokoasp.sokoban import rules
from sokoasp.sokoban.deadlock.verdict import Verdict
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.plan import Push
from sokoasp.sokoban.rules import State

Finder = Callable[[Level, State], Verdict | None]


@dataclass(frozen=True, slots=True)
class Fix:
    """The way back from a dead state, as far as the detectors see."""

    undo: int
    """Pushes to take back until no deadlock is found any more: 1 when the last push did it."""
    blamed: Push
    """The push that has to be taken back: the first after which a deadlock is found."""
    state: State
    """The state before that push."""
    instead: tuple[Push, ...]
    """Single-cell pushes from there after which no deadlock is found (which is no promise)."""


def states_along(level: Level, lurd: str) -> tuple[list[Push], list[State]]:
    """Return the single-cell pushes of a LURD string and the states around them: one before each push, and the last one.

    Raises IllegalPlan: a letter is no move, or a move is not possible.
    """
    after = rules.initial(level)
    pushes: list[Push] = []
    states: list[State] = []
    for before, direction, after in rules.replay(level, lurd):
        if after.boxes != before.boxes:
            pushes.append(Push(after.player, direction, after.player.step(direction)))
            states.append(before)
    return pushes, [*states, after]


def fix(level: Level, lurd: str, find: Finder, *, find_quickly: Finder | None = None) -> Fix | None:
    """Say how to get out of a deadlock that ``lurd`` has led to: the push after which ``find`` finds it and before which not.

    The push is found by halving, so ``find`` is asked a handful of times; ``find_quickly`` (or else ``find``) judges the
    pushes to make instead.

    Returns None when no deadlock is found in the end, or one from the very start on.

    Raises IllegalPlan: a letter is no move, or a move is not possible.
    """
    pushes, states = states_along(level, lurd)
    if find(level, states[-1]) is None or find(level, states[0]) is not None:
        return None
    dead = bisect_left(states, True, 1, len(pushes), key=lambda state: find(level, state) is not None)
    before = states[dead - 1]
    judge = find_quickly or find
    better = [push for push, after in rules.unit_pushes(level, before) if judge(level, after) is None]
    return Fix(len(states) - dead, pushes[dead - 1], before, tuple(better))
