"""Messages to the page about a running search: a thread reads the run's progress board and sends what is new."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from sokoasp.core import progress
from sokoasp.core.progress import ProgressBoard
from sokoasp.domain import Problem, domain_of
from sokoasp.render.pictures import timeline

EVERY = 0.3
"""Seconds between two looks at the board."""
Say = Callable[[dict[str, Any]], None]


@contextmanager
def reported(problem: Problem, objective: str, say: Say) -> Iterator[None]:
    """Say ``known`` events while the body of a ``with`` solves: stage, proved bound, and the best plan when it is a new one."""
    with progress.watched() as board, progress.beside(partial(_watch, board, problem, objective, say)):
        yield


def _watch(board: ProgressBoard, problem: Problem, objective: str, say: Say, ended: threading.Event) -> None:
    before: tuple[str, int | None] | None = None
    plan = None
    while not ended.wait(EVERY):
        stage, bound, best = board.stage, board.bound, board.best
        if (stage, bound) == before and best is plan:
            continue
        event = {"event": "known", "stage": stage, "lower_bound": bound or 0}
        if best is not None and best is not plan:
            domain = domain_of(problem)
            value = domain.validate(problem, best, None)[objective]
            event |= {"value": value, "plan": domain.texts.plan_json(best), "timeline": timeline(problem, best)}
        before, plan = (stage, bound), best
        say(event)
