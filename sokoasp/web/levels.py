"""Collections of levels and boards as the page holds them: read once, when a site is made or the server starts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from sokoasp.core.errors import LevelError, SokoaspError
from sokoasp.core.shipped import SHIPPED
from sokoasp.domain import P, domain_for, domain_of

SETS = ("tutorial", "graded", "klotski", "deadlocks", "unsolvable")
SUFFIXES = (".xsb", ".sok", ".klotski")
FIRST = "tutorial/tutorial.xsb"
MOST_PROBLEMS = 2000
"""Most levels of a collection that are sent to the page; the rest is counted."""
_GRADE = re.compile(r"\bdifficulty (\d+) of 10\b")


def bundled() -> Mapping[str, str]:
    """Read the levels and boards that come with the package, as texts by name."""
    paths = (path for name in SETS for path in sorted((SHIPPED / name).glob("*")) if path.suffix in SUFFIXES)
    return {f"{path.parent.name}/{path.name}": path.read_text(encoding="utf-8") for path in paths}


def read(text: str, name: str, *, warned: bool = True) -> dict[str, Any]:
    """Read every problem of a text; the name serves for messages and its suffix for the notation, no file is opened.

    Without ``warned`` what a reader warns the author of is left out: it is nothing for players.
    SokoaspError if no level could be read.
    """
    data = text.encode("utf-8", "replace")
    source = name.replace("\\", "/").rsplit("/", 1)[-1][:100]
    try:
        domain = domain_for(data, source)
    except SokoaspError as error:
        raise error.located(source) from None
    found: list[dict[str, Any]] = []
    first_error: SokoaspError | None = None
    title = ""
    more = 0
    for number, problem in enumerate(domain.texts.read(data, source), 1):
        if len(found) >= MOST_PROBLEMS:
            more += 1
        elif isinstance(problem, SokoaspError):
            first_error = first_error or problem.located(source)
            found.append({"number": number, "error": str(problem.located(source))})
        else:
            title = title or getattr(problem, "collection", "")
            found.append({"number": number, **_held(problem), **({} if warned else {"warnings": []})})
    if all("error" in entry for entry in found):
        raise first_error or LevelError("no level in this text", source=source, line=1, code="E-NOLEVEL")
    return {"name": source, "title": title, "problems": found, "more": more}


def playable(opened: dict[str, Any]) -> dict[str, Any]:
    """Return a bundled collection without what a reader warns of, which are examples of that; without names: all are ours."""
    return {
        **opened,
        "title": "",
        "problems": [{**one, "author": ""} for one in opened["problems"] if not one.get("warnings")],
    }


def _held(problem: P) -> dict[str, Any]:
    """Return a problem as the page holds it."""
    domain = domain_of(problem)
    head, rows = domain.texts.to_wire(problem)
    return {
        "game": domain.name,
        "title": domain.texts.title(problem),
        "author": getattr(problem, "author", "") or dict(getattr(problem, "notes", ())).get("author", ""),
        "objectives": list(domain.objectives),
        "warnings": list(getattr(problem, "warnings", ())),
        **_graded(getattr(problem, "comment", "")),
        "head": head,
        "rows": list(rows),
    }


def _graded(comment: str) -> dict[str, Any]:
    """Return the grade and the optima that the comment of a level of the graded sets holds."""
    grade = _GRADE.search(comment)
    if grade is None:
        return {}
    optima = re.search(r"^optimum: (.*)$", comment, re.MULTILINE)
    parts = [part.split() for part in optima[1].split(", ")] if optima else []
    return {"difficulty": int(grade[1]), "optimum": {name: int(value) for value, name in parts}}
