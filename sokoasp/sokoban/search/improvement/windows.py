"""Parts of a plan: the states along it, what it has spent there, and the search for a cheaper way from one state to another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sokoasp.sokoban import rules
from sokoasp.sokoban.level import Cell, Level, reachable
from sokoasp.sokoban.plan import Plan, Push
from sokoasp.sokoban.rules import State
from sokoasp.sokoban.search.bounds import search_tables
from sokoasp.sokoban.search.exact import astar
from sokoasp.sokoban.search.model import push_board
from sokoasp.sokoban.search.model.options import Options

FEW = 5
"""Boxes that move in a window in which the others are taken for walls."""


def states(level: Level, plan: Plan) -> Iterator[State]:
    """Yield the state at the start and after each line push, the player beside the box."""
    state = rules.initial(level)
    yield state
    for push in plan.actions:
        state = state.after(push)
        yield state


def costs(level: Level, plan: Plan, objective: str) -> Iterator[int]:
    """Yield what the plan has spent at the start and after each line push."""
    spent = 0
    yield spent
    for state, push in zip(states(level, plan), plan.actions, strict=False):
        spent += 1 if objective == "lines" else push.length
        if objective == "moves":
            spent += len(_walk(level, state, push))
        yield spent


def moves(level: Level, states: list[State], begin: int, end: int, plan: Plan) -> str:
    """Return the moves of a part of a plan, from the end of a line push to the end of another."""
    letters = []
    for state, push in zip(states[begin:end], plan.actions[begin:end], strict=True):
        letters.append(_walk(level, state, push) + push.direction.letter.upper() * push.length)
    return "".join(letters)


def _walk(level: Level, state: State, push: Push) -> str:
    """Return the steps to the cell behind the box that is pushed next."""
    return rules.walk(level.floor - state.boxes, state.player, push.box.step(push.direction.opposite)) or ""


def window_search(
    level: Level, first: State, last: State, still: frozenset[Cell], objective: str, options: Options, *, final: bool
) -> astar.Search | None:
    """Set up the search of a window: from one state exactly to another, boxes that stand still taken for walls.

    At the end of the plan, ``final``, it does not matter where the player is.
    """
    floor = reachable(first.player, level.floor - still)
    boxes, goals = first.boxes - still, last.boxes - still
    if not (boxes <= floor and goals <= floor):
        return None
    part = Level(floor=frozenset(floor), boxes=boxes, goals=goals, player=first.player)
    board = push_board.build(part)
    if board.dead_start:
        return None
    options = replace(options, patterns=len(boxes) <= FEW, largest_pattern=2)
    tables = search_tables.build(part, board, objective, options)
    number = {cell: index for index, cell in enumerate(board.cells)}
    if final:
        wanted = -1
    elif objective == "moves":
        wanted = number[last.player]
    else:
        wanted = min(number[cell] for cell in reachable(last.player, part.floor - goals))
    return astar.begin(part, replace(tables, wanted=wanted), options)
