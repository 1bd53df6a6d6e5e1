"""The formula "at most T line pushes (or pushes)": satisfiable if and only if there is such a plan.

States 0 to T, state 0 the start, state T solved; action a leads from state a-1 to a. Idle actions come first, so the unit clause
``-act(k)`` turns "at most T" into "at most T-k". How the player walks is said by degrees: a cell on the walk is free, the two
ends have one neighbour on it, every other cell two. The number of vertices of odd degree in a connected part of a graph is even,
so both ends lie in one part; loops elsewhere do no harm, and a shortest walk satisfies it. (docs/certificates.md)
"""

from __future__ import annotations

from itertools import combinations

from sokoasp.core.cnf import Formula
from sokoasp.proof.level_text import Field


def pushes_formula(field: Field, horizon: int, *, lines: bool) -> Formula:
    """Write the formula for at most ``horizon`` line pushes, or pushes by one cell."""
    f = Formula(
        f"at most {horizon} {'lines' if lines else 'pushes'}; cells from 0 in reading order; 0 left 1 right 2 up 3 down"
    )
    _declare(f, field, horizon, lines)
    _ends(f, field, horizon)
    for action in range(1, horizon + 1):
        if action > 1:
            f.add(-f.number["act", action - 1], f.number["act", action])
        _one_start(f, field, action)
        if lines:
            _line(f, field, action)
        _boxes(f, field, action, lines)
        _stands(f, field, action, lines)
        _walk(f, field, action)
    return f


def _declare(f: Formula, field: Field, horizon: int, lines: bool) -> None:
    cells, actions, before = range(field.size), range(1, horizon + 1), range(horizon)
    can = field.pushable()
    reached = sorted((field.beside[c][d], d) for c, d in can)
    f.family("act", "(a): action a is a push, not idle", ((a,) for a in actions))
    f.family("box", "(t,c): a box on cell c in state t", ((t, c) for t in range(horizon + 1) for c in cells))
    f.family("from", "(a,c,d): action a pushes the box on c the way d", ((a, c, d) for a in actions for c, d in can))
    if lines:
        f.family("on", "(a,c,d): it comes over or to c", ((a, c, d) for a in actions for c, d in reached))
        f.family("to", "(a,c,d): it ends on c", ((a, c, d) for a in actions for c, d in reached))
    for name, part in (("row", 0), ("column", 1)):
        indices = used(field, part)
        f.family(name, f"(a,i): action a begins in {name} i of the level", ((a, i) for a in actions for i in indices))
    f.family("way", "(a,d): action a goes the way d", ((a, d) for a in actions for d in range(4)))
    f.family(
        "left", "(t,c): the player is left on c by the pushes up to state t", ((t, c) for t in before for c in cells)
    )
    f.family("behind", "(t,c): he must stand on c for action t+1", ((t, c) for t in before for c in cells))
    f.family("walk", "(t,c): c is on his walk from the one to the other", ((t, c) for t in before for c in cells))


def _ends(f: Formula, field: Field, horizon: int) -> None:
    """Say what the first and the last state are, and where the player is at first."""
    for c in range(field.size):
        box = f.number["box", 0, c]
        f.add(box if c in field.boxes else -box)
        for player in f.some("left", (0, c)):
            f.add(player if c == field.player else -player)
    exact = len(field.goals) == len(field.boxes)
    for c in range(field.size):
        if c in field.goals:
            f.add(f.number["box", horizon, c])
        elif exact:
            f.add(-f.number["box", horizon, c])


def _one_start(f: Formula, field: Field, a: int) -> None:
    """Say that an action which is not idle begins at exactly one cell and way, at a box."""
    act = f.number["act", a]
    begins = []
    for c, d in field.pushable():
        start = f.number["from", a, c, d]
        begins.append(start)
        row, column = field.cells[c]
        f.add(-start, act)
        f.add(-start, f.number["box", a - 1, c])
        for reported in (f.number["row", a, row], f.number["column", a, column], f.number["way", a, d]):
            f.add(-start, reported)
    f.add(-act, *begins)
    for name, indices in (("row", used(field, 0)), ("column", used(field, 1)), ("way", [0, 1, 2, 3])):
        f.at_most_one([f.number[name, a, i] for i in indices])


def used(field: Field, part: int) -> list[int]:
    """Return the rows (part 0) or columns (part 1) from which a push can begin."""
    return sorted({field.cells[c][part] for c, _ in field.pushable()})


def _line(f: Formula, field: Field, a: int) -> None:
    """Say that the pushed box comes over free cells in one straight run, and ends on the last."""
    for b, d in field.pushable():
        c = field.beside[b][d]
        on, to = f.number["on", a, c, d], f.number["to", a, c, d]
        f.add(-f.number["from", a, b, d], on)
        f.add(-on, *f.some("on", (a, b, d)), f.number["from", a, b, d])
        f.add(-on, -f.number["box", a - 1, c])
        f.add(-to, on)
        onward = f.some("on", (a, field.beside[c][d], d))
        f.add(-on, to, *onward)
        for further in onward:
            f.add(-to, -further)


def _lands(f: Formula, field: Field, a: int, c: int, d: int, lines: bool) -> list[int]:
    """Return the variable, if any, that says that action a brings a box to c the way d."""
    if c < 0:
        return []
    return f.some("to", (a, c, d)) if lines else f.some("from", (a, field.beside[c][d ^ 1], d))


def _boxes(f: Formula, field: Field, a: int, lines: bool) -> None:
    """Say where the boxes are after an action: the pushed one on its new cell, all others where they were."""
    for c in range(field.size):
        before, after = f.number["box", a - 1, c], f.number["box", a, c]
        gone = f.some("from", *((a, c, d) for d in range(4)))
        come = [v for d in range(4) for v in _lands(f, field, a, c, d, lines)]
        for v in gone:
            f.add(-v, -after)
        for v in come:
            f.add(-v, after)
            if not lines:
                f.add(-v, -before)
        f.add(-before, after, *gone)
        f.add(before, -after, *come)


def _stands(f: Formula, field: Field, a: int, lines: bool) -> None:
    """Say where the player must stand for action a, and where the one before has left it."""
    t = a - 1
    for c in range(field.size):
        behind = f.number["behind", t, c]
        needs = f.some("from", *((a, field.beside[c][d], d) for d in range(4)))
        for v in needs:
            f.add(-v, behind)
        f.add(-behind, *needs)
        if t == 0:
            continue
        left = f.number["left", t, c]
        put = [v for d in range(4) for v in _lands(f, field, t, field.beside[c][d], d, lines)]
        for v in put:
            f.add(-v, left)
        idle = [-f.number["act", t]] if c == field.player else []
        f.add(-left, *put, *idle)
        for literal in idle:
            f.add(-literal, left)


def _walk(f: Formula, field: Field, a: int) -> None:
    """Say by degrees that the player gets from where it was left to where it must stand."""
    t, act = a - 1, f.number["act", a]
    for c in range(field.size):
        walk, left, behind = (f.number[name, t, c] for name in ("walk", "left", "behind"))
        near = [f.number["walk", t, other] for other in field.around(c)]
        f.add(-walk, -f.number["box", t, c])
        f.add(-walk, act)
        f.add(-act, -left, behind, walk)
        f.add(-behind, left, walk)
        f.add(-walk, -left, -behind)
        f.add(-walk, *near)
        for few in combinations(near, len(near) - 1):
            f.add(-walk, left, behind, *few)
        for pair in combinations(near, 2):
            for end in (left, behind):
                f.add(-walk, -end, *(-v for v in pair))
        for triple in combinations(near, 3):
            f.add(-walk, *(-v for v in triple))
