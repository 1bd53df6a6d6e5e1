"""Check a certificate folder, step by step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sokoasp.core import kernels
from sokoasp.core.errors import SokoaspError, counted
from sokoasp.proof import closed, corrals, group_bounds, level_text, ties
from sokoasp.proof import folder as folders
from sokoasp.proof.closed import ClosedList
from sokoasp.proof.group_bounds import GroupBounds
from sokoasp.proof.patterns import PatternList
from sokoasp.proof.refusals import Refused, named
from sokoasp.proof.walls import WallList
from sokoasp.sokoban import validate as referee
from sokoasp.sokoban.canonical import board_hash
from sokoasp.sokoban.level import Level


@dataclass(frozen=True, slots=True)
class Passed:
    """A step that holds: its name and what it showed."""

    name: str
    reported: str
    level: str = ""
    """The hash that names the level; empty but for the step ``level``."""
    picture: str = ""
    """The rows of the level; empty but for the step ``level``."""


def verify(folder: Path, *, among: Sequence[object] | None = None) -> Iterator[Passed]:
    """Check a certificate and yield each step as it passes; ``among`` are levels one of which it must be about.

    Raises Refused: a step fails; the message says which and where.
    """
    claim = folders.read_claim(folder)
    yield Passed("claim", summary(claim))
    with named("level", SokoaspError):
        field = level_text.read(folders.read_text(folder / folders.LEVEL))
        level = field.level()  # refuses what is no level, such as more goals than boxes
    yield _identified(level, among)
    if claim.value is not None:
        yield Passed("rules", _replayed(folder, claim, field))
    if claim.kind == "solved":
        if not set(field.goals) <= set(field.boxes):
            raise Refused("goal: the start is not solved")
        yield Passed("goal", "the start is solved: no plan is shorter than none")
    else:
        yield from _states(folder, claim, field)


def _identified(level: Level, among: Sequence[object] | None) -> Passed:
    """Say which level it is, and demand that it is the wanted one, turned or mirrored or not (docs/optima.md)."""
    name = reported = board_hash(level)
    if among is not None:
        wanted = [board_hash(one) if isinstance(one, Level) else "" for one in among]
        if name not in wanted:
            other = "not the level" if len(among) == 1 else f"none of the {len(among)} levels"
            raise Refused(f"level: the certificate is about {name}, which is {other} asked for")
        reported = f"{name}, which is level {wanted.index(name) + 1} of those asked for"
    return Passed("level", reported, name, level_text.write(level).rstrip("\n"))


def summary(claim: folders.ClaimFile) -> str:
    """Say in words what is claimed."""
    if claim.value is None:
        return "sokoban: there is no plan"
    if claim.moves is not None:
        return f"sokoban: {many_of(claim)} are enough; fewer pushes are not, nor as many and fewer moves"
    return f"sokoban: {many_of(claim)} {'is' if claim.value == 1 else 'are'} enough, and fewer are not"


def many_of(claim: folders.ClaimFile) -> str:
    """Return how many actions are claimed, in words."""
    if claim.moves is not None:
        return f"{counted(claim.value or 0, 'pushes')} and {counted(claim.moves, 'moves')}"
    return counted(claim.value or 0, claim.objective)


def _replayed(folder: Path, claim: folders.ClaimFile, field: level_text.Field) -> str:
    """Let the referee replay the plan and count its actions."""
    with named("rules", SokoaspError):
        lurd = folders.read_text(folder / folders.PLAN).removesuffix("\n")
        pushes = referee.validate_moves(field.level(), lurd).pushes
        lines = _lines(field, lurd)
        if claim.moves not in (None, len(lurd)):
            raise Refused(f"the plan has {counted(len(lurd), 'moves')}, not {claim.moves}")
    count = {"lines": lines, "pushes": pushes, "moves": len(lurd), folders.TIES: pushes}[claim.objective]
    if count != claim.value:
        raise Refused(f"rules: the plan has {counted(count, claim.objective.partition('+')[0])}, not {claim.value}")
    return f"the plan solves the level and has {many_of(claim)}"


def _lines(field: level_text.Field, lurd: str) -> int:
    """Count the runs of pushes of a plan that no walk and no turn interrupts."""
    boxes, player, count, last = set(field.boxes), field.player, 0, ""
    for letter in lurd:
        d = level_text.LETTERS.index(letter.lower())
        player = field.beside[player][d]
        pushed = player in boxes
        if pushed:
            boxes = boxes - {player} | {field.beside[player][d]}
            count += letter.lower() != last
        last = letter.lower() if pushed else ""
    return count


def _states(folder: Path, claim: folders.ClaimFile, level: level_text.Field) -> Iterator[Passed]:
    """Check the tables, the learned patterns and the closed list."""
    kernels.require("checking a closed list")
    index = {cell: number for number, cell in enumerate(level.cells)}
    if any(cell not in index for cell in claim.boxes):
        raise Refused("claim: it speaks of boxes that are not on the floor")
    boxes = tuple(index[cell] for cell in claim.boxes) or level.boxes
    prices = claim.prices if claim.groups else (0,) * len(level.goals)
    reported = closed.Claim(level, claim.objective, claim.value, boxes, prices, claim.groups, claim.moves)
    bounds = None
    if claim.groups:
        stored, lines = (folder / folders.TABLES).read_bytes(), claim.objective == "lines"
        bounds = group_bounds.build(level, claim.prices, claim.groups, lines=lines, stored=stored)
        assert bounds is not None
        tables = bounds.tables
        entries = len(bounds.singles) + len(tables.value) - int(tables.first[tables.base[2]])
        yield Passed(
            "tables",
            f"the local inequalities of all {entries:,} entries hold (patterns of up to {counted(claim.groups, 'boxes')})",
        )
    listed = ties.listing(reported, bounds, corrals=claim.has(folders.CORRALS))
    if bounds is not None and claim.has(folders.PATTERNS):
        yield _patterns(folder, listed, bounds)
    if bounds is not None and claim.has(folders.WALLS):
        yield _walls(folder, listed, bounds)
    listed.read(folder / folders.STATES)
    barred = 0
    with named("states"):
        if claim.has(folders.CORRALS):
            listed.bar(corrals.read(folder / folders.CORRALS, listed.count, listed.claim.field.size))
            barred = int((listed.areas[:, 0] >= 0).sum())
        listed.verify()
    if barred:
        yield Passed("corrals", f"{barred:,} states have one, and every plan can begin with a push that it allows")
    if listed.count:
        yield Passed("states", f"the list of {counted(listed.count, 'states')} is closed, and none is solved too soon")
    else:
        yield Passed("states", "the tables' bound of the start shows it: no state need be listed")


def _patterns(folder: Path, listed: ClosedList, bounds: GroupBounds) -> Passed:
    """Check the learned patterns; the list goes on with tables that have them."""
    patterns = PatternList(listed.claim, bounds)
    with named("patterns"):
        patterns.read(folder / folders.PATTERNS)
        patterns.verify()
    listed.tables = patterns.tables
    return Passed("patterns", f"all {patterns.count:,} records of learned patterns hold")


def _walls(folder: Path, listed: ClosedList, bounds: GroupBounds) -> Passed:
    """Check the records of fixed boxes; the list goes on with tables that have them."""
    walls = WallList(listed.claim.field, bounds, listed.claim.prices)
    with named("walls"):
        walls.read(folder / folders.WALLS)
    listed.tables = walls.index(listed.tables)
    return Passed(
        "walls", f"{counted(len(walls.walls), 'records')} of boxes that never move again: all that is said holds"
    )
