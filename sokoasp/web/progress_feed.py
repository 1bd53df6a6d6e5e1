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
            event |= _of_plan(problem, objective, best)
        before, plan = (stage, bound), best
        say(event)


def _of_plan(problem: Problem, objective: str, plan: Any) -> dict[str, Any]:
    """Return a plan for the page, passed by the referee."""
    domain = domain_of(problem)
    value = domain.validate(problem, plan, None)[objective]
    return {"value": value, "plan": domain.texts.plan_json(plan), "timeline": timeline(problem, plan)}
