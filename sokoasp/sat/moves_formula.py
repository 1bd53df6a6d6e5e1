"""The formula "at most T moves": the player's steps one by one, with idle actions first."""

from __future__ import annotations

from sokoasp.core.cnf import Formula
from sokoasp.proof.level_text import Field
from sokoasp.sat.pushes_formula import add_ends


def moves_formula(field: Field, horizon: int) -> Formula:
    """Write the formula for at most ``horizon`` moves of the player."""
    f = Formula(f"at most {horizon} moves; cells from 0 in reading order; 0 left 1 right 2 up 3 down")
    _declare(f, field, horizon)
    _ends(f, field, horizon)
    for action in range(1, horizon + 1):
        if action > 1:
            f.add(-f.number["act", action - 1], f.number["act", action])
        _one_way(f, action)
        _player(f, field, action)
        _boxes(f, field, action)
    return f


def _declare(f: Formula, field: Field, horizon: int) -> None:
    cells, states, actions = range(field.size), range(horizon + 1), range(1, horizon + 1)
    can = field.pushable()
    f.family("act", "(a): action a is a move, not idle", ((a,) for a in actions))
    f.family("box", "(t,c): a box on cell c in state t", ((t, c) for t in states for c in cells))
    f.family("player", "(t,c): the player on cell c in state t", ((t, c) for t in states for c in cells))
    f.family("move", "(a,d): action a is a move the way d", ((a, d) for a in actions for d in range(4)))
    f.family("push", "(a,c,d): it pushes a box from c the way d", ((a, c, d) for a in actions for c, d in can))
    for name, part in (("row", 0), ("column", 1)):
        used = sorted({cell[part] for cell in field.cells})
        f.family(name, f"(t,i): the player is in {name} i in state t", ((t, i) for t in states for i in used))


def _ends(f: Formula, field: Field, horizon: int) -> None:
    """Say what the first and the last state are, and that the player is on one cell in every state."""
    add_ends(f, field, horizon, "player")
    rows, columns = (sorted({cell[part] for cell in field.cells}) for part in (0, 1))
    for t in range(horizon + 1):
        places = [f.number["player", t, c] for c in range(field.size)]
        f.add(*places)
        for place, (row, column) in zip(places, field.cells, strict=True):
            f.add(-place, f.number["row", t, row])
            f.add(-place, f.number["column", t, column])
        f.at_most_one([f.number["row", t, row] for row in rows])
        f.at_most_one([f.number["column", t, column] for column in columns])


def _one_way(f: Formula, a: int) -> None:
    act = f.number["act", a]
    ways = [f.number["move", a, d] for d in range(4)]
    f.add(-act, *ways)
    f.at_most_one(ways)
    for way in ways:
        f.add(-way, act)


def _player(f: Formula, field: Field, a: int) -> None:
    """Say where a move brings the player; without one the player stays."""
    act = f.number["act", a]
    for c in range(field.size):
        here, stays = f.number["player", a - 1, c], f.number["player", a, c]
        f.add(act, -here, stays)
        f.add(-stays, act, here)
        for d in range(4):
            to, way = field.beside[c][d], f.number["move", a, d]
            f.add(*(-here, -way), *f.some("player", (a, to)))
            came = f.some("player", (a - 1, field.beside[c][d ^ 1]))
            f.add(-stays, -way, *came)


def _boxes(f: Formula, field: Field, a: int) -> None:
    """Say which box is pushed by a move, and that all others stay."""
    for c in range(field.size):
        before, after = f.number["box", a - 1, c], f.number["box", a, c]
        gone, come = [], []
        for d in range(4):
            come += f.some("push", (a, field.beside[c][d ^ 1], d))
            stand, way = field.beside[c][d ^ 1], f.number["move", a, d]
            if stand < 0:
                continue
            player = f.number["player", a - 1, stand]
            push = f.get("push", a, c, d)
            if push is None:
                f.add(-player, -way, -before)
                continue
            gone.append(push)
            f.add(-player, -way, -before, push)
            for needed in (player, way, before):
                f.add(-push, needed)
            beyond = field.beside[c][d]
            f.add(-push, -f.number["box", a - 1, beyond])
            f.add(-push, f.number["box", a, beyond])
            f.add(-push, -after)
        f.add(-before, after, *gone)
        f.add(before, -after, *come)
