"""Wrong encodings to learn from: one small right program, and faults that people make; the referee says what each does."""

from __future__ import annotations

from dataclasses import dataclass

BASE = """\
% Fewest pushes. Facts: right/2, top/2, box/1, solution/1, sokoban/1.
adjacent(right,A,B) :- right(A,B).   adjacent(left,B,A) :- right(A,B).
adjacent(up,A,B) :- top(A,B).        adjacent(down,B,A) :- top(A,B).
box_at(L,0) :- box(L).
player_at(L,0) :- sokoban(L).
reach(L,0) :- player_at(L,0).
reach(B,0) :- reach(A,0), adjacent(_,A,B), not box_at(B,0).

#program step(t).
can(A,D,B,t) :- box_at(A,t-1), adjacent(D,P,A), reach(P,t-1), adjacent(D,A,B), not box_at(B,t-1).
{ push(A,D,B,t) : can(A,D,B,t) } = 1.
box_at(B,t) :- push(_,_,B,t).
box_at(L,t) :- box_at(L,t-1), not push(L,_,_,t).
player_at(A,t) :- push(A,_,_,t).
reach(L,t) :- player_at(L,t).
reach(B,t) :- reach(A,t), adjacent(_,A,B), not box_at(B,t).

#program check(t).
#external query(t).
:- query(t), solution(L), not box_at(L,t).
#show push/4.
"""


OPEN = ("#######", "#     #", "#@$ . #", "#     #", "#######")
TWO = ("########", "#@     #", "# $  . #", "# $  . #", "#      #", "########")
CORRIDOR = ("#######", "#+$   #", "###   #", "#######")
"""A player who cannot walk through the box has to push it out of the corridor first."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault: what of the right program is replaced by what, what it is in words, and a level on which it shows."""

    title: str
    old: str
    new: str
    words: str
    level: tuple[str, ...]

    @property
    def program(self) -> str:
        """Return the wrong program."""
        return BASE.replace(self.old, self.new)


FAULTS = (
    Fault(
        "The player walks through boxes",
        "adjacent(_,A,B), not box_at(B,t).",
        "adjacent(_,A,B).",
        "After the first push the player reaches every cell, also those behind boxes.",
        CORRIDOR,
    ),
    Fault(
        "Nobody asks who stands behind the box",
        "adjacent(D,P,A), reach(P,t-1), adjacent(D,A,B)",
        "adjacent(D,A,B)",
        "A box is pushed although there is no free cell behind it to push from.",
        CORRIDOR,
    ),
    Fault(
        "Any number of pushes a step",
        "can(A,D,B,t) } = 1.",
        "can(A,D,B,t) }.",
        "The choice has no bounds: several boxes move in one step, or none.",
        OPEN,
    ),
    Fault(
        "The pushed box stays where it was",
        "box_at(L,t-1), not push(L,_,_,t).",
        "box_at(L,t-1).",
        "The frame rule forgets that a pushed box leaves: it fills two goals.",
        TWO,
    ),
    Fault(
        "One filled goal is enough",
        ":- query(t), solution(L), not box_at(L,t).",
        "ok(t) :- solution(L), box_at(L,t).  :- query(t), not ok(t).",
        "The goal is an 'and' over all storage cells, not an 'or'.",
        TWO,
    ),
    Fault(
        "Up and down are forgotten",
        "adjacent(up,A,B) :- top(A,B).        adjacent(down,B,A) :- top(A,B).",
        "",
        "Every plan it finds is right, but it misses most of them, and says there is none.",
        CORRIDOR,
    ),
)
