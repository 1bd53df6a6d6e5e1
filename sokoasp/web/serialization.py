r"""Problems, cells and plans as JSON, with sentences for what is wrong with them.

A problem is ``{"game": "sokoban", "rows": [...]}`` or ``{"game": "klotski", "head": "goal: A 3,1\n", "rows": [...]}``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from sokoasp.core.errors import LevelError, SokoaspError
from sokoasp.domain import Domain, P, Problem, domain_for, domain_of, games, load
from sokoasp.sokoban.level import Level
from sokoasp.web.settings import Settings

_GRADE = re.compile(r"\bdifficulty (\d+) of 10\b")
MOST_PROBLEMS = 2000
"""Most levels of a collection that are sent to the page; the rest is counted."""
SHOWN_NAME = "<pasted text>"


class HttpRefusal(Exception):
    """Refuse a request with an HTTP status and one sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence


def open_text(text: str, name: str) -> dict[str, Any]:
    """Read every problem of a text; the name serves for messages and its suffix for the notation, no file is opened.

    Raises:
        SokoaspError: No level could be read.
    """
    data = text.encode("utf-8", "replace")
    source = name.replace("\\", "/").rsplit("/", 1)[-1][:100] or SHOWN_NAME
    try:
        domain = domain_for(data, source)
    except SokoaspError as error:
        raise error.located(source) from None
    found: list[dict[str, Any]] = []
    first_error: SokoaspError | None = None
    more = 0
    for number, problem in enumerate(domain.read(data, source), 1):
        if len(found) >= MOST_PROBLEMS:
            more += 1
        elif isinstance(problem, SokoaspError):
            first_error = first_error or problem.located(source)
            found.append({"number": number, "error": str(problem.located(source))})
        else:
            found.append({"number": number, **describe(problem)})
    if all("error" in entry for entry in found):
        raise first_error or LevelError("no level in this text", source=source, line=1, code="E-NOLEVEL")
    return {"name": source, "problems": found, "more": more}


def describe(problem: P) -> dict[str, Any]:
    """Return a problem as the page holds it, with what can be asked of it."""
    domain = domain_of(problem)
    known = {
        "game": domain.name,
        "title": domain.title(problem),
        **abilities(domain),
        "warnings": list(getattr(problem, "warnings", ())),
    }
    head, rows = domain.to_wire(problem)
    return {**known, **_graded(getattr(problem, "comment", "")), "head": head, "rows": list(rows)}


def _graded(comment: str) -> dict[str, Any]:
    """Return the grade and the optima that the comment of a level of the graded sets holds."""
    grade = _GRADE.search(comment)
    if grade is None:
        return {}
    optima = re.search(r"^optimum: (.*)$", comment, re.MULTILINE)
    parts = [part.split() for part in optima.group(1).split(", ")] if optima else []
    return {"difficulty": int(grade.group(1)), "optimum": {name: int(value) for value, name in parts}}


def abilities(domain: Domain[Any, Any]) -> dict[str, Any]:
    """Return what can be asked of a game's problems: the objectives and the engines."""
    return {"objectives": list(domain.objectives), "engines": ["asp", *domain.native]}


def problem_of(body: Mapping[str, Any], name: str = "problem") -> Problem:
    """Read the problem of a request, or another of that form under its name.

    Raises:
        HttpRefusal: It is not in the form a problem has.
        SokoaspError: It is no level or board.
    """
    given = body.get(name)
    rows = given.get("rows") if isinstance(given, dict) else None
    if not isinstance(given, dict) or not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        raise HttpRefusal(400, f'"{name}" must be an object with "game" and "rows", a list of texts')
    game, head, title = given.get("game"), given.get("head", ""), given.get("title", "")
    if game not in games() or not isinstance(head, str) or not isinstance(title, str):
        raise HttpRefusal(400, f'"game" must be one of {", ".join(games())}, "head" and "title" texts')
    try:
        return load(game).from_wire(head, rows, title[:200])
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


def level_of(body: Mapping[str, Any], name: str = "problem") -> Level:
    """Read the problem of a request that only Sokoban knows.

    Raises:
        HttpRefusal: It is a Klotski board, or not in the form a problem has.
        SokoaspError: It is no level.
    """
    problem = problem_of(body, name)
    if not isinstance(problem, Level):
        raise HttpRefusal(400, "this is asked of Sokoban levels only, not of boards")
    return problem


def word_of(body: Mapping[str, Any], name: str, choices: tuple[str, ...], default: str) -> str:
    """Read one of a few words.

    Raises:
        HttpRefusal: It is none of them.
    """
    value = body.get(name, default)
    if value not in choices:
        raise HttpRefusal(400, f'"{name}" must be one of {", ".join(choices)}')
    return str(value)


def objective_of(body: Mapping[str, Any], domain: Domain[Any, Any]) -> str:
    """Read what a solver is to count, by default the game's first objective. Raises HttpRefusal: The game does not count it."""
    return word_of(body, "objective", domain.objectives, domain.objectives[0])


def text_of(body: Mapping[str, Any], name: str, default: str | None = None) -> str:
    """Read a text.

    Raises:
        HttpRefusal: It is missing or no text.
    """
    value = body.get(name, default)
    if not isinstance(value, str):
        raise HttpRefusal(400, f'"{name}" must be a text')
    return value


def number_of(body: Mapping[str, Any], name: str, low: int, high: int) -> int:
    """Read a whole number from ``low`` to ``high``.

    Raises:
        HttpRefusal: It is none.
    """
    value = body.get(name)
    if type(value) is not int or not low <= value <= high:
        raise HttpRefusal(400, f'"{name}" must be a whole number from {low} to {high}')
    return value


def seconds_of(body: Mapping[str, Any], settings: Settings) -> float:
    """Read how long a search may take.

    Raises:
        HttpRefusal: It is no number of seconds that the settings allow.
    """
    seconds = body.get("seconds", settings.seconds)
    if not isinstance(seconds, int | float) or isinstance(seconds, bool) or not 0 < seconds <= settings.most_seconds:
        raise HttpRefusal(400, f'"seconds" must be a number above 0, at most {settings.most_seconds:g}')
    return seconds
