"""Statements of a user's file that could reach into our programs: refused with their place, or without effect on the verdict."""

from pathlib import Path

import pytest

from sokoasp import EncodingError, Status, solve
from sokoasp.core.errors import SokoaspError
from tests.instances import ROOM, written

OWN = """
#program step(t).
{ push(B,D,M,t) : box(B), D = (left;right;up;down), solution(M) } = 1.
#program check(t).
#external query(t).
:- query(t), not push(_,_,_,t).
#show push/4.
"""
HARMLESS = ":- box(X), sokoban(X).\n"
STEP = "#program step(t).\n"


@pytest.mark.parametrize(
    "text",
    [
        "#const t=3.",
        "#const t=0.",
        "#const up=down.",
        "#const c3r3=c4r4.",
        "#const now=2.\n#program step(now).\n:- push(_,_,_,now), now < 0.\n#program base.",
        "#external query(1).",
        "#program check(t).\n#external query(t). [true]",
        "#external box_at(c3r3,1). [true]",
        "#program step(t).\nbox_at(c3r3,t).",
        "#program step(t).\n-box_at(c3r3,t).",
        "#program step(t).\n{ player_at(c3r3,t) }.",
        "#program step(t,u).\n:- push(_,_,_,t).",
        "#program query(t).\n:- t = 1.",
        "#show.",
        "#show box_at/2.",
        "#show push(X,up,X,1) : box(X).",
        "#project box_at/2.",
        "query(1).",
    ],
)
def test_what_would_change_the_program_is_refused_with_its_place(text: str, tmp_path: Path) -> None:
    path = written(tmp_path, f"{HARMLESS}{text}\n")
    with pytest.raises(EncodingError, match=r"mine\.lp:\d+:\d+: "):
        solve(ROOM, constraints=(path,))


@pytest.mark.parametrize(
    "text",
    [
        "#const upmost=3.\n#program step(t).\n:- push(_,_,_,t), upmost < t, t < 3.",
        "#const acts=3.",
        "#const then_moves=9.",
        "step(1). next(1,2).",
        "#defined query/1.\n#defined push/4.\n#defined box_at/2.",
        "#program step(now).\n:- push(_,_,_,now), now < 0.",
        f"{STEP}#heuristic push(L,up,M,t) : cell(L), cell(M). [9,true]",
        f"{STEP}#heuristic query(t). [9,false]",
        "#external mine. [free]",
        "#external mine. [true]",
        "#include <incmode>.",
        "#program base.\n#program check(t).\n#program step(t).\n#program base.",
        "#edge (1,2) : box(_).",
    ],
)
def test_what_is_taken_changes_no_verdict(text: str, tmp_path: Path) -> None:
    path = written(tmp_path, f"{HARMLESS}{text}\n")
    found = solve(ROOM, constraints=(path,))
    assert (found.status, found.value) == (Status.OPTIMAL, 2)


def test_an_included_file_is_looked_at_too(tmp_path: Path) -> None:
    (tmp_path / "other.lp").write_text("#const t=3.\n")
    (tmp_path / "mine.lp").write_text(f'{HARMLESS}#include "other.lp".\n')
    with pytest.raises(EncodingError, match=r"other\.lp:1:1: the constant t would replace t"):
        solve(ROOM, constraints=(tmp_path / "mine.lp",))


@pytest.mark.parametrize(
    "options", [("-ct=3",), ("-c", "t=3"), ("--const=t=3",), ("--const", "t=3"), ("--cons=up=down",), ("-cc3r3=c4r4",)]
)
def test_a_constant_of_an_option_is_refused(options: tuple[str, ...]) -> None:
    with pytest.raises(SokoaspError, match=r"--clingo-option: the constant .* call it otherwise") as raised:
        solve(ROOM, engine="asp", arguments=options)
    assert raised.value.exit_code == 2 and solve(ROOM, engine="asp", arguments=("-cupmost=3",)).value == 2
    assert solve(ROOM, encoding="lines-remaining-dom", arguments=("--heuristic=Vsids",)).value == 2


@pytest.mark.parametrize("text", ["#const t=3.\n", "#const c3r3=c4r4.\n"])
def test_a_constant_in_a_program_of_ones_own_is_refused(text: str, tmp_path: Path) -> None:
    path = written(tmp_path, text + OWN)
    with pytest.raises(EncodingError, match=r"mine\.lp:1:1: the constant"):
        solve(ROOM, encoding=str(path), cross_check=False)


def test_preferences_and_tie_breaks_have_priorities_of_their_own(tmp_path: Path) -> None:
    path = written(tmp_path, f"{STEP}:~ push(_,up,_,t). [1@-1,t]\n")
    with pytest.raises(EncodingError, match=r"mine\.lp:2:1: priorities below 0 are those of --then"):
        solve(ROOM, constraints=(path,), then=("pushes",))
    assert solve(ROOM, constraints=(path,)).cost is not None
