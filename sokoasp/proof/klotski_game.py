"""What a checker of certificates knows of Klotski boards."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from sokoasp.core.errors import counted
from sokoasp.klotski import notation, referee, slide_plan
from sokoasp.klotski.board import Board
from sokoasp.proof.folder import STATES, ClaimFile
from sokoasp.proof.games import Game, Passed
from sokoasp.proof.refusals import Refused, named
from sokoasp.proof.slides_list import SlidesList
from sokoasp.sokoban.canonical import HASH_DIGITS


def _read(text: str, name: str) -> Board:
    boards = notation.read(text, name)
    if len(boards) != 1 or notation.write(boards[0]) != text:
        raise Refused(f"{name} is not one board as sokoasp writes it")
    return boards[0]


def _picture(board: Board) -> str:
    """Return what the board's file says but for title and notes."""
    return notation.write(replace(board, title="", notes=())).rstrip("\n")


def _identity(board: object) -> str | None:
    """Return the hash of a board's game as it is written."""
    return hashlib.sha256(_picture(board).encode()).hexdigest()[:HASH_DIGITS] if isinstance(board, Board) else None


def _replay(board: Board, text: str, claim: ClaimFile) -> int:
    plan = slide_plan.read(text, GAME.plan_file)
    if slide_plan.write(plan) != text:
        raise Refused(f"{GAME.plan_file} has not one slide a line, as sokoasp writes it")
    return referee.validate(board, plan).cost(claim.objective)


def _solved(board: Board) -> bool:
    """Return True; a board that is not solved is refused by the referee, with the reason."""
    referee.validate(board, ())
    return True


def _states(folder: Path, claim: ClaimFile, board: Board) -> Iterator[Passed]:
    listed = SlidesList(board, claim.value, units=claim.objective == "units")
    listed.read(folder / STATES)
    with named("states"):
        listed.verify()
    yield Passed("states", f"the list of {counted(len(listed.cost), 'states')} is closed, and none is solved too soon")


GAME: Game[Board] = Game(
    name="klotski",
    objectives=("slides", "units"),
    level_file="level.klotski",
    plan_file="plan.txt",
    read=_read,
    identity=_identity,
    picture=_picture,
    replay=_replay,
    solved=_solved,
    states=_states,
)
