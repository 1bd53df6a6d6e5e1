"""The ground size of a catalogued or own program on a level, at the bound that the level needs."""

from __future__ import annotations

from sokoasp.asp import catalogue
from sokoasp.asp.groundsize import GroundSize, ground_size
from sokoasp.domain import Problem, domain_of
from sokoasp.engine.by_asp import table_facts


def sizes(problem: Problem, name: str, *, objective: str | None = None, bound: int | None = None) -> GroundSize:
    """Ground a program on a problem and count its atoms and rules.

    Args:
        problem: The level or board.
        name: A catalogued program, or a file.
        objective: What it counts, for a file; default: the game's first.
        bound: Actions; default: the first bound that is not refuted before any search.

    Raises:
        EncodingError: There is no such program, or it cannot be ground.
    """
    domain = domain_of(problem)
    known = catalogue.encodings().get(name)
    counted = known.objective if known is not None else objective or domain.objectives[0]
    encoding = catalogue.find(name, domain.name, counted)
    if bound is None:
        bound = domain.estimate(problem, counted).bounds.first
    facts = domain.facts(problem, bound + 1 if encoding.mode == "single" else None)
    (tables,) = table_facts(domain, problem, counted, [encoding])
    return ground_size(encoding, facts + tables, bound)
