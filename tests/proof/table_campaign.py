"""The certificates of the rows of the table of optima, shown to all checkers.

``python -m tests.proof.table_campaign FILES`` makes the certificate of every row that has one again (or takes it from
``--kept``, as ``bench optima --certify --keep`` leaves them, where new ones are left too), small ones first, and prints how
many each checker accepts, by kind, and the rows that have another hash or got no answer within ``--seconds``. Exit code 1 and
the row's name if one is refused: these are honest. ``--rows FROM:TO`` takes a slice of the rows; ``--cpu`` ends after so many
CPU seconds, as Ctrl-C does at any time (exit code 130): it says where to go on and what the rows before gave.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sokoasp.bench.studies.optima_campaign import levels
from sokoasp.bench.studies.optima_certificates import certify_row, solution_of
from sokoasp.cli.optima import seconds_for
from sokoasp.core.guard import LimitReached, guarded
from sokoasp.core.limits import Limits
from sokoasp.engine.certificates import ACCEPTED, REFUSED
from sokoasp.proof.folder import read_claim, sha256
from sokoasp.sokoban import optima_table
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.optima_table import Optimum
from tests.proof.campaign import IN_PYTHON, LEFT_OUT, NO_ANSWER, Others, Outcome, others

Row = tuple[Level, Optimum, str]
"""A level, a row in its orientation, and the solution that came with it, empty where the row needs none."""


@dataclass(slots=True)
class Rows:
    """What came of the rows."""

    kinds: defaultdict[str, Outcome] = field(default_factory=lambda: defaultdict(Outcome))
    came: Counter[str] = field(default_factory=Counter)
    """Rows by how their certificate came."""
    noted: list[str] = field(default_factory=list)
    """Rows that have another hash, are not made, or got no answer."""
    faults: list[str] = field(default_factory=list)
    """Refused by a checker."""

    def look(self, row: Row, place: Path, asked: Others, seconds: float = 600) -> None:
        """Take a row's certificate from ``place`` if it is the row's by its hash, else make it there; ask checkers about it."""
        level, known, came = row
        name = f"{known.collection} {known.number} {known.objective} ({known.board})"
        folder, how = place / known.board / known.objective, "kept"
        if _hash(folder) != known.certificate:
            made = certify_row(level, known, seconds_for(known, None), came, folder=folder)
            how = "same hash" if made.row.certificate == known.certificate else "another hash"
            if made.verdict != ACCEPTED:
                how = f"not made ({made.verdict})"
                (self.faults if made.verdict == REFUSED else self.noted).append(f"{name}: {made.reported}")
        if not how.startswith("not made"):
            self._ask(name, known.objective, folder, {of: answer(says, folder, seconds) for of, says in asked.items()})
        if how == "another hash":
            self.noted.append(f"{how}: {name}: {_hash(folder)}")
        self.came[how] += 1

    def _ask(self, name: str, objective: str, folder: Path, said: dict[str, str | None]) -> None:
        """Count what checkers say of a row's certificate."""
        self.kinds[f"{objective}, {read_claim(folder).kind}"].add(name, folder, said)
        late = {checker: why for checker, why in said.items() if why and why.startswith(NO_ANSWER)}
        refused = {checker: why for checker, why in said.items() if why and not why.startswith((LEFT_OUT, NO_ANSWER))}
        if late:
            self.noted.append(f"{name}: {late}")
        if refused:
            self.faults.append(f"{name}: {refused}")

    def report(self) -> Iterator[str]:
        """Yield the counts, line by line."""
        for kind, outcome in sorted(self.kinds.items()):
            yield from (f"{kind}: {line}" for line in outcome.by_checker())
        yield f"{self.came.total()} rows ({', '.join(f'{n} {what}' for what, n in sorted(self.came.items()))})"
        yield from self.noted
        yield from (f"REFUSED {fault}" for fault in self.faults)


def answer(says: Callable[[Sequence[Path]], Sequence[str | None]], folder: Path, seconds: float) -> str | None:
    """Ask a checker about a folder; stop it after so many seconds, if its own limit does not come first."""
    try:
        with guarded(Limits(seconds).start()):
            return says([folder])[0]
    except LimitReached:
        return f"{NO_ANSWER} in {seconds:g} seconds"
    except subprocess.TimeoutExpired as ended:
        return f"{NO_ANSWER} in {ended.timeout:g} seconds"


def _hash(folder: Path) -> str:
    claim = folder / "claim.json"
    return sha256(claim) if claim.is_file() else ""


def certified_rows(files: Iterable[Path]) -> list[Row]:
    """Return the rows of the table that have a certificate and a plan at hand, small ones first."""
    table, found = optima_table.shipped(), {}
    for path, _, level in levels(files):
        for row in optima_table.look_up(level, table).values():
            if row.certificate and (row.board, row.objective) not in found:
                came = solution_of(level, path, row)
                if came is not None:
                    found[row.board, row.objective] = level, row, came
    return sorted(found.values(), key=_size)


def _size(row: Row) -> tuple[int, int, str, str]:
    level, known, _ = row
    limit = float(known.certificate_limit or 0)
    return (
        int(known.certificate_bytes or limit * 1000),
        len(level.boxes) * len(level.floor),
        known.board,
        known.objective,
    )


def main(arguments: list[str] | None = None) -> int:
    """Show the certificates of rows to all checkers."""
    parser = argparse.ArgumentParser(description="Show the certificates of the table's rows to all checkers.")
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--rows", default=":", help="FROM:TO, counted from 0, small certificates first")
    parser.add_argument("--kept", type=Path, help="folder of certificates, BOARD/OBJECTIVE")
    parser.add_argument("--seconds", type=float, default=600, help="wall seconds a checker is given for a row (600)")
    parser.add_argument("--cpu", type=float, default=float("inf"), help="end after so many CPU seconds")
    given = parser.parse_args(arguments)
    first, last = (int(end) if end else None for end in given.rows.split(":"))
    outcome, whole = Rows(), certified_rows(given.files)
    with tempfile.TemporaryDirectory() as build:
        found = others(Path(build))
        asked = {**IN_PYTHON, **found}
        missing = [name for name in ("check_proof.js", "Coq") if name not in found]
        print(f"{len(whole)} rows with a certificate, shown to {', '.join(asked)}", flush=True)
        print("".join(f"not asked, for its tools are not installed: {name}\n" for name in missing), end="")
        at, code = first or 0, 0
        try:
            for at, row in list(enumerate(whole))[first:last]:
                if sum(os.times()[:4]) > given.cpu:
                    print(f"stopped before row {at}: go on with --rows {at}:{last or ''}")
                    break
                with tempfile.TemporaryDirectory() as place:
                    outcome.look(row, given.kept or Path(place), asked, given.seconds)
        except KeyboardInterrupt:
            print(f"interrupted at row {at}: go on with --rows {at}:{last or ''}")
            code = 130
        finally:
            print("\n".join(outcome.report()))
    return 1 if outcome.faults else code


if __name__ == "__main__":
    sys.exit(main())
