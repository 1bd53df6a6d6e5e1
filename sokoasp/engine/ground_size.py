"""The ground size of a catalogued or own program on a level, at the bound that the level needs."""

from __future__ import annotations

from sokoasp.asp import catalogue
from sokoasp.asp.catalogue import Encoding
from sokoasp.asp.groundsize import GroundSize, ground_size
from sokoasp.core.errors import EncodingError
from sokoasp.domain import Problem, domain_of
from sokoasp.engine.by_asp import Tables, steps_of


def sizes(problem: Problem, name: str, *, objective: str | None = None, bound: int | None = None) -> GroundSize:
    """Ground a program on a problem and count its atoms and rules.

    Args:
        problem: The level or board.
        name: A catalogued program, or a file.
        objective: What it counts; default, for a file: the game's first.
        bound: Actions; default: the first bound that is not refuted before any search.

    Raises:
        EncodingError: There is no such program, or it cannot be ground.
    """
    domain = domain_of(problem)
    known = catalogue.encodings().get(name)
    counted = objective or (domain.objectives[0] if known is None else known.objective)
    encoding = catalogue.find(name, domain.name, counted)
    if bound is None:
        bound = domain.known.estimate(problem, counted).bounds.first
    return ground_size(encoding, facts_of(problem, encoding, bound + 1), bound)


def facts_of(problem: Problem, encoding: Encoding, steps: int | None = None) -> str:
    """Return the facts of a problem with those of the tables that a program wants.

    Args:
        problem: The level or board.
        encoding: The program.
        steps: Steps of a program that is solved once; default: the problem's own.

    Raises:
        EncodingError: The program is for another game, or wants a number of steps and there is none.
    """
    domain = domain_of(problem)
    if encoding.game != domain.name:
        raise EncodingError(f"encoding {encoding.name!r} is for {encoding.game}, this is {domain.name}")
    steps = steps_of(problem, encoding, steps)
    plain = domain.asp.facts(problem, steps if encoding.mode == "single" else None)
    return Tables(domain, problem, encoding.objective).beside(plain, encoding)
