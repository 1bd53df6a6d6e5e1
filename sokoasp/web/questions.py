r"""The four questions of the page: what a request must hold, and the job it becomes for a worker.

A problem is ``{"game": "sokoban", "rows": [...]}`` or ``{"game": "klotski", "head": "goal: A 3,1\n", "rows": [...]}``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sokoasp.core.errors import SokoaspError
from sokoasp.domain import Domain, Problem, domain_of, games, load
from sokoasp.sokoban.level import Level
from sokoasp.web.settings import Settings

Body = Mapping[str, Any]
Job = dict[str, Any]
PROBLEM = ("game", "head", "rows", "title")


class HttpRefusal(Exception):
    """Refuse a request with an HTTP status and one sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence


def solve(body: Body, settings: Settings) -> Job:
    """Ask for the best plan by an objective and an engine."""
    domain = domain_of(problem_of(body))
    engine = word_of(body, "engine", ("asp", *domain.search.native), "asp")
    return {"objective": objective_of(body, domain), "engine": engine, "seconds": seconds_of(body, settings)}


def certify(body: Body, settings: Settings) -> Job:
    """Ask for a certificate of a plan; without one, of there being none."""
    objective = objective_of(body, domain_of(problem_of(body)))
    return {"objective": objective, "plan": text_of(body, "plan", ""), "seconds": settings.certify_seconds}


def why(body: Body, settings: Settings) -> Job:
    """Ask why a position is dead."""
    level_of(body)
    return {"seconds": settings.why_seconds}


def run(body: Body, settings: Settings) -> Job:
    """Ask for the plan of the user's own program or constraints."""
    objective = objective_of(body, domain_of(problem_of(body)))
    texts = {name: text_of(body, name, "") for name in ("program", "constraints")}
    return {"objective": objective, **texts, "seconds": settings.run_seconds}


QUESTIONS: Mapping[str, tuple[Callable[[Body, Settings], Job], tuple[str, ...]]] = {
    "solve": (solve, ("problem", "objective", "engine", "seconds")),
    "certify": (certify, ("problem", "objective", "plan")),
    "why": (why, ("problem",)),
    "run": (run, ("problem", "objective", "program", "constraints")),
}
"""By their names: what makes the job, and the keys that a request may have."""


def job_of(name: str, body: Body, settings: Settings) -> Job:
    """Return what a worker is asked.

    Raises:
        HttpRefusal: The request is not in the form that the question has.
        SokoaspError: It holds no level or board.
    """
    ask, keys = QUESTIONS[name]
    no_other_keys(body, keys, f"/api/{name}")
    return {"do": name, "problem": body.get("problem"), **ask(body, settings)}


def no_other_keys(given: Body, keys: tuple[str, ...], what: str) -> None:
    """Refuse what would be passed over. Raises HttpRefusal: There is a key that is not one of these."""
    for key in given:
        if key not in keys:
            raise HttpRefusal(400, f"{what} has no key {key!r}, only {', '.join(keys)}")


def problem_of(body: Body) -> Problem:
    """Read the problem of a request.

    Raises:
        HttpRefusal: It is not in the form a problem has.
        SokoaspError: It is no level or board.
    """
    given = body.get("problem")
    rows = given.get("rows") if isinstance(given, dict) else None
    if not isinstance(given, dict) or not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        raise HttpRefusal(400, '"problem" must be an object with "game" and "rows", a list of texts')
    no_other_keys(given, PROBLEM, "a problem")
    game, head, title = given.get("game"), given.get("head", ""), given.get("title", "")
    if game not in games() or not isinstance(head, str) or not isinstance(title, str):
        raise HttpRefusal(400, f'"game" must be one of {", ".join(games())}, "head" and "title" texts')
    try:
        return load(game).texts.from_wire(head, rows, title[:200])
    except SokoaspError as error:
        raise _in_the_picture(error, head) from None


def _in_the_picture(error: SokoaspError, head: str) -> SokoaspError:
    """Name the cell of an error, ``(row R, column C)`` from 0 as the page counts: a drawing has no file and no lines."""
    if error.line is not None:
        row = error.line - 1 - head.count("\n")
        column = "" if error.column is None else f", column {error.column - 1}"
        if row >= 0:
            error.message += f" (row {row}{column})"
    error.source, error.line, error.column = "", None, None
    return error


def level_of(body: Body) -> Level:
    """Read the problem of a request that only Sokoban knows.

    Raises:
        HttpRefusal: It is a Klotski board, or not in the form a problem has.
        SokoaspError: It is no level.
    """
    problem = problem_of(body)
    if not isinstance(problem, Level):
        raise HttpRefusal(400, "this is asked of Sokoban levels only, not of boards")
    return problem


def word_of(body: Body, name: str, choices: tuple[str, ...], default: str) -> str:
    """Read one of a few words. Raises HttpRefusal: It is none of them."""
    value = body.get(name, default)
    if value not in choices:
        raise HttpRefusal(400, f'"{name}" must be one of {", ".join(choices)}')
    return str(value)


def objective_of(body: Body, domain: Domain[Any, Any]) -> str:
    """Read what a solver is to count, by default the game's first objective. Raises HttpRefusal: The game does not count it."""
    return word_of(body, "objective", domain.objectives, domain.objectives[0])


def text_of(body: Body, name: str, default: str) -> str:
    """Read a text. Raises HttpRefusal: It is none."""
    value = body.get(name, default)
    if not isinstance(value, str):
        raise HttpRefusal(400, f'"{name}" must be a text')
    return value


def seconds_of(body: Body, settings: Settings) -> float:
    """Read how long a search may take. Raises HttpRefusal: It is no number of seconds that the settings allow."""
    seconds = body.get("seconds", settings.seconds)
    if not isinstance(seconds, int | float) or isinstance(seconds, bool) or not 0 < seconds <= settings.most_seconds:
        raise HttpRefusal(400, f'"seconds" must be a number above 0, at most {settings.most_seconds:g}')
    return seconds
