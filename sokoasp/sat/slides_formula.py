"""The Klotski formula "at most T slides (or units)".

Pieces of one shape that nothing tells apart make one *kind*. An action lifts a piece of a kind off its place (``from``), leads it
over places where it fits between the pieces that stay (``step``, one unit) and puts it down (``to``). Its way is said as a flow:
one step leaves the first place, one enters the last, and every other place is entered as often as it is left, once at most.
"""

from __future__ import annotations

from sokoasp.core.cnf import Formula
from sokoasp.klotski.board import Board
from sokoasp.klotski.board_layout import Layout, layout


def slides_formula(board: Board, horizon: int, *, units: bool) -> Formula:
    """Write the formula for at most ``horizon`` slides (one piece, any way) or units (one piece, one cell)."""
    lay = layout(board)
    kinds = "; ".join(f"kind {k}: {kind.names}" for k, kind in enumerate(lay.kinds))
    f = Formula(f"at most {horizon} {'units' if units else 'slides'}; {kinds}; 0 left 1 right 2 up 3 down")
    _declare(f, lay, horizon)
    _ends(f, lay, horizon)
    for action in range(1, horizon + 1):
        if action > 1:
            f.add(-f.number["act", action - 1], f.number["act", action])
        _one_piece(f, lay, action)
        _way(f, lay, action, units)
        _pieces(f, lay, action)
    return f


def _declare(f: Formula, lay: Layout, horizon: int) -> None:
    places, actions = lay.all_places(), range(1, horizon + 1)
    f.family("act", "(a): action a moves a piece", ((a,) for a in actions))
    f.family(
        "at",
        "(t,k,i): a piece of kind k on its place i in state t",
        ((t, k, i) for t in range(horizon + 1) for k, i in places),
    )
    for name, what in (("from", "is lifted off"), ("to", "is put down on")):
        f.family(
            name, f"(a,k,i): a piece of kind k {what} its place i", ((a, k, i) for a in actions for k, i in places)
        )
    steps = [(k, i, d) for k, i in places for d, _ in lay.onward(k, i)]
    f.family(
        "step", "(a,k,i,d): it goes from place i one unit the way d", ((a, *step) for a in actions for step in steps)
    )
    f.family(
        "stays",
        "(a,x): cell x is covered by a piece that stays",
        ((a, x) for a in actions for x in range(len(lay.cells))),
    )
    f.family(
        "first",
        "(a,n): the lifted place is the n-th or an earlier one",
        ((a, n) for a in actions for n in range(len(places))),
    )


def _ends(f: Formula, lay: Layout, horizon: int) -> None:
    """Say what the first state is and what must hold in the last."""
    board = lay.board
    stands = {
        (k, kind.places.index(board.piece(name).corner)) for k, kind in enumerate(lay.kinds) for name in kind.names
    }
    for k, i in lay.all_places():
        at = f.number["at", 0, k, i]
        f.add(at if (k, i) in stands else -at)
    of = {name: k for k, kind in enumerate(lay.kinds) for name in kind.names}
    for name, corner in board.goal.places:
        f.add(*f.some("at", (horizon, of[name], lay.kinds[of[name]].places.index(corner))))
    for name, cell in board.goal.covers:
        k, x = of[name], lay.cells[cell]
        f.add(*(f.number["at", horizon, k, i] for kk, i in lay.all_places() if kk == k and x in lay.covers(k, i)))
    for cell in board.goal.blanks:
        for k, i in lay.all_places():
            if lay.cells[cell] in lay.covers(k, i):
                f.add(-f.number["at", horizon, k, i])


def _one_piece(f: Formula, lay: Layout, a: int) -> None:
    """Say that an action lifts exactly one piece, which stands there; an idle one lifts none."""
    act, places = f.number["act", a], lay.all_places()
    lifted = [f.number["from", a, k, i] for k, i in places]
    f.add(-act, *lifted)
    for n, ((k, i), lift) in enumerate(zip(places, lifted, strict=True)):
        f.add(-lift, act)
        f.add(-lift, f.number["at", a - 1, k, i])
        f.add(-lift, f.number["first", a, n])
        if n:
            f.add(-f.number["first", a, n - 1], f.number["first", a, n])
            f.add(-f.number["first", a, n - 1], -lift)


def _way(f: Formula, lay: Layout, a: int, units: bool) -> None:
    """Say that the lifted piece goes unit by unit, past the pieces that stay, to where it is put down."""
    places = lay.all_places()
    for k, i in places:
        at, lift = f.number["at", a - 1, k, i], f.number["from", a, k, i]
        for x in lay.covers(k, i):
            f.add(-at, lift, f.number["stays", a, x])
    entering: dict[tuple[int, int], list[int]] = {place: [] for place in places}
    for k, i in places:
        for d, j in lay.onward(k, i):
            step = f.number["step", a, k, i, d]
            entering[k, j].append(step)
            for x in lay.covers(k, j):
                f.add(-step, -f.number["stays", a, x])
            if units:
                f.add(-step, f.number["from", a, k, i])
    for k, i in places:
        leaving = [f.number["step", a, k, i, d] for d, _ in lay.onward(k, i)]
        lift, put, inward = f.number["from", a, k, i], f.number["to", a, k, i], entering[k, i]
        f.at_most_one(leaving)
        f.at_most_one(inward)
        f.add(-lift, *leaving)
        f.add(-put, *inward)
        for step in leaving:
            f.add(-step, lift, *inward)
            f.add(-step, -put)
        for step in inward:
            f.add(-step, put, *leaving)
            f.add(-step, -lift)


def _pieces(f: Formula, lay: Layout, a: int) -> None:
    """Say where the pieces are after an action."""
    for k, i in lay.all_places():
        before, after = f.number["at", a - 1, k, i], f.number["at", a, k, i]
        lift, put = f.number["from", a, k, i], f.number["to", a, k, i]
        f.add(-lift, -after)
        f.add(-put, after)
        f.add(-before, after, lift)
        f.add(before, -after, put)
