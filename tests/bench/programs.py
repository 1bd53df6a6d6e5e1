"""Logic programs that are wrong on purpose."""

from sokoasp.asp.catalogue import encodings

ENDLESS = """
#program step(t).
step(t).
#program check(t).
#external query(t).
{ in(P,H,t) : H = 1..30 } = 1 :- P = 1..31.
:- in(P,H,t), in(Q,H,t), P < Q, query(t).
#program base.
#show push(P,right,H,T) : in(P,H,T).
#defined in/3.
"""
"""31 pigeons in 30 holes: no machine ends with this, so only a limit does."""


def _lines() -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in encodings()["lines"].files)


def through_walls() -> str:
    """Return a program whose player need not walk: its plans are illegal wherever he must."""
    text = _lines().replace("reach(L0,t-1), adjacent(D,L1,L2)", "adjacent(D,L1,L2)")
    assert text != _lines()
    return text


def three_or_more() -> str:
    """Return a program that refutes plans of fewer than three lines: its plans are legal, but not best as it says."""
    return (
        _lines() + "\n#program step(t).\n:- push(_,D,L,t-1), push(L,D,_,t).\n#program check(t).\n:- query(t), t < 3.\n"
    )


def no_answer() -> str:
    """Return a program that refutes everything."""
    return _lines() + "\n#program base.\n:- sokoban(L).\n"
