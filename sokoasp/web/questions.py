r"""The four questions of the page: what a request must hold and may take, and the job it becomes for a worker.

A problem is ``{"game": "sokoban", "rows": [...]}`` or ``{"game": "klotski", "head": "goal: A 3,1\n", "rows": [...]}``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sokoasp.core.errors import SokoaspError
from sokoasp.domain import Problem, domain_of, games, load

Body = Mapping[str, Any]
Job = dict[str, Any]
PROBLEM = ("game", "head", "rows", "title")
QUESTIONS: Mapping[str, tuple[str, ...]] = {
    "solve": ("objective", "engine", "seconds"),
    "certify": ("objective", "plan"),
    "why": (),
    "run": ("objective", "program", "constraints"),
}
"""By their names: the keys that a request may have beside ``problem``."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What the service allows: seconds of each question, processes, their memory together, questions that wait, connections."""

    seconds: float = 60.0
    most_seconds: float = 600.0
    why_seconds: float = 3.0
    run_seconds: float = 30.0
    certify_seconds: float = 60.0
    workers: int = 2
    memory_mb: float = 4000.0
    waiting: int = 100
    connections: int = 200

    @property
    def worker_mb(self) -> float:
        """Return the resident MB of one worker; beside those that solve, one answers the quick questions."""
        return self.memory_mb / (self.workers + 1)


class HttpRefusal(Exception):
    """Refuse a request with an HTTP status and one sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence


def job_of(name: str, body: Body, settings: Settings) -> Job:
    """Return what a worker is asked.

    Raises:
        HttpRefusal: The request is not in the form that the question has.
        SokoaspError: It holds no level or board.
    """
    _no_other_keys(body, ("problem", *QUESTIONS[name]), f"/api/{name}")
    domain = domain_of(problem_of(body))
    if name == "why" and domain.name != "sokoban":
        raise HttpRefusal(400, "this is asked of Sokoban levels only, not of boards")
    words = {"objective": domain.objectives, "engine": ("asp", *domain.search.native)}
    seconds: float = settings.seconds if name == "solve" else getattr(settings, f"{name}_seconds")
    job = {"do": name, "problem": body["problem"], "seconds": seconds}
    for key in QUESTIONS[name]:
        if key == "seconds":
            job[key] = _seconds(body.get(key, seconds), settings.most_seconds)
            continue
        job[key] = body.get(key, words[key][0] if key in words else "")
        if key in words and job[key] not in words[key]:
            raise HttpRefusal(400, f'"{key}" must be one of {", ".join(words[key])}')
        if not isinstance(job[key], str):
            raise HttpRefusal(400, f'"{key}" must be a text')
    return job


def _seconds(wanted: Any, most: float) -> float:
    if not isinstance(wanted, int | float) or isinstance(wanted, bool) or not 0 < wanted <= most:
        raise HttpRefusal(400, f'"seconds" must be a number above 0, at most {most:g}')
    return wanted


def _no_other_keys(asked: Body, keys: tuple[str, ...], what: str) -> None:
    """Refuse what would be passed over. Raises HttpRefusal: There is a key that is not one of these."""
    for key in asked:
        if key not in keys:
            raise HttpRefusal(400, f"{what} has no key {key!r}, only {', '.join(keys)}")


def problem_of(body: Body) -> Problem:
    """Read the problem of a request.

    Raises:
        HttpRefusal: It is not in the form a problem has.
        SokoaspError: It is no level or board.
    """
    problem = body.get("problem")
    rows = problem.get("rows") if isinstance(problem, dict) else None
    if not isinstance(problem, dict) or not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        raise HttpRefusal(400, '"problem" must be an object with "game" and "rows", a list of texts')
    _no_other_keys(problem, PROBLEM, "a problem")
    game, head, title = problem.get("game"), problem.get("head", ""), problem.get("title", "")
    if game not in games() or not isinstance(head, str) or not isinstance(title, str):
        raise HttpRefusal(400, f'"game" must be one of {", ".join(games())}, "head" and "title" texts')
    try:
        return load(game).texts.from_wire(head, rows, title[:200])
    except SokoaspError as error:
        raise _in_the_picture(error, head) from None


def _in_the_picture(error: SokoaspError, head: str) -> SokoaspError:
    """Name the cell of an error, ``(c4r3)``, or its row from 1: a drawing has no file and no lines."""
    if error.line is not None:
        row = error.line - 1 - head.count("\n")
        cell = f"row {row + 1}" if error.column is None else f"c{error.column}r{row + 1}"
        if row >= 0:
            error.message += f" ({cell})"
    error.source, error.line, error.column = "", None, None
    return error
