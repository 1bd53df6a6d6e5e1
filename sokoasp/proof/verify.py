"""Check a certificate folder, step by step."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sokoasp.core import jit
from sokoasp.core.errors import MissingExtra, SokoaspError
from sokoasp.klotski import notation, slide_plan
from sokoasp.klotski import referee as klotski_referee
from sokoasp.klotski.board import Board
from sokoasp.proof import identity, lrat, rows
from sokoasp.proof.cnf import Formula
from sokoasp.proof.folder import (
    CORRALS,
    FORMULA,
    LEVEL,
    PATTERNS,
    PLAN,
    PROOF,
    STATES,
    TABLES,
    TIES,
    WITH_CORRALS,
    WITH_PATTERNS,
    ClaimFile,
    read_claim,
    read_text,
)
from sokoasp.proof.formulas import board_formula, field_formula
from sokoasp.proof.lrat_binary import as_text, is_binary
from sokoasp.proof.refusals import Refused
from sokoasp.proof.rows import Field
from sokoasp.proof.trace import moves_trace, pushes_in, pushes_trace, slides_trace
from sokoasp.sokoban import validate as sokoban_referee

if TYPE_CHECKING:
    from sokoasp.proof.closed import ClosedList
    from sokoasp.proof.group_bounds import GroupBounds

CHECKERS = ("lrat-check", "cake_lpr", "drat-trim")
"""Programs of others, asked if they are on the PATH."""
OUTSIDE_SECONDS = 20_000


@dataclass(frozen=True, slots=True)
class Passed:
    """A step that holds: its name and what it showed."""

    name: str
    reported: str
    level: str = ""
    """Of the step ``level``: the hash that names it, ..."""
    picture: str = ""
    """... and its rows."""


def verify(folder: Path, *, outside: bool = False, among: Sequence[object] | None = None) -> Iterator[Passed]:
    """Check a certificate and yield each step as it passes.

    Args:
        folder: The certificate.
        outside: Ask the checkers of others, too.
        among: Levels (or boards) one of which the certificate must be about; None: whichever it is about.

    Raises:
        Refused: A step fails; the message says which and where.
    """
    claim = read_claim(folder)
    yield Passed("claim", summary(claim))
    problem = _read_level(folder, claim)
    yield _identified(problem, among)
    if claim.value is not None:
        yield Passed("rules", _replayed(folder, claim, problem))
    if claim.kind == "solved":
        _solved(problem)
        yield Passed("goal", "the start is solved: no plan is shorter than none")
    elif claim.kind == "refutation":
        yield from _refutation(folder, claim, problem, outside)
    elif isinstance(problem, Board):
        yield from _slides(folder, claim, problem)
    else:
        yield from _states(folder, claim, problem)


def _identified(problem: Field | Board, among: Sequence[object] | None) -> Passed:
    """Say which level it is, and demand that it is the wanted one."""
    name = identity.name_of(problem)
    reported = name
    if among is not None:
        number = identity.number_of(problem, among)
        if number is None:
            raise Refused(f"level: the certificate is about {name}, which is none of the {len(among)} levels asked for")
        reported = f"{name}, which is level {number} of those asked for"
    return Passed("level", reported, name, identity.picture_of(problem))


def summary(claim: ClaimFile) -> str:
    """Say in words what is claimed."""
    if claim.value is None:
        return f"{claim.game}: there is no plan"
    if claim.moves is not None:
        return f"{claim.game}: {many_of(claim)} are enough; fewer pushes are not, nor as many and fewer moves"
    return f"{claim.game}: {many_of(claim)} are enough, and fewer are not"


def many_of(claim: ClaimFile) -> str:
    """Return how many actions are claimed, in words."""
    if claim.moves is not None:
        return f"{claim.value} pushes and {claim.moves} moves"
    return f"{claim.value} {claim.objective}"


def formula_of(problem: Field | Board, objective: str, horizon: int) -> Formula:
    """Make the formula "at most ``horizon`` actions"."""
    if isinstance(problem, Board):
        return board_formula(problem, objective, horizon)
    return field_formula(problem, objective, horizon)


def _read_level(folder: Path, claim: ClaimFile) -> Field | Board:
    name = LEVEL[claim.game]
    try:
        if claim.game == "klotski":
            text = read_text(folder / name)
            boards = notation.read(text, name)
            if len(boards) != 1 or notation.write(boards[0]) != text:
                raise Refused(f"{name} is not one board as sokoasp writes it")
            return boards[0]
        field = rows.read(read_text(folder / name))
        field.level()  # refuses what is no level, such as more goals than boxes
        return field
    except SokoaspError as error:
        raise Refused(f"level: {error}") from None


def _replayed(folder: Path, claim: ClaimFile, problem: Field | Board) -> str:
    """Let the referee replay the plan and count its actions."""
    text = read_text(folder / PLAN[claim.game])
    try:
        if isinstance(problem, Board):
            plan = slide_plan.read(text, PLAN[claim.game])
            if slide_plan.write(plan) != text:
                raise Refused(f"{PLAN[claim.game]} has not one slide a line, as sokoasp writes it")
            counts = klotski_referee.validate(problem, plan)
            count = counts.cost(claim.objective)
        else:
            lurd = text.removesuffix("\n")
            pushes = sokoban_referee.validate_moves(problem.level(), lurd).pushes
            lines = len(pushes_in(problem, lurd, lines=True))
            count = {"lines": lines, "pushes": pushes, "moves": len(lurd), TIES: pushes}[claim.objective]
            if claim.moves not in (None, len(lurd)):
                raise Refused(f"rules: the plan has {len(lurd)} moves, not {claim.moves}")
    except SokoaspError as error:
        raise Refused(f"rules: {error}") from None
    if count != claim.value:
        raise Refused(f"rules: the plan has {count} {claim.objective.partition('+')[0]}, not {claim.value}")
    return f"the plan solves the level and has {many_of(claim)}"


def _solved(problem: Field | Board) -> None:
    if isinstance(problem, Board):
        klotski_referee.validate(problem, ())
    elif not set(problem.goals) <= set(problem.boxes):
        raise Refused("goal: the start is not solved")


def _refutation(folder: Path, claim: ClaimFile, problem: Field | Board, outside: bool) -> Iterator[Passed]:
    value = int(claim.value or 0)
    formula = formula_of(problem, claim.objective, value)
    if claim.groups:
        yield _lemmas(folder, claim, problem, formula, value)
    extra = (-formula.number["act", 1],)
    with (folder / FORMULA).open(encoding="utf-8", errors="replace", newline="") as file:
        for number, line in enumerate(formula.dimacs(extra), 1):
            if file.read(len(line)) != line:
                raise Refused(f"formula: line {number} of {FORMULA} is not what the level gives: {line.strip()[:60]!r}")
        if file.read(1):
            raise Refused(f"formula: {FORMULA} goes on where it should end")
    yield Passed(
        "formula", f"{FORMULA} is what the level gives: {len(formula.number)} variables, {len(formula.clauses)} clauses"
    )
    try:
        broken = formula.broken(_trace(folder, claim, problem, value))
    except (SokoaspError, KeyError) as error:
        raise Refused(f"plan: it is no assignment of the formula: {error}") from None
    if broken is not None:
        raise Refused(f"plan: it does not satisfy {broken}")
    yield Passed(
        "plan", f"the plan satisfies all of them; only the last clause, {extra[0]} (one action fewer), is more"
    )
    proof = (folder / PROOF).read_bytes()
    fault = lrat.check([*formula.clauses, extra], len(formula.number), proof)
    if fault is not None:
        raise Refused(f"refutation: {PROOF}: {fault}")
    form = "binary, " if is_binary(proof) else ""
    yield Passed("refutation", f"{PROOF} ({form}{len(proof):,} bytes) refutes them together")
    if outside:
        yield from _outside(folder)


def _lemmas(folder: Path, claim: ClaimFile, problem: Field | Board, formula: Formula, value: int) -> Passed:
    """Check the tables of a refutation and add to its formula what follows from them."""
    if isinstance(problem, Board) or claim.groups > 2 or any(claim.prices):
        raise Refused("lemmas: they are for Sokoban, from tables of up to two boxes without prices")
    bounds = _bounds(folder, claim, problem)
    from sokoasp.proof.lemmas import add_lemmas

    count = add_lemmas(formula, problem, value, bounds)
    return Passed("lemmas", f"{count:,} clauses follow from tables all of whose local inequalities hold")


def _bounds(folder: Path, claim: ClaimFile, problem: Field) -> GroupBounds:
    """Read the tables and check their local inequalities."""
    if not jit.available():
        raise MissingExtra("checking tables", "jit")
    from sokoasp.proof import group_bounds

    if len(claim.prices) != len(problem.goals):
        raise Refused("claim: it has not one price for each goal")
    stored, lines = (folder / TABLES).read_bytes(), claim.objective == "lines"
    bounds = group_bounds.build(problem, claim.prices, claim.groups, lines=lines, stored=stored)
    assert bounds is not None
    return bounds


def _trace(folder: Path, claim: ClaimFile, problem: Field | Board, value: int) -> set[tuple[str | int, ...]]:
    text = read_text(folder / PLAN[claim.game])
    if isinstance(problem, Board):
        return slides_trace(problem, slide_plan.read(text), value, units=claim.objective == "units")
    if claim.objective == "moves":
        return moves_trace(problem, text.removesuffix("\n"), value)
    return pushes_trace(problem, text.removesuffix("\n"), value, lines=claim.objective == "lines")


def _states(folder: Path, claim: ClaimFile, problem: Field) -> Iterator[Passed]:
    """Check the tables and the closed list of a Sokoban level."""
    if not jit.available():
        raise MissingExtra("checking a closed list", "jit")
    from sokoasp.proof import closed, ties

    index = {cell: number for number, cell in enumerate(problem.cells)}
    if any(cell not in index for cell in claim.boxes):
        raise Refused("claim: it speaks of boxes that are not on the floor")
    boxes = tuple(index[cell] for cell in claim.boxes) or problem.boxes
    prices = claim.prices if claim.groups else (0,) * len(problem.goals)
    reported = closed.Claim(problem, claim.objective, claim.value, boxes, prices, claim.groups, claim.moves)
    bounds = None
    if claim.groups:
        bounds = _bounds(folder, claim, problem)
        tables = bounds.tables
        entries = len(bounds.singles) + len(tables.value) - int(tables.first[tables.base[2]])
        yield Passed(
            "tables", f"the local inequalities of all {entries:,} entries hold (patterns of up to {claim.groups} boxes)"
        )
    listed = ties.listing(reported, bounds, corrals=claim.format == WITH_CORRALS)
    if bounds is not None and claim.format in (WITH_PATTERNS, WITH_CORRALS):
        from sokoasp.proof.patterns import PatternList

        patterns = PatternList(reported, bounds)
        try:
            patterns.read(folder / PATTERNS)
            patterns.verify()
        except Refused as error:
            raise Refused(f"patterns: {error}") from None
        listed.tables = patterns.tables
        yield Passed("patterns", f"all {patterns.count:,} records of learned patterns hold")
    listed.read(folder / STATES)
    try:
        barred = _corrals(folder, listed) if claim.format == WITH_CORRALS else 0
        listed.verify()
    except Refused as error:
        raise Refused(f"states: {error}") from None
    if barred:
        yield Passed("corrals", f"{barred:,} states have one, and every plan can begin with a push that it allows")
    if listed.count:
        yield Passed("states", f"the list of {listed.count:,} states is closed, and none is solved too soon")
    else:
        yield Passed("states", "the tables' bound of the start shows it: no state need be listed")


def _corrals(folder: Path, listed: ClosedList) -> int:
    """Read the corrals of a list; return how many states have one."""
    from sokoasp.proof import corrals

    listed.bar(corrals.read(folder / CORRALS, listed.count, listed.claim.field.size))
    return int((listed.areas[:, 0] >= 0).sum())


def _slides(folder: Path, claim: ClaimFile, board: Board) -> Iterator[Passed]:
    from sokoasp.proof.slides_list import SlidesList

    listed = SlidesList(board, claim.value, units=claim.objective == "units")
    listed.read(folder / STATES)
    try:
        listed.verify()
    except Refused as error:
        raise Refused(f"states: {error}") from None
    yield Passed("states", f"the list of {len(listed.cost):,} states is closed, and none is solved too soon")


def _outside(folder: Path) -> Iterator[Passed]:
    """Ask the checkers of others that are on the PATH."""
    found = [name for name in CHECKERS if shutil.which(name)]
    if not found:
        yield Passed("outside", f"none of {', '.join(CHECKERS)} is on the PATH")
    for name in found:
        yield Passed("outside", _ask(name, folder, _without_numbers if name == "drat-trim" else None))


def _ask(name: str, folder: Path, turned: Callable[[bytes], bytes] | None) -> str:
    """Run one checker.

    Raises:
        Refused: It does not say that the proof is one.
    """
    with tempfile.TemporaryDirectory() as place:
        proof = Path(place) / PROOF
        text = as_text((folder / PROOF).read_bytes(), compiled=jit.available())
        proof.write_bytes(text if turned is None else turned(text))
        command = [name, str(folder / FORMULA), str(proof)]
        with suppress(subprocess.TimeoutExpired):
            done = subprocess.run(command, capture_output=True, text=True, timeout=OUTSIDE_SECONDS, check=False)
            if "VERIFIED" in done.stdout.upper() and "NOT VERIFIED" not in done.stdout.upper():
                return f"{name} accepts it"
    raise Refused(f"outside: {name} does not accept {PROOF}")


def _without_numbers(lrat: bytes) -> bytes:
    """Return the added clauses of an LRAT proof as a DRAT proof; deletions are left out, they only save memory."""
    rows = (line.split() for line in lrat.split(b"\n"))
    return b"".join(b" ".join(w[1 : w.index(b"0", 1) + 1]) + b"\n" for w in rows if len(w) > 1 and w[1] != b"d")
