"""PDDL: a level as a planning task (a push costs 1, a step 0), and plans of that task back.

Boxes have no names, so the goal is that every goal cell holds a box; requirements are :typing and :action-costs.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NoReturn

from sokoasp.core.errors import IllegalPlan, NotationError
from sokoasp.sokoban.level import DIRECTIONS, Cell, Direction, Level

DOMAIN = """\
(define (domain sokoasp-sokoban)
  (:requirements :typing :action-costs)
  (:types cell direction)
  (:predicates
    (next ?from ?to - cell ?d - direction) ; ?to is the cell beside ?from in direction ?d
    (player ?c - cell)
    (box ?c - cell)
    (free ?c - cell))                      ; no box on ?c
  (:functions (total-cost) - number)
  (:action move
    :parameters (?from ?to - cell ?d - direction)
    :precondition (and (player ?from) (next ?from ?to ?d) (free ?to))
    :effect (and (not (player ?from)) (player ?to)))
  (:action push
    :parameters (?behind ?from ?to - cell ?d - direction)
    :precondition (and (player ?behind) (box ?from) (free ?to) (next ?behind ?from ?d) (next ?from ?to ?d))
    :effect (and
      (not (player ?behind)) (player ?from)
      (not (box ?from)) (free ?from) (box ?to) (not (free ?to))
      (increase (total-cost) 1))))
"""

_ACTION = re.compile(r"(?:[0-9.]+\s*:)?\s*\(\s*([^()\s]+)((?:\s+[^()\s]+)*)\s*\)\s*(?:\[[0-9.]*\])?")


def names(level: Level) -> dict[Cell, str]:
    """Return the object name of each floor cell: ``c{column}r{row}``, from 1."""
    return {cell: f"c{cell.col + 1}r{cell.row + 1}" for cell in level.floor}


def write_problem(level: Level) -> str:
    """Return the problem file of a level."""
    name = names(level)
    cells = sorted(level.floor)
    near = [(c, c.step(d), d) for c in cells for d in DIRECTIONS if c.step(d) in level.floor]
    lines = [f"; {' '.join(level.title.split())}"] if level.title.strip() else []
    lines += [f"; {row}" for row in level.rows()]
    lines += [
        "(define (problem sokoasp-level)",
        "  (:domain sokoasp-sokoban)",
        f"  (:objects {' '.join(name[c] for c in cells)} - cell",
        f"            {' '.join(d.name for d in DIRECTIONS)} - direction)",
        "  (:init",
        "    (= (total-cost) 0)",
        f"    (player {name[level.player]})",
        *(f"    (box {name[c]})" for c in sorted(level.boxes)),
        *(f"    (free {name[c]})" for c in cells if c not in level.boxes),
        *(f"    (next {name[one]} {name[two]} {d.name})" for one, two, d in near),
        "  )",
        f"  (:goal (and {' '.join(f'(box {name[c]})' for c in sorted(level.goals))}))",
        "  (:metric minimize (total-cost)))",
    ]
    return "\n".join(lines) + "\n"


def write(level: Level) -> str:
    """Return domain and problem one after the other; each begins with its own ``(define``."""
    return f"{DOMAIN}\n{write_problem(level)}"


def read_plan(text: str, level: Level, *, source: str = "") -> str:
    """Decode a sequential plan, one action a line, into the player's moves, capitals for pushes.

    What letters do not say is checked here: that each action begins where the player is, and that no step is onto a box.

    Raises:
        NotationError: A line is no action of the domain, or its cells do not lie in its direction (E-PLAN).
        IllegalPlan: The player is elsewhere, or a box is in the way of a step.
    """
    cell = {name: at for at, name in names(level).items()}
    name = {at: name for name, at in cell.items()}
    player, boxes = level.player, set(level.boxes)
    letters: list[str] = []
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.split(";")[0].strip().lower()
        if not line:
            continue
        words = _arguments(line, cell, source, number)
        direction, (start, to, *beyond) = Direction[words[-1]], (cell[word] for word in words[:-1])
        if any(one.step(direction) != two for one, two in pairwise((start, to, *beyond))):
            _fail(f"the cells of {line} do not lie side by side in its direction", source, number)
        if start != player:
            _break(f"{line}: the player is on {name[player]}", len(letters), source, number)
        if not beyond and to in boxes:
            _break(f"{line}: a box is on {name[to]}", len(letters), source, number)
        if beyond:
            boxes.discard(to)
            boxes.update(beyond)
        letters.append(direction.letter.upper() if beyond else direction.letter)
        player = to
    return "".join(letters)


def _arguments(line: str, cell: dict[str, Cell], source: str, number: int) -> list[str]:
    """Return the arguments of one action, checked: three of a step, four of a push."""
    match = _ACTION.fullmatch(line)
    if not match:
        _fail(f"{line[:60]!r} is no action (name argument …)", source, number)
    action, words = match[1], match[2].split()
    if {"move": 3, "push": 4}.get(action) != len(words):
        _fail(f"({action} …) with {len(words)} arguments is no action of this domain (move 3, push 4)", source, number)
    for word in words[:-1]:
        if word not in cell:
            _fail(f"the level has no cell {word}", source, number)
    if words[-1] not in Direction.__members__:
        _fail(f"{words[-1]} is no direction (left, right, up, down)", source, number)
    return words


def _break(message: str, before: int, source: str, line: int) -> NoReturn:
    error = IllegalPlan(f"action {before + 1} {message}", at=before + 1, source=source, line=line)
    error.code = "E-PLAN"
    raise error


def _fail(message: str, source: str, line: int) -> NoReturn:
    raise NotationError(message, source=source, line=line, column=1, code="E-PLAN")
