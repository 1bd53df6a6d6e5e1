"""The certificates of the rows of the table of optima, shown to all checkers.

``python -m tests.proof.table_campaign FILES`` makes the certificate of every row that has one again (or takes it from
``--kept``, as ``bench optima --certify --keep`` leaves them, where new ones are left too), small ones first, and prints how
many each checker accepts, by kind, and the rows that have another hash or got no answer within ``--seconds``. Exit code 1 and
the row's name if one is refused: these are honest. ``--cpu`` ends after so many CPU seconds, as Ctrl-C does at any time (exit
code 130): it says before which row and what the rows before gave. ``--only`` takes the rows whose BOARD/OBJECTIVE begins so,
``--ask CHECKER`` asks that one (those): the quick ones may go first.

``--accepted FILE`` (CSV, a line a certificate) notes which checkers have accepted a row's certificate, by its hash, and the
next call does not ask them again: it goes on, whatever rows the table has got meanwhile. A new hash is a new certificate. After
a checker has changed take its name out of the file.
"""

from __future__ import annotations

import argparse
import csv
import os
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sokoasp.bench.studies.optima_campaign import levels
from sokoasp.bench.studies.optima_certificates import certify_row, is_in, solution_of
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
OTHERS = ("check_proof.js", "Coq")
"""Checkers that need tools of their own."""
_DIGITS = 16
"""Of a certificate's hash in the file of what was accepted."""


class Accepted:
    """Which checkers have accepted which certificates, as a file keeps it (without one, in this process)."""

    COLUMNS = ("board", "objective", "certificate", "kind", "accepted")

    def __init__(self, path: Path | None) -> None:
        """Read the file, if it is there."""
        self._path = path
        self._by: defaultdict[str, set[str]] = defaultdict(set)
        if path is not None and path.exists():
            with path.open(newline="") as file:
                for line in csv.DictReader(file):
                    self._by[line["certificate"]] |= set(line["accepted"].split())

    def by(self, certificate: str) -> frozenset[str]:
        """Return the checkers that have accepted the certificate of this hash."""
        return frozenset(self._by.get(certificate[:_DIGITS], ()))

    def add(self, place: Path, said: Mapping[str, str | None]) -> None:
        """Note who accepts the certificate in ``place`` (BOARD/OBJECTIVE)."""
        accepting = [checker for checker, why in said.items() if why is None]
        certificate = _hash(place)[:_DIGITS]
        self._by[certificate].update(accepting)
        if self._path is None or not accepting:
            return
        new = not self._path.exists()
        with self._path.open("a", newline="") as file:
            lines = csv.writer(file, lineterminator="\n")
            if new:
                lines.writerow(self.COLUMNS)
            line = (place.parent.name, place.name, certificate, read_claim(place).kind, " ".join(accepting))
            lines.writerow(line)

    def report(self, rows: Sequence[Row], checkers: Iterable[str]) -> str:
        """Return how many of the rows each checker has accepted, and how many all have."""
        by = [self.by(row.certificate) for _, row, _ in rows]
        counts = [f"{sum(name in one for one in by)} by {name}" for name in checkers]
        return f"of {len(rows)} rows {sum(set(checkers) <= one for one in by)} accepted by all: {', '.join(counts)}"


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
    accepted: Accepted = field(default_factory=lambda: Accepted(None))

    def look(self, row: Row, place: Path, asked: Others, seconds: float = 600) -> None:
        """Take a row's certificate from ``place`` if it is the row's by its hash, else make it there; ask checkers about it."""
        level, known, came = row
        name = name_of(row)
        folder, how = place / known.board / known.objective, "kept"
        if not is_in(place, known):
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
        """Count and note what checkers say of a row's certificate."""
        self.accepted.add(folder, said)
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


def name_of(row: Row) -> str:
    """Return a row's name: its level and objective, and its board."""
    known = row[1]
    return f"{known.collection} {known.number} {known.objective} ({known.board})"


def _hash(folder: Path) -> str:
    return sha256(folder / "claim.json")


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
    parser.add_argument("--only", default="", metavar="BOARD/OBJECTIVE", help="the rows whose name begins so")
    parser.add_argument("--accepted", type=Path, metavar="FILE", help="what was accepted before, and is from now on")
    parser.add_argument("--kept", type=Path, help="folder of certificates, BOARD/OBJECTIVE")
    parser.add_argument("--seconds", type=float, default=600, help="wall seconds a checker is given for a row (600)")
    parser.add_argument("--cpu", type=float, default=float("inf"), help="end after so many CPU seconds")
    named = (*IN_PYTHON, *OTHERS)
    parser.add_argument("--ask", action="append", choices=named, help="ask only this checker (may stand several times)")
    given = parser.parse_args(arguments)
    outcome, whole = Rows(accepted=Accepted(given.accepted)), certified_rows(given.files)
    with tempfile.TemporaryDirectory() as build:
        found = others(Path(build))
        asked = {**IN_PYTHON, **found}
        missing = [name for name in OTHERS if name not in found]
        print(f"{len(whole)} rows with a certificate, shown to {', '.join(asked)}", flush=True)
        print("".join(f"not asked, for its tools are not installed: {name}\n" for name in missing), end="")
        left = [row for row in whole if f"{row[1].board}/{row[1].objective}".startswith(given.only)]
        try:
            ended = _show(left, {of: says for of, says in asked.items() if of in (given.ask or asked)}, outcome, given)
        finally:
            print("\n".join([*outcome.report(), outcome.accepted.report(whole, asked)]))
    return 1 if outcome.faults else 130 if ended else 0


def _show(rows: Sequence[Row], asked: Others, outcome: Rows, given: argparse.Namespace) -> bool:
    """Show rows to the checkers that have not accepted them; return whether Ctrl-C ended it."""
    for row in rows:
        lacking = {of: says for of, says in asked.items() if of not in outcome.accepted.by(row[1].certificate)}
        if not lacking:
            continue
        if sum(os.times()[:4]) > given.cpu:
            print(f"stopped before {name_of(row)}")
            break
        try:
            with tempfile.TemporaryDirectory() as place:
                outcome.look(row, given.kept or Path(place), lacking, given.seconds)
        except KeyboardInterrupt:
            print(f"interrupted at {name_of(row)}")
            return True
    return False


if __name__ == "__main__":
    sys.exit(main())
