"""What a checker of certificates knows of Sokoban levels."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from sokoasp.core import kernels
from sokoasp.core.errors import counted
from sokoasp.proof import level_text
from sokoasp.proof.folder import CORRALS, PATTERNS, STATES, TABLES, TIES, WALLS, ClaimFile
from sokoasp.proof.games import Game, Passed
from sokoasp.proof.level_text import LETTERS, Field
from sokoasp.proof.refusals import Refused, named
from sokoasp.sokoban import validate as referee
from sokoasp.sokoban.canonical import board_hash
from sokoasp.sokoban.level import Level

if TYPE_CHECKING:
    from sokoasp.proof.closed import ClosedList
    from sokoasp.proof.group_bounds import GroupBounds


def _read(text: str, _name: str) -> Field:
    field = level_text.read(text)
    field.level()  # refuses what is no level, such as more goals than boxes
    return field


def _identity(level: object) -> str | None:
    """Return the hash of a level however it was drawn (docs/optima.md)."""
    if isinstance(level, Field):
        return board_hash(level.level())
    return board_hash(level) if isinstance(level, Level) else None


def _picture(level: Field) -> str:
    return level_text.write(level.level()).rstrip("\n")


def _replay(level: Field, text: str, claim: ClaimFile) -> int:
    lurd = text.removesuffix("\n")
    pushes = referee.validate_moves(level.level(), lurd).pushes
    lines = _lines(level, lurd)
    if claim.moves not in (None, len(lurd)):
        raise Refused(f"the plan has {counted(len(lurd), 'moves')}, not {claim.moves}")
    return {"lines": lines, "pushes": pushes, "moves": len(lurd), TIES: pushes}[claim.objective]


def _lines(field: Field, lurd: str) -> int:
    """Count the runs of pushes of a plan that no walk and no turn interrupts."""
    boxes, player, count, last = set(field.boxes), field.player, 0, ""
    for letter in lurd:
        d = LETTERS.index(letter.lower())
        player = field.beside[player][d]
        pushed = player in boxes
        if pushed:
            boxes = boxes - {player} | {field.beside[player][d]}
            count += letter.lower() != last
        last = letter.lower() if pushed else ""
    return count


def _solved(level: Field) -> bool:
    return set(level.goals) <= set(level.boxes)


def _bounds(folder: Path, claim: ClaimFile, level: Field) -> GroupBounds:
    """Read the tables and check their local inequalities."""
    kernels.require("checking tables")
    from sokoasp.proof import group_bounds

    if len(claim.prices) != len(level.goals):
        raise Refused("claim: it has not one price for each goal")
    stored, lines = (folder / TABLES).read_bytes(), claim.objective == "lines"
    bounds = group_bounds.build(level, claim.prices, claim.groups, lines=lines, stored=stored)
    assert bounds is not None
    return bounds


def _states(folder: Path, claim: ClaimFile, level: Field) -> Iterator[Passed]:
    """Check the tables, the learned patterns and the closed list."""
    kernels.require("checking a closed list")
    from sokoasp.proof import closed, ties

    index = {cell: number for number, cell in enumerate(level.cells)}
    if any(cell not in index for cell in claim.boxes):
        raise Refused("claim: it speaks of boxes that are not on the floor")
    boxes = tuple(index[cell] for cell in claim.boxes) or level.boxes
    prices = claim.prices if claim.groups else (0,) * len(level.goals)
    reported = closed.Claim(level, claim.objective, claim.value, boxes, prices, claim.groups, claim.moves)
    bounds = None
    if claim.groups:
        bounds = _bounds(folder, claim, level)
        tables = bounds.tables
        entries = len(bounds.singles) + len(tables.value) - int(tables.first[tables.base[2]])
        yield Passed(
            "tables",
            f"the local inequalities of all {entries:,} entries hold (patterns of up to {counted(claim.groups, 'boxes')})",
        )
    listed = ties.listing(reported, bounds, corrals=claim.has(CORRALS))
    if bounds is not None and claim.has(PATTERNS):
        yield _patterns(folder, listed, bounds)
    if bounds is not None and claim.has(WALLS):
        yield _walls(folder, listed, bounds)
    listed.read(folder / STATES)
    with named("states"):
        barred = _corrals(folder, listed) if claim.has(CORRALS) else 0
        listed.verify()
    if barred:
        yield Passed("corrals", f"{barred:,} states have one, and every plan can begin with a push that it allows")
    if listed.count:
        yield Passed("states", f"the list of {counted(listed.count, 'states')} is closed, and none is solved too soon")
    else:
        yield Passed("states", "the tables' bound of the start shows it: no state need be listed")


def _patterns(folder: Path, listed: ClosedList, bounds: GroupBounds) -> Passed:
    """Check the learned patterns; the list goes on with tables that have them."""
    from sokoasp.proof.patterns import PatternList

    patterns = PatternList(listed.claim, bounds)
    with named("patterns"):
        patterns.read(folder / PATTERNS)
        patterns.verify()
    listed.tables = patterns.tables
    return Passed("patterns", f"all {patterns.count:,} records of learned patterns hold")


def _walls(folder: Path, listed: ClosedList, bounds: GroupBounds) -> Passed:
    """Check the records of fixed boxes; the list goes on with tables that have them."""
    from sokoasp.proof.walls import WallList

    walls = WallList(listed.claim.field, bounds, listed.claim.prices)
    with named("walls"):
        walls.read(folder / WALLS)
    listed.tables = walls.index(listed.tables)
    return Passed(
        "walls", f"{counted(len(walls.walls), 'records')} of boxes that never move again: all that is said holds"
    )


def _corrals(folder: Path, listed: ClosedList) -> int:
    """Read the corrals of a list; return how many states have one."""
    from sokoasp.proof import corrals

    listed.bar(corrals.read(folder / CORRALS, listed.count, listed.claim.field.size))
    return int((listed.areas[:, 0] >= 0).sum())


GAME: Game[Field] = Game(
    name="sokoban",
    objectives=("lines", "pushes", "moves", TIES),
    level_file="level.xsb",
    plan_file="plan.lurd",
    read=_read,
    identity=_identity,
    picture=_picture,
    replay=_replay,
    solved=_solved,
    states=_states,
    tables=True,
)
