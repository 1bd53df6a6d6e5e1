"""Check a certificate folder, step by step."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from sokoasp.core import jit
from sokoasp.core.errors import SokoaspError
from sokoasp.core.plurals import counted
from sokoasp.proof import games, lrat
from sokoasp.proof.cnf import Formula
from sokoasp.proof.folder import FORMULA, PROOF, ClaimFile, read_claim, read_text
from sokoasp.proof.games import Game, Passed
from sokoasp.proof.lrat_binary import as_text, is_binary
from sokoasp.proof.refusals import Refused, named

CHECKERS = ("lrat-check", "cake_lpr", "drat-trim")
"""Programs of others, asked if they are on the PATH."""
OUTSIDE_SECONDS = 20_000


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
    elif claim.kind == "refutation":
        yield from _refutation(folder, claim, game, level, outside)
    else:
        yield from game.states(folder, claim, level)
    if outside and claim.kind != "refutation":
        yield Passed("outside", "the checkers of others read formulas, and this certificate has none")


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


def _refutation(folder: Path, claim: ClaimFile, game: Game[Any], level: Any, outside: bool) -> Iterator[Passed]:
    value = int(claim.value or 0)
    formula = game.formula(level, claim.objective, value)
    if claim.groups and game.lemmas is not None:
        yield Passed("lemmas", game.lemmas(folder, claim, level, formula))
    extra = (-formula.number["act", 1],)
    clauses = _clauses(folder / FORMULA, formula, extra)
    yield Passed(
        "formula", f"{FORMULA} is what the level gives: {len(formula.number)} variables, {len(formula.clauses)} clauses"
    )
    try:
        broken = formula.broken(game.trace(level, read_text(folder / game.plan_file), claim.objective, value))
    except (SokoaspError, KeyError) as error:
        raise Refused(f"plan: it is no assignment of the formula: {error}") from None
    if broken is not None:
        raise Refused(f"plan: it does not satisfy {broken}")
    yield Passed(
        "plan", f"the plan satisfies all of them; only the last clause, {extra[0]} (one action fewer), is more"
    )
    proof = (folder / PROOF).read_bytes()
    fault = lrat.check(clauses, len(formula.number), proof)
    if fault is not None:
        raise Refused(f"refutation: {PROOF}: {fault}")
    form = "binary, " if is_binary(proof) else ""
    yield Passed("refutation", f"{PROOF} ({form}{len(proof):,} bytes) refutes them together")
    if outside:
        yield from _outside(folder)


def _clauses(path: Path, formula: Formula, extra: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the clauses of a file in its order; comments, and the order of clauses and literals, are free.

    Raises:
        Refused: They are others than those of the formula and the last one.
    """
    other = None
    with path.open(encoding="utf-8", errors="replace", newline="") as file:
        for number, line in enumerate(formula.dimacs(extra), 1):
            if file.read(len(line)) != line:
                other = f"line {number} of {FORMULA} is not what the level gives: {line.strip()[:60]!r}"
                break
        else:
            other = f"{FORMULA} goes on where it should end" if file.read(1) else None
    found = [*formula.clauses, extra] if other is None else formula.read(path.read_bytes(), extra)
    if found is None:
        raise Refused(f"formula: {other}")
    return found


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
