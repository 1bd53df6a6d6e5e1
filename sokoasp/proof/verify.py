"""Check a certificate folder, step by step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from sokoasp.core.errors import SokoaspError, counted
from sokoasp.proof import games
from sokoasp.proof.folder import ClaimFile, read_claim, read_text
from sokoasp.proof.games import Game, Passed
from sokoasp.proof.refusals import Refused, named


def verify(folder: Path, *, among: Sequence[object] | None = None) -> Iterator[Passed]:
    """Check a certificate and yield each step as it passes.

    Args:
        folder: The certificate.
        among: Levels (or boards) one of which the certificate must be about; None: whichever it is about.

    Raises:
        Refused: A step fails; the message says which and where.
    """
    claim = read_claim(folder)
    yield Passed("claim", summary(claim))
    game = games.load(claim.game)
    with named("level", SokoaspError):
        level = game.read(read_text(folder / game.level_file), game.level_file)
    yield _identified(game, level, among)
    if claim.value is not None:
        yield Passed("rules", _replayed(folder, claim, game, level))
    if claim.kind == "solved":
        if not game.solved(level):
            raise Refused("goal: the start is not solved")
        yield Passed("goal", "the start is solved: no plan is shorter than none")
    else:
        yield from game.states(folder, claim, level)


def _identified(game: Game[Any], level: Any, among: Sequence[object] | None) -> Passed:
    """Say which level it is, and demand that it is the wanted one, turned or mirrored or not."""
    name = game.identity(level) or ""
    reported = name
    if among is not None:
        wanted = [game.identity(one) for one in among]
        if name not in wanted:
            other = "not the level" if len(among) == 1 else f"none of the {len(among)} levels"
            raise Refused(f"level: the certificate is about {name}, which is {other} asked for")
        reported = f"{name}, which is level {wanted.index(name) + 1} of those asked for"
    return Passed("level", reported, name, game.picture(level))


def summary(claim: ClaimFile) -> str:
    """Say in words what is claimed."""
    if claim.value is None:
        return f"{claim.game}: there is no plan"
    if claim.moves is not None:
        return f"{claim.game}: {many_of(claim)} are enough; fewer pushes are not, nor as many and fewer moves"
    return f"{claim.game}: {many_of(claim)} {'is' if claim.value == 1 else 'are'} enough, and fewer are not"


def many_of(claim: ClaimFile) -> str:
    """Return how many actions are claimed, in words."""
    if claim.moves is not None:
        return f"{counted(claim.value or 0, 'pushes')} and {counted(claim.moves, 'moves')}"
    return counted(claim.value or 0, claim.objective)


def _replayed(folder: Path, claim: ClaimFile, game: Game[Any], level: Any) -> str:
    """Let the referee replay the plan and count its actions."""
    with named("rules", SokoaspError):
        count = game.replay(level, read_text(folder / game.plan_file), claim)
    if count != claim.value:
        raise Refused(f"rules: the plan has {counted(count, claim.objective.partition('+')[0])}, not {claim.value}")
    return f"the plan solves the level and has {many_of(claim)}"
