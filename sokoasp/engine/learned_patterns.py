"""What a certificate takes from the native search: which larger sets of boxes cost more than their parts."""

from __future__ import annotations

from dataclasses import dataclass

from sokoasp.core.limits import Clock
from sokoasp.proof.patterns import Pattern
from sokoasp.proof.rows import Field
from sokoasp.sokoban.level import Cell, Level
from sokoasp.sokoban.search.bounds import search_tables
from sokoasp.sokoban.search.exact import astar
from sokoasp.sokoban.search.model import push_board
from sokoasp.sokoban.search.model.options import Options

CERTIFIABLE = ("matching", "groups", "lessons")
"""The bounds whose claims a certificate can show, or does without; it holds no corrals, frozen walls or freeze test."""
LARGEST = 4
TURN = 1.0


@dataclass(frozen=True, slots=True)
class Learned:
    """What a search that has proved the value rests on, as the checker numbers cells."""

    prices: tuple[int, ...]
    largest: int
    patterns: tuple[Pattern, ...]


def cell_numbers(level: Level, field: Field) -> dict[Cell, int]:
    """Return the certificate's number of each floor cell."""
    top = min(cell.row for cell in level.floor) - min(row for row, _ in field.cells)
    left = min(cell.col for cell in level.floor) - min(col for _, col in field.cells)
    return {Cell(row + top, col + left): number for number, (row, col) in enumerate(field.cells)}


def learn(level: Level, field: Field, objective: str, value: int, clock: Clock, most: int | None) -> Learned | str | None:
    """Prove again that no plan has fewer than ``value`` actions, by what a certificate can hold; return what it rests on.

    Args:
        level: As many goals as boxes.
        field: The same level, in the certificate's numbers.
        objective: ``pushes`` or ``lines``.
        value: A plan has so many actions.
        clock: Running limits.
        most: Expansions after which it is given up.

    Returns:
        What was learned; the word of the limit that came first, or None if ``most`` did.
    """
    board = push_board.build(level)
    options = Options(largest_group=LARGEST).only(*CERTIFIABLE)
    tables = search_tables.build(level, board, objective, options)
    search = astar.begin(level, tables, options)
    search.cut(value)
    while not search.finished:
        if stopped := search.advance(clock, TURN, most):
            return stopped
        if most is not None and search.effort >= most and not search.finished:
            return None
    of = [cell_numbers(level, field)[cell] for cell in board.cells]
    found = search.tables.patterns
    paid = {of[goal]: int(found.price[goal]) for goal in board.goals}
    listed = () if search.learner is None else search.learner.listed()
    patterns = tuple(Pattern(tuple(of[b] for b in p.boxes), of[p.player[0]], p.price) for p in listed)
    return Learned(tuple(paid[goal] for goal in field.goals), found.largest, patterns)
